#!/bin/bash
# SPDX-License-Identifier: MIT
# What cpack makes of a build: the Debian package and the archive for containers. Looks only, so it also runs for another
# architecture than this machine's.
# usage: package.sh deb|archive BUILD-FOLDER DEBIAN-ARCHITECTURE LIBRARY-FOLDER READELF OBJDUMP
# Exit status 77 where there are no Debian packages.
set -euo pipefail
kind=$1 build=$2 architecture=$3 library_folder=$4 readelf=$5 objdump=$6
manifest=usr/share/vulkan/implicit_layer.d/VkLayer_poly_gs.json
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "$kind: $*" >&2
    exit 1
}

# pack GENERATOR PATTERN: makes the package and prints its path.
pack()
{
    cpack --config "$build/CPackConfig.cmake" -G "$1" -B "$work/pack" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "cpack failed"; }
    # shellcheck disable=SC2086
    set -- "$work"/pack/$2
    if [ $# != 1 ] || [ ! -f "$1" ]; then fail "not one package but: $*"; fi
    echo "$1"
}

# holds FILE...: these files are in root/, and no others.
holds()
{
    printf './%s\n' "$@" | sort >"$work/wanted"
    (cd "$work/root" && find . -type f | sort) | diff "$work/wanted" - || fail "other files than these"
}

# The library is one for that architecture, without symbols of its own, and needs libc alone.
look_at_library()
{
    local library=$work/root/$1 machine
    case $architecture in
    amd64) machine=X86-64 ;;
    arm64) machine=AArch64 ;;
    *) machine="" ;; # no more to say
    esac
    "$readelf" -hW "$library" | grep -q "Machine:.*$machine" || fail "a library for another machine"
    ! "$readelf" -SW "$library" | grep -q '[.]symtab' || fail "the library has its symbols"
    "$readelf" -dW "$library" | grep NEEDED | grep -vE '\[(libc[.]so[.]6|ld-linux-[^]]*)\]' && fail "the library needs more than libc"
    "$here/hardening.sh" "$library" "$readelf" "$objdump" || fail "the library is not hardened"
    # The manifest names it relative to itself.
    local path; path=$(sed -n 's/.*"library_path": "\(.*\)".*/\1/p' "$work/root/$manifest")
    [ "$(realpath -m "$work/root/$(dirname "$manifest")/$path")" = "$(realpath "$library")" ] || fail "the manifest names $path"
    grep -q '"ENABLE_POLY_GS"' "$work/root/$manifest" || fail "the layer would be on everywhere"
}

mkdir "$work/root"
case $kind in
deb)
    command -v dpkg-deb >/dev/null || exit 77
    package=$(pack DEB '*.deb')
    dpkg-deb -x "$package" "$work/root"
    docs=usr/share/doc/vulkan-layer-poly-gs
    holds "usr/$library_folder/libVkLayer_poly_gs.so" $manifest $docs/{copyright,SECURITY.md,changelog.gz,changelog.Debian.gz}
    look_at_library "usr/$library_folder/libVkLayer_poly_gs.so"
    [ "$(dpkg-deb -f "$package" Architecture)" = "$architecture" ] || fail "for $(dpkg-deb -f "$package" Architecture)"
    depends=$(dpkg-deb -f "$package" Depends)
    [[ $depends =~ libc6\ \(\>=\ 2\.[0-9]+\) && $depends == *libvulkan1* ]] || fail "depends on $depends"
    ;;
archive)
    package=$(pack TGZ 'poly_gs-*.tar.gz')
    tar -xzf "$package" -C "$work/root"
    holds README.poly_gs usr/lib/libVkLayer_poly_gs.so $manifest
    look_at_library usr/lib/libVkLayer_poly_gs.so
    ! grep -q @ "$work/root/README.poly_gs" || fail "the README is a template"
    ;;
*)
    fail "no such kind"
    ;;
esac
echo "$(basename "$package"): $(stat -c %s "$package") bytes"
