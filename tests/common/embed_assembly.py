#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles SPIR-V and writes the words as a C array.

usage: embed_assembly.py SPIRV_AS SOURCE NAME HEADER
"""

import struct
import subprocess
import sys


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    assembler, source, name, header = sys.argv[1:]
    code = subprocess.run([assembler, "--target-env", "spv1.0", "-o", "-", source], check=True, capture_output=True).stdout
    words = struct.unpack(f"<{len(code) // 4}I", code)
    with open(header, "w", encoding="utf-8") as file:
        file.write(f"const uint32_t {name}[] = {{\n")
        file.writelines(f"    {word:#x},\n" for word in words)
        file.write("};\n")


if __name__ == "__main__":
    main()
