#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what a client program drew and counted natively and through the layer, and prints a table.

usage: compare.py FOLDER COUNTS
  FOLDER  what scripts/clients.sh ran: native-1, forced-1, perhaps swiftshader-1 and so on, each with the pictures
          SCENE-LAYER.ppm, counts.txt, the program's output in times.txt and what went to stderr in log.txt
  COUNTS  what counts.txt must be through the layer, but for the scenes that PGS_CLIENT_SKIP names: ",a,b,"

What lavapipe 25 counts natively is only shown where it differs: at times it counts nothing for DXVK, and it does not count each
instance of a geometry shader. So is what reaches the rasterizer through the layer, if it is nothing: the driver counts that.
Exit status: 1 if something is wrong.
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

# SwiftShader is another rasterizer: colors may differ by so many steps, and so many parts of the pixels that are drawn by more.
STEPS = 16
OTHER = {'lines': 0.1, 'strip': 0.1, 'fan': 0.1, 'particles': 0.05} # most pixels of lines and small points are on their edges
OTHER_ELSE = 0.03


def is_skipped(scene):
    return f',{scene},' in os.environ.get('PGS_CLIENT_SKIP', '')


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
    if os.path.basename(os.path.dirname(forced)).startswith('swiftshader'):
        return compare_drivers(scene, native, forced)
    pairs = list(zip(pixels_of(native), pixels_of(forced), strict=True))
    different = sum(a != b for a, b in pairs)
    lit = [sum(pixel != b'\0\0\0' for pixel in side) for side in zip(*pairs)]
    if not lit[0]:
        return 'nothing drawn', False
    if not different:
        return 'equal', True
    limit = CHOICE.get(scene, 0) * lit[0]
    return f'{different} pixels differ', scene in CHOICE and abs(lit[0] - lit[1]) <= limit


def compare_drivers(scene, native, other):
    """The same for another driver's picture."""
    pairs = list(zip(pixels_of(native), pixels_of(other), strict=True))
    different = sum(max(abs(x - y) for x, y in zip(a, b)) > STEPS for a, b in pairs)
    lit = [sum(pixel != b'\0\0\0' for pixel in side) for side in zip(*pairs)]
    word = f'{different} of {lit[0]} pixels differ'
    if scene in CHOICE:
        return word, abs(lit[0] - lit[1]) <= (CHOICE[scene] + OTHER_ELSE) * lit[0]
    return word, lit[0] > 0 and different <= OTHER.get(scene, OTHER_ELSE) * lit[0]


def lines_of(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read().splitlines()


def of_layer(line, expected):
    """The line, with what is expected of the driver if that has counted nothing."""
    for other in expected:
        if line not in expected and re.sub(r'rasterizer \d+', 'rasterizer 0', other) == line:
            print(f'The driver counted otherwise: {line}\n')
            return other
    return line


def times_of(folders):
    """For each scene the medians of first use and of a frame."""
    rows = {}
    for folder in folders:
        for line in lines_of(f'{folder}/times.txt'):
            if not line.startswith('#'):
                name, first, frame = line.split()
                rows.setdefault(name, []).append((float(first), float(frame)))
    return {name: [statistics.median(column) for column in zip(*row)] for name, row in rows.items()}


def check_runs(sides, expected, errors):
    natives, forceds = sides['native'], sides['forced']
    versions = set()
    for folder in natives + forceds:
        versions |= {line.split(';')[-1] for line in lines_of(f'{folder}/times.txt') if line.startswith('#')}
    if len(versions) > 1:
        errors.append(f'the versions differ: {sorted(versions)}')
    for folder in forceds + sides.get('swiftshader', []):
        log = lines_of(f'{folder}/log.txt')
        errors += [f'{folder}: {line}' for line in log if re.match('poly_gs (error|warn)', line)]
        if not any('a device with emulated geometryShader' in line for line in log):
            errors.append(f'{folder}: the layer did not emulate')
        counts = [of_layer(line, expected) for line in lines_of(f'{folder}/counts.txt')]
        errors += [f'{folder}: counted "{line}"' for line in counts if line not in expected]
        errors += [f'{folder}: did not count "{line}"' for line in expected if line not in counts]
    others = collections.Counter(line for folder in natives for line in lines_of(f'{folder}/counts.txt') if line not in expected)
    for line, runs in others.items():
        print(f'Natively counted otherwise in {runs} of {len(natives)} runs: {line}\n')


def check_pictures(scene, native, others, errors):
    """What the table says of the pictures of OTHERS, folders of one side."""
    words = set()
    for picture in sorted(glob.glob(f'{native}/{scene}-[0-9].ppm')):
        for folder in others:
            word, right = compare_picture(scene, picture, f'{folder}/{os.path.basename(picture)}')
            words.add(word)
            if not right:
                errors.append(f'{folder}/{os.path.basename(picture)}: {word}')
    if not words:
        errors.append(f'{scene}: no picture')
    return ', '.join(sorted(words))


def main(folder, counts):
    sides = {side: sorted(glob.glob(f'{folder}/{side}-*')) for side in ('native', 'forced', 'swiftshader')}
    sides = {side: folders for side, folders in sides.items() if folders}
    errors, expected = [], [line for line in lines_of(counts) if not line.startswith('#') and not is_skipped(line.split(':')[0])]
    check_runs(sides, expected, errors)
    times = {side: times_of(folders) for side, folders in sides.items()}
    others = [side for side in sides if side != 'native']
    unit = 'ms of CPU time' if 'PGS_CLIENT_CPU' in os.environ else 'ms'
    heads = ['scene', *others, *(f'first use, {side}' for side in sides), *(f'a frame, {side}' for side in sides)]
    print('| ' + ' | '.join(heads) + ' |\n' + '|---' * len(heads) + '|')
    for line in expected:
        scene = line.split(':')[0]
        pictures = [check_pictures(scene, sides['native'][0], sides[side], errors) for side in others]
        if any(scene not in times[side] for side in sides):
            errors.append(f'{scene}: did not run')
            continue
        print('| ' + ' | '.join([scene, *pictures, *(f'{times[side][scene][0]:.0f} {unit}' for side in sides),
                                 *(f'{times[side][scene][1]:.2f} {unit}' for side in sides)]) + ' |')
    sums = [[sum(time[i] for time in times[side].values()) for side in sides] for i in (0, 1)]
    print('| ' + ' | '.join(['all', *('' for side in others), *(f'{ms:.0f} {unit}' for ms in sums[0]),
                             *(f'{ms:.2f} {unit}' for ms in sums[1])]) + ' |\n')
    for error in errors:
        print(f'WRONG: {error}')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2]))
