#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where the software drivers are: the ICD manifest of lavapipe or SwiftShader, under whichever name the distribution gives
it. PGS_LAVAPIPE_ICD and PGS_SWIFTSHADER_ICD name others.

usage: vk_icd.py lavapipe|swiftshader
Prints the path. Where there is none, the usual one, and the exit status is 1.
"""

import os
import platform
import sys

FOLDERS = ("/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d")
CANDIDATES = {
    # Mesa named the architecture until Debian 12.
    "lavapipe": [f"{folder}/lvp_icd{arch}.json" for folder in FOLDERS for arch in (f".{platform.machine()}", "")],
    "swiftshader": [f"{folder}/vk_swiftshader_icd.json" for folder in ("/usr/lib/chromium",) + FOLDERS],
}


def icd(driver):
    paths = CANDIDATES[driver]
    chosen = os.environ.get(f"PGS_{driver.upper()}_ICD")
    return chosen or next((path for path in paths if os.path.exists(path)), paths[0])


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in CANDIDATES:
        sys.exit(__doc__)
    path = icd(sys.argv[1])
    print(path)
    sys.exit(0 if os.path.exists(path) else 1)


if __name__ == "__main__":
    main()
