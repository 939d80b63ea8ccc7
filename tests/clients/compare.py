#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what a client program drew and counted natively and through the layer, and prints a table.

usage: compare.py FOLDER COUNTS
  FOLDER  what scripts/clients.sh ran: native-1, forced-1 and so on, each with the pictures SCENE-LAYER.ppm, counts.txt, the
          program's output in times.txt and what went to stderr in log.txt
  COUNTS  what counts.txt must be through the layer

What lavapipe 25 counts natively is only shown where it differs: at times it counts nothing for DXVK, and it does not count each
instance of a geometry shader. Exit status: 1 if something is wrong.
"""

import collections
import glob
import os
import re
import statistics
import sys

# The triangles of a tessellated patch, and so their outlines, are the implementation's choice: no more than so many parts of
# the pixels that are drawn may be drawn only on one side.
CHOICE = {'tessellated': 0.01, 'tessellated-lines': 0.1}


def pixels_of(path):
    with open(path, 'rb') as file:
        data = file.read()
    head = re.match(rb'P6\n(\d+) (\d+)\n255\n', data)
    rest = data[head.end():]
    if len(rest) != 3 * int(head.group(1)) * int(head.group(2)):
        raise ValueError(f'{path} is not whole')
    return [rest[i:i + 3] for i in range(0, len(rest), 3)]


def compare_picture(scene, native, forced):
    """What the table says, and whether it is right."""
    if not os.path.exists(forced):
        return 'no picture', False
    pairs = list(zip(pixels_of(native), pixels_of(forced), strict=True))
    different = sum(a != b for a, b in pairs)
    lit = [sum(pixel != b'\0\0\0' for pixel in side) for side in zip(*pairs)]
    if not lit[0]:
        return 'nothing drawn', False
    if not different:
        return 'equal', True
    limit = CHOICE.get(scene, 0) * lit[0]
    return f'{different} pixels differ', scene in CHOICE and abs(lit[0] - lit[1]) <= limit


def lines_of(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read().splitlines()


def times_of(folders):
    """For each scene the medians of first use and of a frame."""
    rows = {}
    for folder in folders:
        for line in lines_of(f'{folder}/times.txt'):
            if not line.startswith('#'):
                name, first, frame = line.split()
                rows.setdefault(name, []).append((float(first), float(frame)))
    return {name: [statistics.median(column) for column in zip(*row)] for name, row in rows.items()}


def check_runs(natives, forceds, expected, errors):
    versions = set()
    for folder in natives + forceds:
        versions |= {line.split(';')[-1] for line in lines_of(f'{folder}/times.txt') if line.startswith('#')}
    if len(versions) > 1:
        errors.append(f'the versions differ: {sorted(versions)}')
    for folder in forceds:
        log = lines_of(f'{folder}/log.txt')
        errors += [f'{folder}: {line}' for line in log if re.match('poly_gs (error|warn)', line)]
        if not any('a device with emulated geometryShader' in line for line in log):
            errors.append(f'{folder}: the layer did not emulate')
        counts = lines_of(f'{folder}/counts.txt')
        errors += [f'{folder}: counted "{line}"' for line in counts if line not in expected]
        errors += [f'{folder}: did not count "{line}"' for line in expected if line not in counts]
    others = collections.Counter(line for folder in natives for line in lines_of(f'{folder}/counts.txt') if line not in expected)
    for line, runs in others.items():
        print(f'Natively counted otherwise in {runs} of {len(natives)} runs: {line}\n')


def check_pictures(scene, natives, forceds, errors):
    words = set()
    for native in sorted(glob.glob(f'{natives[0]}/{scene}-[0-9].ppm')):
        for folder in forceds:
            word, right = compare_picture(scene, native, f'{folder}/{os.path.basename(native)}')
            words.add(word)
            if not right:
                errors.append(f'{folder}/{os.path.basename(native)}: {word}')
    if not words:
        errors.append(f'{scene}: no picture')
    return ', '.join(sorted(words))


def main(folder, counts):
    natives, forceds = (sorted(glob.glob(f'{folder}/{side}-*')) for side in ('native', 'forced'))
    errors, expected = [], [line for line in lines_of(counts) if not line.startswith('#')]
    check_runs(natives, forceds, expected, errors)
    native, forced = times_of(natives), times_of(forceds)
    print('| scene | picture | first use, native | forced | a frame, native | forced |\n|---|---|---|---|---|---|')
    for line in expected:
        scene = line.split(':')[0]
        picture = check_pictures(scene, natives, forceds, errors)
        if scene not in native or scene not in forced:
            errors.append(f'{scene}: did not run')
            continue
        (first, frame), (forced_first, forced_frame) = native[scene], forced[scene]
        print(f'| {scene} | {picture} | {first:.0f} ms | {forced_first:.0f} ms | {frame:.2f} ms | {forced_frame:.2f} ms |')
    sums = [sum(column) for column in zip(*(native[scene] + forced[scene] for scene in native if scene in forced))] or [0] * 4
    print(f'| all | | {sums[0]:.0f} ms | {sums[2]:.0f} ms | {sums[1]:.2f} ms | {sums[3]:.2f} ms |\n')
    for error in errors:
        print(f'WRONG: {error}')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2]))
