#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a VK-GL-CTS case list natively and through the layer, and compares case by case.
#
#   scripts/cts.sh DEQP_VK CASELIST [--jobs N] [--build DIR] [--only lavapipe|swiftshader]
#                  [--native lavapipe|swiftshader] [--out DIR [--resume]] [--seconds N] [--chunk N]
#
# DEQP_VK is a deqp-vk binary, CASELIST a file with one case name a line. Three runs: the native driver (lavapipe
# unless told otherwise) as it is, lavapipe with the layer and VK_POLY_GS_FORCE=1 (other settings as the environment says),
# SwiftShader with the layer. Exits 0 when every case was run and every one that passes natively passes through the layer
# too. With --out every result is in DIR as soon as its chunk is done; --resume goes on from there.
exec python3 "$(dirname "$0")/cts.py" "$@"
