#!/bin/bash
# SPDX-License-Identifier: MIT
# VK_POLY_GS_DUMP leaves every generated module as SPIR-V and as GLSL, and both are valid.
# usage: dump.sh BUILD-FOLDER DEMO-PROGRAM GLSLANG-VALIDATOR MODULE...
# MODULE: what its first pipeline with a geometry shader must leave when all variants are compiled. All modules must be valid.
set -euo pipefail
build=$1 program=$2 glslang=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
icd=$("$(dirname "$0")"/../../scripts/vk_icd.py swiftshader)
env VK_ICD_FILENAMES="$icd" VK_ADD_LAYER_PATH="$build/json" \
    VK_INSTANCE_LAYERS=VK_LAYER_poly_gs VK_POLY_GS_LOG=warn VK_POLY_GS_COMPILE=all \
    VK_POLY_GS_DUMP="$work" "$program" 2>"$work/log"
if grep poly_gs "$work/log"; then
    exit 1 # it had something to complain about
fi
for module in "$@"; do
    [ -e "$work/0000-$module.spv" ] || { echo "no module $module in: $(ls "$work")"; exit 1; }
done
for module in "$work"/*.spv; do
    case $module in
    *-stored.spv | *-inline.spv) stage=vert ;;
    *) stage=comp ;;
    esac
    spirv-val --target-env vulkan1.2 "$module"
    "$glslang" --target-env vulkan1.2 -V -S "$stage" -o "$work/again" "${module%.spv}.glsl"
done
