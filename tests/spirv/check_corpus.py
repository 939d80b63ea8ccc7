#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run every pass that fits a shader of the corpus on it, for three versions of SPIR-V, which are not the same for all shaders, or with
PGS_TEST_EVERY=1 for each version, and validate what comes out.

Lines in the source steer it: "// env: vulkan1.1 ..." (which targets), "// expect PASS: invalid|unsupported",
"// args PASS: ..." (more arguments for pgs-spv), "// skip PASS", "// private PASS" (what comes out is
for us alone), "// mate FILE" (of the corpus, that the shader is fused with), "; newer: WHAT" (not for old assemblers), "; fast
PASS: MASK ..." (the FPFastMathDefaults that come out), "; keep PASS: MODE ..." (execution modes that come out, too), "// coherent PASS: true|false" (whether
memory is Coherent in what comes out, in the GLSL model). Of the pass invariant everything that is
named exact_* must be decorated NoContraction, or with an FPFastMathMode that says so, and nothing that is named free_*. In assembler files the comment sign is ";". With golden/NAME.txt there, the output of `pgs-spv info` must
be that text, and with golden/NAME.throughN.txt that of the geometry shader which goes through.

What comes out may have twice the instructions of what it was made from, and so many besides as the library functions of
its kind have that it links: GROWTH. Passes of FIXED are run once more as for a usual pipeline, whose vertex formats and
topology are no dynamic states: half as many again, and so many besides, of which the goal is GOAL. The counts go to OUT/NAME.growth; check_growth.py prints how many hold the goal, and which exceed it most.
"""

import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
from shader_tools import Server, ShaderTools, run  # noqa: E402

FUSED = ["fused", "owned", "inline0", "inline1", "indexed", "selected", "instanced", "sift", "chunks"]
BEHIND = ["behind", "behind_chunks", "behind_patch"]
PASSES = {
    "vert": ["info", "vertex", "captured", *FUSED[:-1], "extract", "passed", "planes", "unstored", "half0", "through1", "through2", "through3"],
    "tesc": ["info", "control", "counted", "shades", "unstored", "half0"],
    "tese": ["info", "evaluation", "place", "viewed_place", "patch_place", "through1", "through2", "through3", "unstored", "half0"],
    "geom": ["info", "geometry", "parted", "own", *FUSED, "raster", "joined", "fetched", "pointed", "raster1", "select", "viewed", "unstored", "half0", "half1"],
    "frag": ["info", "fragment", "zeroed", "taken", "clipped", "sampled", "stippled", "stippled4", "extract", "half0", "patchless"],
}
VIEWED = {"viewed": "raster", "viewed_place": "place", "patch_place": "place", "counted": "control", "shades": "control", "parted": "geometry", "joined": "raster", "fetched": "raster", "pointed": "raster"}  # what is said of these goes for them
FUSED_WITH = {"vert": "blocks.geom", "geom": "rich.vert"}
SHADED_BY = "rich.vert"  # in front of control shaders
# By kind: library functions, measured over the corpus, and a few per cent.
GROWTH = {
    "vertex": 1050, "captured": 1400, "geometry": 1950, "parted": 2000, "own": 620, "fused": 2300, "owned": 980, "chunks": 1180,
    "inline": 960, "indexed": 960, "selected": 1040, "instanced": 250, "sift": 780, "raster": 60, "joined": 80, "fetched": 60, "pointed": 300, "select": 120, "viewed": 60, "through": 80, "control": 270, "counted": 545, "shades": 1000, "evaluation": 180,
    "place": 565, "viewed_place": 575, "patch_place": 530, "fragment": 20, "zeroed": 20, "taken": 20, "patchless": 20, "clipped": 200, "sampled": 450, "stippled": 200, "stippled4": 450, "passed": 120, "planes": 120, "extract": 20, "unstored": 20, "half": 20,
    "invariant": 20,
}
GOAL = 250
FIXED = dict.fromkeys(["vertex", "captured", "geometry", "own", "fused", "owned", "inline", "indexed", "selected", "raster", "select",
                       "control", "shades", "evaluation", "chunks", "place"], GOAL)
# PGS_TESS_MODES besides those of "place", triangles with equal spacing or isolines; with fractional spacing tessellators are longer than GOAL allows.
MODES = {"quads": 1, "fractional": 4, "fractional_quads": 5}
FIXED.update(place_quads=GOAL, place_fractional=282, place_fractional_quads=295)
FIXED_ENVIRONMENT = "vulkan1.1"
CANONICAL = ("raster", "select")  # of FIXED: all that do the same are the same, without names
FLOAT4 = "0x437"  # VK_FORMAT_R32G32B32A32_SFLOAT in poly_gs/format.h
TRIANGLES = ["-a", "3"]
TOPOLOGIES = {"1": 0, "2": 1, "3": 3, "4": 6, "6": 8}  # the list, by input vertices of the geometry shader
ENVIRONMENTS = ["vulkan1.1", "vulkan1.3"]
IN_TURNS = ["vulkan1.0", "spv1.4", "vulkan1.2"]  # one for each shader, or all


def usual_environments(name):
    if os.environ.get("PGS_TEST_EVERY") == "1":
        return ENVIRONMENTS + IN_TURNS
    return ENVIRONMENTS + [IN_TURNS[zlib.crc32(name.encode()) % len(IN_TURNS)]]


def compile_source(args, source, environment, out):
    if source.suffix == ".spvasm":
        target = {"vulkan1.0": "spv1.0", "vulkan1.1": "spv1.3", "vulkan1.2": "spv1.5", "vulkan1.3": "spv1.6"}
        return run([args.spirv_as, "--preserve-numeric-ids", "--target-env", target.get(environment, environment), source, "-o", out])
    target = ["--target-env", environment]
    if environment == "spv1.4":
        target = ["--target-env", "vulkan1.1", "--target-env", "spirv1.4"]
    return args.tools.compile(*target, source, "-o", out)


def compile_mate(args, source, environment, out):
    """As compile_source, once for all shaders that have that mate and are tested beside each other."""
    tool = pathlib.Path(args.spirv_as if source.suffix == ".spvasm" else args.glslang)
    if out.exists() and out.stat().st_mtime > max(path.stat().st_mtime for path in (source, tool)):
        return subprocess.CompletedProcess([], 0, "")
    own = out.with_suffix(f".{os.getpid()}")
    result = compile_source(args, source, environment, own)
    if result.returncode == 0:
        own.replace(out)
    return result


def mate_of(source, stage, text):
    """The other shader of a tessellation, NAME.tese of NAME.tesc and the other way round, or the one of the corpus that a
    vertex or geometry shader is fused with, or None."""
    named = re.search(r"mate (\S+)", text)
    if named:
        return source.with_name(named.group(1))
    if stage in FUSED_WITH:
        return source.with_name(FUSED_WITH[stage])
    other = source.name.replace(".tesc", ".tese") if ".tesc" in source.name else source.name.replace(".tese", ".tesc")
    return source.with_name(other) if other != source.name and source.with_name(other).exists() else None


def validator_environment(words_path):
    """The oldest Vulkan that takes the module's version."""
    version = words_path.read_bytes()[4:8][2] * 10 + words_path.read_bytes()[4:8][1]
    return {14: "vulkan1.1spv1.4", 15: "vulkan1.2", 16: "vulkan1.3", 10: "vulkan1.1", 13: "vulkan1.1"}.get(version % 100)


def private_accesses(words_path):
    """Pointers to shared memory that is accessed as if no other invocation did. Only the Vulkan model asks."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    shared_types, shared, found, model, at = set(), set(), [], 0, 5
    while at < len(words):
        ins = words[at:at + (words[at] >> 16)]
        op, at = ins[0] & 0xFFFF, at + len(ins)
        if op == 14:  # OpMemoryModel
            model = ins[2]
        elif op == 32 and ins[2] == 4:  # OpTypePointer Workgroup
            shared_types.add(ins[1])
        elif op in (55, 59, 65, 66) and ins[1] in shared_types:  # parameters, variables, access chains
            shared.add(ins[2])
        elif op in (61, 62):  # OpLoad, OpStore
            pointer, mask = (ins[3], ins[4:5]) if op == 61 else (ins[1], ins[3:4])
            if pointer in shared and not (mask and mask[0] & 0x20):  # NonPrivatePointer
                found.append(pointer)
    return found if model == 3 else []


def laid_out(words_path):
    """Types with a stride or offset in memory of an invocation or group, where it has no meaning. Old validators do not ask.
    Not those that other memory holds, too: of arrays of one length, glslang makes one type for all memory."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    decorated, parts, own, other, at = set(), {}, set(), set(), 5
    while at < len(words):
        ins = words[at:at + (words[at] >> 16)]
        op, at = ins[0] & 0xFFFF, at + len(ins)
        if op == 71 and ins[2] == 6 or op == 72 and ins[3] in (7, 35):  # ArrayStride; MatrixStride, Offset
            decorated.add(ins[1])
        elif op in (28, 29, 30):  # OpTypeArray, OpTypeRuntimeArray, OpTypeStruct
            parts[ins[1]] = ins[2:] if op == 30 else ins[2:3]
        elif op == 32:  # OpTypePointer Workgroup, Private, Function; others
            (own if ins[2] in (4, 6, 7) else other).add(ins[3])
    for held in (own, other):
        added = set(held)
        while added:
            added = {part for whole in added for part in parts.get(whole, ())} - held
            held |= added
    return sorted(decorated & own - other)


def small_or_one(words_path):
    """Choices between the bits of 1.0 and a number that is 0 to who flushes denormals. Mesa 26's lavapipe compiles vertex shaders
    while the CPU flushes them, and makes of these choices between 1.0 and 0.0."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    constants, found, at = {}, [], 5
    while at < len(words):
        ins = words[at:at + (words[at] >> 16)]
        op, at = ins[0] & 0xFFFF, at + len(ins)
        if op == 43 and len(ins) == 4:  # OpConstant
            constants[ins[2]] = ins[3]
        elif op in (169, 245):  # OpSelect, OpPhi
            chosen = [constants.get(one, 0) for one in (ins[4:6] if op == 169 else ins[3::2])]
            if 0x3F800000 in chosen and any(0 < one < 0x800000 for one in chosen):
                found.append(ins[2])
    return found


def contractions(words_path):
    """Names that begin with exact and may be contracted, or with free and may not; and what is Invariant still."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    names, exact, invariant, at = {}, set(), [], 5
    while at < len(words):
        ins = words[at:at + (words[at] >> 16)]
        if ins[0] & 0xFFFF == 5:  # OpName
            names[ins[1]] = struct.pack(f"<{len(ins) - 2}I", *ins[2:]).split(b"\0")[0].decode()
        elif ins[0] & 0xFFFF == 71 and ins[2] == 42:  # OpDecorate NoContraction
            exact.add(ins[1])
        elif ins[0] & 0xFFFF == 71 and ins[2] == 40 and not ins[3] & 0x70008:  # FPFastMathMode that changes no order
            exact.add(ins[1])
        elif ins[0] & 0xFFFF in (71, 72) and ins[-1] == 18:  # OpDecorate or OpMemberDecorate Invariant
            invariant.append(f"{ins[1]} is Invariant")
        at += len(ins)
    return invariant + [name for name_id, name in names.items()
            if name.startswith("free_" if name_id in exact else "exact_")]


def fast_math_defaults(words_path):
    """The masks of all FPFastMathDefault, sorted."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    constants, masks, at = {}, [], 5
    while at < len(words):
        ins = words[at:at + (words[at] >> 16)]
        if ins[0] & 0xFFFF == 43:  # OpConstant
            constants[ins[2]] = ins[3]
        elif ins[0] & 0xFFFF == 331 and ins[2] == 6028:  # OpExecutionModeId FPFastMathDefault
            masks.append(ins[4])
        at += len(ins)
    return sorted(hex(constants[mask]) for mask in masks)


def execution_modes(words_path):
    """Of all entry points."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    modes, at = [], 5
    while at < len(words):
        if words[at] & 0xFFFF == 16:  # OpExecutionMode
            modes.append(str(words[at + 2]))
        at += words[at] >> 16
    return modes


def is_coherent(words_path):
    """Is some memory Coherent?"""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    found, at = False, 5
    while at < len(words):
        found |= words[at] & 0xFFFF == 72 and words[at + 3] == 23  # OpMemberDecorate Coherent
        at += words[at] >> 16
    return found


def has_names(words_path):
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    at, found = 5, False
    while at < len(words):
        found |= words[at] & 0xFFFF in (5, 6)  # OpName, OpMemberName
        at += words[at] >> 16
    return found


def instructions(words_path):
    """How many its functions have."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    count, at = 0, 5
    while at < len(words):
        count += count > 0 or words[at] & 0xFFFF == 54  # OpFunction
        at += words[at] >> 16
    return count


def address_loads(words_path):
    """Loads that say how their address is aligned, which are those of buffer addresses."""
    data = words_path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    count, at = 0, 5
    while at < len(words):
        ins = words[at:at + (words[at] >> 16)]
        count += ins[0] & 0xFFFF == 61 and len(ins) > 5 and ins[4] & 2 != 0  # OpLoad Aligned
        at += len(ins)
    return count


def limits(name):
    """Half instructions for each that it was made from, and how many besides. NAME or NAME.fixed."""
    kind, fixed, _ = name.partition(".")
    return (3, FIXED[kind]) if fixed else (4, GROWTH[kind])


def topology_of(args, geom, more):
    """Arguments that name the topology that a geometry shader gets. more: arguments that it needs."""
    if geom is None:
        return []
    inputs = re.search(r"^input (\d)", args.passes.ask(["info", geom, "-t", "geom", *more]).stdout, re.M)
    return ["-a", TOPOLOGIES[inputs.group(1)]] if inputs else []


def captured_words(info):
    """Which words of which buffer pgs-spv info says are captured, and the strides and streams."""
    words = set()
    for buffer, head, runs in re.findall(r"^buffer (\d): (stride \d+, stream \d)(.*)$", info, re.M):
        words.add((buffer, head))
        for count, target in re.findall(r"\+(\d+) to (\d+)", runs):
            words.update((buffer, int(target) + word) for word in range(int(count)))
    return words


def locations_of(info, stream):
    """The components of a stream's outputs that pgs-spv info printed; without outputs it need not."""
    found = re.search(rf"^stream {stream}: (.*)$" if stream else "^out: (.*)$", info, re.M)
    return re.findall(r"\d+\.\d", found.group(1)) if found else []


def main():
    parser = argparse.ArgumentParser()
    for name in ("glslang", "spirv-as", "spirv-val", "pgs-spv"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--shader-tools", default="")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    args = parser.parse_args()
    args.tools = ShaderTools(args.shader_tools, args.glslang, args.spirv_val)
    args.passes = Server([args.pgs_spv, "serve"])
    text = args.source.read_text()
    stage = next(part for part in args.source.name.split(".")[1:] if part in PASSES)
    environments = re.search(r"env: (.*)", text)
    expected = dict(re.findall(r"expect (\w+): (\w+)", text))
    private = re.findall(r"private (\w+)", text)
    skipped = re.findall(r"skip (\w+)", text)
    more = {name: line.split() for name, line in re.findall(r"args (\w+): (.*)", text)}
    fast = dict(re.findall(r"fast (\w+): (.*)", text))
    kept = dict(re.findall(r"keep (\w+): (.*)", text))
    coherent = dict(re.findall(r"coherent (\w+): (true|false)", text))
    golden = args.source.parent.parent / "golden" / f"{args.source.name}.txt"
    args.out.mkdir(parents=True, exist_ok=True)
    failures, growth = [], []

    def check(what, good, output):
        if not good:
            failures.append(what)
            print(f"FAILED {what}\n{output}")

    for environment in environments.group(1).split() if environments else usual_environments(args.source.name):
        module = args.out / f"{args.source.name}.{environment}.spv"
        result = compile_source(args, args.source, environment, module)
        check(f"compile {environment}", result.returncode == 0, result.stdout)
        if result.returncode != 0:
            continue
        mate = mate_of(args.source, stage, text)
        if mate:
            mate_module = args.out / f"mate.{mate.name}.{environment}.spv"
            result = compile_mate(args, mate, environment, mate_module)
            check(f"compile {mate.name} {environment}", result.returncode == 0, result.stdout)
        names = PASSES[stage] + (["invariant"] if "exact_" in text else [])
        for name in (name for name in names if VIEWED.get(name, name) not in skipped):
            out = args.out / f"{args.source.name}.{environment}.{name}.spv"
            command = [name, module, "-o", out, *more.get("fused" if name in FUSED else VIEWED.get(name, name).rstrip("0123"), [])]
            if name in ("info", "extract", "passed", "planes", "clipped", "sampled", "stippled", "stippled4", "unstored", "half0", "half1") or name.startswith("through"):
                command += ["-t", stage]
            if name in ("control", "counted", "shades", "evaluation", "place", "viewed_place", "patch_place") and mate:
                command += ["-m", mate_module]
            if name == "shades":
                shaded_module = args.out / f"mate.{SHADED_BY}.{environment}.spv"
                result = compile_mate(args, args.source.with_name(SHADED_BY), environment, shaded_module)
                check(f"compile {SHADED_BY} {environment}", result.returncode == 0, result.stdout)
                command += ["-g", shaded_module]
            if name == "vertex" and "mate " in text: # stores what that one reads, as in a pipeline
                command += ["-g", mate_module]
            if name in FUSED:
                vert, geom = (module, mate_module) if stage == "vert" else (mate_module, module)
                command[1:2] = [vert, "-g", geom]
            if name in ("raster", "joined", "fetched", "pointed", "raster1", "select", "viewed", *FUSED, "place", "viewed_place", "patch_place", "fragment", "zeroed", "taken", "clipped", "sampled", "stippled", "stippled4", "passed", "through3"):
                command += ["-p", "20"]
            result = args.passes.ask(command)
            refused = expected.get(name, expected.get(VIEWED.get(name, name), expected.get("fused") if name in FUSED else None))
            if refused:
                wanted = f": {refused}\n"
                check(f"{name} {environment}", result.returncode == 1 and result.stdout.endswith(wanted), result.stdout)
                continue
            check(f"{name} {environment}", result.returncode == 0, result.stdout)
            if name == "info" and golden.exists():
                check(f"golden {environment}", result.stdout == golden.read_text(), result.stdout)
            if name == "info" or result.returncode != 0:
                continue
            kind = name.rstrip("0123")
            made_from = instructions(module) + (instructions(mate_module) if name in FUSED else instructions(shaded_module) if name == "shades" else 0)

            def examine(of, kind, made_of):
                made = instructions(made_of)
                growth.append(f"{kind} {made_from} {made} {environment}\n")
                halves, extra = limits(kind)
                check(f"growth {of} {environment}", 2 * made <= halves * made_from + 2 * extra,
                      f"{made} instructions from {made_from}: more than {halves / 2} times as many and {extra}")
                result = args.tools.validate(validator_environment(made_of), made_of)
                check(f"validate {of} {environment}", VIEWED.get(name, name) in private or result.returncode == 0, result.stdout)

            examine(name, kind, out)
            if kind in FIXED and environment == FIXED_ENVIRONMENT:
                fixed = out.with_suffix(".fixed.spv")
                command[command.index("-o") + 1] = fixed
                geometry = (geom if name in FUSED else module if stage == "geom" else None)
                known = topology_of(args, geometry, more.get("info", []))
                result = args.passes.ask(command + ["-f", FLOAT4, "-i", "64"] + (TRIANGLES if stage == "vert" and not geometry else known))
                check(f"{name} fixed {environment}", result.returncode == 0, result.stdout)
                if result.returncode == 0:
                    examine(f"{name} fixed", f"{kind}.fixed", fixed)
                for modes in MODES if name == "place" else ():
                    result = args.passes.ask(command + ["-f", FLOAT4, "-i", "64", "-d", str(MODES[modes])])
                    check(f"{name} {modes} {environment}", result.returncode == 0, result.stdout)
                    if result.returncode == 0:
                        examine(f"{name} {modes}", f"{kind}_{modes}.fixed", fixed)
                paired = out.with_suffix(".paired.spv")
                command[command.index("-o") + 1] = paired
                result = args.passes.ask(command + ["-f", FLOAT4, "-i", "pairs", "-n", "keep"])
                check(f"{name} paired {environment}", result.returncode == 0, result.stdout)
                if result.returncode == 0:
                    result = args.tools.validate(validator_environment(paired), paired)
                    check(f"validate {name} paired {environment}", VIEWED.get(name, name) in private or result.returncode == 0, result.stdout)
                    check(f"names {name} {environment}", not has_names(out) and has_names(paired) == (kind not in CANONICAL), "")
                made_loads = []
                for words in ("32", "joined"):
                    loaded = out.with_suffix(f".{words}.spv")
                    command[command.index("-o") + 1] = loaded
                    result = args.passes.ask(command + ["-f", FLOAT4, "-i", words])
                    check(f"{name} {words} {environment}", result.returncode == 0, result.stdout)
                    if result.returncode == 0:
                        result = args.tools.validate(validator_environment(loaded), loaded)
                        check(f"validate {name} {words} {environment}", VIEWED.get(name, name) in private or result.returncode == 0, result.stdout)
                        made_loads.append(address_loads(loaded))
                check(f"loads {name} {environment}", made_loads == sorted(made_loads, reverse=True), f"{made_loads} apart and joined")
                if name == "geometry" or name in FUSED: # which read much of their record
                    check(f"fewer loads {name} {environment}", len(set(made_loads)) == 2, f"{made_loads} apart and joined")
                if name == "fused":
                    bound = out.with_suffix(".bound.spv")
                    command[command.index("-o") + 1] = bound
                    result = args.passes.ask(command + ["-f", FLOAT4, "-i", "bound"])
                    check(f"{name} bound {environment}", result.returncode == 0, result.stdout)
                    if result.returncode == 0:
                        result = args.tools.validate(validator_environment(bound), bound)
                        check(f"validate {name} bound {environment}", VIEWED.get(name, name) in private or result.returncode == 0, result.stdout)
            if name in fast or name in FUSED and "fused" in fast:
                masks, wanted = fast_math_defaults(out), fast.get(name, fast.get("fused")).split()
                check(f"fast math {name} {environment}", masks == wanted, f"{masks} instead of {wanted}")
            if name in kept:
                modes = execution_modes(out)
                check(f"modes {name} {environment}", set(kept[name].split()) <= set(modes), f"{modes}")
            if name in coherent:
                check(f"coherent {name} {environment}", is_coherent(out) == (coherent[name] == "true"), f"not {coherent[name]}")
            if name == "invariant":
                wrong = contractions(out)
                check(f"contraction {environment}", not wrong, f"wrong: {wrong}")
            laid = laid_out(out)
            check(f"layouts {name} {environment}", not laid, f"in memory that has none: {laid}")
            risky = small_or_one(out)
            check(f"choices {name} {environment}", not risky, f"between 1.0 and nearly 0.0: {risky}")
            private_ids = private_accesses(out)
            check(f"shared memory {name} {environment}", not private_ids, f"private: {private_ids}")
            if name.startswith("half") and stage != "frag":
                after = args.passes.ask(["info", out, "-t", stage, *more.get("info", [])])
                check(f"{name} info {environment}",
                      after.returncode == 0 and not re.search("captures|stream|emits", after.stdout), after.stdout)
                before = args.passes.ask(["info", module, "-t", stage, *more.get("info", [])])
                check(f"{name} outputs {environment}", stage != "geom" or
                      locations_of(before.stdout, int(name[4])) == locations_of(after.stdout, 0), after.stdout)
            if name.startswith("through"):
                before, after = (args.passes.ask(["info", path, "-t", path_stage]).stdout
                                 for path, path_stage in ((module, stage), (out, "geom")))
                check(f"capture {name} {environment}",
                      stage == "tese" or captured_words(before) == captured_words(after), after)
                through = golden.with_name(f"{args.source.name}.{name}.txt")
                check(f"golden {name} {environment}", not through.exists() or after == through.read_text(), after)
            # What we make must be good enough for ourselves.
            next_names = ["geometry", "own", "raster"] if name.startswith("through") else []
            if next_names and stage == "vert" and "fused" not in expected:
                next_names += [fused for fused in FUSED if fused not in expected]
            # Arguments may name another entry point.
            if next_names and stage == "tese" and "evaluation" not in more and "behind" not in expected:
                next_names += BEHIND
            for next_name in next_names:
                next_out = out.with_suffix(f".{next_name}.spv")
                of = [module, "-g", out] if next_name in FUSED + BEHIND else [out]
                result = args.passes.ask([next_name, *of, "-o", next_out, "-p", "20"])
                check(f"{name} {next_name} {environment}", result.returncode == 0, result.stdout)
                result = args.tools.validate(validator_environment(next_out), next_out)
                check(f"validate {name} {next_name} {environment}", result.returncode == 0, result.stdout)
    (args.out / f"{args.source.name}.growth").write_text("".join(growth))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
