#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh inactive|forced|swiftshader MANIFESTS PROGRAM...: runs a program through the layer, with the validation layer below.
# Fails if the program does, or if the validation layer has anything to say that it does not say without our layer.
set -eu
mode=$1 manifests=$2
shift 2
case $mode in
swiftshader) driver=swiftshader ;;
*) driver=lavapipe ;;
esac
[ "$mode" != forced ] || export VK_POLY_GS_FORCE=1
icd=$("$(dirname "$0")"/../../scripts/vk_icd.py $driver)
export VK_ICD_FILENAMES="$icd" VK_ADD_LAYER_PATH="$manifests"

messages()
{
    grep -E -o '(VUID|UNASSIGNED|SYNC)-[A-Za-z0-9_-]+' "$1" | sort -u || true
}

before=$(mktemp) through=$(mktemp)
trap 'rm -f "$before" "$through"' EXIT
VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$@" >"$before" 2>&1 || { cat "$before"; exit 77; }
VK_LOADER_DEBUG=layer VK_INSTANCE_LAYERS=VK_LAYER_poly_gs:VK_LAYER_KHRONOS_validation "$@" >"$through" 2>&1 ||
    { cat "$through"; exit 1; }
# A layer that the loader does not find is only a warning to it; here it would make the test worthless.
grep -q 'Insert instance layer "\?VK_LAYER_poly_gs' "$through" || { cat "$through"; echo "the layer was not loaded"; exit 1; }
messages "$before" >"$before.ids"
messages "$through" >"$through.ids"
new=$(comm -13 "$before.ids" "$through.ids")
rm -f "$before.ids" "$through.ids"
[ -z "$new" ] || { cat "$through"; echo "new messages: $new"; exit 1; }
