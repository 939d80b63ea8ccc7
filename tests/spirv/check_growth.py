#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print, for each kind of module that check_corpus.py made, how many hold the goal of 1.5 times the instructions of the
shaders that they were made from and GOAL besides, and which exceed their limit or, as for a usual pipeline, the goal most.
Arguments: the folder of the counts, and the shaders of the corpus that were tested, all of which must have been counted."""

import pathlib
import sys

from check_corpus import GOAL, limits

SHOWN = 3


def beyond_goal(row):
    return row[1] - 1.5 * row[0] - GOAL


def beyond_limit(kind, row):
    halves, more = limits(kind)
    return row[1] - halves * row[0] / 2 - more


def describe(row, by):
    return f"{row[2]} {row[0]} to {row[1]} ({by:+.0f})"


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
    over = False
    for kind, counted in sorted(rows.items(), key=lambda item: -max(map(beyond_goal, item[1]))):
        worst = max(counted, key=lambda row: beyond_limit(kind, row))
        over |= beyond_limit(kind, worst) > 0
        text = f"nearest to its limit: {describe(worst, beyond_limit(kind, worst))}"
        if kind.endswith(".fixed"):
            counted = sorted(counted, key=beyond_goal, reverse=True)
            text += f"; {sum(beyond_goal(row) <= 0 for row in counted)} of {len(counted)} hold the goal, worst: "
            text += ", ".join(describe(row, beyond_goal(row)) for row in counted[:SHOWN])
        print(f"{kind:<16} {text}")
    for name in missing:
        print(f"{name} has not been counted")
    sys.exit(1 if over or missing or not rows else 0)


if __name__ == "__main__":
    main()
