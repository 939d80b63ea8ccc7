# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Sourced by the other scripts: what a fresh Debian 12 or 13 needs, and how the build is run. Bash, from the repository's root.

PGS_PACKAGES="build-essential clang libclang-rt-dev cmake ninja-build python3 pkg-config git
    libvulkan-dev vulkan-tools glslang-tools glslang-dev spirv-tools spirv-headers libspirv-cross-c-shared-dev
    libvulkan-volk-dev vulkan-validationlayers mesa-vulkan-drivers chromium-common libcmocka-dev libstb-dev libpng-dev xvfb xauth
    clang-format"
# What scripts/arm64.sh needs besides.
PGS_ARM64_PACKAGES="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

pgs_step()
{
    printf '== %s\n' "$*"
}

# Installs the packages that are not there yet, as root or through sudo.
pgs_install_missing()
{
    local missing="" package sudo=""
    for package in $PGS_PACKAGES; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    [ "$(id -u)" = 0 ] || sudo="sudo"
    pgs_step "Installing:$missing"
    $sudo apt-get update -qq
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# pgs_build PRESET [OPTION...]: configures one preset of CMakePresets.json, with more options of cmake, and builds it into
# build/PRESET: all of it, or the target PGS_TARGET.
pgs_build()
{
    local log; log=$(mktemp)
    cmake --preset "$@" >"$log" 2>&1 || { cat "$log"; return 1; }
    sed -n '/^-- Vulkan .* hidden/,/^-- Configuring/{/^-- Configuring/!p}' "$log" # what applications will not see
    rm -f "$log"
    cmake --build --preset "$1" --target "${PGS_TARGET:-all}" -- --quiet
}
