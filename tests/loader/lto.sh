#!/bin/bash
# SPDX-License-Identifier: MIT
# That libraries beside the layer have code, whoever asks for link-time optimization: a linker only warns of objects that
# have none for it. usage: lto.sh CMAKE COMPILER NM SOURCE
set -euo pipefail
cmake=$1 compiler=$2 nm=$3 source=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(lto LANGUAGES C)
include("$source/cmake/lto.cmake")
add_library(one SHARED one.c)
END
echo 'int one(void); int one(void) { return 1; }' >"$work/one.c"

# judge NAME OPTION...
judge()
{
    "$cmake" -S "$work" -B "$work/$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$compiler" "${@:2}" >"$work/log" 2>&1 &&
        "$cmake" --build "$work/$1" >>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    "$nm" -D --defined-only "$work/$1/libone.so" | grep -qw one || { cat "$work/log" >&2; echo "$1: empty" >&2; exit 1; }
}

judge usual
"$compiler" -flto -shared -fPIC -o "$work/can.so" "$work/one.c" 2>/dev/null || exit 0
judge flags -DCMAKE_C_FLAGS=-flto
judge release -DCMAKE_C_FLAGS_RELEASE="-O2 -flto"
judge switch -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
judge against -DCMAKE_C_FLAGS=-fno-lto
