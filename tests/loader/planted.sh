#!/bin/bash
# SPDX-License-Identifier: MIT
# The one library that the layer loads itself, to show shaders that it dumps, does not come from where a program is started:
# not from the working folder, nor from that of the dumps. By LD_LIBRARY_PATH it does, so the test would see it. Nor does a
# dump write where a link by its name leads.
# usage: planted.sh PROGRAM LIBRARY
# Exit status 77 where the layer was built without it.
set -euo pipefail
program=$(realpath "$1") library=$2
name=$(grep -aoE 'libspirv-cross-c-shared[.]so[.][0-9]+' "$program" | head -n 1) || { echo "SKIPPED: built without SPIRV-Cross"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset "${!VK_POLY_GS_@}" VK_LAYER_SETTINGS_PATH XDG_CACHE_HOME XDG_DATA_HOME LD_LIBRARY_PATH
export HOME=$work VK_POLY_GS_DUMP=$work

cp "$library" "$name"
echo mine >victim
ln -s victim 0000-probe.spv
"$program" >/dev/null
[ "$(cat victim)" = mine ] || { echo "a dump went through a link" >&2; exit 1; }
[ -f 0000-probe.spv ] && [ ! -L 0000-probe.spv ] || { echo "nothing was dumped" >&2; exit 1; }
[ ! -e loaded ] || { echo "$name was loaded from the working folder" >&2; exit 1; }
LD_LIBRARY_PATH=$work "$program" >/dev/null
[ -e loaded ] || { echo "$name is never loaded" >&2; exit 1; }
echo "$name: only from where libraries are"
