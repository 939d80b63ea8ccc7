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
# build/PRESET: all of it, or the targets PGS_TARGET and the programs of the tests PGS_TESTS, a regular expression. PGS_LEAN=1
# leaves out the symbols of debuggers, which are a sixth of compiling and nearly all of linking; sanitizers still name lines.
# PGS_OBJECTS=1 compiles everything without optimization, and links nothing but the targets PGS_TARGET: for compilers that are
# asked for their warnings.
pgs_build()
{
    local log preset=$1; log=$(mktemp)
    [ "${PGS_LEAN:-0}" = 0 ] || set -- "$@" -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -DNDEBUG" -DCMAKE_C_FLAGS_DEBUG="-Og -g1"
    [ "${PGS_OBJECTS:-0}" = 0 ] || set -- "$@" -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O0 -DNDEBUG"
    cmake --preset "$@" >"$log" 2>&1 || { cat "$log"; return 1; }
    sed -n '/^-- Vulkan .* hidden/,/^-- Configuring/{/^-- Configuring/!p}' "$log" # what applications will not see
    rm -f "$log"
    local targets=${PGS_TARGET:-all}
    [ -z "${PGS_TESTS:-}" ] || targets="${PGS_TARGET:-} $(pgs_files_of_tests "$PWD/build/$preset" "$PGS_TESTS")"
    [ "${PGS_OBJECTS:-0}" = 0 ] || targets="${PGS_TARGET:-} $(ninja -C "build/$preset" -t targets all | sed -n 's/^\(.*[.]o\): .*/\1/p')"
    # shellcheck disable=SC2086
    cmake --build --preset "$preset" --target $targets -- --quiet
}

# pgs_files_of_tests FOLDER TESTS: what the commands of these tests name and ninja makes. CTest itself does not tell commands
# that are not built yet.
pgs_files_of_tests()
{
    python3 -c '
import os, pathlib, re, subprocess, sys
folder, wanted = sys.argv[1:]
targets = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"], text=True, stdout=subprocess.PIPE).stdout
made = {line.rpartition(": ")[0] for line in targets.splitlines()}
named = set()
for path in pathlib.Path(folder).rglob("CTestTestfile.cmake"):
    for name, command in re.findall(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", path.read_text(), re.M):
        if re.search(wanted, name):
            named |= {os.path.relpath(word, folder) for word in re.findall("\"(.*?)\"", command) if word.startswith(folder)}
print(*sorted(named & made))' "$1" "$2"
}
