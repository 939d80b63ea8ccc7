#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/cts.py with a made-up dEQP binary: crashes, cases that it does not know, losses, and runs that are interrupted.

usage: test_cts.py ROOT
"""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
BINARY = f"#!{sys.executable} -S" + '''
import os, signal, sys, time
with open(next(a.split("=", 1)[1] for a in sys.argv if a.startswith("--deqp-caselist-file="))) as file:
    cases = file.read().split()
for case in cases:
    if "unknown" in case:
        continue
    print(f"Test case '{case}'..", flush=True)
    if "crash" in case:
        os._exit(3)
    if "interrupted" in case:
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)
    is_lost = "lost" in case and "VK_POLY_GS_FORCE" in os.environ
    print("  Fail (bad)" if is_lost else "  Pass (good)", flush=True)
'''


class Cts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.mkdir(self.path("json"))
        with open(self.path("deqp"), "w", encoding="utf-8") as file:
            file.write(BINARY)
        os.chmod(self.path("deqp"), 0o755)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_cases(self, names, *options):
        with open(self.path("list"), "w", encoding="utf-8") as file:
            file.writelines(f"dEQP-VK.group.{name}\n" for name in names)
        return subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "cts.py"), self.path("deqp"), self.path("list"),
                               "--jobs", "1", "--build", self.folder.name, "--only", "lavapipe", "--out", self.path("out"),
                               *options], capture_output=True, text=True, check=False, timeout=50)

    def results(self, name):
        with open(os.path.join(self.path("out"), name + ".txt"), encoding="utf-8") as file:
            return {case.rpartition(".")[2]: result for case, result in (line.split() for line in file)}

    def test_all_pass(self):
        self.assertEqual(self.run_cases(["a", "b", "c"]).returncode, 0)
        self.assertEqual(self.results("forced"), {"a": "Pass", "b": "Pass", "c": "Pass"})

    def test_crash_takes_one_case(self):
        run = self.run_cases(["a", "crash", "b", "c"], "--chunk", "4")
        self.assertEqual(run.returncode, 0)  # it crashes natively, too
        self.assertEqual(self.results("native"), {"a": "Pass", "crash": "Crash", "b": "Pass", "c": "Pass"})

    def test_lost(self):
        run = self.run_cases(["a", "lost"])
        self.assertEqual(run.returncode, 1)
        self.assertIn("dEQP-VK.group.lost: native Pass, forced Fail", run.stdout)

    def test_case_that_no_run_has_is_an_error(self):
        run = self.run_cases(["a", "unknown"])
        self.assertEqual(run.returncode, 1)
        self.assertIn("1 cases were not run", run.stdout)
        self.assertEqual(self.results("forced")["unknown"], "NotRun")

    def test_interrupted_run_keeps_what_is_done_and_resumes(self):
        run = self.run_cases(["a", "b", "interrupted", "c"], "--chunk", "1")
        self.assertEqual(run.returncode, 1)
        self.assertIn("2 cases were not reached", run.stdout)
        self.assertEqual(self.results("native"), {"a": "Pass", "b": "Pass"})
        with open(os.path.join(self.path("out"), "native.txt"), "a", encoding="utf-8") as file:
            file.write("dEQP-VK.group.c Fa")  # cut off
        run = self.run_cases(["a", "b", "c"], "--resume")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertEqual(self.results("native"), {"a": "Pass", "b": "Pass", "c": "Pass"})


if __name__ == "__main__":
    unittest.main()
