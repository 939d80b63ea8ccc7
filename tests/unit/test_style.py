#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scripts/check_style.py finds in made-up files, and what it leaves alone.

usage: test_style.py ROOT
"""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
SCRIPT = os.path.join(ROOT, 'scripts', 'check_style.py')
sys.path.insert(0, os.path.dirname(SCRIPT))
import check_style  # noqa: E402


def included(path, *targets):
    """What is wrong with a file that includes these."""
    errors = []
    check_style.check_includes(path, ''.join(f'#include "{target}"\n' for target in targets), errors)
    return errors


def circles(files):
    """files: by path below layer/, what it includes."""
    errors = []
    texts = {f'layer/{path}': ''.join(f'#include "{target}"\n' for target in targets) for path, targets in files.items()}
    check_style.check_circles(texts, errors)
    return errors


def declarations(files):
    errors = []
    check_style.check_declarations({f'layer/{path}': text for path, text in files.items()}, errors)
    return errors


class Arrows(unittest.TestCase):
    def test_modules(self):
        self.assertEqual(included('layer/draw/plan.c', 'draw/plan.h', 'pipeline/pipeline.h', 'base/map.h'), [])
        self.assertEqual(included('layer/draw/plan.c', 'draw/plan.h', 'command/command.h'),
                         ['layer/draw/plan.c:2: draw must not include from command'])
        self.assertEqual(included('layer/base/map.c', 'vulkan/device.h'),
                         ['layer/base/map.c:1: base knows no Vulkan', 'layer/base/map.c:1: base must not include from vulkan'])

    def test_sub_modules(self):
        self.assertEqual(included('layer/command/hooks/draw.c', 'command/pass/pass.h', 'command/state/buffer.h'), [])
        self.assertEqual(included('layer/command/command.c', 'command/hooks/draw.h', 'command/state/buffer.h'), [])
        self.assertEqual(included('layer/spirv/ir/dce.c', 'spirv/ir/dce.h', 'spirv/io/io_vars.h'),
                         ['layer/spirv/ir/dce.c:2: spirv/ir must not include from spirv/io'])
        self.assertEqual(included('layer/command/state/views.c', 'command/command.h'),
                         ['layer/command/state/views.c:1: command/state must not include what lies above it'])

    def test_sub_modules_of_others(self):
        self.assertEqual(included('layer/pipeline/build.c', 'spirv/spirv.h'), [])
        self.assertEqual(included('layer/pipeline/build.c', 'spirv/ir/module.h'),
                         ['layer/pipeline/build.c:1: spirv/ir is of no concern to other modules'])

    def test_unknown_sub_module(self):
        self.assertEqual(included('layer/spirv/new/file.c'), ['layer/spirv/new/file.c: spirv has no folder new that we know of'])
        self.assertEqual(len(included('layer/draw/new/file.c')), 1)


class Circles(unittest.TestCase):
    def test_a_tree_has_none(self):
        self.assertEqual(circles({'base/a.c': ['base/a.h', 'base/b.h'], 'base/a.h': [], 'base/b.h': ['base/c.h'],
                                  'base/b.c': ['base/b.h', 'base/c.h'], 'base/c.h': [], 'base/d.c': ['base/a.h']}), [])

    def test_headers(self):
        self.assertEqual(circles({'base/a.h': ['base/b.h'], 'base/b.h': ['base/a.h']}),
                         ['layer/base/a: includes itself by way of layer/base/b'])

    def test_a_file_belongs_to_its_header(self):
        self.assertEqual(circles({'base/a.h': [], 'base/a.c': ['base/a.h', 'base/b.h'],
                                  'base/b.h': [], 'base/b.c': ['base/c.h'],
                                  'base/c.h': ['base/a.h']}),
                         ['layer/base/a: includes itself by way of layer/base/b, layer/base/c'])

    def test_each_is_found(self):
        self.assertEqual(len(circles({'base/a.h': ['base/b.h'], 'base/b.h': ['base/a.h', 'base/c.h'],
                                      'base/c.h': ['base/d.h'], 'base/d.h': ['base/c.h']})), 2)


class Declarations(unittest.TestCase):
    def test_in_their_header(self):
        self.assertEqual(declarations({
            'base/a.h': 'int pgs_a(int x,\n          int y);\n/* int pgs_b(void); */\n',
            'base/a.c': 'int pgs_a(int x,\n          int y)\n{\n}\n\nstatic int pgs_c(void)\n{\n}\n',
            'base/b.h': 'struct pgs_b *pgs_b(void);\nstatic inline void pgs_c(void)\n{\n}\n',
            'base/b.c': 'struct pgs_b *pgs_b(void)\n{\n    pgs_a(1, 2);\n}\n'}), [])

    def test_in_another_one(self):
        self.assertEqual(declarations({'base/a.h': 'VkResult pgs_b(void);\n', 'base/b.h': '',
                                       'base/b.c': 'VkResult pgs_b(void)\n{\n}\n'}),
                         ['layer/base/b.c: pgs_b is declared in layer/base/a.h'])

    def test_hooks_are_declared_elsewhere(self):
        self.assertEqual(declarations({'command/hooks/draw.c':
                                       'VKAPI_ATTR void VKAPI_CALL pgs_CmdDraw(VkCommandBuffer cb)\n{\n}\n'}), [])


class Script(unittest.TestCase):
    def test_whole_trees(self):
        licence = '/* SPDX-License-Identifier: MIT */\n'
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, 'layer', 'base'))
            for name, text in (('a.h', '#include "base/b.h"\n'), ('b.h', '')):
                with open(os.path.join(root, 'layer', 'base', name), 'w', encoding='utf-8') as file:
                    file.write(licence + text)
            command = [sys.executable, SCRIPT, root]
            self.assertEqual(subprocess.run(command, stdout=subprocess.PIPE).returncode, 0)
            with open(os.path.join(root, 'layer', 'base', 'b.h'), 'a', encoding='utf-8') as file:
                file.write('#include "base/a.h"\n')
            result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn('layer/base/a: includes itself by way of layer/base/b\n', result.stdout)


if __name__ == '__main__':
    unittest.main()
