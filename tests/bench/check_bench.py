#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs pgs-bench shortly and checks what it reports: a row for each case, with times on both sides, and equal pictures.
How long anything takes does not matter. Exit status 77: there is no such driver.

usage: check_bench.py BUILD lavapipe|swiftshader WORKLOADS
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from vk_icd import icd  # noqa: E402

SKIP = 77
SCENES = ("quads", "flat", "edges", "copies", "ribbon")
CASES = {
    "create": ("cold", "warm", "saved", "shared", "threads"),
    "link": ("libraries", "link", "again", "joined_libraries", "joined", "plain", "captured"),
    "objects": ("modules", "set_layouts", "layouts", "buffers"),
    "first_frame": ("first", "next", "linked", "linked_later"),
    "record_emulated": SCENES + ("mixed", "alternate", "bound", "indirect", "plain"),
}
SHORT = ("--runs", "1", "--starts", "1", "--sizes", "10", "--pipelines", "4", "--threads", "2", "--record-draws", "10")


def run(build, driver, workloads):
    env = {name: value for name, value in os.environ.items() if not name.startswith("VK_")}
    env["VK_ICD_FILENAMES"] = env["VK_DRIVER_FILES"] = icd(driver)
    # Drivers and the loader keep memory for the life of the process.
    env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bench.json")
        command = [os.path.join(build, "tests", "bench", "pgs-bench"), "--workloads", workloads, *SHORT, "--layer-path",
                   os.path.join(build, "json"), "--json", path]
        status = subprocess.run(command, env=env, check=False).returncode
        if status:
            sys.exit(status)
        with open(path, encoding="utf-8") as f:
            return json.load(f)["rows"]


def check(rows, workloads, by_hand):
    errors = []
    wanted = [(name, case) for name in workloads if name != "record" for case in CASES.get(name, (None,))
              if not (by_hand and case == "captured")]
    found = [(row["workload"], row.get("case")) for row in rows]
    if found != wanted:
        errors.append(f"rows {found} instead of {wanted}")
    for row in rows:
        name = f'{row["workload"]} {row.get("case", "")}'
        times = [key for key in row if key.endswith("_us")]
        errors += [f"{name}: no {key}" for key in times if row[key] <= 0]
        if "case" in row and ("by hand" in row["note"]) != by_hand:
            errors.append(f'{name}: who draws natively? "{row["note"]}"')
        draws = row.get("case") == "first" or row["workload"].startswith("w")
        if draws and " 0 pixels differ" not in " " + row["note"]:
            errors.append(f'{name}: "{row["note"]}"')
    return errors


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    build, driver, workloads = sys.argv[1:]
    if not os.path.exists(icd(driver)):
        print(f"skipped: no {driver}")
        sys.exit(SKIP)
    names = workloads.split(",")
    errors = check(run(build, driver, workloads), names, driver == "swiftshader")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
