#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one test program in several modes and compares what it dumped.

  native       lavapipe alone, its own geometry shaders
  forced       lavapipe through the layer, VK_POLY_GS_FORCE=1 and VK_POLY_GS_PLAN=stored, as most modes on lavapipe
  auto         the same with VK_POLY_GS_PLAN=auto
  replay       the same with VK_POLY_GS_LAYERS=replay
  viewports    the same with VK_POLY_GS_VIEWPORTS=replay
  one_viewport the same with VK_POLY_GS_VIEWPORTS=one and VK_POLY_GS_LAYERS=replay
  vertex       the same with VK_POLY_GS_PLAN=vertex
  fused        the same with VK_POLY_GS_FUSE=always
  apart        the same with VK_POLY_GS_FUSE=never
  half         as forced, with VK_POLY_GS_FORCE=feedback: geometry shaders and tessellation are the driver's
  tessellation the same with VK_POLY_GS_FORCE=tessellation: pipelines without it are the driver's
  swiftshader  SwiftShader through the layer
  compute      the same with VK_POLY_GS_PLAN=compute
  narrow       the same for Bifrost, whose indices span 1 KiB of vertices
  little       the same for Adreno, whose passes are never split, with 1 MiB of memory
  widen        as forced, with VK_POLY_GS_DESCRIPTORS=widen
  rogue, panvk, apple, pi      lavapipe with a profile of tests/profiles, which lacks geometry shaders, through the layer
  bxm          the same, which lacks transform feedback only
  pixel10, mali38, mali54      the same, which has them, and lacks other things; as it comes
  valhall      the same, which has them but for streams, point sizes and other parts; as it comes
  android      as forced, on a loader that finds the layer as Android's does; without the validation layer

Usage: compare.py --build DIR --mode MODE [OPTIONS] PROGRAM [ARGS...]

The mode's results must equal the native ones: buffers byte for byte; images too on lavapipe, and on SwiftShader, which
is another rasterizer, up to --image-allow thousandths of the pixels. Results whose name begins with "opt/" may be
missing on one side (a feature that not every driver has); where "near/" follows, or comes first, images may differ as
much on lavapipe. VK_LAYER_KHRONOS_validation stands below the layer where it
is installed; the program itself fails on any of its messages. Exit status 77: the mode cannot be run here.

What a program gave natively is kept in BUILD/tests/references, for a day, and held against each mode; the mode native runs
it always. A program, driver or layer that is another file than it was, or another environment, has references of its own.
"""
import argparse
import glob
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from vk_icd import icd  # noqa: E402

SKIP = 77
REFERENCE_S = 24 * 60 * 60  # in case something else that it depends on is new
LAVAPIPE = icd("lavapipe")
SWIFTSHADER = icd("swiftshader")
PROFILES = {"rogue": "0", "panvk": "0", "apple": "0", "pi": "0", "bxm": "0", "pixel10": "0", "mali38": "0", "mali54": "0", "valhall": "0", "small_points": "0"}  # forced?
ON_SWIFTSHADER = ("swiftshader", "compute")
LAYER = "VK_LAYER_poly_gs"
# On all drivers, with the layer.
GIVEN = ("geometryShader", "tessellationShader", "transformFeedback", "multiViewport", "fillModeNonSolid", "vertexPipelineStoresAndAtomics")
PROFILE_LAYER = "VK_LAYER_pgs_test_profiles"
STARVE_LAYER = "VK_LAYER_pgs_test_starve"
VALIDATION = "VK_LAYER_KHRONOS_validation"


def validation_installed():
    for folder in ("/usr/share", "/usr/local/share", "/etc"):
        for path in glob.glob(folder + "/vulkan/explicit_layer.d/*.json"):
            with open(path, encoding="utf-8") as f:
                if VALIDATION in json.dumps(json.load(f)):
                    return True
    return False


def environment(args, mode):
    env = dict(os.environ)
    for name in list(env):
        if name.startswith(("VK_", "PGS_TEST_", "DISABLE_POLY_GS", "ENABLE_POLY_GS")):
            if name not in ("PGS_TEST_EVERY", "PGS_TEST_FIRST", "VK_POLY_GS_LOG", "VK_POLY_GS_DUMP", "VK_POLY_GS_PLAN", "VK_POLY_GS_FUSE", "VK_POLY_GS_CULL", "VK_POLY_GS_CLASS", "VK_POLY_GS_GUARDS", "VK_POLY_GS_HEAP"):
                del env[name]
    layers, folders = [], []
    if mode != "native":
        folders.append(os.path.join(args.build, "json"))
        layers.append(LAYER)
    if args.validation and mode != "android":
        layers.append(VALIDATION)
    if mode == "android":
        env["LD_LIBRARY_PATH"] = os.path.join(args.build, "tests", "android")
        env["PGS_ANDROID_LAYERS"] = os.path.join(args.build, "tests", "android", "layers")
    compared = getattr(args, "mode", mode)  # the fuzzer has several
    profile = args.limits or (mode if mode in PROFILES else compared + ":oracle" if compared in PROFILES else None)
    if profile and args.newer:
        profile += ":newer"
    if profile:
        layers.append(PROFILE_LAYER)
        env["PGS_TEST_PROFILE"] = profile
        folders.append(os.path.join(args.build, "tests", "profiles"))
    if getattr(args, "starve", False):
        layers.append(STARVE_LAYER)
        folders.append(os.path.join(args.build, "tests", "starvation", "layer"))
        env["NODEVICE_SELECT"] = "1"  # Mesa's layer crashes where the driver cannot list extensions
    env["VK_ADD_LAYER_PATH"] = os.pathsep.join(folders)
    env["PGS_TEST_LAYERS"] = ":".join(layers)
    env["VK_ICD_FILENAMES"] = SWIFTSHADER if mode in ON_SWIFTSHADER else LAVAPIPE
    env["VK_POLY_GS_FORCE"] = {"forced": "1", "replay": "1", "viewports": "1", "one_viewport": "1", "vertex": "1", "auto": "1", "fused": "1", "apart": "1", "widen": "1", "android": "1", "narrow": "1", "little": "1", "half": "feedback",
                               "tessellation": "tessellation"}.get(mode, PROFILES.get(mode, "0"))
    env["VK_POLY_GS_CACHE"] = os.path.join(args.build, "tests", "cache")  # shared by all tests, as programs share it
    if args.pool is not None:
        env["VK_POLY_GS_POOL"] = str(args.pool)
    if args.memory is not None:
        env["VK_POLY_GS_MEMORY"] = str(args.memory)
    if args.heap is not None:
        env["VK_POLY_GS_HEAP"] = args.heap
    if args.guards:
        env["VK_POLY_GS_GUARDS"] = args.guards
    if args.cull:
        env["VK_POLY_GS_CULL"] = args.cull
    if mode not in ("native", "auto") and mode not in PROFILES:  # as far as nobody can tell
        env.setdefault("VK_POLY_GS_CULL", "always")
    if args.expect_log:
        env["VK_POLY_GS_LOG"] = "debug" if any(word in args.expect_log for word in ("raster=", "generic", "inline", "not picked", " spread", " gathered", " uncovered", " cut", " in order", " fused", "by descriptors")) else "info"
        env["PGS_TEST_PROFILE_PIPELINES"] = "1"
    if mode in ("replay", "one_viewport"):
        env["VK_POLY_GS_LAYERS"] = "replay"
    if mode in ("viewports", "one_viewport"):
        env["VK_POLY_GS_VIEWPORTS"] = "replay" if mode == "viewports" else "one"
    if args.compile:
        env["VK_POLY_GS_COMPILE"] = args.compile
    if args.fill:
        env["VK_POLY_GS_FILL"] = "emulate"
    if args.clip:
        env["VK_POLY_GS_CLIP"] = "emulate"
    if args.lines:
        env["VK_POLY_GS_LINES"] = "emulate"
    if args.points:
        env["VK_POLY_GS_POINTS"] = "emulate"
    if args.stores:
        env["VK_POLY_GS_STORES"] = "emulate"
    if args.draws:
        env["VK_POLY_GS_DRAWS"] = "emulate"
    if args.pushes:
        env["VK_POLY_GS_PUSHES"] = "emulate"
    if args.divisors:
        env["VK_POLY_GS_DIVISORS"] = "emulate"
    if args.line_modes:
        env["VK_POLY_GS_LINE_MODES"] = "emulate"
    if args.depth_clip:
        env["VK_POLY_GS_DEPTH_CLIP"] = "emulate"
    if args.statistics:
        env["VK_POLY_GS_STATISTICS"] = "emulate"
    if args.compute_ms is not None:
        env["PGS_TEST_PROFILE_COMPUTE_MS"] = str(args.compute_ms)
        env.update(VK_POLY_GS_THREADS="4", VK_POLY_GS_CACHE="0")
    if args.tiler:
        env.update(VK_POLY_GS_LAYOUT="split", VK_POLY_GS_SLOTS="packed", VK_POLY_GS_STRIPS="lists", VK_POLY_GS_ARGUMENTS="direct")
    if mode not in ("native", "auto", "little", *ON_SWIFTSHADER, *PROFILES) and not args.device_class:
        env.setdefault("VK_POLY_GS_STRIPS", "restart")  # as on most GPUs; CPUs take lists
    if args.device_class:
        env["VK_POLY_GS_CLASS"] = args.device_class
    if args.costs:
        env["VK_POLY_GS_COSTS"] = args.costs
    if args.fetch:
        env.update(VK_POLY_GS_FETCH="attributes")
    if args.plan or mode in ("vertex", "compute", "auto"):
        env["VK_POLY_GS_PLAN"] = args.plan or mode
    elif mode not in ON_SWIFTSHADER:  # small draws are to be stored, too
        env.setdefault("VK_POLY_GS_PLAN", "stored")
    if mode in ("fused", "apart"):
        env["VK_POLY_GS_FUSE"] = "always" if mode == "fused" else "never"
    if mode == "widen":
        env["VK_POLY_GS_DESCRIPTORS"] = "widen"
    if mode == "narrow":
        env.update(VK_POLY_GS_CLASS="bifrost", VK_POLY_GS_RANGES="1")
    if mode == "little":
        env.update(VK_POLY_GS_CLASS="adreno", VK_POLY_GS_MEMORY="1")
    # Drivers and the loader keep memory for the life of the process; what the layer leaks, the mock tests see.
    env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    env.setdefault("TSAN_OPTIONS", "ignore_noninstrumented_modules=1")  # TSan cannot see how the driver synchronizes
    return env


def run(args, mode, path):
    """Exit status of the program in a mode. What it says is shown only where it fails."""
    own = args.mode_argument if mode == args.mode else []
    done = subprocess.run([args.program, *args.arguments, *own, "--dump", path], env=environment(args, mode),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=args.timeout, check=False)
    said = done.stdout.decode(errors="replace")
    if mode != "native" and args.expect_log and args.expect_log not in said:
        if mode in PROFILES and done.returncode == 0 and not read_dump(path):
            print("%s: the program has nothing to try there" % mode)
            return SKIP
        print("%s: does not say \"%s\"" % (mode, args.expect_log))
        return 1
    exceeded = [line for line in said.splitlines() if line.startswith("profile ")]
    if exceeded:
        print("%s: %s" % (mode, "\n  ".join(exceeded[:10])))
        # Without the layer it is the program that needs what such a phone lacks.
        return SKIP if args.mode in PROFILES and mode == "native" else 1
    if done.returncode == SKIP and mode in PROFILES and any("no " + name in said for name in GIVEN):
        print("%s: %s" % (mode, said))
        return 1
    if done.returncode != 0:
        sys.stdout.write("%s: exit status %d\n" % (mode, done.returncode))
        sys.stdout.write(said[-8000:])
    return done.returncode


def read_dump(path):
    results = {}
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        if f.readline() != b"PGSD1\n":
            raise ValueError("not a dump: " + path)
        while True:
            words = f.readline().decode().split()
            if not words:
                return results
            size = int(words[2])
            data = f.read(size)
            if len(data) != size:
                raise ValueError("truncated dump: " + path)
            if words[1] in results:
                raise ValueError("two results named " + words[1])
            results[words[1]] = (words[0], [int(w) for w in words[3:]], data)


def state_of(path):
    """What tells one file from another of that name: rebuilt, or of another version."""
    try:
        state = os.stat(path)
        return path, state.st_size, state.st_mtime_ns
    except OSError:
        return (path,)


def driver_library(manifest):
    with open(manifest, encoding="utf-8") as f:
        library = json.load(f)["ICD"]["library_path"]
    return os.path.join(os.path.dirname(manifest), library)


def reference_path(args, env, arguments):
    """Where what the program gives without the layer is kept: TEST-STATE, where STATE is that of all that decides over it. Settings
    of the layer do not, as it is not there."""
    asked = [args.program, arguments, sorted((name, value) for name, value in env.items() if not name.startswith("VK_POLY_GS_") and
                                             name.startswith(("VK_", "PGS_", "MESA_", "LP_", "GALLIVM_", "LD_", "NODEVICE_")))]
    files = [part for part in arguments if os.path.isfile(part)] + [args.program, env["VK_ICD_FILENAMES"], driver_library(env["VK_ICD_FILENAMES"])]
    for folder in ("/usr/share", "/usr/local/share", "/etc"):
        files += sorted(glob.glob(folder + "/vulkan/explicit_layer.d/*.json"))
    for name in ("profiles", "starvation"):
        files += sorted(glob.glob(os.path.join(args.build, "tests", name, "**", "*.so"), recursive=True))
    test, state = (hashlib.sha256(repr(what).encode()).hexdigest()[:20] for what in (asked, [state_of(path) for path in files]))
    return os.path.join(args.build, "tests", "references", test + "-" + state + ".gz")


def keep_reference(made, path):
    """Puts it into its place at once, as tests run beside each other, and those that it replaces away."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for old in glob.glob(path.rpartition("-")[0] + "-*"):
        if old != path:
            os.remove(old)
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), prefix="new.", delete=False) as new:
        with open(made, "rb") as f, gzip.GzipFile(fileobj=new, mode="wb", compresslevel=1) as packed:
            shutil.copyfileobj(f, packed, 1 << 20)
    os.replace(new.name, path)


def run_native(args, made):
    """The status and the path of the results of a run without the layer: those of an earlier test if they still hold. Each
    phone has its own, which no other test wants."""
    if args.mode in PROFILES:
        return run(args, "native", made), made
    path = reference_path(args, environment(args, "native"), [*args.arguments, *(args.mode_argument if args.mode == "native" else [])])
    if args.mode != "native" and os.path.exists(path) and time.time() - os.stat(path).st_mtime < REFERENCE_S:
        return 0, path
    status = run(args, "native", made)
    if status == 0:
        keep_reference(made, path)
    return status, made


def words_at(data, offset):
    start = offset & ~3
    return " ".join("%08x" % int.from_bytes(data[i:i + 4], "little") for i in range(start, min(start + 16, len(data)), 4))


def compare_buffer(name, want, got):
    if len(want) != len(got):
        print("%s: %d bytes, natively %d" % (name, len(got), len(want)))
        return False
    if want == got:  # as nearly always, in a moment
        return True
    wrong = [i for i in range(0, len(want), 4) if want[i:i + 4] != got[i:i + 4]]
    print("%s: %d of %d words differ" % (name, len(wrong), (len(want) + 3) // 4))
    for offset in wrong[:4]:
        print("  at byte %d: %s, natively %s" % (offset, words_at(got, offset), words_at(want, offset)))
    return False


def compare_image(args, name, shape, want, got, exact):
    if len(want) != len(got):
        print("%s: %d bytes, natively %d" % (name, len(got), len(want)))
        return False
    if want == got:
        return True
    width, height, texel = shape
    wrong = [i for i in range(0, len(want), texel)
             if want[i:i + texel] != got[i:i + texel]
             and (exact or args.image_tolerance == 0
                  or any(abs(a - b) > args.image_tolerance for a, b in zip(want[i:i + texel], got[i:i + texel])))]
    allowed = 0 if exact else args.image_allow * width * height / 1000
    if len(wrong) <= allowed:
        return True
    print("%s: %d of %d pixels differ, %d allowed" % (name, len(wrong), width * height, allowed))
    for offset in wrong[:4]:
        pixel = offset // texel
        print("  at %d,%d: %s, natively %s" % (pixel % width, pixel // width, got[offset:offset + texel].hex(),
                                               want[offset:offset + texel].hex()))
    return False


def compare(args, want, got):
    equal = True
    missing = []
    for name in sorted(want.keys() | got.keys()):
        if name not in want or name not in got:
            if name.startswith("opt/"):
                missing.append(name)
            else:
                print("%s: only %s" % (name, "natively" if name in want else "in this mode"))
                equal = False
            continue
        kind, shape, data = want[name]
        if (kind, shape) != got[name][:2]:
            print("%s: a different kind of result" % name)
            equal = False
        elif kind == "buffer":
            equal &= compare_buffer(name, data, got[name][2])
        else:
            near = args.mode in ON_SWIFTSHADER or name.removeprefix("opt/").startswith("near/")
            equal &= compare_image(args, name, shape, data, got[name][2], not near)
    common = len(want.keys() & got.keys())
    print("%d results compared%s" % (common, ", not on both: " + " ".join(missing) if missing else ""))
    return equal and common > 0


def add_options(parser):
    """What environment() and the comparison look at, for every program that uses them."""
    parser.add_argument("--image-tolerance", type=int, default=0, help="of a byte of a pixel, on SwiftShader")
    parser.add_argument("--image-allow", type=float, default=0, help="thousandths of the pixels, on SwiftShader")
    parser.add_argument("--pool", type=int, help="VK_POLY_GS_POOL: MiB for draws whose size only the GPU knows")
    parser.add_argument("--memory", type=int, help="VK_POLY_GS_MEMORY: MiB that the layer may take, except for what would be lost")
    parser.add_argument("--heap", help="VK_POLY_GS_HEAP: MiB that direct draws share")
    parser.add_argument("--guards", help="VK_POLY_GS_GUARDS")
    parser.add_argument("--expect-log", help="what the layer must say in the mode, at least for information, or the layer of the profile")
    parser.add_argument("--newer", action="store_true", help="in modes of profiles: the program needs Vulkan 1.3")
    parser.add_argument("--plan", help="VK_POLY_GS_PLAN in every mode")
    parser.add_argument("--limits", help="PGS_TEST_PROFILE in every mode, natively, too")
    parser.add_argument("--compile", help="VK_POLY_GS_COMPILE")
    parser.add_argument("--compute-ms", type=int, help="with --limits: how long the driver compiles a compute shader, in four threads of the layer")
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--lines", action="store_true", help="VK_POLY_GS_LINES=emulate")
    parser.add_argument("--points", action="store_true", help="VK_POLY_GS_POINTS=emulate")
    parser.add_argument("--stores", action="store_true", help="VK_POLY_GS_STORES=emulate")
    parser.add_argument("--fill", action="store_true", help="VK_POLY_GS_FILL=emulate")
    parser.add_argument("--clip", action="store_true", help="VK_POLY_GS_CLIP=emulate")
    parser.add_argument("--draws", action="store_true", help="VK_POLY_GS_DRAWS=emulate")
    parser.add_argument("--pushes", action="store_true", help="VK_POLY_GS_PUSHES=emulate")
    parser.add_argument("--divisors", action="store_true", help="VK_POLY_GS_DIVISORS=emulate")
    parser.add_argument("--line-modes", action="store_true", help="VK_POLY_GS_LINE_MODES=emulate")
    parser.add_argument("--depth-clip", action="store_true", help="VK_POLY_GS_DEPTH_CLIP=emulate")
    parser.add_argument("--statistics", action="store_true", help="VK_POLY_GS_STATISTICS=emulate")
    parser.add_argument("--fetch", action="store_true", help="VK_POLY_GS_FETCH=attributes")
    parser.add_argument("--class", dest="device_class", help="VK_POLY_GS_CLASS")
    parser.add_argument("--costs", help="VK_POLY_GS_COSTS")
    parser.add_argument("--cull", help="VK_POLY_GS_CULL in every mode")
    parser.add_argument("--tiler", action="store_true", help="VK_POLY_GS_LAYOUT=split, VK_POLY_GS_STRIPS=lists, VK_POLY_GS_ARGUMENTS=direct")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--mode", required=True, choices=["native", "forced", "replay", "auto", "vertex", "fused", "apart",
                                                                 "viewports", "one_viewport", "half", "tessellation", "swiftshader", "compute", "widen", "android", "narrow", "little", *PROFILES])
    add_options(parser)
    parser.add_argument("--starve", action="store_true", help="with tests/starvation's layer above the driver")
    parser.add_argument("--no-validation", action="store_true")
    parser.add_argument("--layer-only", action="store_true", help="run the mode, compare with nothing")
    parser.add_argument("--reference", default="native", choices=["native", "forced", "same"],
                        help="what the results must equal, without --fill, --clip, --lines, --points, --stores, --draws, --divisors, --pushes, --depth-clip and --statistics; same: the mode itself")
    parser.add_argument("--mode-argument", action="append", default=[], help="of the program, but not natively")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    args = parser.parse_args()
    args.validation = not args.no_validation and validation_installed()
    if not args.validation:
        print("without the validation layer")
    for path in (LAVAPIPE, SWIFTSHADER if args.mode in ON_SWIFTSHADER else LAVAPIPE):
        if not os.path.exists(path):
            print("no driver: " + path)
            return SKIP
    with tempfile.TemporaryDirectory(prefix="pgs-") as folder:
        if args.layer_only:
            if args.mode == "native":
                return SKIP
            status = run(args, args.mode, os.path.join(folder, "out"))
            return SKIP if status == SKIP and args.mode in PROFILES else int(status != 0)
        native, other = os.path.join(folder, "native"), os.path.join(folder, args.mode)
        given = {name: getattr(args, name) for name in ("fill", "clip", "lines", "points", "stores", "draws", "divisors", "pushes", "depth_clip", "line_modes", "statistics", "expect_log")}
        vars(args).update(dict.fromkeys(given, False))
        if args.reference == "native":
            status, native = run_native(args, native)
        else:
            status = run(args, args.mode if args.reference == "same" else args.reference, native)
        vars(args).update(given)
        if status != 0 or args.mode == "native":
            return status
        status = run(args, args.mode, other)
        if status == SKIP and args.mode in PROFILES:
            return SKIP
        if status != 0:
            # Through the layer every driver of this list has geometry shaders: a skip would hide a failure.
            return 1
        want, got = read_dump(native), read_dump(other)
        if args.mode in PROFILES and not want and not got:
            print("the program has nothing to try there")
            return SKIP
        return 0 if compare(args, want, got) else 1


if __name__ == "__main__":
    sys.exit(main())
