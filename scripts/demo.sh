#!/bin/bash
# SPDX-License-Identifier: MIT
# From a fresh Debian 12 or 13 to the five demo pictures: installs what is missing, builds, draws each demo
#   - on lavapipe with its own geometry shaders, tessellation and transform feedback,
#   - on lavapipe through the layer with VK_POLY_GS_FORCE=1,
#   - on SwiftShader, which has none of them, through the layer,
# and compares. The first two must be equal: the points and the particles exactly, the normals and the shells but for the
# last bits of a few colours (lavapipe's way to window coordinates is fused behind a vertex shader and not behind a
# geometry shader; the points are placed so that it does not round). The vertices of the island are the same everywhere,
# but not which of them are a triangle, which the specification leaves open: quads that are not flat may be folded along
# the other diagonal, which shows in a few pixels. SwiftShader is another rasterizer, so a few pixels on edges may
# differ. Pictures land in out/. PGS_PRESET chooses another preset than release.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

preset=${PGS_PRESET:-release}
build=build/$preset

# What may differ: steps of a colour, and thousandths of the pixels that may differ by more.
exact=(--tolerance 0 --allow 0)
rounded=(--tolerance 2 --allow 0.05)
other=(--tolerance 16 --allow 1)

# draw DEMO NAME ICD LAYERS: out/DEMO-NAME.png
draw()
{
    local log=out/$1-$2.log
    if ! env VK_ICD_FILENAMES="$3" VK_ADD_LAYER_PATH="$PWD/$build/json" PGS_TEST_LAYERS="$4" \
        VK_POLY_GS_FORCE="${5:-0}" "$build/tests/demo/demo-$1" --out "out/$1-$2.png" >"$log" 2>&1; then
        cat "$log" >&2
        echo "demo-$1 failed ($2)" >&2
        return 1
    fi
    rm -f "$log"
}

pgs_install_missing
lavapipe=$(scripts/vk_icd.py lavapipe)
swiftshader=$(scripts/vk_icd.py swiftshader)
pgs_step "Building ($preset)"
pgs_build "$preset"
mkdir -p out
failed=0
for demo in points normals shells island particles; do
    pgs_step "Drawing $demo: lavapipe, lavapipe forced, SwiftShader"
    rm -f out/"$demo"-*.png
    case $demo in
    points | particles) forced=("${exact[@]}") ;;
    island) forced=("${other[@]}") ;;
    *) forced=("${rounded[@]}") ;;
    esac
    draw "$demo" native "$lavapipe" "" || { failed=1; continue; }
    if draw "$demo" forced "$lavapipe" VK_LAYER_poly_gs 1; then
        printf '   native against forced:      '
        "$build/tests/demo/pgs-compare" "out/$demo-native.png" "out/$demo-forced.png" "${forced[@]}" \
            --side-by-side "out/$demo-forced-side-by-side.png" || failed=1
    else
        failed=1
    fi
    if draw "$demo" swiftshader "$swiftshader" VK_LAYER_poly_gs; then
        printf '   native against SwiftShader: '
        "$build/tests/demo/pgs-compare" "out/$demo-native.png" "out/$demo-swiftshader.png" \
            "${other[@]}" --side-by-side "out/$demo-swiftshader-side-by-side.png" || failed=1
    else
        failed=1
    fi
done
if [ "$failed" != 0 ]; then
    pgs_step "FAILED: see above; what was drawn is in out/"
    exit 1
fi
pgs_step "OK: three drivers, five demos, the same pictures (out/*.png)"
