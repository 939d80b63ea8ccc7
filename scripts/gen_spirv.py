#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compile the layer's GLSL to SPIR-V and write it as C arrays.

Every source is compiled for Vulkan 1.1, validated, and checked against what the layer may ask of a driver: SPIR-V 1.3
and no capability beyond ALLOWED. Libraries keep their uncalled functions, since those are what gets linked. spirv-opt
turns their local variables into values, which the layer can fold when it links them; nothing of it touches floats. With
each library goes what linking needs to know of it: struct pgs_spv_library in layer/spirv/ir/library.h. Of kernels
spirv-opt makes what drivers compile in less time; the few floats there are exact however they are computed.
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import spirv_library
from spirv_library import Grammar, analyze, drop_private_names, number_anew

MAGIC = 0x07230203
OP_UNDEF = 1
OP_EXTENSION = 10
OP_ENTRY_POINT = 15
OP_CAPABILITY = 17
OP_TYPE_ARRAY = 28
OP_TYPE_POINTER = 32
OP_TYPE_FUNCTION = 33
OP_FUNCTION = 54
OP_FUNCTION_PARAMETER = 55
OP_FUNCTION_CALL = 57
OP_DECORATE = 71
OP_LABEL = 248
DECORATION_ARRAY_STRIDE = 6
STORAGE_CLASS_WORKGROUP = 4
ALLOWED = {1: "Shader", 5347: "PhysicalStorageBufferAddresses"}


def fail(source, message):
    sys.exit(f"{source}: {message}")


def run(command, source):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        fail(source, f"{command[0]} failed:\n{result.stdout}")


def instructions(words):
    return ((ins[0] & 0xFFFF, ins[1:]) for _, ins in spirv_library.instructions(words))


def check(source, words, is_library):
    if words[0] != MAGIC or words[1] > 0x00010300:
        fail(source, f"SPIR-V version {words[1]:#x} is more than 1.3")
    if laid_out_workgroup_arrays(words):
        fail(source, "Workgroup memory has an array with a stride (VUID-StandaloneSpirv-None-10684)")
    pointer_types = set()
    for opcode, operands in instructions(words):
        if opcode == OP_CAPABILITY and operands[0] not in ALLOWED:
            fail(source, f"capability {operands[0]} is not among {sorted(ALLOWED.values())}")
        if opcode == OP_TYPE_POINTER:
            pointer_types.add(operands[0])
        if is_library and opcode == OP_FUNCTION_PARAMETER and operands[0] in pointer_types:
            fail(source, "a parameter is a pointer: declare parameters of library functions const")


# In this order. What no entry point reaches stays as it is, so main calls everything meanwhile.
LIBRARY_PASSES = (
    "--convert-local-access-chains",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--ssa-rewrite",
    "--eliminate-dead-branches",
    "--combine-access-chains",
    "--redundancy-elimination",
    "--eliminate-dead-code-aggressive",
    "--merge-blocks",
    "--cfg-cleanup",
    "--compact-ids",
)
KERNEL_PASSES = ("-O",)


def rewrite(words, change):
    """The module with each instruction, a list of words, replaced by the words that change() returns."""
    out = list(words[:5])
    for _, ins in spirv_library.instructions(words):
        out += change(list(ins))
    return out


def laid_out_workgroup_arrays(words):
    """Arrays with a stride that Workgroup memory holds."""
    strides = {operands[0] for opcode, operands in instructions(words)
               if opcode == OP_DECORATE and operands[1] == DECORATION_ARRAY_STRIDE}
    return {operands[2] for opcode, operands in instructions(words)
            if opcode == OP_TYPE_POINTER and operands[1] == STORAGE_CLASS_WORKGROUP} & strides


def separate_workgroup_arrays(words):
    """Older versions of glslang give shared arrays the types of arrays in buffers, with a stride, which only memory with a
    layout may have. Each of them gets another one."""
    bound = words[3]
    plain = {array: bound + i for i, array in enumerate(sorted(laid_out_workgroup_arrays(words)))}

    def separate(ins):
        opcode = ins[0] & 0xFFFF
        if opcode == OP_TYPE_ARRAY and ins[1] in plain:
            return ins + [ins[0], plain[ins[1]], *ins[2:]]
        if opcode == OP_TYPE_POINTER and ins[2] == STORAGE_CLASS_WORKGROUP:
            return [*ins[:3], plain.get(ins[3], ins[3])]
        return ins

    out = rewrite(words, separate)
    out[3] = bound + len(plain)
    return out


def call_everything(words):
    """Lets main, which is empty, call all other functions."""
    functions, types = {}, {}
    for opcode, operands in instructions(words):
        if opcode == OP_ENTRY_POINT:
            main = operands[1]
        elif opcode == OP_TYPE_FUNCTION:
            types[operands[0]] = operands[1:]
        elif opcode == OP_FUNCTION:
            functions[operands[1]] = types[operands[3]]
    bound = words[3]
    calls = []
    for function in (function for function in functions if function != main):
        result, *parameters = functions[function]
        arguments = range(bound, bound + len(parameters))
        for kind, argument in zip(parameters, arguments):
            calls += [3 << 16 | OP_UNDEF, kind, argument]
        bound += len(parameters) + 1
        calls += [(4 + len(parameters)) << 16 | OP_FUNCTION_CALL, result, bound - 1, function, *arguments]
    inside = False

    def add(ins):
        nonlocal inside
        opcode = ins[0] & 0xFFFF
        if opcode == OP_FUNCTION:
            inside = ins[2] == main
        return ins + calls if inside and opcode == OP_LABEL else ins

    out = rewrite(words, add)
    out[3] = bound
    return out


def empty_main(words):
    """Undoes call_everything."""
    inside = False

    def keep(ins):
        nonlocal inside
        opcode = ins[0] & 0xFFFF
        if opcode == OP_FUNCTION:
            inside = ins[2] == main
        return [] if inside and opcode in (OP_UNDEF, OP_FUNCTION_CALL) else ins

    main = next(operands[1] for opcode, operands in instructions(words) if opcode == OP_ENTRY_POINT)
    return rewrite(words, keep)


def optimize(args, source, module, is_library):
    """Rewrites the module in the file. Some passes of spirv-opt do nothing where they find the extension of physical
    addresses, although all that they look at is local and private variables, so it is taken out meanwhile."""
    words = read_words(module)
    if is_library:
        words = call_everything(words)
    passes = LIBRARY_PASSES if is_library else KERNEL_PASSES
    extensions = []

    def take_extensions(ins):
        if ins[0] & 0xFFFF != OP_EXTENSION:
            return ins
        extensions.extend(ins)
        return []

    module.write_bytes(pack(rewrite(words, take_extensions)))
    run([args.spirv_opt, "--skip-validation", *passes, str(module), "-o", str(module)], source)

    def put_extensions(ins):
        nonlocal extensions
        if ins[0] & 0xFFFF == OP_CAPABILITY:
            return ins
        before, extensions = extensions, []
        return before + ins

    words = separate_workgroup_arrays(read_words(module))
    if is_library:
        words = empty_main(words)
    module.write_bytes(pack(rewrite(words, put_extensions)))


def read_words(path):
    data = path.read_bytes()
    return struct.unpack(f"<{len(data) // 4}I", data)


def pack(words):
    return struct.pack(f"<{len(words)}I", *words)


def compile_one(args, source, is_library, define=None):
    with tempfile.TemporaryDirectory() as folder:
        module = pathlib.Path(folder) / "module.spv"
        command = [args.glslang, "-V", "--quiet", "-S", "comp", "--target-env", "vulkan1.1", "-o", str(module)]
        command += [f"-I{path}" for path in args.include]
        if is_library:
            command.append("--keep-uncalled")
        if define:
            command += [f"-D{name}" for name in define.split(",")]
        run(command + [str(source)], source)
        optimize(args, source, module, is_library)
        if args.spirv_val:
            run([args.spirv_val, "--target-env", "vulkan1.1", str(module)], source)
        words = read_words(module)
    check(source, words, is_library)
    return words


def array(name, words, storage=""):
    lines = [f"{storage}const uint32_t {name}[] = {{"]
    for at in range(0, len(words), 8):
        lines.append("    " + " ".join(f"0x{word:08x}u," for word in words[at : at + 8]))
    lines.append("};")
    return "\n".join(lines)


def library(name, words, grammar):
    """The definition of a struct pgs_spv_library."""
    words, outer_bound, label_bound = number_anew(drop_private_names(words, grammar), grammar)
    found = analyze(words, outer_bound, label_bound, grammar)
    masks = [mask for function in found.functions for mask in function.decisions]
    lines = [array(f"{name}_code", words, "static "), array(f"{name}_places", found.places, "static "),
             array(f"{name}_numbers", found.numbers, "static "),
             array(f"{name}_by_name", found.by_name, "static "), array(f"{name}_blocks", found.blocks or [0], "static "),
             array(f"{name}_decisions", masks + [0], "static "),
             f"static const struct pgs_spv_library_function {name}_functions[] = {{"]
    mask_at = 0
    for function in found.functions:
        lines.append(f'    {{"{function.name}", {function.head}, {function.body}, {function.end}, '
                     f"{function.parameter_count}, {name}_decisions + {mask_at}, {len(function.decisions)}, "
                     f"0x{function.returned:x}u}},")
        mask_at += len(function.decisions)
    lines.append("};")
    ranges = ", ".join(f"{{{begin}, {end}}}" for begin, end in (found.capabilities, found.names, found.annotations))
    lines.append(f"const struct pgs_spv_library {name} = {{{name}_code, {words[3]}, {outer_bound}, {label_bound}, "
                 f"{name}_places, {name}_numbers, {name}_blocks, "
                 f"{ranges}, {name}_functions, {name}_by_name, {len(found.functions)}}};")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--glslang", required=True)
    parser.add_argument("--spirv-opt", required=True)
    parser.add_argument("--spirv-val", default="")
    parser.add_argument("--grammar", required=True, type=pathlib.Path, help="spirv.core.grammar.json")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--library", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--variant", action="append", default=[], nargs=3, metavar=("NAME", "FILE", "DEFINES"),
                        help="a library once more, with macros, between which there are commas")
    parser.add_argument("--kernel", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder of embedded.h and embedded.c")
    args = parser.parse_args()

    grammar = Grammar(json.loads(args.grammar.read_text()))
    libraries = [(f"pgs_lib_{path.stem}", compile_one(args, path, True)) for path in args.library]
    libraries += [(f"pgs_lib_{name}", compile_one(args, pathlib.Path(path), True, define)) for name, path, define in args.variant]
    kernels = [(f"pgs_kernel_{path.stem}", compile_one(args, path, False)) for path in args.kernel]

    notice = "/* SPDX-License-Identifier: MIT\n *\n * Generated by scripts/gen_spirv.py. */\n"
    declarations = "\n".join(
        [f"extern const struct pgs_spv_library {name};" for name, _ in libraries]
        + [f"extern const uint32_t {name}[];\nextern const size_t {name}_words;" for name, _ in kernels]
    )
    guard = "PGS_SHADERS_EMBEDDED_H"
    includes = '#include "spirv/ir/library.h"\n\n#include <stddef.h>\n#include <stdint.h>'
    header = f"{notice}#ifndef {guard}\n#define {guard}\n\n{includes}\n\n"
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "embedded.h").write_text(f"{header}{declarations}\n\n#endif\n")
    arrays = "\n\n".join([library(name, words, grammar) for name, words in libraries]
                         + [array(name, words) + f"\nconst size_t {name}_words = sizeof({name}) / sizeof({name}[0]);"
                            for name, words in kernels])
    (args.out / "embedded.c").write_text(f'{notice}#include "embedded.h"\n\n{arrays}\n')


if __name__ == "__main__":
    main()
