#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print, for each kind of module that check_corpus.py made, which has the most instructions besides twice those that it
was made from, and which the largest ratio. Every shader of the corpus must have been counted."""

import pathlib
import sys

from check_corpus import GROWTH


def main():
    corpus, out = (pathlib.Path(path) for path in sys.argv[1:])
    rows, missing = {}, []
    for source in sorted(corpus.iterdir()):
        counts = out / f"{source.name}.growth"
        if not counts.exists():
            missing.append(source.name)
            continue
        for line in counts.read_text().splitlines():
            kind, made_from, made, _ = line.split()
            rows.setdefault(kind, []).append((int(made_from), int(made), source.name))
    for kind, counted in sorted(rows.items()):
        most = max(counted, key=lambda row: row[1] - 2 * row[0])
        ratio = max(counted, key=lambda row: row[1] / row[0])
        print(f"{kind:<11} at most 2 n + {GROWTH[kind]:<5} worst: {most[2]}, {most[0]} to {most[1]} "
              f"({most[1] - 2 * most[0]:+d}); ratio {ratio[1] / ratio[0]:.1f}: {ratio[2]}, {ratio[0]} to {ratio[1]}")
    over = [kind for kind, counted in rows.items() if any(made > 2 * n + GROWTH[kind] for n, made, _ in counted)]
    for name in missing:
        print(f"{name} has not been counted")
    sys.exit(1 if over or missing or not rows else 0)


if __name__ == "__main__":
    main()
