#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the layer for aarch64 Linux with Debian's cross compiler, runs in QEMU the tests that need no driver and a few programs
# on lavapipe, and looks at the packages. On a Debian 12 or 13 for amd64, as root or with sudo where packages are missing.
#
# usage: scripts/arm64.sh [--fetch]
#   --fetch  only installs packages and unpacks what the tests run on. A call beside waits until that is done.
# PGS_SHADERS_OF, if it is set, is a complete build of this tree for another machine, whose compiled shaders are taken.
#
# Exit status: 77 where this is no amd64, or packages cannot be had, with one line on stderr.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

impossible()
{
    echo "arm64.sh: no build for aarch64: $*" >&2
    exit 77
}

# What the tests run on, in build/arm64-sysroot: libc, the libraries that they link, lavapipe, the loader and the validation layer,
# each with what it depends on. They are unpacked, not installed, so that this machine's package database knows nothing of
# them. The lists of that architecture are fetched into a folder of their own.
fill_sysroot()
{
    local sysroot=$PWD/build/arm64-sysroot packages="libcmocka-dev libvulkan1 mesa-vulkan-drivers vulkan-validationlayers" work package
    [ ! -e "$sysroot/packages" ] || [ "$(cat "$sysroot/packages")" != "$packages" ] || return 0
    work=$(mktemp -d)
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    : >"$work/status"
    local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$work/lists"
        -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
    # shellcheck disable=SC2086
    { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends --download-only $packages; } >"$work/log" 2>&1 ||
        { tail -n 3 "$work/log" >&2; rm -rf "$work"; return 1; }
    rm -rf "$sysroot"
    mkdir -p "$sysroot"
    for package in "$work"/cache/archives/*.deb; do
        dpkg -x "$package" "$sysroot"
    done
    [ -e "$sysroot/lib" ] || ln -s usr/lib "$sysroot/lib" # Debian 13 has that in none of these packages
    echo "$packages" >"$sysroot/packages"
    rm -rf "$work"
}

[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || impossible "this machine is not amd64"
mkdir -p build
exec {lock}>build/arm64.lock
flock $lock
PGS_PACKAGES="$PGS_PACKAGES $PGS_ARM64_PACKAGES" pgs_install_missing || impossible "its packages cannot be had"
fill_sysroot || impossible "what its tests run on cannot be had"
exec {lock}>&-
[ "${1:-}" != --fetch ] || exit 0
pgs_step "Building for aarch64"
pgs_build arm64 -DPGS_WERROR=ON -DPGS_SHADERS_OF="${PGS_SHADERS_OF:-}"
pgs_step "Tests without drivers, on aarch64 in QEMU"
# Of the passes over shaders a few kinds: what they do depends on no machine, but each runs a hundred programs.
sample='^spirv[.](refuse|unfit|corpus[.](streams[.]geom|patch_rich[.]tesc))$'
ctest --test-dir build/arm64 --output-on-failure -L 'unit|mock' -j "$(nproc)"
ctest --test-dir build/arm64 --output-on-failure -R "$sample" -j "$(nproc)"
pgs_step "A few programs on lavapipe, and the packages, for aarch64"
ctest --test-dir build/arm64 --output-on-failure -L 'gpu|package' -j "$(nproc)"
