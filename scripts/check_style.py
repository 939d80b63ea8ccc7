#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what no compiler does: lengths of files, direction of the includes between modules and within them, circles of
files, functions that are not declared where their name says, licence lines, and that nothing generated is in git.

usage: check_style.py ROOT
"""

import os
import re
import subprocess
import sys

MAX_LINES = {'.c': 800, '.h': 250, '.comp': 250}
MAX_FUNCTION_LINES = 80
LICENCE_SUFFIXES = ('.c', '.h', '.py', '.sh', '.glsl', '.comp', '.vert', '.tesc', '.tese', '.geom', '.frag', '.spvasm',
                    '.cmake', '.txt', '.map')
GENERATED = re.compile(r'\bGenerated (from|by)\b.*\b(gen_\w+\.py|vk\.xml)')

# A module may include itself and whatever can be reached over the arrows.
ARROWS = {
    'entry': ('command',), 'command': ('draw',), 'draw': ('pipeline',), 'pipeline': ('memory', 'spirv'),
    'memory': ('vulkan',), 'vulkan': ('base',), 'spirv': ('base',), 'base': (),
}
VULKAN_FREE = ('base', 'spirv')
# The same for the folders in a module. What lies in the module itself is above all of them.
SUB_ARROWS = {
    'command': {'hooks': ('pass',), 'pass': ('fb_layers',), 'fb_layers': ('state',), 'state': ()},
    'spirv': {'stages': ('analysis',), 'analysis': ('io',), 'io': ('ir',), 'ir': ()},
}

COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)
OLD_RANGE = re.compile(r'\bassert_(not_)?in_range\(')
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
FUNCTION = r'^(?!static\b|typedef\b)(?:[A-Za-z_][\w \*]*[ \*\n])?(pgs_\w+)\([^;{}]*\)'
DEFINITION = re.compile(FUNCTION + r'\n\{', re.MULTILINE)
DECLARATION = re.compile(FUNCTION + r'\s*;', re.MULTILINE)


def reachable(module, arrows=None):
    arrows = arrows or ARROWS
    found, todo = set(), [module]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += arrows[name]
    return found


def sub_module_error(module, folder, target_module, target_folder):
    """What is wrong with an include that goes from one folder to another; a folder is '' in the module itself."""
    if target_module != module:
        return f'{target_module}/{target_folder} is of no concern to other modules' if target_folder else None
    if not folder:
        return None
    if not target_folder:
        return f'{module}/{folder} must not include what lies above it'
    if target_folder not in reachable(folder, SUB_ARROWS[module]):
        return f'{module}/{folder} must not include from {module}/{target_folder}'
    return None


def check_includes(path, text, errors):
    parts = path.split('/')
    if parts[0] != 'layer' or len(parts) < 3 or parts[1] not in ARROWS:
        return
    module, folder, allowed = parts[1], '/'.join(parts[2:-1]), reachable(parts[1])
    if folder and folder not in SUB_ARROWS.get(module, ()):
        errors.append(f'{path}: {module} has no folder {folder} that we know of')
        return
    for include in INCLUDE.finditer(text):
        where = f'{path}:{text.count(chr(10), 0, include.start(2)) + 1}'
        names = include.group(2).split('/')
        target = names[0]
        if len(names) > 1 and target == 'vulkan' and module in VULKAN_FREE:
            errors.append(f'{where}: {module} knows no Vulkan')
        if len(names) == 1 or include.group(1) == '<' or target not in ARROWS:
            continue
        if target not in allowed:
            errors.append(f'{where}: {module} must not include from {target}')
        else:
            error = sub_module_error(module, folder, target, '/'.join(names[1:-1]))
            errors += [f'{where}: {error}'] if error else []


def include_graph(texts):
    """By name of a pair X.c and X.h: the names of the pairs that it includes."""
    graph = {os.path.splitext(path)[0]: set() for path in texts}
    for path, text in texts.items():
        name = os.path.splitext(path)[0]
        for include in INCLUDE.finditer(text):
            target = os.path.splitext(f'layer/{include.group(2)}')[0]
            if include.group(1) == '"' and target in graph and target != name:
                graph[name].add(target)
    return graph


def find_circle(graph):
    """The names of one circle in their order, or None."""
    way, done = [], set()

    def visit(name):
        if name in way:
            return way[way.index(name):]
        if name in done:
            return None
        way.append(name)
        for target in sorted(graph[name]):
            circle = visit(target)
            if circle:
                return circle
        done.add(way.pop())
        return None

    return next(filter(None, map(visit, sorted(graph))), None)


def check_circles(texts, errors):
    """texts: by path, all C files of the layer."""
    graph = include_graph(texts)
    while (circle := find_circle(graph)) is not None:
        errors.append(f'{circle[0]}: includes itself by way of {", ".join(circle[1:])}')
        graph[circle[-1]].discard(circle[0])


def check_declarations(texts, errors):
    """A function that a header declares stands in the header that is named after its file."""
    declared = {}
    for path, text in texts.items():
        for match in DECLARATION.finditer(COMMENT.sub('', text)) if path.endswith('.h') else ():
            declared.setdefault(match.group(1), set()).add(path)
    for path, text in texts.items():
        if not path.endswith('.c'):
            continue
        for match in DEFINITION.finditer(COMMENT.sub('', text)):
            headers = declared.get(match.group(1), set())
            if headers and headers != {f'{path[:-2]}.h'}:
                errors.append(f'{path}: {match.group(1)} is declared in {", ".join(sorted(headers))}')


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


def check_cmocka(path, text, errors):
    """What cmocka 2 warns of, which only Debian sid has."""
    if OLD_RANGE.search(COMMENT.sub('', text)):
        errors.append(f'{path}: assert_within() of tests/common/within.h works with each cmocka, assert_in_range() does not')


def check_file(root, path, errors):
    suffix = os.path.splitext(path)[1]
    if not path.endswith(LICENCE_SUFFIXES) or '/golden/' in path:
        return
    with open(os.path.join(root, path), encoding='utf-8') as f:
        text = f.read()
    head = '\n'.join(text.splitlines()[:3])
    if 'SPDX-License-Identifier: MIT' not in head:
        errors.append(f'{path}:1: no SPDX line')
    lines = text.count('\n')
    if lines > MAX_LINES.get(suffix, lines):
        errors.append(f'{path}: {lines} lines, more than {MAX_LINES[suffix]}')
    if suffix in ('.c', '.h'):
        if GENERATED.search(head):
            errors.append(f'{path}: generated code belongs to the build directory')
        check_includes(path, text, errors)
        check_functions(path, text, errors)
        check_cmocka(path, text, errors)


def check_layer(root, paths, errors):
    texts = {}
    for path in paths:
        if path.startswith('layer/') and path.endswith(('.c', '.h')):
            with open(os.path.join(root, path), encoding='utf-8') as f:
                texts[path] = f.read()
    check_circles(texts, errors)
    check_declarations(texts, errors)


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
    paths = [path for path in sorted(paths) if os.path.isfile(os.path.join(root, path))]
    for path in paths:
        check_file(root, path, errors)
    check_layer(root, paths, errors)
    print('\n'.join(errors) if errors else f'{len(paths)} files are in order')
    sys.exit(bool(errors))


if __name__ == '__main__':
    main()
