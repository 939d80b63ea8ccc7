#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a dEQP-VK case list natively and through the layer and compares the results case by case.

The binary runs on chunks of the list in parallel processes, each chunk natively and then through the layer. A process
that dies takes only the case it was running with it: that case counts as Crash and the rest of its chunk goes to a new
process. With --out every chunk is on disk as soon as it is done, so that nothing is lost when the run is interrupted,
and --resume takes up there.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from vk_icd import icd

CASE_LINE = re.compile(rb"^Test case '([^']+)'")
RESULT_LINE = re.compile(rb"^  (\w+) \(")
STATES = ["Pass", "NotSupported", "QualityWarning", "CompatibilityWarning", "Fail", "InternalError", "ResourceError",
          "Crash", "Timeout", "NotRun", "NotReached"]


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


class Processes:
    """The processes that are running, so that an end of the run ends them, too."""

    def __init__(self):
        self.lock, self.running, self.stopped = threading.RLock(), set(), False  # the main thread may be interrupted within

    def run(self, command, timeout_s, **options):
        """(output, whether it ran out of time); the output is None once the run was stopped."""
        with self.lock:
            if self.stopped:
                return None, False
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
            self.running.add(process)
        is_late = False
        try:
            output = process.communicate(timeout=timeout_s)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            output, is_late = process.communicate()[0], True
        with self.lock:
            self.running.discard(process)
            return (None if self.stopped else output), is_late

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                process.kill()


class Store:
    """Results by run and case; with a folder, also in a file a run, to which every chunk is added when it is done."""

    def __init__(self, names, folder, is_resumed):
        self.lock = threading.Lock()
        self.runs = {name: {} for name in names}
        self.files = {}
        if not folder:
            return
        os.makedirs(folder, exist_ok=True)
        for name, results in self.runs.items():
            path = os.path.join(folder, name + ".txt")
            if is_resumed and os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    # A line that was cut off in the middle is no result, and what did not run has none.
                    results.update(line.split() for line in file if line.endswith("\n") and not line.endswith(" NotRun\n"))
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(f"{case} {result}\n" for case, result in results.items())
            self.files[name] = path

    def add(self, name, results):
        with self.lock:
            self.runs[name].update(results)
            if name in self.files:
                with open(self.files[name], "a", encoding="utf-8") as file:
                    file.writelines(f"{case} {result}\n" for case, result in results.items())

    def missing(self, name, cases):
        with self.lock:
            return [case for case in cases if case not in self.runs[name]]


def run_once(binary, cases, env, directory, timeout_s, processes):
    """One process over `cases`: (results or None if the run was stopped, case that was cut off, how it was cut off)."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", dir=directory) as caselist:
        caselist.write("\n".join(cases) + "\n")
        caselist.flush()
        log = caselist.name + ".qpa"
        command = [binary, f"--deqp-caselist-file={caselist.name}", f"--deqp-log-filename={log}",
                   "--deqp-log-images=disable", "--deqp-log-shader-sources=disable", "--deqp-shadercache=disable"]
        output, is_late = processes.run(command, timeout_s, env=env, cwd=os.path.dirname(binary))
        if os.path.exists(log):
            os.unlink(log)
    if output is None:
        return None, None, None
    results, running = parse(output)
    wanted = set(cases)
    return ({case: result for case, result in results.items() if case in wanted}, running,
            "Timeout" if is_late else "Crash")


def run_chunk(binary, cases, env, directory, timeout_s, processes):
    """Results of all `cases`, or None if the run was stopped."""
    results, left = {}, list(cases)
    while left:
        found, running, end = run_once(binary, left, env, directory, timeout_s, processes)
        if found is None:
            return None
        if running in left:
            found[running] = end
        elif not found:
            # Nothing came out at all: the binary does not start, or knows none of these cases.
            found = {case: "NotRun" for case in left}
        results.update(found)
        left = [case for case in left if case not in found]
    return results


def run_all(binary, cases, environments_by_name, store, args):
    """Runs what `store` does not have yet: each chunk in every environment before the next one."""
    base = {k: v for k, v in os.environ.items() if not k.startswith(("VK_", "ENABLE_POLY_GS", "DISABLE_POLY_GS"))}
    processes = Processes()
    size = max(1, min(args.chunk, len(cases) // (2 * args.jobs)))
    chunks = [cases[i:i + size] for i in range(0, len(cases), size)]
    progress = Progress("cases", len(cases))

    def both(chunk, directory):
        for name, env in environments_by_name.items():
            results = run_chunk(binary, store.missing(name, chunk), {**base, **env}, directory, args.timeout, processes)
            if results is None:
                return
            store.add(name, results)
        progress.add(len(chunk))

    def stop(*_):
        processes.stop()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    end_s = time.monotonic() + args.seconds if args.seconds else None
    with tempfile.TemporaryDirectory() as directory, \
            concurrent.futures.ThreadPoolExecutor(max_workers=args.jobs) as pool:
        pending = {pool.submit(both, chunk, directory) for chunk in chunks}
        while pending:
            done, pending = concurrent.futures.wait(pending, 1, concurrent.futures.FIRST_COMPLETED)
            for future in done:
                future.result()
            if end_s and time.monotonic() > end_s:
                processes.stop()


def print_table(runs):
    counts = {name: collections.Counter(results.values()) for name, results in runs.items()}
    states = STATES + sorted({s for c in counts.values() for s in c} - set(STATES))
    width = max(len(name) for name in runs) + 2
    print(f"{'result':<22}" + "".join(f"{name:>{width}}" for name in runs))
    for state in states:
        if any(c[state] for c in counts.values()):
            print(f"{state:<22}" + "".join(f"{c[state]:>{width}}" for c in counts.values()))
    print(f"{'total':<22}" + "".join(f"{sum(c.values()):>{width}}" for c in counts.values()))


def print_groups(cases, runs):
    """How many cases of each group pass; groups are the second part of the name."""
    totals = collections.Counter(case.split(".")[1] for case in cases)
    passed = {name: collections.Counter(case.split(".")[1] for case in cases if results.get(case) == "Pass")
              for name, results in runs.items()}
    width = max(len(name) for name in runs) + 7
    print(f"\n{'group':<26}{'cases':>9}" + "".join(f"{name + ' pass':>{width}}" for name in runs))
    for group, total in sorted(totals.items()):
        print(f"{group:<26}{total:>9}" + "".join(f"{passed[name][group]:>{width}}" for name in runs))


def environments(args):
    """The environment variables of each run, by name; the native one first."""
    manifests = os.path.abspath(os.path.join(args.build, "json"))
    if not os.path.isdir(manifests):
        sys.exit(f"no manifest folder {manifests}: build the layer first")
    drivers = {"lavapipe": icd("lavapipe"), "swiftshader": icd("swiftshader")}
    layer = {"VK_ADD_LAYER_PATH": manifests, "VK_INSTANCE_LAYERS": "VK_LAYER_poly_gs",
             "VK_POLY_GS_CACHE": "0"}  # what is proved is this build's translation
    layer.update({key: value for key, value in os.environ.items() if key.startswith("VK_POLY_GS_")})
    force = layer.pop("VK_POLY_GS_FORCE", "1")
    wanted = {"native": {"VK_ICD_FILENAMES": drivers[args.native]}}
    if args.only != "swiftshader":
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
    parser.add_argument("--chunk", type=int, default=64, help="cases a process at most")
    parser.add_argument("--seconds", type=int, help="stop after that time; what was not reached is said")
    parser.add_argument("--out", help="folder for one result file a run, written as the run goes on")
    parser.add_argument("--resume", action="store_true", help="run only what the files of --out lack")
    return parser.parse_args()


def main():
    args = arguments()
    with open(args.caselist, encoding="utf-8") as file:
        cases = [line.split("#")[0].strip() for line in file]
    cases = list(dict.fromkeys(case for case in cases if case))

    print(f"{len(cases)} cases, {args.jobs} processes", file=sys.stderr)
    wanted = environments(args)
    store = Store(wanted, args.out, args.resume)
    run_all(os.path.abspath(args.deqp_vk), cases, wanted, store, args)

    runs = {name: {case: results.get(case, "NotReached") for case in cases} for name, results in store.runs.items()}
    print_table(runs)
    reached = [case for case in cases if all(results[case] != "NotReached" for results in runs.values())]
    print_groups(reached, runs)
    return verdict(cases, reached, runs)


def verdict(cases, reached, runs):
    """Prints what differs; 1 if a case was lost, or was not run at all."""
    through_layer = [name for name in runs if name != "native"]
    lost = [case for case in reached
            if runs["native"][case] == "Pass" and any(runs[name][case] != "Pass" for name in through_layer)]
    differing = [case for case in reached if len({results[case] for results in runs.values()}) > 1]
    not_run = [case for case in reached if any(results[case] == "NotRun" for results in runs.values())]
    print(f"\n{len(differing)} cases differ; {len(lost)} pass natively and not through the layer")
    for case in differing:
        print(f"  {case}: " + ", ".join(f"{name} {results[case]}" for name, results in runs.items()))
    if not_run:
        print(f"{len(not_run)} cases were not run: the binary does not start, or does not know them; {not_run[0]}")
    if len(reached) < len(cases):
        print(f"{len(cases) - len(reached)} cases were not reached before the run was stopped")
    return 1 if lost or not_run or len(reached) < len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
