#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what no compiler does: lengths of files, direction of the includes between rooms, licence lines, and that
nothing generated is in git.

usage: check_style.py ROOT
"""

import os
import re
import subprocess
import sys

MAX_LINES = {'.c': 800, '.h': 250}
MAX_FUNCTION_LINES = 80
LICENCE_SUFFIXES = ('.c', '.h', '.py', '.sh', '.glsl', '.comp', '.vert', '.tesc', '.tese', '.geom', '.frag', '.spvasm',
                    '.cmake', '.txt', '.map')
GENERATED = re.compile(r'\bGenerated (from|by)\b.*\b(gen_\w+\.py|vk\.xml)')

# A room may include itself and whatever can be reached over the arrows.
ARROWS = {
    'entry': ('command',), 'command': ('draw',), 'draw': ('pipeline',), 'pipeline': ('memory', 'spirv'),
    'memory': ('vulkan',), 'vulkan': ('base',), 'spirv': ('base',), 'base': (),
}
VULKAN_FREE = ('base', 'spirv')


def reachable(room):
    found, todo = set(), [room]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += ARROWS[name]
    return found


def check_includes(path, text, errors):
    parts = path.split('/')
    if parts[0] != 'layer' or len(parts) < 3 or parts[1] not in ARROWS:
        return
    room, allowed = parts[1], reachable(parts[1])
    for number, line in enumerate(text.splitlines(), 1):
        include = re.match(r'\s*#\s*include\s+["<]([^/">]+)/', line)
        if not include:
            continue
        target = include.group(1)
        if '"' in line and target in ARROWS and target not in allowed:
            errors.append(f'{path}:{number}: {room} must not include from {target}')
        if target == 'vulkan' and room in VULKAN_FREE:
            errors.append(f'{path}:{number}: {room} knows no Vulkan')


def check_functions(path, text, errors):
    """Counts from an opening to a closing brace in the first column, which is how clang-format writes functions."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        if line == '{':
            start = number
        elif line == '}' and start is not None:
            if number - start + 1 > MAX_FUNCTION_LINES:
                errors.append(f'{path}:{start}: a function of {number - start + 1} lines, '
                              f'more than {MAX_FUNCTION_LINES}')
            start = None


def check_file(root, path, errors):
    suffix = os.path.splitext(path)[1]
    if not path.endswith(LICENCE_SUFFIXES) or '/golden/' in path:
        return
    with open(os.path.join(root, path), encoding='utf-8') as f:
        text = f.read()
    head = '\n'.join(text.splitlines()[:3])
    if 'SPDX-License-Identifier: MIT' not in head:
        errors.append(f'{path}:1: no SPDX line')
    if suffix in ('.c', '.h'):
        lines = text.count('\n')
        if lines > MAX_LINES[suffix]:
            errors.append(f'{path}: {lines} lines, more than {MAX_LINES[suffix]}')
        if GENERATED.search(head):
            errors.append(f'{path}: generated code belongs to the build directory')
        check_includes(path, text, errors)
        check_functions(path, text, errors)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root, errors = sys.argv[1], []
    if not os.path.exists(os.path.join(root, '.git')):
        print('not a git checkout: checking the files that are there')
        paths = [os.path.relpath(os.path.join(d, f), root) for d, _, files in os.walk(root) for f in files
                 if not os.path.relpath(d, root).startswith(('build', 'out'))]
    else:
        paths = subprocess.run(['git', '-C', root, 'ls-files', '-co', '--exclude-standard'], check=True,
                               capture_output=True, text=True).stdout.splitlines()
    for path in sorted(paths):
        if os.path.isfile(os.path.join(root, path)):
            check_file(root, path, errors)
    print('\n'.join(errors) if errors else f'{len(paths)} files are in order')
    sys.exit(bool(errors))


if __name__ == '__main__':
    main()
