#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs real clients of Vulkan on lavapipe, natively and through the layer, which emulates everything (VK_POLY_GS_FORCE=1),
# and compares what they draw and count. Those that SwiftShader can carry run on it through the layer, too.
#
# usage: scripts/clients.sh [--suite SUITE] [CLIENT]...
#   d3d11    tests/clients/d3d11_scenes.c, Direct3D 11 on DXVK under Wine
#   wined3d  the same on Wine's own Direct3D, which draws with Vulkan, too
#   d3d12    tests/clients/d3d12_scenes.c, Direct3D 12 on vkd3d: of sid, as that of Debian 13 draws nothing of this
#   gl       tests/clients/gl_scenes.c, OpenGL 4.5 on zink, and glxinfo
#   gles     tests/clients/gles_scenes.c, OpenGL ES 3.2 on Chromium's ANGLE, where that is a library (Chromium 150, not 156)
#   webgl    tests/clients/webgl_scenes.html, WebGL 2 in Chromium, on its ANGLE
#   vtk      tests/clients/vtk_scenes.py, the geometry shaders of VTK, on zink
#   osg      tests/clients/osg_scenes.cpp, OpenSceneGraph, on zink
#   godot    tests/clients/godot, the particles and blend shapes of Godot 3, which captures them, on zink
#   SUITE    the Debian that they are taken from: trixie (13), with DXVK 2.6, Wine 10 and Mesa 25, or sid, with DXVK 3 and Mesa 26
# All of them, each on the suite that suits it, without a CLIENT.
#
# All of it lies in chroots, see scripts/debian-chroot.sh. HLSL is compiled in one of sid: the compilers of Debian 13, Wine's
# among them, know no geometry shaders. Prints a table for each program. Pictures, times and logs stay in build/debian-SUITE/clients.
#   PGS_CLIENT_RUNS  how often each program runs: 1. The table has the medians of its times; nothing is held against them.
#   PGS_CLIENT_SEEDS=1  what clients hand to the driver natively stays in build/debian-SUITE/clients/modules/found: seeds for fuzz-modules
#   PGS_CLIENT_CPU   in CPU time, where the machine has other work: that of so many frames at once (d3d11, wined3d, d3d12, gl, gles)
#
# Exit status: 0 if all is equal, 1 if not, 77 where there can be no chroot, or its packages cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/clients # in the chroot
all="d3d11 wined3d gl gles webgl vtk osg godot d3d12"

packages_of()
{
    case $1 in
    d3d11) echo "wine wine64 wine64-preloader dxvk-wine64 dxvk gcc-mingw-w64-x86-64" ;;
    wined3d) echo "wine wine64 wine64-preloader gcc-mingw-w64-x86-64" ;;
    d3d12) echo "libvkd3d-dev" ;;
    gl) echo "mesa-utils libegl-dev libgl-dev libopengl-dev libegl-mesa0 libgl1-mesa-dri libglx-mesa0" ;;
    gles) echo "libegl-dev libgles-dev chromium-common" ;;
    webgl) echo "chromium" ;;
    vtk) echo "python3-vtk9 libgl1-mesa-dri libglx-mesa0" ;;
    osg) echo "g++ libopenscenegraph-dev libgl1-mesa-dri libglx-mesa0" ;;
    godot) echo "godot3 libgl1-mesa-dri libglx-mesa0" ;;
    esac
}

# The scenes that a client does not do right itself, in commas.
skipped_by()
{
    case $1 in
    d3d11) echo ,predicated, ;;
    wined3d) echo ,predicated,captured,layers, ;; # DrawAuto does nothing; SV_PrimitiveID becomes two variables, which is not valid
    d3d12) echo ,adjacent, ;;
    esac
}

# What is for sid: compiles each entry point of the HLSL.
compile_shaders()
{
    local entry source=tests/clients/d3d_scenes.hlsl
    command -v vkd3d-compiler >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends vkd3d-compiler >/dev/null; }
    rm -rf $out/shaders
    mkdir -p $out/shaders
    for entry in $(grep -oE '\b[vhdgp]s_[a-z]+\(' $source | tr -d '('); do
        vkd3d-compiler -x hlsl -b dxbc-tpf -e "$entry" -p "${entry%%_*}_5_0" $source -o "$out/shaders/$entry.dxbc"
    done
}

# For PGS_CLIENT_SEEDS.
build_modules_layer()
{
    mkdir -p $out/modules/found
    gcc -std=gnu11 -O1 -Wall -Wextra -Werror -fvisibility=hidden -shared -fPIC tests/clients/modules_layer.c -o $out/modules/libmodules.so
    cat >$out/modules/modules.json <<'JSON'
{"file_format_version": "1.1.0", "layer": {"name": "VK_LAYER_pgs_test_modules", "type": "GLOBAL", "library_path": "./libmodules.so",
    "api_version": "1.3.0", "implementation_version": "1", "description": "Writes modules"}}
JSON
}

# The sides of a comparison. SIDE COMMAND...: runs COMMAND there.
native()
{
    if [ -n "${PGS_CLIENT_SEEDS:-}" ]; then
        VK_LAYER_PATH=$PWD/$out/modules VK_INSTANCE_LAYERS=VK_LAYER_pgs_test_modules PGS_CLIENT_MODULES=$PWD/$out/modules/found "$@"
    else
        "$@"
    fi
}

forced()
{
    VK_LAYER_PATH=$PWD/build/release/json VK_INSTANCE_LAYERS=VK_LAYER_poly_gs VK_POLY_GS_FORCE=1 VK_POLY_GS_LOG=info VK_POLY_GS_CACHE=0 "$@" # a first use is one
}

swiftshader()
{
    VK_ICD_FILENAMES=$(scripts/vk_icd.py swiftshader) forced "$@"
}

# run_sides "SIDE..." CLIENT COMMAND...: runs COMMAND FOLDER on each side, in turns.
run_sides()
{
    local sides=$1 client=$2 run side folder; shift 2
    rm -rf "${out:?}/$client"
    for run in $(seq "${PGS_CLIENT_RUNS:-1}"); do
        for side in $sides; do
            folder=$out/$client/$side-$run
            mkdir -p "$folder"
            $side "$@" "$folder" >"$folder/times.txt" 2>"$folder/log.txt" ||
                { echo "clients.sh: $* $folder ended with $?:"; tail -n 20 "$folder/log.txt"; return 1; }
        done
    done
}

# Sid's is in no folder of PATH.
wineserver()
{
    command -v /usr/bin/wineserver /usr/lib/*/wine/wineserver | head -n 1
}

# run_wine CLIENT: the program for Direct3D 11 in a Wine of its own.
run_wine()
{
    local client=$1 status=0
    export WINEPREFIX=$PWD/$out/wine-$client WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml=" # no Mono, no Gecko
    x86_64-w64-mingw32-gcc -std=gnu11 -O1 -Wall -Wextra -Werror tests/clients/d3d11_scenes.c -o $out/d3d11_scenes.exe -ld3d11
    if [ ! -e "$WINEPREFIX/ready" ]; then
        wine wineboot -i >"$out/wine-$client.log" 2>&1 </dev/null
        if [ "$client" = d3d11 ]; then
            dxvk-setup install -y >>"$out/wine-$client.log" 2>&1 </dev/null || true # reports what 32 bits lack, too
            [ -L "$WINEPREFIX/drive_c/windows/system32/d3d11.dll" ] ||
                { echo "clients.sh: no DXVK in Wine, see $out/wine-$client.log"; return 1; }
        fi
        "$(wineserver)" -w
        touch "$WINEPREFIX/ready"
    fi
    run_sides "native forced" "$client" wine $out/d3d11_scenes.exe $out/shaders || status=1
    "$(wineserver)" -k || true
    return $status
}

run_d3d11()
{
    export DXVK_STATE_CACHE=disable DXVK_LOG_PATH=none
    run_wine d3d11
}

run_wined3d()
{
    export WINE_D3D_CONFIG=renderer=vulkan PGS_CLIENT_KEEP=1
    run_wine wined3d
}

run_d3d12()
{
    gcc -std=gnu11 -O1 -Wall -Wextra -Werror -I/usr/include/vkd3d tests/clients/d3d12_scenes.c -o $out/d3d12_scenes -lvkd3d-utils -lvkd3d
    run_sides "native forced" d3d12 $out/d3d12_scenes $out/shaders
}

run_vtk()
{
    use_zink
    run_sides "native forced" vtk python3 tests/clients/vtk_scenes.py
    grep -q "zink" $out/vtk/forced-1/times.txt || { echo "clients.sh: VTK did not run on zink"; return 1; }
}

run_osg()
{
    use_zink
    g++ -std=c++11 -O1 -Wall -Wextra -Werror tests/clients/osg_scenes.cpp -o $out/osg_scenes -losgViewer -losg -lGL
    run_sides "native forced" osg $out/osg_scenes
    grep -q "zink" $out/osg/forced-1/times.txt || { echo "clients.sh: OpenSceneGraph did not run on zink"; return 1; }
}

# godot FOLDER: the engine has lines of its own, too.
godot()
{
    PGS_CLIENT_OUT=$PWD/$1 HOME=$PWD/$out godot3 --path tests/clients/godot --script scenes.gd --fixed-fps 60 --audio-driver Dummy |
        grep -E '^(#|[a-z]+ [0-9.]+ [0-9.]+$)'
}

run_godot()
{
    use_zink
    run_sides "native forced" godot godot
    grep -q "zink" $out/godot/forced-1/times.txt || { echo "clients.sh: Godot did not run on zink"; return 1; }
}

# On drivers that it does not know ANGLE offers no more than OpenGL ES 3.1, and Chromium no WebGL 2.
angle_versions=exposeES32ForTesting:exposeNonConformantExtensionsAndVersions

run_gles()
{
    local chromium=/usr/lib/chromium
    # Not grep -q, which would end nm, and with it the pipe, by a signal.
    if ! nm -D --defined-only $chromium/libGLESv2.so | grep ' glTransformFeedbackVaryings$' >/dev/null; then
        echo "SKIPPED: gles: this Chromium has ANGLE in its program, not as a library; try the client webgl"
        return 77
    fi
    export ANGLE_FEATURE_OVERRIDES_ENABLED=$angle_versions
    gcc -std=gnu11 -O1 -Wall -Wextra -Werror tests/clients/gles_scenes.c -o $out/gles_scenes \
        $chromium/libEGL.so $chromium/libGLESv2.so -Wl,-rpath,$chromium
    run_sides "native forced swiftshader" gles $out/gles_scenes
}

use_zink()
{
    export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
}

run_gl()
{
    use_zink
    gcc -std=gnu11 -O1 -Wall -Wextra -Werror tests/clients/gl_scenes.c -o $out/gl_scenes -lEGL -lOpenGL
    run_sides "native forced" gl $out/gl_scenes
    glxinfo -B >$out/glxinfo-native.txt 2>&1
    forced glxinfo -B >$out/glxinfo-forced.txt 2>&1
    grep -q "OpenGL renderer string: zink" $out/glxinfo-forced.txt || { echo "clients.sh: glxinfo did not run on zink"; return 1; }
    diff <(grep "version string" $out/glxinfo-native.txt) <(grep "version string" $out/glxinfo-forced.txt)
}

run_webgl()
{
    export ANGLE_FEATURE_OVERRIDES_ENABLED=$angle_versions
    run_sides "native forced swiftshader" webgl python3 tests/clients/webgl_scenes.py
}

# What is for a chroot with an X server: the programs CLIENT...
run_clients()
{
    local client status=0 ended counts
    VK_ICD_FILENAMES=$(echo /usr/share/vulkan/icd.d/lvp_icd*.json)
    export VK_ICD_FILENAMES MESA_SHADER_CACHE_DISABLE=true
    for client; do
        case $client in
        *d3d*) counts=tests/clients/d3d_counts.txt ;;
        *) counts=tests/clients/${client}_counts.txt ;;
        esac
        PGS_CLIENT_SKIP=$(skipped_by "$client")
        export PGS_CLIENT_SKIP
        printf '\n== %s\n\n' "$client"
        ended=0
        (set -e; "run_$client") || ended=$?
        case $ended in
        0) python3 tests/clients/compare.py "$out/$client" "$counts" || status=1 ;;
        77) ;; # it has said why
        *)
            echo "WRONG: $client did not run to its end"
            status=1
            ;;
        esac
    done
    return $status
}

# What is for a chroot: installs, builds, and goes on with an X server.
prepare()
{
    local client
    # shellcheck source=scripts/setup.sh
    . scripts/setup.sh
    for client; do
        PGS_PACKAGES="$PGS_PACKAGES $(packages_of "$client")"
    done
    pgs_install_missing || return 77
    mkdir -p $out
    PGS_TARGET=VkLayer_poly_gs pgs_build release >$out/build.log 2>&1 || { cat $out/build.log; return 1; }
    [ -z "${PGS_CLIENT_SEEDS:-}" ] || build_modules_layer
    # X servers of other chroots have locks of their own, but share the names of sockets. One that resets when
    # its last client leaves refuses the next for a moment.
    xvfb-run -a -n $((100 + RANDOM % 10000)) -s "-screen 0 1280x1024x24 -noreset" scripts/clients.sh --with-x "$@"
}

# run_suite SUITE CLIENT...
run_suite()
{
    local suite=$1; shift
    if [[ " $* " =~ d3d ]]; then
        scripts/debian-chroot.sh sid scripts/clients.sh --shaders
        if [ "$suite" != sid ]; then
            rm -rf "build/debian-$suite/clients/shaders"
            mkdir -p "build/debian-$suite/clients"
            cp -r build/debian-sid/clients/shaders "build/debian-$suite/clients/"
        fi
    fi
    printf '\n= Debian %s\n' "$suite"
    scripts/debian-chroot.sh "$suite" env PGS_CLIENT_RUNS="${PGS_CLIENT_RUNS:-1}" ${PGS_CLIENT_CPU:+PGS_CLIENT_CPU="$PGS_CLIENT_CPU"} \
        ${PGS_CLIENT_SEEDS:+PGS_CLIENT_SEEDS="$PGS_CLIENT_SEEDS"} \
        scripts/clients.sh --in-chroot "$@"
}

case ${1:-} in
--shaders)
    compile_shaders
    exit
    ;;
--in-chroot)
    shift
    prepare "$@"
    exit
    ;;
--with-x)
    shift
    run_clients "$@"
    exit
    ;;
esac
wanted=""
if [ "${1:-}" = --suite ]; then
    wanted=${2:?"usage: clients.sh [--suite SUITE] [CLIENT]..."}
    shift 2
fi
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all
declare -A of_suite
for client; do
    [[ " $all " == *" $client "* ]] || { echo "usage: clients.sh [--suite SUITE] [CLIENT]..., of: $all" >&2; exit 2; }
    suite=trixie
    [ "$client" != d3d12 ] || suite=sid
    suite=${wanted:-$suite}
    of_suite[$suite]="${of_suite[$suite]:-} $client"
done
status=0
for suite in "${!of_suite[@]}"; do
    # shellcheck disable=SC2086
    run_suite "$suite" ${of_suite[$suite]} || { ended=$?; [ $ended != 77 ] || exit 77; status=1; }
done
exit $status
