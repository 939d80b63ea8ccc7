# SPDX-License-Identifier: MIT
"""The part of vk.xml that the generators need: commands, structs and enums of the platform-independent headers."""

import re
import sys
import xml.etree.ElementTree as ET

DISPATCHABLE = ('VkInstance', 'VkPhysicalDevice', 'VkDevice', 'VkQueue', 'VkCommandBuffer')


class Variable:
    """A parameter or a member: one C declaration taken apart."""

    def __init__(self, node):
        comment = node.find('comment')
        if comment is not None:
            comment.text = ''
        text = ''.join(node.itertext())
        if comment is not None:
            text = text.replace(comment.tail or '', comment.tail or '')
        self.name = node.findtext('name')
        self.type = node.findtext('type')
        self.decl = ' '.join(text.split()).replace(' *', '*').replace('*', '* ').replace('  ', ' ')
        self.pointer = self.decl.count('*')
        self.is_const = self.decl.startswith('const')
        self.bitfield = re.search(r':\s*(\d+)$', self.decl) is not None
        arrays = re.search(re.escape(self.name) + r'\s*((\[[^\]]*\])+)', self.decl)
        self.array = re.findall(r'\[([^\]]*)\]', arrays.group(1)) if arrays else []
        self.length = node.get('altlen') or node.get('len')
        self.stride = node.get('stride')
        self.optional = 'true' in (node.get('optional') or '')
        self.values = node.get('values')


class Struct:
    def __init__(self, node):
        self.name = node.get('name')
        self.union = node.get('category') == 'union'
        self.members = [Variable(m) for m in node.findall('member') if m.get('api', 'vulkan') == 'vulkan']
        self.extends = [s for s in (node.get('structextends') or '').split(',') if s]
        first = self.members[0] if self.members else None
        self.stype = first.values if first is not None and first.name == 'sType' else None


class Command:
    def __init__(self, node):
        self.name = node.findtext('proto/name')
        self.result = node.findtext('proto/type')
        self.params = [Variable(p) for p in node.findall('param') if p.get('api', 'vulkan') == 'vulkan']
        self.renderpass = node.get('renderpass')
        self.aliases = []
        self.extensions = set()   # what brings it under any of its names: sets that must be complete, "core" for core

    @property
    def short(self):
        return self.name[2:]

    @property
    def owner(self):
        first = self.params[0].type if self.params else None
        return first if first in DISPATCHABLE else None

    def prototype(self, name):
        return f"VKAPI_ATTR {self.result} VKAPI_CALL {name}({', '.join(p.decl for p in self.params)})"


class Registry:
    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.order = []           # command names as required, core first
        by_name, alias_of = {}, {}
        for node in root.find('commands'):
            if node.get('alias'):
                alias_of[node.get('name')] = node.get('alias')
            elif node.get('api', 'vulkan') == 'vulkan':
                command = Command(node)
                by_name[command.name] = command
        structs, self.struct_alias = {}, {}
        for node in root.find('types'):
            if node.get('category') in ('struct', 'union'):
                if node.get('alias'):
                    self.struct_alias[node.get('name')] = node.get('alias')
                elif node.get('api', 'vulkan') == 'vulkan':
                    structs[node.get('name')] = Struct(node)
        self.handles = {n.findtext('name') or n.get('name') for n in root.find('types')
                        if n.get('category') == 'handle'}
        required = self._required(root)
        canonical, known_types = {}, set()
        for names, types, origin in required:
            known_types |= {self.struct_alias.get(t, t) for t in types}
            for name in names:
                target = alias_of.get(name, name)
                command = by_name[target]
                canonical.setdefault(target, command)
                command.extensions.add(origin)
                if name not in command.aliases:
                    command.aliases.append(name)
        self.commands = list(canonical.values())
        for command in self.commands:
            # The name of the core version, where there is one, stands first.
            command.aliases.sort(key=lambda n: (n != command.name, n))
        # Types that the requirements reach through members without naming them are platform-independent too.
        self.structs = {}
        todo = [t for t in known_types if t in structs]
        todo += [p.type for c in self.commands for p in c.params if p.type in structs]
        while todo:
            name = todo.pop()
            if name not in self.structs:
                self.structs[name] = structs[name]
                todo += [m.type for m in structs[name].members if m.type in structs]
        self.command_by_any_name = {n: c for c in self.commands for n in c.aliases}

    @staticmethod
    def _required(root):
        found = []

        def collect(node, origin):
            for require in node.findall('require'):
                if require.get('api', 'vulkan') != 'vulkan':
                    continue
                also = {e for e in (require.get('extension') or '').split(',') if e}
                found.append(([c.get('name') for c in require.findall('command')],
                              [t.get('name') for t in require.findall('type')],
                              frozenset({origin} | also)))

        for feature in root.findall('feature'):
            if 'vulkan' in feature.get('api').split(','):
                collect(feature, 'core')
        for extension in root.find('extensions'):
            if 'vulkan' not in (extension.get('supported') or '').split(','):
                continue
            if extension.get('platform') or extension.get('provisional') == 'true':
                continue
            collect(extension, extension.get('name'))
        return found


def read_list(path):
    """First words of the lines of a list file; '#' starts a comment."""
    with open(path, encoding='utf-8') as f:
        lines = (line.split('#')[0].split() for line in f)
        return [words[0] for words in lines if words]


def read_versions(path):
    """{extension: spec version} of a list with a name and a number in each line, sorted by name."""
    with open(path, encoding='utf-8') as f:
        rows = [line.split('#')[0].split() for line in f]
    rows = [(words[0], int(words[1])) for words in rows if words]
    if [name for name, _ in rows] != sorted({name for name, _ in rows}):
        sys.exit(f'{path}: not sorted, or a name stands twice')
    return dict(rows)


def write_if_changed(path, text):
    try:
        with open(path, encoding='utf-8') as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def banner(purpose):
    return f'/* SPDX-License-Identifier: MIT\n *\n * Generated from vk.xml by scripts/gen_vk.py. {purpose}\n */\n'
