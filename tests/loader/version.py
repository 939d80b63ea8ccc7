#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that everything that names a version of the layer names the same: both manifests, the library's own
VkLayerProperties, vulkaninfo, the package and the newest release in CHANGELOG.md.

usage: version.py VERSION SOURCE-FOLDER BUILD-FOLDER LIBRARY VULKANINFO
"""

import ctypes
import json
import os
import re
import subprocess
import sys

LAYER = 'VK_LAYER_poly_gs'
LAYER_NEGOTIATE_INTERFACE_STRUCT = 1
LOADER_INTERFACE_VERSION = 2


class NegotiateInterface(ctypes.Structure):
    _fields_ = [('sType', ctypes.c_int), ('pNext', ctypes.c_void_p), ('version', ctypes.c_uint32),
                ('get_instance_proc_addr', ctypes.c_void_p), ('get_device_proc_addr', ctypes.c_void_p),
                ('get_physical_device_proc_addr', ctypes.c_void_p)]


class LayerProperties(ctypes.Structure):
    _fields_ = [('name', ctypes.c_char * 256), ('spec_version', ctypes.c_uint32), ('version', ctypes.c_uint32),
                ('description', ctypes.c_char * 256)]


def of_library(path):
    interface = NegotiateInterface(LAYER_NEGOTIATE_INTERFACE_STRUCT, None, LOADER_INTERFACE_VERSION)
    if ctypes.CDLL(path).vkNegotiateLoaderLayerInterfaceVersion(ctypes.byref(interface)):
        sys.exit(f'{path}: negotiation failed')
    get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(interface.get_instance_proc_addr)
    enumerate_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(LayerProperties))
    count, layer = ctypes.c_uint32(1), LayerProperties()
    if enumerate_type(get(None, b'vkEnumerateInstanceLayerProperties'))(ctypes.byref(count), ctypes.byref(layer)):
        sys.exit(f'{path}: its layer properties cannot be had')
    return layer.version


def of_manifest(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)['layer']['implementation_version']


def first_match(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1) if found else None


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def of_vulkaninfo(program, build):
    env = dict(os.environ, VK_LAYER_PATH=os.path.join(build, 'json'))
    text = subprocess.run([program], env=env, capture_output=True, text=True).stdout
    return first_match(rf'^{LAYER} \(.*\) Vulkan version .*, layer version (\d+)', text)


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    version, source, build, library, vulkaninfo = sys.argv[1:]
    major, minor, patch = map(int, version.split('.'))
    number = major * 10000 + minor * 100 + patch
    found = [
        ('explicit manifest', of_manifest(os.path.join(build, 'json', 'VkLayer_poly_gs.json')),
         number),
        ('implicit manifest', of_manifest(os.path.join(build, 'json', 'implicit', 'VkLayer_poly_gs.json')), number),
        ('library', of_library(library), number),
        ('vulkaninfo', of_vulkaninfo(vulkaninfo, build), number),
        ('package', first_match(r'^set\(CPACK_PACKAGE_VERSION "(.*)"\)', read(os.path.join(build, 'CPackConfig.cmake'))),
         version),
        ('CHANGELOG.md', first_match(r'^## \[(\d+\.\d+\.\d+)\]', read(os.path.join(source, 'CHANGELOG.md'))), version),
    ]
    wrong = [f'{where}: {got}, not {wanted}' for where, got, wanted in found if str(got) != str(wanted)]
    print('\n'.join(wrong) if wrong else f'{version} everywhere')
    sys.exit(bool(wrong))


if __name__ == '__main__':
    main()
