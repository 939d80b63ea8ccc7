#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs real clients of Vulkan on lavapipe 25, natively and through the layer, which emulates everything
# (VK_POLY_GS_FORCE=1), and compares what they draw and count: DXVK 2.6 under Wine 10, and zink of Mesa 25.
#
# usage: scripts/clients.sh [d3d11 | gl]...
#   d3d11  tests/clients/d3d11_scenes.c, Direct3D 11 on DXVK
#   gl     tests/clients/gl_scenes.c, OpenGL 4.5 on zink, and glxinfo
#
# All of it lies in a Debian 13 chroot, see scripts/debian-chroot.sh. HLSL is compiled in a chroot of sid: the compilers of
# Debian 13, Wine's among them, know no geometry shaders. Prints a table for each program. Pictures, times and logs stay in
# build/debian-trixie/clients.
#   PGS_CLIENT_RUNS  how often each program runs: 1. The table has the medians of its times; nothing is held against them.
#
# Exit status: 0 if all is equal, 1 if not, 77 where there can be no chroot.
set -euo pipefail
cd "$(dirname "$0")/.."

packages="wine wine64 wine64-preloader dxvk dxvk-wine64 gcc-mingw-w64-x86-64 mesa-utils libegl-dev libgl-dev libopengl-dev
    libegl-mesa0 libgl1-mesa-dri libglx-mesa0 xvfb xauth procps"
out=build/clients # in the chroot

# What is for sid: compiles each entry point of the HLSL.
compile_shaders()
{
    local entry source=tests/clients/d3d11_scenes.hlsl
    command -v vkd3d-compiler >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends vkd3d-compiler >/dev/null; }
    rm -rf $out/shaders
    mkdir -p $out/shaders
    for entry in $(grep -oE '\b[vhdgp]s_[a-z]+\(' $source | tr -d '('); do
        vkd3d-compiler -x hlsl -b dxbc-tpf -e "$entry" -p "${entry%%_*}_5_0" $source -o "$out/shaders/$entry.dxbc"
    done
}

# forced COMMAND...: through the layer.
forced()
{
    VK_LAYER_PATH=$PWD/build/release/json VK_INSTANCE_LAYERS=VK_LAYER_poly_gs VK_POLY_GS_FORCE=1 VK_POLY_GS_LOG=info "$@"
}

# run_both CLIENT COMMAND...: runs COMMAND FOLDER natively and forced, in turns.
run_both()
{
    local client=$1 run side folder; shift
    rm -rf "${out:?}/$client"
    for run in $(seq "${PGS_CLIENT_RUNS:-1}"); do
        for side in env forced; do
            folder=$out/$client/${side/env/native}-$run
            mkdir -p "$folder"
            $side "$@" "$folder" >"$folder/times.txt" 2>"$folder/log.txt" ||
                { echo "clients.sh: $* $folder ended with $?:"; tail -n 20 "$folder/log.txt"; return 1; }
        done
    done
}

run_d3d11()
{
    export WINEPREFIX=$PWD/$out/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml=" # no Mono, no Gecko
    export DXVK_STATE_CACHE=disable DXVK_LOG_PATH=none
    x86_64-w64-mingw32-gcc -std=gnu11 -O1 -Wall -Wextra -Werror tests/clients/d3d11_scenes.c -o $out/d3d11_scenes.exe -ld3d11
    if [ ! -L "$WINEPREFIX/drive_c/windows/system32/d3d11.dll" ]; then
        { wine wineboot -i && dxvk-setup install -y; } >$out/wine.log 2>&1 </dev/null || true # reports what 32 bits lack, too
        wineserver -w
        [ -L "$WINEPREFIX/drive_c/windows/system32/d3d11.dll" ] || { echo "clients.sh: no DXVK in Wine, see $out/wine.log"; return 1; }
    fi
    local status=0
    run_both d3d11 wine $out/d3d11_scenes.exe $out/shaders || status=1
    wineserver -k || true
    return $status
}

run_gl()
{
    export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
    gcc -std=gnu11 -O1 -Wall -Wextra -Werror tests/clients/gl_scenes.c -o $out/gl_scenes -lEGL -lOpenGL
    run_both gl $out/gl_scenes
    glxinfo -B >$out/glxinfo-native.txt 2>&1
    forced glxinfo -B >$out/glxinfo-forced.txt 2>&1
    grep -q "OpenGL renderer string: zink" $out/glxinfo-forced.txt || { echo "clients.sh: glxinfo did not run on zink"; return 1; }
    diff <(grep "version string" $out/glxinfo-native.txt) <(grep "version string" $out/glxinfo-forced.txt)
}

# What is for Debian 13 with an X server: the programs CLIENT...
run_clients()
{
    local client status=0
    VK_ICD_FILENAMES=$(echo /usr/share/vulkan/icd.d/lvp_icd*.json)
    export VK_ICD_FILENAMES MESA_SHADER_CACHE_DISABLE=true
    for client; do
        printf '\n== %s\n\n' "$client"
        if (set -e; "run_$client"); then
            python3 tests/clients/compare.py "$out/$client" "tests/clients/${client}_counts.txt" || status=1
        else
            echo "WRONG: $client did not run to its end"
            status=1
        fi
    done
    return $status
}

# What is for Debian 13: installs, builds, and goes on with an X server.
prepare()
{
    # shellcheck source=scripts/setup.sh
    . scripts/setup.sh
    PGS_PACKAGES="$PGS_PACKAGES $packages" pgs_install_missing
    PGS_TARGET=VkLayer_poly_gs pgs_build release >/dev/null
    mkdir -p $out
    xvfb-run -a scripts/clients.sh --with-x "$@"
}

stage=${1:-}
case $stage in
--shaders)
    compile_shaders
    ;;
--in-chroot)
    shift
    prepare "$@"
    ;;
--with-x)
    shift
    run_clients "$@"
    ;;
*)
    [ $# -gt 0 ] || set -- d3d11 gl
    for client; do
        [ "$client" = d3d11 ] || [ "$client" = gl ] || { echo "usage: clients.sh [d3d11 | gl]..." >&2; exit 2; }
    done
    if [[ " $* " == *" d3d11 "* ]]; then
        scripts/debian-chroot.sh sid scripts/clients.sh --shaders
        rm -rf build/debian-trixie/clients/shaders
        mkdir -p build/debian-trixie/clients
        cp -r build/debian-sid/clients/shaders build/debian-trixie/clients/
    fi
    exec scripts/debian-chroot.sh trixie env PGS_CLIENT_RUNS="${PGS_CLIENT_RUNS:-1}" scripts/clients.sh --in-chroot "$@"
    ;;
esac
