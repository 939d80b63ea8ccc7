#!/bin/bash
# SPDX-License-Identifier: MIT
# The long form of what docs/reliability.md lists, for so many hours (0.1 will do for a look), as many for each part:
#
#   modules     all targets of tests/fuzz with libFuzzer, ASan and UBSan (preset fuzz); those for modules from the corpus, the
#               shaders of all tests, and what clients hand to the driver, if PGS_CLIENT_SEEDS=1 scripts/clients.sh has run
#   streams     tests/fuzz/fuzz.py with each of its options, in all modes
#   hostile     draws from buffers at guard pages: compared natively and forced, and with any numbers, on SwiftShader, too
#   crowds      ten thousand pipelines, sets and passes at once, on lavapipe and SwiftShader; as long as that takes
#   starvation  each command of the driver fails in turn, on lavapipe and SwiftShader, and each allocation in the mock
#   threads     the tests that start threads, under TSan, again and again; for half of the time scenes that change, on
#               eight threads of two devices
#   soak        scenes that change, and lives of a program, on lavapipe, natively and forced, and on SwiftShader: memory,
#               files, threads
#
# usage: scripts/soak.sh HOURS [PART]...
# Prints a line for each part, with its figures. Logs and cases that failed stay in build/soak. Exit status: 0 if nothing fell.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

hours=${1:?usage: scripts/soak.sh HOURS [PART]...}
shift
parts=${*:-modules streams hostile crowds starvation threads soak}
out=$PWD/build/soak
build=$PWD/build/release
seconds=$(awk -v hours="$hours" -v parts="$(wc -w <<<"$parts")" 'BEGIN { printf "%d", hours * 3600 / parts }')
failed=0
mkdir -p "$out"

# Builds what a part needs.
prepare()
{
    local preset=$1
    shift
    { cmake --preset "$preset" -DPGS_WERROR=ON && cmake --build --preset "$preset" "$@"; } >"$out/build-$preset.log" 2>&1 ||
        { echo "build failed: $out/build-$preset.log"; exit 1; }
}

# report PART STATUS FIGURES
report()
{
    [ "$2" = 0 ] || failed=1
    echo "$1: $([ "$2" = 0 ] && echo good || echo "FAILED ($out)"): $3"
}

# fuzz TARGET SECONDS [SEEDS]...: with libFuzzer, whose limits are wider than the target's own (1 s of CPU time, 256 MiB).
fuzz()
{
    local target=$1 time=$2 status=0
    shift 2
    mkdir -p "$out/corpus/$target"
    # Targets work in folders of their own.
    "$PWD/build/fuzz/tests/fuzz/fuzz-$target" -max_total_time="$time" -timeout=60 -rss_limit_mb=2048 -max_len=8192 -entropic=0 \
        -detect_leaks=0 -close_fd_mask=2 -artifact_prefix="$out/$target-" -print_final_stats=1 "$out/corpus/$target" "$@" \
        >"$out/$target.log" 2>&1 || status=1
    echo "  $target: $(grep -aE '^fuzz: ' "$out/$target.log" | tail -n 1 | sed 's/^fuzz: //'), $(grep -aoE 'cov: [0-9]+' "$out/$target.log" | tail -n 1)"
    return $status
}

modules()
{
    prepare fuzz --target fuzz_targets
    prepare release
    python3 tests/fuzz/seeds.py "$build" "$out/seeds" >/dev/null
    local status=0 target seeds
    mapfile -t seeds < <(find "$PWD/build" -maxdepth 4 -path '*/debian-*/clients/modules/found')
    for target in modules pass reflect pattern; do
        fuzz $target $((seconds / 6)) "$out/seeds" "$PWD/build/fuzz/tests/spirv" "${seeds[@]}" || status=1
    done
    for target in settings cache binary paths; do
        fuzz $target $((seconds / 12)) || status=1
    done
    report modules $status "see above"
}

streams()
{
    prepare release --target fuzz-run VkLayer_poly_gs
    local each=$((seconds / 11)) first status=0 options
    first=$((($(date +%s) % 1000000) * 1000))
    : >"$out/streams.log"
    for options in "" --feedback --input --repeats --lives "--lives --feedback"; do
        # shellcheck disable=SC2086
        python3 tests/fuzz/fuzz.py --build "$build" --first $first --count 1000000 --streams 100 --timeout 3600 --seconds $each --batch 2 --keep "$out/streams" \
            --modes native,forced,auto,vertex,fused,apart,replay,narrow,widen,swiftshader,compute $options >>"$out/streams.log" 2>&1 ||
            status=1
    done
    python3 tests/fuzz/fuzz.py --build "$build" --first $first --count 1000000 --streams 20 --timeout 3600 --seconds $each --batch 10 --keep "$out/streams" \
        --modes native,forced,auto,vertex,fused,apart --loops >>"$out/streams.log" 2>&1 || status=1
    for options in --specks "--specks --lives"; do
        # shellcheck disable=SC2086
        python3 tests/fuzz/fuzz.py --build "$build" --first $first --count 1000000 --streams 20 --timeout 3600 --seconds $each --batch 2 --keep "$out/streams" \
            --modes forced:never,forced,fused,apart $options >>"$out/streams.log" 2>&1 || status=1
    done
    for options in "" "--lives --feedback"; do
        # shellcheck disable=SC2086
        python3 tests/fuzz/fuzz.py --build "$build" --first $first --count 1000000 --streams 20 --timeout 3600 --seconds $each --batch 2 --keep "$out/streams" \
            --modes forced,native,auto,vertex,fused,apart,narrow,widen,swiftshader,compute --tessellation $options >>"$out/streams.log" 2>&1 || status=1
    done
    report streams $status "$(grep -E '^[0-9]+ cases' "$out/streams.log" | awk '{ streams += $1 * $4; failed += $6 } END { print streams " streams, " failed + 0 " cases failed" }')"
}

hostile()
{
    prepare release --target gpu-guard VkLayer_poly_gs
    local status=0 seed end=$((SECONDS + seconds)) first mode
    first=$((($(date +%s) % 1000000) * 1000))
    seed=$first
    : >"$out/hostile.log"
    while [ $status = 0 ] && [ $SECONDS -lt $end ]; do
        for mode in forced auto vertex swiftshader; do
            python3 tests/gpu/compare.py --build "$build" --mode $mode --no-validation --layer-only -- \
                "$build/tests/gpu/gpu-guard" --hostile --seeds $seed 40 >>"$out/hostile.log" 2>&1 || status=1
            [ $mode = swiftshader ] || python3 tests/gpu/compare.py --build "$build" --mode $mode --no-validation --layer-only -- \
                "$build/tests/gpu/gpu-guard" --hostile --more --seeds $seed 40 >>"$out/hostile.log" 2>&1 || status=1
            # Without memory for draws whose size only the GPU knows.
            [ $mode != forced ] || python3 tests/gpu/compare.py --build "$build" --mode $mode --no-validation --layer-only --pool 0 -- \
                "$build/tests/gpu/gpu-guard" --hostile --seeds $seed 40 >>"$out/hostile.log" 2>&1 || status=1
            [ $mode = swiftshader ] || python3 tests/gpu/compare.py --build "$build" --mode $mode --no-validation -- \
                "$build/tests/gpu/gpu-guard" --seeds $seed 40 >>"$out/hostile.log" 2>&1 || status=1
            [ $mode = swiftshader ] || python3 tests/gpu/compare.py --build "$build" --mode $mode --no-validation -- \
                "$build/tests/gpu/gpu-guard" --more --seeds $seed 40 >>"$out/hostile.log" 2>&1 || status=1
        done
        seed=$((seed + 40))
    done
    report hostile $status "$((seed - first)) seeds, natively, forced and with any numbers"
}

crowds()
{
    prepare release --target gpu-crowd VkLayer_poly_gs
    local name layers icd status=0
    for name in native forced swiftshader; do
        icd=$(scripts/vk_icd.py "${name/#[nf]*/lavapipe}") || continue
        layers=VK_LAYER_poly_gs
        [ $name = native ] && layers=
        VK_ADD_LAYER_PATH=$build/json PGS_TEST_LAYERS=$layers VK_ICD_FILENAMES=$icd VK_POLY_GS_FORCE=1 VK_POLY_GS_PLAN=stored \
            "$build/tests/gpu/gpu-crowd" --count 10000 >"$out/crowd-$name.log" 2>"$out/crowd-$name.err" || status=1
        grep ' of each' "$out/crowd-$name.log" | sed "s/^gpu-crowd/  $name/"
    done
    report crowds $status "see above"
}

starvation()
{
    prepare release --target starvation VkLayer_poly_gs mock_test_starvation
    local status=0
    # All of them, whatever time that takes.
    PGS_TEST_EVERY=1 ctest --test-dir "$build" -L '^starvation$' --output-on-failure >"$out/starvation.log" 2>&1 || status=1
    timeout $((seconds + 3600)) env PGS_TEST_SEEDS=50 "$build/tests/mock/mock_test_starvation" >"$out/starvation-mock.log" 2>&1 || status=1
    report starvation $status "$(grep -E 'tests passed' "$out/starvation.log"), $(grep -c 'OK' "$out/starvation-mock.log") tests of the mock"
}

threads()
{
    prepare tsan --target thread_tests
    local status=0 rounds=0 end=$((SECONDS + seconds / 2))
    : >"$out/threads.log"
    VK_ADD_LAYER_PATH=$PWD/build/tsan/json PGS_TEST_LAYERS=VK_LAYER_poly_gs VK_ICD_FILENAMES=$(scripts/vk_icd.py lavapipe) \
        VK_POLY_GS_FORCE=1 TSAN_OPTIONS=ignore_noninstrumented_modules=1 \
        build/tsan/tests/gpu/gpu-scenes --seconds $((seconds / 2)) >"$out/threads-scenes.log" 2>"$out/threads-scenes.err" || status=1
    grep frames "$out/threads-scenes.log" | sed 's/^gpu-scenes/  scenes/'
    while [ $status = 0 ] && [ $SECONDS -lt $end ]; do
        ctest --test-dir build/tsan -L threads --output-on-failure >>"$out/threads.log" 2>&1 || status=1
        rounds=$((rounds + 1))
    done
    report threads $status "$rounds rounds of $(grep -c 'Passed' "$out/threads.log") passed tests in all"
}

soak()
{
    prepare release --target starvation gpu-scenes VkLayer_poly_gs
    local each=$((seconds / 9)) name frames status=0 icd layers
    for name in native forced swiftshader; do
        icd=$(scripts/vk_icd.py "${name/#[nf]*/lavapipe}") || continue
        layers=VK_LAYER_poly_gs
        [ $name = native ] && layers=
        VK_ADD_LAYER_PATH=$build/json PGS_TEST_LAYERS=$layers VK_ICD_FILENAMES=$icd VK_POLY_GS_FORCE=1 \
            "$build/tests/gpu/gpu-scenes" --devices 1 --actors 1 --seconds $each >"$out/scenes-$name.log" 2>"$out/scenes-$name.err" || status=1
        grep frames "$out/scenes-$name.log" | sed "s/^gpu-scenes/  $name/"
        layers=VK_LAYER_pgs_test_starve
        [ $name = native ] || layers=VK_LAYER_poly_gs:$layers
        # On one device the process stays as large as it is. With new ones malloc keeps pieces, now more, now less of
        # them, so that only what is in use stays the same.
        for frames in "1000000000 1024" "2 1000000"; do
            # shellcheck disable=SC2086
            VK_ADD_LAYER_PATH=$build/json:$build/tests/starvation/layer PGS_TEST_LAYERS=$layers VK_ICD_FILENAMES=$icd \
                NODEVICE_SELECT=1 VK_POLY_GS_FORCE=1 "$build/tests/starvation/starvation" --soak $each $frames \
                >"$out/soak-$name-${frames%% *}.log" 2>"$out/soak-$name-${frames%% *}.err" || status=1
            grep frames "$out/soak-$name-${frames%% *}.log" | sed "s/^starvation/  $name/"
        done
    done
    report soak $status "see above"
}

for part in $parts; do
    case $part in
    modules | streams | hostile | crowds | starvation | threads | soak) $part ;;
    *) echo "no such part: $part" && exit 2 ;;
    esac
done
exit $failed
