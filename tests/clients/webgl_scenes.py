#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows webgl_scenes.html in Chromium without a window, and turns what it found into the files that compare.py reads.

usage: webgl_scenes.py OUT
  OUT  gets SCENE-0.ppm for each scene and counts.txt with what queries counted
Prints what the driver is, after #, and for each scene the milliseconds of its first frame and of a later one.
"""

import base64
import http.server
import os
import queue
import subprocess
import sys
import tempfile
import threading

SIZE = 256
CHROMIUM = '/usr/lib/chromium/chromium'
# ANGLE on the Vulkan of the system, in a process that may be root's. A workaround for software renderers takes WebGL 2 away.
OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu-sandbox', '--disable-dev-shm-usage', '--ignore-gpu-blocklist',
           '--disable-gpu-driver-bug-workarounds', '--use-gl=angle', '--use-angle=vulkan', '--window-size=400,400']
LIMIT_S = 300


class Handler(http.server.BaseHTTPRequestHandler):
    """Has the page to give, and takes what it sends back."""

    def do_GET(self):
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'webgl_scenes.html')
        found = self.path == '/'
        self.send_response(200 if found else 404)
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.end_headers()
        if found:
            with open(page, 'rb') as file:
                self.wfile.write(file.read())

    def do_POST(self):
        self.server.results.put(self.rfile.read(int(self.headers['Content-Length'])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def show(profile):
    """The lines that the page sends."""
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler) as server:
        server.results = queue.Queue()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with subprocess.Popen([CHROMIUM, *OPTIONS, f'--user-data-dir={profile}', f'http://127.0.0.1:{server.server_port}/'],
                              stdout=subprocess.DEVNULL) as chromium:
            try:
                return server.results.get(timeout=LIMIT_S).splitlines()
            except queue.Empty:
                return []
            finally:
                chromium.terminate()
                server.shutdown()


def main(out):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = show(profile)
    with open(f'{out}/counts.txt', 'w', encoding='utf-8') as counts:
        for line in lines:
            word, _, rest = line.partition(' ')
            if word == 'count':
                counts.write(rest + '\n')
            elif word == 'time':
                print(rest)
            elif word == 'picture':
                name, text = rest.split()
                pixels = base64.b64decode(text)
                with open(f'{out}/{name}-0.ppm', 'wb') as file:
                    file.write(b'P6\n%d %d\n255\n' % (SIZE, SIZE) +
                               b''.join(pixels[i:i + 3] for i in range(0, len(pixels), 4)))
            elif word == '#':
                print(line)
    if not lines or lines[-1] != 'done':
        sys.exit(f'webgl_scenes.py: the page ended with {lines[-1:]}')


if __name__ == '__main__':
    main(sys.argv[1])
