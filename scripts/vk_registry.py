# SPDX-License-Identifier: MIT
"""The part of vk.xml that the generators need: commands, structs and enums of the platform-independent headers, and what
brings them. Works with any registry since 1.3.239."""

import re
import sys
import xml.etree.ElementTree as ET

# What is only in later core versions counts as an extension that is not known. Of older registries, PGS_CORE_VERSION.
CORE_VERSION = (1, 4)
# The sources call commands by the names that the oldest registry has for them.
OLDEST_VERSION = (1, 3)
# Feature structures of later core versions, for registries that are older than those: sType, number of features. Drivers
# of such a version fill them whatever is reported.
LATER_FEATURES = {'VkPhysicalDeviceVulkan14Features': (55, 21)}
DISPATCHABLE = ('VkInstance', 'VkPhysicalDevice', 'VkDevice', 'VkQueue', 'VkCommandBuffer')


def is_vulkan(node):
    """Whether a part of the registry is for Vulkan itself, and not only for Vulkan SC."""
    return 'vulkan' in (node.get('api') or 'vulkan').split(',')


def is_later(feature, version=CORE_VERSION):
    """Whether a core version is later than this one, or else the last one that is known."""
    return tuple(int(n) for n in feature.get('number').split('.')) > version


def is_reviewable(extension):
    """Whether an extension is in the platform-independent headers."""
    return ('vulkan' in (extension.get('supported') or '').split(',') and not extension.get('platform') and
            extension.get('provisional') != 'true')


def clauses(depends):
    """What a `depends` asks for, as sets of names of which one must be complete. Core versions that are always there ask
    for nothing, and so do features (Struct::member): whoever uses what they bring has enabled them."""
    tokens = re.findall(r'[+,()]|[^+,()\s]+', depends)

    def name():
        token = tokens.pop(0) if tokens else ''
        if token == '(':
            found = alternatives()
            if tokens:
                tokens.pop(0)
            return found
        version = re.fullmatch(r'VK_(?:\w+_)?VERSION_(\d+)_(\d+)', token)
        there = '::' in token or version and (int(version[1]), int(version[2])) <= CORE_VERSION
        return [frozenset() if there else frozenset({token})]

    def alternatives():  # both operators bind equally, from the left
        found = name()
        while tokens and tokens[0] in '+,':
            if tokens.pop(0) == ',':
                found = found + name()
            else:
                more = name()
                found = [a | b for a in found for b in more]
        return found

    return alternatives()


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
        self.members = [Variable(m) for m in node.findall('member') if is_vulkan(m)]
        self.extends = [s for s in (node.get('structextends') or '').split(',') if s]
        first = self.members[0] if self.members else None
        self.stype = first.values if first is not None and first.name == 'sType' else None
        self.origins = set()      # as those of a command
        self.owners = set()       # the versions and extensions that list it


class Command:
    def __init__(self, node):
        self.name = node.findtext('proto/name')
        self.result = node.findtext('proto/type')
        self.params = [Variable(p) for p in node.findall('param') if is_vulkan(p)]
        self.renderpass = node.get('renderpass')
        self.aliases = []
        self.name_origins = {}    # alias: what brings it, as sets of which one must be complete; {"core"} for core

    @property
    def short(self):
        return self.name[2:]

    @property
    def origins(self):
        return set().union(*self.name_origins.values())

    def call(self, name):
        """From now on one of its other names is the one that counts."""
        self.name = name
        self.aliases.sort(key=lambda n: (n != name, n))

    @property
    def owner(self):
        first = self.params[0].type if self.params else None
        return first if first in DISPATCHABLE else None

    def prototype(self, name):
        return f"VKAPI_ATTR {self.result} VKAPI_CALL {name}({', '.join(p.decl for p in self.params)})"


class Registry:
    def __init__(self, path):
        root = self.root = ET.parse(path).getroot()
        by_name, alias_of = {}, {}
        for node in root.find('commands'):
            if node.get('alias'):
                alias_of[node.get('name')] = node.get('alias')
            elif is_vulkan(node):
                command = Command(node)
                by_name[command.name] = command
        structs, self.struct_alias = {}, {}
        for node in root.find('types'):
            if node.get('category') in ('struct', 'union'):
                if node.get('alias'):
                    self.struct_alias[node.get('name')] = node.get('alias')
                elif is_vulkan(node):
                    structs[node.get('name')] = Struct(node)
        self.handles = {n.findtext('name') or n.get('name') for n in root.find('types')
                        if n.get('category') == 'handle'}
        self.version = self._header_version(root)
        self.extensions = {e.get('name'): e.get('type') for e in root.find('extensions') if is_reviewable(e)}
        # All that it has heard of, those of platforms included.
        self.known = {e.get('name') for e in root.find('extensions')}
        self.versions = []        # core versions that are too new to be known
        young = {c.get('name') for f in root.findall('feature') if is_vulkan(f) and is_later(f, OLDEST_VERSION)
                 for c in f.findall('require/command')}
        canonical, known_types = {}, set()
        for names, types, origins, owner in self._required(root):
            for name in types:
                name = self.canonical_struct(name)
                known_types.add(name)
                if name in structs:
                    structs[name].origins |= origins
                    structs[name].owners.add(owner)
            for name in names:
                target = name
                while target in alias_of:
                    target = alias_of[target]
                if target not in by_name:
                    continue
                command = canonical.setdefault(target, by_name[target])
                command.name_origins.setdefault(name, set()).update(origins)
                if name not in command.aliases:
                    command.aliases.append(name)
        self.commands = list(canonical.values())
        for command in self.commands:
            # That of the core version, where there is one that all registries have; the oldest of extensions then, which
            # is what registries without that version call it.
            names = [n for n in command.aliases if n not in young]
            known = command.name in names or not names
            command.call(command.name if known else min(names, key=lambda n: (n.endswith('KHR'), n)))
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

    def canonical_struct(self, name):
        while name in self.struct_alias:
            name = self.struct_alias[name]
        return name

    @staticmethod
    def _header_version(root):
        """As (1, 3, 239)."""
        numbers = {}
        for node in root.find('types'):
            if node.get('category') == 'define' and is_vulkan(node):
                numbers[node.findtext('name')] = re.findall(r'\d+', ''.join(node.itertext()))
        complete = numbers.get('VK_HEADER_VERSION_COMPLETE') or ['0', '1', '0']
        return (int(complete[1]), int(complete[2]), int((numbers.get('VK_HEADER_VERSION') or ['0'])[-1]))

    def _required(self, root):
        """(commands, types, origins, owner) of each block."""
        found = []

        def collect(node, origin):
            for require in node.findall('require'):
                if not is_vulkan(require):
                    continue
                # Older registries have one name or a list of them here, newer ones an expression.
                also = frozenset(e for e in (require.get('extension') or '').split(',') if e)
                found.append(([c.get('name') for c in require.findall('command')],
                              [t.get('name') for t in require.findall('type')],
                              {frozenset({origin}) | also | c for c in clauses(require.get('depends') or '')}
                              if require.get('depends') else {frozenset({origin}) | also}, origin))

        for feature in root.findall('feature'):
            if is_vulkan(feature):
                if is_later(feature) and feature.get('apitype') != 'internal':
                    self.versions.append(feature.get('name'))
                collect(feature, feature.get('name') if is_later(feature) else 'core')
        for extension in root.find('extensions'):
            if is_reviewable(extension):
                collect(extension, extension.get('name'))
        return found


def read_list(path):
    """First words of the lines of a list file; '#' starts a comment."""
    with open(path, encoding='utf-8') as f:
        lines = (line.split('#')[0].split() for line in f)
        return [words[0] for words in lines if words]


def read_reasons(path):
    """Names of a list with a name, a tab and a reason in each line, sorted by name."""
    names = []
    with open(path, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip('\n')
            if not line or line.startswith('#'):
                continue
            name, tab, reason = line.partition('\t')
            if not tab or not reason.strip() or not name.startswith('VK_'):
                sys.exit(f'{path}:{number}: expected an extension name, a tab and a reason')
            names.append(name)
    if names != sorted(set(names)):
        sys.exit(f'{path}: the names must be sorted and unique')
    return names


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
