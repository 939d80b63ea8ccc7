# SPDX-License-Identifier: MIT
"""glslangValidator and spirv-val: in pgs-shader-tools, one process for all calls, or, where there is none, by themselves. Other
programs that serve in the same way: pgs-spv."""

import atexit
import subprocess
import threading


def run(command):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


class Server:
    """A program that answers each line of words, with tabs between them, with "STATUS SIZE" and SIZE bytes of messages."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock = threading.Lock()
        atexit.register(self.process.communicate)  # closes its stdin, at which it ends

    def ask(self, words):
        """As subprocess.run. The program may not end before it is told to."""
        with self.lock:
            self.process.stdin.write("\t".join(str(word) for word in words).encode() + b"\n")
            self.process.stdin.flush()
            head = self.process.stdout.readline().split()
            if len(head) != 2:
                raise RuntimeError(f"{self.command[0]} ended with {self.process.wait()} at {words}")
            said = self.process.stdout.read(int(head[1]))
        return subprocess.CompletedProcess(words, int(head[0]), said.decode(errors="replace"))


class ShaderTools:
    """path: of pgs-shader-tools, or empty."""

    def __init__(self, path, glslang="glslangValidator", spirv_val="spirv-val"):
        self.glslang, self.spirv_val = glslang, spirv_val
        self.server = Server([path]) if path else None

    def compile(self, *arguments):
        """Arguments of glslangValidator."""
        command = ["-V", "--quiet", *arguments]
        return self.server.ask(["glslang", *command]) if self.server else run([self.glslang, *command])

    def validate(self, environment, path, *options):
        if self.server:
            return self.server.ask(["validate", environment, path, *options])
        return run([self.spirv_val, "--target-env", environment, *options, path])
