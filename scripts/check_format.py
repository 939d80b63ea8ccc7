#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that clang-format would leave every C file in git as it is. The tree follows version 14; newer versions break
some initializers differently, so what they find proves nothing. Exit status 77 where nothing can be said: without
clang-format, with an older version, or with a newer one that disagrees.

usage: check_format.py ROOT [CLANG-FORMAT]
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

SUFFIXES = ('.c', '.h')
REFERENCE = 14
BATCH = 16
SKIP = 77


def version_of(tool):
    text = subprocess.run([tool, '--version'], capture_output=True, text=True).stdout
    found = re.search(r'version (\d+)', text)
    return int(found.group(1)) if found else 0


def skip(reason):
    print(f'SKIPPED: {reason}')
    sys.exit(SKIP)


def c_files(root):
    if not os.path.exists(os.path.join(root, '.git')):
        skip('not a git checkout')
    listed = subprocess.run(['git', '-C', root, 'ls-files', '-co', '--exclude-standard'], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    return [path for path in listed if path.endswith(SUFFIXES) and os.path.isfile(os.path.join(root, path))]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    root = sys.argv[1]
    wanted = sys.argv[2:] or [f'clang-format-{REFERENCE}', 'clang-format']
    tool = next(filter(None, map(shutil.which, wanted)), None)
    if not tool:
        skip(f'there is no {" or ".join(wanted)}')
    version = version_of(tool)
    if version < REFERENCE:
        skip(f'clang-format {version} is older than {REFERENCE}')
    paths = c_files(root)

    def check(batch):
        return subprocess.run([tool, '--dry-run', '-Werror', *batch], cwd=root, capture_output=True, text=True)

    batches = [paths[i:i + BATCH] for i in range(0, len(paths), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [run.stderr for run in pool.map(check, batches) if run.returncode]
    if failed and version != REFERENCE:
        skip(f'clang-format {version} formats some files differently, and the tree follows version {REFERENCE}')
    print('\n'.join(failed) if failed else f'{len(paths)} files are formatted (clang-format {version})')
    sys.exit(bool(failed))


if __name__ == '__main__':
    main()
