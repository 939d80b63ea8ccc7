#!/bin/bash
# SPDX-License-Identifier: MIT
# From a fresh Debian 12 or 13 to all tests: installs what is missing, builds with gcc, with clang, with the
# sanitizers and for aarch64, runs everything. PGS_QUICK=1 leaves out all builds but the first; PGS_SAMPLE=1 those, all tests on
# drivers but a few, and the programs of the others, which is enough to see whether a Debian has what the build and the tests
# need. PGS_LEAN=1 builds without symbols for debuggers, as .ci/run does.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

# Broken modules (spirv.robust, fuzz.*) are the same everywhere, and so are most others; some need a newer assembler.
# One program for each stage, with its own expectations: natively, forced, on SwiftShader. What clients refuse on phones is
# compared in full only with the newer lavapipe here.
sample='^gpu-(strips|state|xfb_draw|varyings|maintenance5|push_descriptors_infos|robustness(_linked)?|float_controls2|local_read(_linked)?|core14|maintenance[79]|attachments|replicated|nested|vertex_input|pipeline_libraries|shader_object|mesh|rays|multiview)-(native|forced|swiftshader)$|^gpu-tessellation_levels-(native|forced)$'
sample+='|^kernels-(scan|geometry)-|^profiles-|^spirv[.]corpus[.](replicate|fast_math|quad|rotate|small_floats|plain)[.]'

sampled=${PGS_SAMPLE:-0}
pgs_install_missing
pgs_step "Building (gcc)"
if [ "$sampled" = 0 ]; then
    pgs_build release -DPGS_WERROR=ON
else
    PGS_TARGET="VkLayer_poly_gs VkLayer_poly_gs_android VkLayer_pgs_test_profiles profiles-report driverless_tests" \
        PGS_TESTS="$sample|^loader|^spirv[.](patterns|refuse|unfit|lengths)" pgs_build release -DPGS_WERROR=ON
fi
if [ "$sampled" = 0 ] && [ "${PGS_QUICK:-0}" = 0 ]; then
    # The compilers and sanitizers change nothing in shaders, nor in what scripts look at.
    again=(-DPGS_WERROR=ON -DPGS_SHADERS_OF="$PWD/build/release")
    scripts='^(style|unit[.](style|docs|format|cts|generators))$'
    pgs_step "Compiling (clang)" # for its warnings; nothing of that is run
    PGS_OBJECTS=1 PGS_TARGET=VkLayer_poly_gs pgs_build release-clang "${again[@]}"
    pgs_step "Building (gcc, ASan and UBSan)"
    PGS_TARGET=driverless_tests pgs_build asan "${again[@]}"
    pgs_step "Unit and mock tests under ASan and UBSan"
    ctest --test-dir build/asan --output-on-failure -L 'unit|mock' -E "$scripts" -j "$(nproc)"
    pgs_step "Building (gcc, TSan)"
    PGS_TARGET=thread_tests pgs_build tsan "${again[@]}"
    pgs_step "Tests with several threads under TSan"
    ctest --test-dir build/tsan --output-on-failure -L threads -j "$(nproc)"
    arm64=0
    PGS_SHADERS_OF=$PWD/build/release scripts/arm64.sh || arm64=$?
    [ $arm64 = 0 ] || [ $arm64 = 77 ]
    [ $arm64 = 0 ] || pgs_step "aarch64 SKIPPED: see above"
fi
if [ "$sampled" != 0 ]; then
    pgs_step "Tests without drivers, and a sample of the others"
    ctest --test-dir build/release --output-on-failure -L 'unit|mock|loader|spirv' -E '^spirv[.](robust|corpus|growth)|^fuzz[.]|^(style|unit[.](style|docs|format))$' -j "$(nproc)"
    ctest --test-dir build/release --output-on-failure -R "$sample" -j "$(nproc)"
else
    pgs_step "All tests"
    ctest --test-dir build/release --output-on-failure -j "$(nproc)"
fi
pgs_step "OK: all tests passed or had a reason to be skipped"
