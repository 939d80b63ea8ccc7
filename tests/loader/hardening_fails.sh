#!/bin/bash
# SPDX-License-Identifier: MIT
# That hardening.sh sees each thing that is missing: small libraries, one of them with everything.
# usage: hardening_fails.sh COMPILER READELF OBJDUMP
set -euo pipefail
compiler=$1 readelf=$2 objdump=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/library.c" <<'END'
#include <stdio.h>
int vkNegotiateLoaderLayerInterfaceVersion(const char *format);
void show(const char *text);
int vkNegotiateLoaderLayerInterfaceVersion(const char *format)
{
    char text[64];
    const int length = snprintf(text, sizeof(text), format, 1);
    show(text);
    return length;
}
END

# judge OPTION...: what hardening.sh says of a library that is built like this.
judge()
{
    "$compiler" -O2 -w -fPIC -shared -o "$work/library.so" "$work/library.c" "$@"
    "$here/hardening.sh" "$work/library.so" "$readelf" "$objdump" 2>&1
}

everything=(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
case $("$compiler" -dumpmachine) in
x86_64-*)
    everything+=(-fcf-protection=full -Wl,-z,shstk)
    less=("-fcf-protection=none|no CET")
    ;;
aarch64-*)
    everything+=(-mbranch-protection=standard)
    less=("-mbranch-protection=none|neither BTI nor PAC" "-mbranch-protection=bti|not signed")
    ;;
*) less=() ;;
esac
less+=("-fno-stack-protector|no stack protector" "-U_FORTIFY_SOURCE|no FORTIFY_SOURCE" "-Wl,-z,norelro|no RELRO"
    "-Wl,-z,lazy|bound late" "-Wl,-z,execstack|written and executed" "-Wl,-rpath,/tmp|in folders that it names")

judge "${everything[@]}" || { echo "refuses a library that has everything" >&2; exit 1; }
for case in "${less[@]}"; do
    if said=$(judge "${everything[@]}" "${case%%|*}") || [[ $said != *"${case#*|}"* ]]; then
        echo "${case%%|*}: not found but: $said" >&2
        exit 1
    fi
done
echo "finds ${#less[@]} things that are missing"
