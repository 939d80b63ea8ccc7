#!/bin/bash
# SPDX-License-Identifier: MIT
# How a built library is hardened. Looks only, so it also runs for another architecture than this machine's.
# usage: hardening.sh LIBRARY READELF OBJDUMP
set -euo pipefail
library=$1 readelf=$2 objdump=$3

fail()
{
    echo "$library: $*" >&2
    exit 1
}

# has WHAT PATTERN, lacks WHAT PATTERN: in what the command before the pipe prints.
has()
{
    local text; text=$(cat)
    grep -qE "$2" <<<"$text" || fail "$1"
}

lacks()
{
    local text; text=$(cat)
    ! grep -qE "$2" <<<"$text" || fail "$1"
}

# Tables of addresses are read-only, and complete before anything runs.
"$readelf" -lW "$library" | has "no RELRO" 'GNU_RELRO'
"$readelf" -dW "$library" | has "functions are bound late" '\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW'
"$readelf" -dW "$library" | lacks "code is written to when it is loaded" 'TEXTREL'
"$readelf" -dW "$library" | lacks "libraries are looked for in folders that it names" 'RPATH|RUNPATH'
# Nothing is writable and executable, the stack neither.
"$readelf" -lW "$library" | has "says nothing of the stack" 'GNU_STACK'
"$readelf" -lW "$library" | lacks "memory that is written and executed" ' RWE '
# Buffers on the stack are guarded, and the sizes of copies checked.
"$readelf" -W --dyn-syms "$library" | has "no stack protector" '__stack_chk_fail'
"$readelf" -W --dyn-syms "$library" | has "no FORTIFY_SOURCE" '__(v?snprintf|v?fprintf|memcpy|memset|read)_chk'

# Where a function that others call begins, there is a landing pad: code is entered nowhere else.
entry=vkNegotiateLoaderLayerInterfaceVersion
first=$("$objdump" -d --no-show-raw-insn "$library" | grep -EA1 "<$entry(@.*)?>:" | tail -1 || true)
case $("$readelf" -hW "$library" | sed -n 's/ *Machine: *//p') in
*X86-64*)
    [[ $first == *endbr64* ]] || fail "no CET: $entry begins with $first"
    "$readelf" -nW "$library" | has "not marked for shadow stacks" 'SHSTK'
    ;;
*AArch64*)
    [[ $first == *bti* || $first == *paciasp* ]] || fail "neither BTI nor PAC: $entry begins with $first"
    "$objdump" -d --no-show-raw-insn "$library" | has "return addresses are not signed" 'paciasp'
    ;;
esac
echo "$(basename "$library"): hardened"
