#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what the documents say of the tree: files and headings that they link to are there, functions that a table names
beside a file are in it, paths that stand alone in a cell exist, docs/support.md lists the extensions that are hidden, and the
tests that docs/extensions.md names are there.

usage: check_docs.py ROOT
"""

import os
import re
import sys

CODE_TREES = ('layer', 'shaders', 'include', 'scripts', 'tests')
LINK = re.compile(r'(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)')


def documents(root):
    yield from ('README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'layer/README.md', 'tests/README.md')
    yield from sorted(f'docs/{name}' for name in os.listdir(os.path.join(root, 'docs')) if name.endswith('.md'))


def read(root, path):
    with open(os.path.join(root, path), encoding='utf-8') as file:
        return file.read()


def anchors(text):
    titles = re.findall(r'^#+ (.*)$', text, re.MULTILINE)
    return {re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-') for title in titles}


def check_links(root, path, text, errors):
    for groups in LINK.findall(text):
        target, _, anchor = (groups[0] or groups[1]).partition('#')
        if '://' in target:
            continue
        full = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(os.path.join(root, full)):
            errors.append(f'{path}: links to {full}, which is not there')
        elif anchor and anchor not in anchors(read(root, full)):
            errors.append(f'{path}: {full} has no heading #{anchor}')


def defines(text, name):
    """As clang-format writes it: the name of a function that is defined stands in a line that is not indented."""
    return re.search(rf'^(\w.*[ *])?{name}\(', text, re.MULTILINE)


def check_tables(root, path, text, errors):
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')] if line.startswith('|') else []
        whole = [cell[1:-1] for cell in cells if re.fullmatch(r'`[^`]+`', cell)]
        files = [cell for cell in whole if cell.startswith(tuple(f'{tree}/' for tree in CODE_TREES)) and '.' in cell]
        for file in files:
            if not os.path.isfile(os.path.join(root, file)):
                errors.append(f'{path}: {file} is not there')
            elif file.endswith('.c') and cells[0].startswith('`') and not defines(read(root, file), whole[0]):
                errors.append(f'{path}: {whole[0]} is not in {file}')


def names_of(root, path):
    return {line.split()[0] for line in read(root, path).splitlines() if line.strip() and not line.startswith('#')}


def check_extensions(root, errors):
    text = read(root, 'docs/support.md')
    text = text[text.index('## What is hidden'):]
    listed = set(re.findall(r'`(VK_[A-Z]+_\w+)`', text[text.index('<details>'):text.index('</details>')]))
    for name in sorted(names_of(root, 'scripts/hidden_extensions.txt') - listed):
        errors.append(f'docs/support.md: {name} is hidden and not listed')
    for name in sorted(names_of(root, 'scripts/extensions.txt') & listed):
        errors.append(f'docs/support.md: {name} is listed and not hidden')


def check_tests(root, errors):
    """The tests that docs/extensions.md names, without their modes, are registered, and its extensions are known."""
    text, programs = read(root, 'docs/extensions.md'), read(root, 'tests/gpu/CMakeLists.txt')
    for folder, name in re.findall(r'`(gpu-|unit\.test_|mock\.test_)(\w+)`', text):
        words = {name, name.removesuffix('_linked')}
        found = (any(re.search(rf'\b{word}\b', programs) for word in words) if folder == 'gpu-' else
                 os.path.isfile(os.path.join(root, 'tests', folder.split('.')[0], f'test_{name}.c')))
        if not found:
            errors.append(f'docs/extensions.md: there is no test {folder}{name}')
    known = names_of(root, 'scripts/extensions.txt') | names_of(root, 'scripts/hidden_extensions.txt')
    for name in sorted(set(re.findall(r'`(VK_[A-Z]+_\w+)`', text)) - known):
        errors.append(f'docs/extensions.md: nobody has reviewed {name}')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root, errors = sys.argv[1], []
    paths = list(documents(root))
    for path in paths:
        text = read(root, path)
        check_links(root, path, text, errors)
        check_tables(root, path, text, errors)
    check_extensions(root, errors)
    check_tests(root, errors)
    print('\n'.join(errors) if errors else f'{len(paths)} documents agree with the tree')
    sys.exit(bool(errors))


if __name__ == '__main__':
    main()
