#!/bin/bash
# SPDX-License-Identifier: MIT
# Looks at the layer through the real loader with vulkaninfo.
# usage: run.sh CASE BUILD-FOLDER VULKANINFO DEVICES-PROGRAM
set -euo pipefail
case_name=$1 build=$2 vulkaninfo=$3 devices=$4

scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
lavapipe=$("$scripts"/vk_icd.py lavapipe)
swiftshader=$("$scripts"/vk_icd.py swiftshader)
library=$build/layer/libVkLayer_poly_gs.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work XDG_RUNTIME_DIR=$work VK_ICD_FILENAMES=$lavapipe
unset VK_POLY_GS_FORCE VK_POLY_GS_FEEDBACK VK_INSTANCE_LAYERS VK_LAYER_PATH XDG_DATA_HOME ENABLE_POLY_GS DISABLE_POLY_GS DISPLAY
export VK_POLY_GS_CACHE=0
export VK_POLY_GS_THREADS=0 # fast links tell below that the layer is active: without threads it has none

fail()
{
    echo "$case_name: $*" >&2
    exit 1
}

explicit()
{
    export VK_LAYER_PATH=$build/json VK_INSTANCE_LAYERS=VK_LAYER_poly_gs${1:+:$1}
}

# info OUTPUT: everything that vulkaninfo tells, without the parts that change from run to run or name the layer.
info()
{
    "$vulkaninfo" >"$1.all" 2>"$1.err" || { cat "$1.err"; fail "vulkaninfo failed"; }
    ! grep -q "poly_gs error" "$1.err" || { cat "$1.err"; fail "the layer complains"; }
    sed -n '/^Device Properties and Extensions/,$p' "$1.all" | grep -vE 'heapBudget|heapUsage|budget|usage' >"$1"
    [ -s "$1" ] || fail "vulkaninfo found no device"
}

has()
{
    grep -qE "$2" "$1" || fail "$1 lacks: $2"
}

lacks()
{
    ! grep -qE "$2" "$1" || fail "$1 has: $2"
}

case $case_name in
inactive) # a native driver looks the same with the layer and without
    info without
    explicit
    info with
    grep -q 'VK_LAYER_poly_gs' with.all || fail "the layer was not found"
    diff without with || fail "the layer shows on a driver that needs none"
    ;;
swiftshader)
    export VK_ICD_FILENAMES=$swiftshader
    info without
    lacks without 'geometryShader +(=|:) *true'
    explicit
    info with
    has with 'geometryShader += true'
    has with 'shaderTessellationAndGeometryPointSize += true'
    has with 'maxGeometryShaderInvocations += 32'
    has with 'maxGeometryOutputVertices += 1024'
    has with 'VK_EXT_vertex_input_dynamic_state'
    has with 'VK_EXT_graphics_pipeline_library'
    has without 'graphicsPipelineLibraryFastLinking += true'
    lacks with 'graphicsPipelineLibraryFastLinking += true'
    ;;
forced)
    info without
    has without 'tessellationShader += true'
    export VK_POLY_GS_FORCE=1
    explicit
    info with
    has with 'geometryShader += true'
    has with 'tessellationShader += true'
    has with 'maxGeometryInputComponents += 128'
    lacks with 'graphicsPipelineLibraryFastLinking += true'
    has with 'VK_EXT_multi_draw '
    has with 'VK_KHR_push_descriptor '
    has with 'VK_KHR_swapchain '
    has with 'VK_EXT_transform_feedback '
    VK_POLY_GS_THREADS=1 info with
    has with 'graphicsPipelineLibraryFastLinking += true'
    VK_POLY_GS_THREADS=1 VK_POLY_GS_COMPILE=all info with
    lacks with 'graphicsPipelineLibraryFastLinking += true'
    VK_POLY_GS_TESSELLATION=0 info with
    has with 'tessellationShader += false'
    VK_POLY_GS_FEEDBACK=0 info with
    has with 'geometryShader += true'
    lacks with 'VK_EXT_transform_feedback|VK_EXT_primitives_generated_query'
    ;;
settings-file)
    printf 'poly_gs.force = true\n' >vk_layer_settings.txt
    explicit
    info with
    lacks with 'graphicsPipelineLibraryFastLinking += true'
    ;;
validation) # below us: the layer's own use of the API is clean
    export VK_POLY_GS_FORCE=1
    explicit VK_LAYER_KHRONOS_validation
    unset VK_LAYER_PATH
    export VK_ADD_LAYER_PATH=$build/json
    info with
    lacks with 'graphicsPipelineLibraryFastLinking += true'
    ! grep -qE 'VUID|Validation Error' with.all with.err || { grep -hE 'VUID' with.all with.err; fail "validation errors"; }
    ;;
devices-forced | devices-swiftshader) # with the validation layer below us
    explicit VK_LAYER_KHRONOS_validation
    unset VK_LAYER_PATH
    export VK_ADD_LAYER_PATH=$build/json
    case $case_name in
    devices-forced) export VK_POLY_GS_FORCE=1 ;;
    devices-swiftshader) export VK_ICD_FILENAMES=$swiftshader ;;
    esac
    "$devices"
    ;;
feedback-*) # each half, as vulkaninfo and a program see it, with the validation layer below us
    half=driver ours=true
    case $case_name in
    feedback-forced) export VK_POLY_GS_FORCE=1 half=layer ;;
    feedback-half) export VK_POLY_GS_FORCE=feedback ;;
    feedback-swiftshader) export VK_ICD_FILENAMES=$swiftshader half=layer ;;
    esac
    info without
    # Mesa has it since 26.
    [ $case_name != feedback-native ] || ours=$(grep -oP 'transformFeedbackRasterizationStreamSelect += \K\w+' without | head -n 1)
    explicit VK_LAYER_KHRONOS_validation
    unset VK_LAYER_PATH
    export VK_ADD_LAYER_PATH=$build/json
    info with
    ! grep -qE 'VUID|Validation Error' with.all with.err || { grep -hE 'VUID' with.all with.err; fail "validation errors"; }
    has with 'transformFeedback += true'
    has with 'geometryStreams += true'
    has with 'primitivesGeneratedQueryWithNonZeroStreams += true'
    has with "transformFeedbackRasterizationStreamSelect += $ours"
    has with 'transformFeedbackPreservesProvokingVertex += true'
    for extension in VK_EXT_transform_feedback VK_EXT_primitives_generated_query; do
        [ "$(grep -c "^.$extension " with)" = 1 ] || fail "$extension is not listed once"
    done
    if [ $half = driver ]; then
        limits='maxGeometryOutputVertices|maxGeometryShaderInvocations|maxGeometryTotalOutputComponents'
        diff <(grep -E "$limits" without) <(grep -E "$limits" with) || fail "limits of the driver's geometry shaders"
    fi
    "$devices" feedback
    ;;
implicit) # as installed: off, on, and off again whatever is said
    cmake --install "$build" --prefix "$work/usr" >/dev/null
    export XDG_DATA_HOME=$work/usr/share VK_POLY_GS_FORCE=1
    manifest=$XDG_DATA_HOME/vulkan/implicit_layer.d/VkLayer_poly_gs.json
    [ -f "$manifest" ] || fail "no manifest was installed"
    info off
    has off 'graphicsPipelineLibraryFastLinking += true'
    export ENABLE_POLY_GS=1
    info on
    lacks on 'graphicsPipelineLibraryFastLinking += true'
    export DISABLE_POLY_GS=1
    info disabled
    diff off disabled || fail "the layer is there although it was disabled"
    ;;
archive) # the one for containers, in a folder of any name
    cpack --config "$build/CPackConfig.cmake" -G TGZ -B "$work/pack" >log 2>&1 || { cat log; fail "cpack failed"; }
    mkdir root
    tar -xzf pack/poly_gs-*.tar.gz -C root
    (cd root && find . -type f | sort) >files
    printf './%s\n' README.poly_gs usr/lib/libVkLayer_poly_gs.so usr/share/vulkan/implicit_layer.d/VkLayer_poly_gs.json |
        diff - files || fail "what is in the archive"
    ! grep -q @ root/README.poly_gs || fail "the README is a template"
    export XDG_DATA_HOME=$work/root/usr/share VK_POLY_GS_FORCE=1 ENABLE_POLY_GS=1
    info on
    lacks on 'graphicsPipelineLibraryFastLinking += true'
    ;;
exports)
    nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' >names
    [ "$(cat names)" = vkNegotiateLoaderLayerInterfaceVersion ] || { cat names; fail "exports"; }
    ;;
exports-android)
    nm -D --defined-only "$build/tests/android/layers/libVkLayer_poly_gs.so" | awk '$2 != "A" {print $3}' | sort >names
    printf 'vk%s\n' EnumerateDeviceExtensionProperties EnumerateDeviceLayerProperties EnumerateInstanceExtensionProperties \
        EnumerateInstanceLayerProperties GetDeviceProcAddr GetInstanceProcAddr NegotiateLoaderLayerInterfaceVersion |
        diff - names || fail "exports"
    ;;
*)
    fail "no such case"
    ;;
esac
