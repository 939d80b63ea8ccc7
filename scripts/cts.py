#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a dEQP-VK case list natively and through the layer and compares the results case by case.

The binary runs on chunks of the list in parallel processes. A process that dies takes only the case it was running
with it: that case counts as Crash and the rest of its chunk goes to a new process.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import threading

from vk_icd import icd

CASE_LINE = re.compile(rb"^Test case '([^']+)'")
RESULT_LINE = re.compile(rb"^  (\w+) \(")
STATES = ["Pass", "NotSupported", "QualityWarning", "CompatibilityWarning", "Fail", "InternalError", "ResourceError",
          "Crash", "Timeout", "NotRun"]


class Progress:
    """One line that is rewritten while a run goes on (a plain line every tenth where stderr is no terminal)."""

    def __init__(self, name, total):
        self.name, self.total, self.done, self.lock = name, total, 0, threading.Lock()
        self.shown = -1

    def add(self, count):
        with self.lock:
            self.done += count
            tenth = 10 * self.done // max(self.total, 1)
            if sys.stderr.isatty():
                end = "\n" if self.done >= self.total else "\r"
                print(f"  {self.name}: {self.done}/{self.total}", end=end, file=sys.stderr, flush=True)
            elif tenth != self.shown:
                self.shown = tenth
                print(f"  {self.name}: {self.done}/{self.total}", file=sys.stderr, flush=True)


def parse(output):
    """(results by case, case that was running when the output ended or None)."""
    results, running = {}, None
    for line in output.splitlines():
        case = CASE_LINE.match(line)
        if case:
            running = case.group(1).decode()
            continue
        result = RESULT_LINE.match(line)
        if result and running:
            results[running] = result.group(1).decode()
            running = None
    return results, running


def run_once(binary, cases, env, directory, timeout_s):
    """One process over `cases`: (results, case that was cut off, how it was cut off)."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", dir=directory) as caselist:
        caselist.write("\n".join(cases) + "\n")
        caselist.flush()
        log = caselist.name + ".qpa"
        command = [binary, f"--deqp-caselist-file={caselist.name}", f"--deqp-log-filename={log}",
                   "--deqp-log-images=disable", "--deqp-log-shader-sources=disable", "--deqp-shadercache=disable"]
        end = "Crash"
        try:
            done = subprocess.run(command, env=env, cwd=os.path.dirname(binary), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=timeout_s, check=False)
            output = done.stdout
        except subprocess.TimeoutExpired as expired:
            output, end = expired.stdout or b"", "Timeout"
        if os.path.exists(log):
            os.unlink(log)
    results, running = parse(output)
    return {case: result for case, result in results.items() if case in cases}, running, end


def run_chunk(binary, cases, env, directory, timeout_s, progress):
    results, left = {}, list(cases)
    while left:
        found, running, end = run_once(binary, left, env, directory, timeout_s)
        if running in left:
            found[running] = end
        elif not found:
            # Nothing came out at all: the binary does not start, or knows none of these cases.
            found = {case: "NotRun" for case in left}
        results.update(found)
        progress.add(len(found))
        left = [case for case in left if case not in found]
    return results


def run(name, binary, cases, extra_env, args):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("VK_", "ENABLE_POLY_GS", "DISABLE_POLY_GS"))}
    env.update(extra_env)
    progress = Progress(name, len(cases))
    size = max(1, min(64, len(cases) // (2 * args.jobs)))
    chunks = [cases[i:i + size] for i in range(0, len(cases), size)]
    results = {}
    with tempfile.TemporaryDirectory() as directory, \
            concurrent.futures.ThreadPoolExecutor(max_workers=args.jobs) as pool:
        for part in pool.map(lambda c: run_chunk(binary, c, env, directory, args.timeout, progress), chunks):
            results.update(part)
    return results


def print_table(runs):
    counts = {name: collections.Counter(results.values()) for name, results in runs.items()}
    states = STATES + sorted({s for c in counts.values() for s in c} - set(STATES))
    width = max(len(name) for name in runs) + 2
    print(f"{'result':<22}" + "".join(f"{name:>{width}}" for name in runs))
    for state in states:
        if any(c[state] for c in counts.values()):
            print(f"{state:<22}" + "".join(f"{c[state]:>{width}}" for c in counts.values()))
    print(f"{'total':<22}" + "".join(f"{sum(c.values()):>{width}}" for c in counts.values()))


def environments(args):
    """The environment variables of each run, by name; the native one first."""
    manifests = os.path.abspath(os.path.join(args.build, "json"))
    if not os.path.isdir(manifests):
        sys.exit(f"no manifest folder {manifests}: build the layer first")
    drivers = {"lavapipe": icd("lavapipe"), "swiftshader": icd("swiftshader")}
    layer = {"VK_ADD_LAYER_PATH": manifests, "VK_INSTANCE_LAYERS": "VK_LAYER_poly_gs",
             "VK_POLY_GS_CACHE": "0"}  # what is proved is this build's translation
    for key in ("VK_POLY_GS_LOG", "VK_POLY_GS_PLAN", "VK_POLY_GS_DUMP", "VK_POLY_GS_FEEDBACK",
                "VK_POLY_GS_TESSELLATION"):
        if key in os.environ:
            layer[key] = os.environ[key]
    wanted = {"native": {"VK_ICD_FILENAMES": drivers[args.native]}}
    if args.only != "swiftshader":
        force = os.environ.get("VK_POLY_GS_FORCE", "1")
        wanted["forced"] = {"VK_ICD_FILENAMES": drivers["lavapipe"], "VK_POLY_GS_FORCE": force, **layer}
    if args.only != "lavapipe":
        wanted["swiftshader"] = {"VK_ICD_FILENAMES": drivers["swiftshader"], **layer}
    return wanted


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("deqp_vk")
    parser.add_argument("caselist")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--build", default="build/release", help="build folder of the layer (its json/ is used)")
    parser.add_argument("--native", choices=["lavapipe", "swiftshader"], default="lavapipe",
                        help="the driver that runs without the layer; swiftshader shows what the layer changes there")
    parser.add_argument("--only", choices=["lavapipe", "swiftshader"], help="only this driver through the layer")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for a chunk of cases")
    parser.add_argument("--out", help="folder for one result file a run")
    return parser.parse_args()


def main():
    args = arguments()
    with open(args.caselist, encoding="utf-8") as file:
        cases = [line.split("#")[0].strip() for line in file]
    cases = list(dict.fromkeys(case for case in cases if case))

    print(f"{len(cases)} cases, {args.jobs} processes", file=sys.stderr)
    binary = os.path.abspath(args.deqp_vk)
    runs = {name: run(name, binary, cases, env, args) for name, env in environments(args).items()}
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        for name, results in runs.items():
            with open(os.path.join(args.out, name + ".txt"), "w", encoding="utf-8") as file:
                file.writelines(f"{case} {results[case]}\n" for case in cases)

    print_table(runs)
    through_layer = [name for name in runs if name != "native"]
    lost = [case for case in cases
            if runs["native"][case] == "Pass" and any(runs[name][case] != "Pass" for name in through_layer)]
    differing = [case for case in cases if len({results[case] for results in runs.values()}) > 1]
    print(f"\n{len(differing)} cases differ; {len(lost)} pass natively and not through the layer")
    for case in differing:
        print(f"  {case}: " + ", ".join(f"{name} {results[case]}" for name, results in runs.items()))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
