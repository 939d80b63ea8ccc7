#!/bin/bash
# SPDX-License-Identifier: MIT
# From a fresh Debian 12 or 13 to all tests: installs what is missing, builds with gcc, with clang and with the
# sanitizers, runs everything. PGS_QUICK=1 leaves out the clang and sanitizer builds.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

pgs_install_missing
pgs_step "Building (gcc)"
pgs_build release -DPGS_WERROR=ON
if [ "${PGS_QUICK:-0}" = 0 ]; then
    pgs_step "Building (clang)"
    pgs_build release-clang -DPGS_WERROR=ON
    pgs_step "Building (gcc, ASan and UBSan)"
    pgs_build asan -DPGS_WERROR=ON
    pgs_step "Unit and mock tests under ASan and UBSan"
    ctest --test-dir build/asan --output-on-failure -L 'unit|mock' -j "$(nproc)"
fi
pgs_step "All tests"
ctest --test-dir build/release --output-on-failure -j "$(nproc)"
pgs_step "OK: all tests passed or had a reason to be skipped"
