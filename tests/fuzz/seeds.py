#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the shaders of all tests as modules, for fuzz-modules to begin with.

usage: seeds.py BUILD OUT

BUILD is a complete build folder. Its tests embed their shaders as numbers in headers, one array in each; OUT gets one file for
each that differs from the others, named after what is in it.
"""
import hashlib
import pathlib
import re
import struct
import sys


def words_in(text):
    array = re.search(r"\{(.*)\}", text, re.DOTALL)
    numbers = re.sub(r"//.*", "", array.group(1)) if array else ""
    return [int(number, 0) for number in re.findall(r"\b0x[0-9a-fA-F]+\b|\b\d+\b", numbers)]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    modules = set()
    for header in sorted(build.glob("tests/*/spv/**/*.h")):
        words = words_in(header.read_text())
        if words and words[0] == 0x07230203:
            modules.add(struct.pack(f"<{len(words)}I", *words))
    for module in modules:
        (out / f"{hashlib.sha256(module).hexdigest()[:16]}.spv").write_bytes(module)
    print(f"{len(modules)} modules in {out}")


if __name__ == "__main__":
    main()
