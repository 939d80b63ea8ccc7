#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random shaders and draws, run natively on lavapipe, forced on lavapipe and on SwiftShader, and compared.

Usage: fuzz.py --build DIR [--first SEED] [--count N] [--keep DIR]

A seed makes one case (gen_shaders.py, gen_stream.py): shaders, pipelines and one stream of draws, or with --streams many
that share them, since compilers take most of the time of one. On a difference the seed is printed and, with --keep, its folder
stays: shader.*, case.txt, one dump per mode. `--shrink FOLDER` makes its case.txt as short as it can; go on by hand:
edit these and run `fuzz.py --build DIR --rerun FOLDER`.
Exit status 77: nothing to run on.

SwiftShader is wrong about loops that end with their condition, where some lanes leave the loop before others and the
body loads from memory at a place that depends on the iteration: those that are done get the others' values. A plain
compute shader shows it, without the layer (25 of 64 lanes are wrong, on lavapipe none; equal to what the CPU computes):

    uint h = mixed(gl_LocalInvocationID.x + 7u), n = (mixed(h) & 1u) + 1u, i = 0u, hash = 1u;
    do { hash = mixed(hash ^ rows[(h + i) & 15u].x); } while (++i < n);      // rows: an array of uvec4 in a uniform block
    result[gl_LocalInvocationID.x] = hash;

So SwiftShader gets the same loops with the condition on top, which it does well.

With --loops the end says how many sets have a geometry shader of one vertex, with --picks one that picks vertices; of ten sets there must
be one, else nothing was tried.

With --tessellation modes are held against "forced"; natively only in what drivers must agree about, of which gen_tessellation.py tells.

With --specks modes are held against "forced:never", where the layer leaves nothing out, and SwiftShader's against "swiftshader:never".
"""
import argparse
import concurrent.futures
import contextlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Files of a case, and what the compiled ones are called: the last two are of sets with patches that have other pipelines, too.
SHADERS = {"shader.vert": "vert", "shader.tesc": "tesc", "shader.tese": "tese", "shader.geom": "geom", "shader.frag": "frag",
           "short.tese": "short", "plain.vert": "plain"}
# Of geometry shaders with --loops, by seed. Not --merge-blocks: of what that leaves lavapipe 22.3 compiles some loops wrongly. Nor
# --loop-invariant-code-motion, with which shaders mean something else, natively, too (seed 31).
OPTIMIZERS = ((), ("--ssa-rewrite",),
              ("--inline-entry-points-exhaustive", "--convert-local-access-chains", "--ssa-rewrite", "--ccp", "--redundancy-elimination"),
              ("--inline-entry-points-exhaustive", "--ssa-rewrite", "--if-conversion"))
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "gpu"))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "common"))
sys.dont_write_bytecode = True
import compare as harness  # noqa: E402
from gen_capture import Capture  # noqa: E402
from gen_lives import Lives, with_lives  # noqa: E402
from gen_loops import LoopShaders  # noqa: E402
from gen_picks import PickShaders  # noqa: E402
from gen_repeats import Repeats  # noqa: E402
from gen_shaders import Shaders  # noqa: E402
from gen_specks import Specks, SpeckShaders  # noqa: E402
from gen_stream import Stream  # noqa: E402
from gen_tessellation import TessellationShaders, with_patches  # noqa: E402
from shader_tools import Server, ShaderTools  # noqa: E402


def generate(args, seed, folder):
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(seed)
    shaders = (SpeckShaders if args.specks else LoopShaders if args.loops else PickShaders if args.picks else
               TessellationShaders if args.tessellation else Shaders)(rng)
    shaders.logs = {"always": True, "never": False}.get(args.log, random.Random("log %d" % seed).random() < 0.5)
    if args.views:
        shaders.several_views(random.Random("views %d" % seed))
    if args.feedback:
        shaders.capture = Capture(random.Random("feedback %d" % seed), shaders.after)
    if args.specks and any(is_on_swiftshader(mode) for mode in args.modes):
        shaders.viewport_px = 8192  # the most of SwiftShader
    if args.tessellation:
        shaders.dynamic_points = not any(is_on_swiftshader(mode) for mode in args.modes)  # which does not have that
        shaders.indexes_many = "native" not in args.modes  # lavapipe 22.3 numbers patches anew behind 1024 indices
    shaders.write(folder)
    kind = Specks if args.specks else Repeats if args.repeats else Stream
    kind = with_patches(kind) if args.tessellation else kind
    stream = (with_lives(kind) if args.lives else kind)(rng, shaders)
    if args.lives:
        stream.lives = Lives(random.Random("lives %d" % seed), args.feedback, shaders.invocations)
        stream.lives.may_ask = not args.views  # lavapipe 22.3 answers the first of a query for each view alone
        if args.tessellation:
            stream.lives.statistics = shaders.statistics()
    if args.input:
        stream.input_rng = random.Random("input %d" % seed)
    stream.write(folder, ["%d of %d" % (number, seed) for number in range(1, args.streams)])


def on_swiftshader(folder):
    """The folder of the same case for SwiftShader, and by the same name."""
    return os.path.join(folder, "on-swiftshader", os.path.basename(folder))


def conditions_on_top(text):
    """The same with every do-while loop as a loop that asks before."""
    lines, open_loops = text.split("\n"), []
    for number, line in enumerate(lines):
        end = re.match(r"( *)} while \((.*)\);$", line)
        if line.strip() == "do {":
            open_loops.append(number)
        elif end:
            begin = open_loops.pop()
            again = "again%d" % begin
            lines[begin] = end[1] + "for (bool %s = true; %s; %s = (%s)) {" % (again, again, again, end[2])
            lines[number] = end[1] + "}"
    return "\n".join(lines)


def is_on_swiftshader(mode):
    return mode.partition(":")[0] in harness.ON_SWIFTSHADER


def reference_of(args, mode):
    """What a mode is held against. Drivers do not agree about each speck, nor lavapipe with itself: it scales what its own geometry
    shaders emit by other code than what vertex shaders do."""
    if args.tessellation:
        return "forced"
    if not args.specks:
        return "native"
    return "swiftshader:never" if is_on_swiftshader(mode) else "forced:never"


def shaders_of(folder):
    return [name for name in SHADERS if os.path.exists(os.path.join(folder, name))]


def compile_for(args, folder):
    """For all modes, in the folder of the case and beneath it."""
    folder = folder.rstrip("/")
    if not any(is_on_swiftshader(mode) for mode in args.modes):
        return compile_case(args, folder)
    other = on_swiftshader(folder)
    os.makedirs(other, exist_ok=True)
    for name in ("case.txt", "compare.json"):
        if os.path.exists(os.path.join(folder, name)):
            shutil.copy(os.path.join(folder, name), other)
    for name in shaders_of(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            text = conditions_on_top(f.read())
        with open(os.path.join(other, name), "w", encoding="utf-8") as f:
            f.write(text)
    return compile_case(args, folder) and compile_case(args, other)


def compile_case(args, folder):
    version = args.target or "vulkan1.%d" % (hash_of(folder) % 4)
    good = True
    for name in shaders_of(folder):  # not in one go: then it links them, and takes equal arrays sized by specialization constants for different ones
        done = args.tools.compile("--target-env", version, "%s/%s" % (folder, name), "-o", "%s/%s.spv" % (folder, SHADERS[name]))
        if done.returncode != 0:
            print("%s: glslang: %s" % (folder, done.stdout[-2000:]))
            good = False
    if good and (args.loops or args.picks):
        optimize(folder, OPTIMIZERS[hash_of(folder) // 4 % len(OPTIMIZERS)])
    return good


def optimize(folder, passes):
    """Values that loops lead back, and branches that became choices, of which glslang makes none."""
    if passes and shutil.which("spirv-opt"):
        # It warns, on stdout, of functions that it leaves.
        subprocess.run(["spirv-opt", *passes, folder + "/geom.spv", "-o", folder + "/geom.spv"], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, check=True)


def has_one_vertex(args, folder):
    """Whether the layer draws the geometry shader as a vertex shader, of which the programs are made that --loops writes."""
    return args.passes.ask(["one_vertex", folder + "/geom.spv"]).stdout.startswith("1 of 1")


def picks(args, folder):
    """Whether the layer finds that it picks vertices, as all do that --picks writes but for one of four."""
    return args.passes.ask(["picks", folder + "/geom.spv"]).stdout.startswith("yes")


def hash_of(folder):
    digits = "".join(c for c in os.path.basename(folder) if c.isdigit())
    return int(digits or "0")


def execute(args, mode, folders, path, dump=None):
    """Exit status and what was said."""
    mode, _, cull = mode.partition(":")
    env = harness.environment(args, mode)
    if cull:
        env["VK_POLY_GS_CULL"] = cull
    if mode in harness.ON_SWIFTSHADER:
        folders = [on_swiftshader(folder) for folder in folders]
    if dump:
        env["VK_POLY_GS_DUMP"] = dump
    try:
        done = subprocess.run([args.program, *folders, *["--feedback"] * args.feedback, *["--input"] * args.input, *["--specks"] * args.specks,
                               *["--tessellation"] * args.tessellation, "--dump", path], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=args.timeout, check=False)
    except subprocess.TimeoutExpired as e:
        return 124, "timeout: " + (e.stdout or b"").decode(errors="replace")[-2000:]
    return done.returncode, done.stdout.decode(errors="replace")


def output_is_lines(folder):
    evaluation = "/short.tese" if os.path.exists(folder + "/short.tese") else "/shader.tese"
    if not os.path.exists(folder + "/shader.geom") or evaluation == "/short.tese":
        with open(folder + evaluation, encoding="utf-8") as f:
            modes = re.search(r"^layout\((.*)\) in;$", f.read(), re.M)[1]
        if "isolines" in modes and "point_mode" not in modes:
            return True
    if not os.path.exists(folder + "/shader.geom"):
        return False
    with open(folder + "/shader.geom", encoding="utf-8") as f:
        return "layout(line_strip" in f.read()


def comparable(folder):
    """Of a tessellated case, what another tessellator must give, too: gen_tessellation.py."""
    with open(folder + "/compare.json", encoding="utf-8") as f:
        return json.load(f)


def words_of_log(data, which):
    """The same with zeros but for some words of each part."""
    keep, of = set(which["words"]), which["of"]
    return b"".join(data[i:i + 4] if i // 4 % of in keep else bytes(4) for i in range(0, len(data), 4))


def equal(args, folder, native, got):
    """Compares the results of one case, stream by stream. Lines are another matter on another rasterizer."""
    name, number, same = os.path.basename(folder), 0, True
    while "%s/%d/log" % (name, number) in native:
        same &= equal_stream(args, folder, "%s/%d" % (name, number), native, got)
        number += 1
    return same and number > 0


def equal_stream(args, folder, name, native, got):
    same = True
    exact = args.mode != "native" if args.specks else not is_on_swiftshader(args.mode)
    other = comparable(folder) if args.tessellation and args.mode == "native" else None
    of_samples = ("samples", "log") if args.specks else ("samples",)
    for what in ("log", "image", "capture", "counters", "queries", "samples"):
        if "%s/%s" % (name, what) not in native or (what in of_samples and not exact):
            continue
        if what == "queries" and "%s/queries" % name not in got and not exact:
            continue  # SwiftShader has no statistics
        if other and what not in other["what"]:
            continue
        kind, shape, want = native["%s/%s" % (name, what)]
        data = got["%s/%s" % (name, what)][2]
        if other and what == "log":
            want, data = words_of_log(want, other), words_of_log(data, other)
        if kind == "buffer":
            same &= harness.compare_buffer("%s/%s" % (name, what), want, data)
        elif exact or not output_is_lines(folder):
            same &= harness.compare_image(args, "%s/%s" % (name, what), shape, want, data, exact)
    return same


def validate_modules(args, dump):
    bad = 0
    for name in sorted(os.listdir(dump)):
        if not name.endswith(".spv"):
            continue
        done = args.tools.validate("vulkan1.3", os.path.join(dump, name), "--scalar-block-layout")
        if done.returncode != 0:
            print("spirv-val %s: %s" % (name, done.stdout[:500]))
            bad += 1
    return bad


def run_batch(args, folders, root, validation):
    """The folders that fail. A batch that does not end well is run again case by case."""
    args.validation = validation and harness.validation_installed()
    paths = {mode: os.path.join(root, mode) for mode in args.modes}
    dump = tempfile.mkdtemp(dir=root) if validation and shutil.which("spirv-val") else None
    failed, results = set(), {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        ends = list(pool.map(lambda m: execute(args, m, folders, paths[m], dump if m == "forced" else None), args.modes))
    for mode, (status, said) in zip(args.modes, ends):
        if status == harness.SKIP:
            return None
        if status != 0:
            if len(folders) > 1:
                return [f for folder in folders for f in run_batch(args, [folder], root, validation)]
            print("%s: %s: exit status %d\n%s" % (folders[0], mode, status, said[-3000:]))
            failed.add(folders[0])
            continue
        results[mode] = harness.read_dump(paths[mode])
    if dump:
        if validate_modules(args, dump):
            if len(folders) > 1:
                return [f for folder in folders for f in run_batch(args, [folder], root, validation)]
            failed.add(folders[0])
        shutil.rmtree(dump)
    for mode in results:
        args.mode, reference = mode, reference_of(args, mode)
        if reference in results and reference != mode:
            failed |= {f for f in folders if not (equal(args, f, results[reference], results[mode])
                                                  or print("  ... %s, %s" % (f, mode)))}
    return sorted(failed)


def outcome(args, folder, root):
    """How a case fails: by mode, with which exit status, or in which results."""
    args.validation = harness.validation_installed()
    results, ends = {}, []
    for mode in args.modes:
        path = os.path.join(root, mode)
        status, said = execute(args, mode, [folder], path)
        ends.append((mode, status, "validation: " in said))
        if status == 0:
            results[mode] = harness.read_dump(path)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        for mode in results:
            args.mode, reference = mode, reference_of(args, mode)
            if reference in results and reference != mode:
                ends.append((mode, equal(args, folder, results[reference], results[mode])))
    where = sorted(set(re.findall(r"^\S+/(log|image|capture|counters|queries|samples):", said.getvalue(), re.M)))
    return tuple(ends + where)


def shrink(args, folder, root):
    """Leaves commands of case.txt out as long as it fails in the same way: many at once, then fewer."""
    folder = folder.rstrip("/")
    if not compile_for(args, folder):
        return 1
    path, other = os.path.join(folder, "case.txt"), os.path.join(on_swiftshader(folder), "case.txt")
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()

    def fails(trial):
        for name in (path, other) if os.path.exists(other) else (path,):
            with open(name, "w", encoding="utf-8") as f:
                f.write("\n".join(trial) + "\n")
        return outcome(args, folder, root)

    wanted = fails(lines)
    print("fails by", wanted)
    at = next(i for i, line in enumerate(lines) if line.split()[0] in ("pass", "begin", "pool"))
    head, body, size = lines[:at], lines[at:], 64
    # Whole streams first.
    streams = "\n".join(body).split("\nstream\n")
    for i in range(len(streams) - 1, -1, -1):
        trial = "\nstream\n".join(streams[:i] + streams[i + 1:]).split("\n")
        if len(streams) > 1 and fails(head + trial) == wanted:
            del streams[i]
            body = trial
    while size:
        start = 0
        while start < len(body):
            trial = body[:start] + body[start + size:]
            if fails(head + trial) == wanted:
                body = trial
            else:
                start += size
        size //= 2
    fails(head + body)
    print("%d commands of %d are left: %s" % (len(body), len(lines) - at, path))
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--shrink", help="the folder of a case that fails")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--streams", type=int, default=1, help="of each case")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begins no batch after so many")
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--keep", help="folder for the cases that fail")
    parser.add_argument("--rerun", help="the folder of a case")
    parser.add_argument("--validate-every", type=int, default=8, help="batches; the first is, unless this is 0")
    parser.add_argument("--modes", help="of compare.py, with :never or :always for VK_POLY_GS_CULL")
    parser.add_argument("--feedback", action="store_true", help="capture what the geometry shaders emit, too")
    parser.add_argument("--repeats", action="store_true", help="many draws that differ in little from those before")
    parser.add_argument("--input", action="store_true", help="pipelines with dynamic vertex input")
    parser.add_argument("--specks", action="store_true", help="strips of about a pixel, drawn as GPUs draw many: gen_specks.py")
    parser.add_argument("--loops", action="store_true", help="geometry shaders of one vertex with loops that data bound: gen_loops.py")
    parser.add_argument("--picks", action="store_true", help="geometry shaders that copy vertices, drawn as large draws are: gen_picks.py")
    parser.add_argument("--tessellation", action="store_true", help="control and evaluation shaders, with and without a geometry shader: gen_tessellation.py")
    parser.add_argument("--views", action="store_true", help="with --tessellation, not with --feedback: of two or three views. Mesa 22.3 draws "
                        "inline ones all in the first view, so not with the modes auto and vertex there")
    parser.add_argument("--lives", action="store_true", help="indirect draws, queries, and what comes and goes: gen_lives.py")
    parser.add_argument("--log", choices=["always", "some", "never"], default="some", help="sets whose geometry shaders log what they see")
    parser.add_argument("--target", help="--target-env for glslang; else one by seed")
    parser.add_argument("--glslang", default="glslangValidator")
    parser.add_argument("--jobs", type=int, default=2, help="modes at a time")
    harness.add_options(parser)
    parser.set_defaults(image_allow=20, timeout=300)
    args = parser.parse_args()
    tools = os.path.join(args.build, "tests", "common", "pgs-shader-tools")
    args.tools = ShaderTools(tools if os.path.exists(tools) else "", args.glslang)
    args.program = os.path.join(args.build, "tests/fuzz/fuzz-run")
    args.modes = (args.modes or ("forced:never,forced,native" if args.specks else "native,forced,auto,vertex" if args.loops else
                  "native,forced,auto" if args.picks else
                  "forced,native,auto,vertex,fused,apart,swiftshader,compute" if args.tessellation else "native,forced,swiftshader")).split(",")
    args.passes = Server([os.path.join(args.build, "tests", "spirv", "pgs-spv"), "serve"]) if args.loops or args.picks else None
    if args.specks:
        args.device_class, args.costs = args.device_class or "immediate", args.costs or "spread_invocations=1"
    if args.picks:  # draws of any size, whatever the vertex shader takes
        args.costs, args.compile = args.costs or "pick_primitives=1 fuse_steps=1000000000", args.compile or "all"
    if not os.path.exists(harness.LAVAPIPE):
        return harness.SKIP
    if not os.path.exists(harness.SWIFTSHADER):
        args.modes = [m for m in args.modes if not is_on_swiftshader(m)]
    failures = []
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pgs-fuzz-") as root:
        if args.shrink:
            return shrink(args, args.shrink, root)
        if args.rerun:
            if not compile_for(args, args.rerun):
                return 1
            failures = run_batch(args, [args.rerun.rstrip("/")], args.rerun, True)
            return harness.SKIP if failures is None else int(bool(failures))
        begun, cases, found = time.monotonic(), 0, 0
        for number, start in enumerate(range(args.first, args.first + args.count, args.batch)):
            if time.monotonic() - begun > args.seconds:
                break
            folders = []
            for seed in range(start, min(start + args.batch, args.first + args.count)):
                folder = os.path.join(root, "seed%d" % seed)
                cases += 1
                generate(args, seed, folder)
                if compile_for(args, folder):
                    folders.append(folder)
                    found += (args.loops and has_one_vertex(args, folder)) or (args.picks and picks(args, folder))
                else:
                    failures.append(folder)
            bad = run_batch(args, folders, root, bool(args.validate_every) and number % args.validate_every == 0)
            if bad is None:
                return harness.SKIP
            failures += bad
            for folder in folders:
                if folder in bad and args.keep:
                    shutil.copytree(folder, os.path.join(args.keep, os.path.basename(folder)), dirs_exist_ok=True)
                shutil.rmtree(folder)
            sys.stdout.flush()
    print("%d cases of %d streams, %d failed%s" % (cases, args.streams, len(failures), ": " + " ".join(map(os.path.basename, failures))
                                     if failures else ""))
    if args.loops or args.picks:
        print("%d %s" % (found, "of one vertex" if args.loops else "pick vertices"))
    return int(bool(failures) or ((args.loops or args.picks) and cases >= 10 and not found))


if __name__ == "__main__":
    sys.exit(main())
