#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print, for each kind of module that check_corpus.py made, which has the most instructions besides those that the shaders
it was made from account for, and which the largest ratio. Arguments: the folder of the counts, and the shaders of the corpus
that were tested, all of which must have been counted."""

import pathlib
import sys

from check_corpus import limits


def main():
    out, sources = pathlib.Path(sys.argv[1]), sys.argv[2:]
    rows, missing = {}, []
    for source in sorted(sources):
        counts = out / f"{source}.growth"
        if not counts.exists():
            missing.append(source)
            continue
        for line in counts.read_text().splitlines():
            kind, made_from, made, _ = line.split()
            rows.setdefault(kind, []).append((int(made_from), int(made), source))
    for kind, counted in sorted(rows.items()):
        halves, more = limits(kind)
        most = max(counted, key=lambda row: 2 * row[1] - halves * row[0])
        ratio = max(counted, key=lambda row: row[1] / row[0])
        print(f"{kind:<14} at most {halves / 2} n + {more:<5} worst: {most[2]}, {most[0]} to {most[1]} "
              f"({most[1] - halves * most[0] / 2:+.0f}); ratio {ratio[1] / ratio[0]:.1f}: {ratio[2]}, "
              f"{ratio[0]} to {ratio[1]}")
    over = [kind for kind, counted in rows.items()
            if any(2 * made > limits(kind)[0] * n + 2 * limits(kind)[1] for n, made, _ in counted)]
    for name in missing:
        print(f"{name} has not been counted")
    sys.exit(1 if over or missing or not rows else 0)


if __name__ == "__main__":
    main()
