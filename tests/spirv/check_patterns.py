#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What pgs-spv says that geometry shaders emit, against what stands in a table of shaders (patterns/)."""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
from shader_tools import Server, ShaderTools, run  # noqa: E402

GLSL = """#version 450
layout(points, invocations = 2) in;
layout(%s, max_vertices = %s) out;
layout(location = 0) in ivec4 input_values[];
layout(location = 0) out int writes;
#define reads input_values[0]
%s
void main()
{
%s
}
"""
# Of one vertex; the kind is that of the input.
VERTEX = """#version 450
layout(%s) in;
layout(%s, max_vertices = %s) out;
layout(location = 0) in vec4 given[];
layout(location = 1) in flat ivec4 flat_given[];
layout(location = 0) out vec4 color;
layout(binding = 0) uniform Field { mat4 turns[6]; vec4 palette[6]; int count; } field;
%s
void main()
{
%s
}
"""
VERTEX_KINDS = {"points": "points", "lines": "line_strip", "lines_adjacency": "line_strip", "triangles": "triangle_strip"}
TOLD = {"vertex": "one_vertex", "picks": "picks"}  # by table; else pattern
SPIRV = """OpCapability Geometry
OpMemoryModel Logical GLSL450
OpEntryPoint Geometry %%main "main" %%input
OpExecutionMode %%main InputPoints
OpExecutionMode %%main Invocations 1
OpExecutionMode %%main %s
OpExecutionMode %%main OutputVertices %s
OpDecorate %%input Flat
OpDecorate %%input Location 0
%%void = OpTypeVoid
%%procedure = OpTypeFunction %%void
%%bool = OpTypeBool
%%int = OpTypeInt 32 1
%%int_pointer = OpTypePointer Function %%int
%%one_vertex = OpConstant %%int 1
%%inputs = OpTypeArray %%int %%one_vertex
%%inputs_pointer = OpTypePointer Input %%inputs
%%input_pointer = OpTypePointer Input %%int
%%input = OpVariable %%inputs_pointer Input
%%true = OpConstantTrue %%bool
%%false = OpConstantFalse %%bool
%%n0 = OpConstant %%int 0
%%n1 = OpConstant %%int 1
%%n2 = OpConstant %%int 2
%%n3 = OpConstant %%int 3
%%n4 = OpConstant %%int 4
%%n5 = OpConstant %%int 5
%s
"""
KIND_EL = {"points": 1, "line_strip": 2, "triangle_strip": 3}
SPIRV_KINDS = {"points": "OutputPoints", "line_strip": "OutputLineStrip", "triangle_strip": "OutputTriangleStrip"}


def read_table(path):
    """(name, kind, max_vertices, [spec], expected, text)"""
    for part in re.split(r"^== ", path.read_text(), flags=re.M)[1:]:
        name, line, text = part.split("\n", 2)
        head, expected = line.split(": ", 1)
        kind, most, *spec = head.split()
        if path.stem == "picks":  # the kinds of the input and of the output
            kind, most = f"{kind} {most}", spec.pop()
        yield name, kind, most, spec, expected.strip(), text


def source_of(table, kind, most, text):
    if text.startswith("OpCapability"):
        return text
    body, _, before = text.partition("\nmain:\n")
    if table in TOLD:
        kind, _, output = kind.partition(" ")
        invocations = re.match(r"invocations (\d+)\n", body)
        given = f"{kind}, invocations = {invocations[1]}" if invocations else kind
        return VERTEX % (given, output or VERTEX_KINDS[kind], most, before, body[invocations.end():] if invocations else body)
    if table == "glsl":
        return GLSL % (kind, most, before, body)
    return SPIRV % (SPIRV_KINDS[kind], most, text)


def said(printed, kind, most):
    """As the table writes it: a stream that it leaves out has nothing, and one strip of all vertices may come of what is unknown."""
    printed = printed.replace(f"unknown; {max(0, int(most) - KIND_EL.get(kind, 0) + 1)} primitives at most", "unknown")
    return re.sub(r"; (\d): 0 primitives, 0 indices(?=.*;)", "",
                  printed).replace(" primitives", "").replace(" indices", "")


def main():
    parser = argparse.ArgumentParser()
    for name in ("glslang", "spirv-as", "spirv-val", "pgs-spv"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--shader-tools", default="")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    args = parser.parse_args()
    tools = ShaderTools(args.shader_tools, args.glslang, args.spirv_val)
    passes = Server([args.pgs_spv, "serve"])
    told = TOLD.get(args.table.stem, "pattern")
    failures = count = 0
    args.out.mkdir(parents=True, exist_ok=True)
    for name, kind, most, spec, expected, text in read_table(args.table):
        suffix = "spvasm" if args.table.stem == "spirv" or text.startswith("OpCapability") else "geom"
        stem = args.out / re.sub(r"\W+", "_", name)
        source, module = stem.with_suffix("." + suffix), stem.with_suffix(".spv")
        source.write_text(source_of(args.table.stem, kind, most, text))
        if suffix == "geom":
            result = tools.compile("--target-env", "vulkan1.1", source, "-o", module)
        else:
            result = run([args.spirv_as, "--target-env", "spv1.3", source, "-o", module])
        if result.returncode == 0 and expected != "invalid" and "; hostile" not in text:
            result = tools.validate("vulkan1.1", module)
        if result.returncode == 0:
            result = passes.ask([told, module, *[word for one in spec for word in ("-s", one)]])
        printed = result.stdout.strip()
        printed = said(printed, kind, most) if result.returncode == 0 else "invalid" if printed.endswith(": invalid") else printed
        count += 1
        if printed != expected:
            failures += 1
            print(f"{args.table.name}: {name}: {printed}, not {expected}")
    print(f"{count} shaders, {failures} wrong")
    sys.exit(failures != 0 or count == 0)


if __name__ == "__main__":
    main()
