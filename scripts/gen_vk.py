#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the Vulkan-shaped C of the layer from vk.xml: dispatch tables, the hook tables, struct sizes by sType, the
command queue. Deterministic; files whose text does not change are left alone."""

import argparse
import os
import sys

import gen_vk_copy
import gen_vk_queue
from vk_registry import LATER_FEATURES, Registry, banner, read_list, read_versions, write_if_changed
from vk_visible import read_visible

INSTANCE_OWNERS = ('VkInstance', 'VkPhysicalDevice')
LIFETIME = ('DestroyDevice', 'GetDeviceProcAddr')
# Structures of extensions in extensions.txt that the headers for all platforms lack, in chains that the layer copies: sType,
# and what comes behind the link.
OF_PLATFORMS = {
    'VkExportMemoryWin32HandleInfoKHR': (1000073001, '3 * sizeof(void *)'),
    'VkImportAndroidHardwareBufferInfoANDROID': (1000129003, 'sizeof(void *)'),
    'VkImportMemoryWin32HandleInfoKHR': (1000073000, '3 * sizeof(void *)'),
    'VkPhysicalDevicePortabilitySubsetFeaturesKHR': (1000163000, '15 * sizeof(VkBool32)'),
    'VkPhysicalDevicePortabilitySubsetPropertiesKHR': (1000163001, 'sizeof(uint32_t)'),
}


def is_instance_level(command):
    return command.owner in INSTANCE_OWNERS


def table_commands(registry, instance_level):
    return [c for c in registry.commands if c.owner and is_instance_level(c) == instance_level]


def gen_dispatch_h(registry):
    out = [banner('One slot per command; its promoted aliases share it, under the core name.'),
           '#ifndef PGS_VULKAN_DISPATCH_H\n#define PGS_VULKAN_DISPATCH_H\n',
           '#include <vulkan/vulkan.h>\n#include <vulkan/vk_layer.h>\n']
    for level, owners in ((True, 'instance'), (False, 'device')):
        out.append(f'\nstruct pgs_{owners}_dispatch {{')
        out += [f'    PFN_{c.name} {c.short};' for c in table_commands(registry, level)]
        out.append('};')
    out.append('''
/* Fills the whole table from the next layer; slots of commands that it does not have are NULL. */
void pgs_instance_dispatch_load(struct pgs_instance_dispatch *table, VkInstance instance,
                                PFN_vkGetInstanceProcAddr gipa);
void pgs_device_dispatch_load(struct pgs_device_dispatch *table, VkDevice device,
                              PFN_vkGetDeviceProcAddr gdpa);

#endif''')
    return '\n'.join(out) + '\n'


def gen_dispatch_c(registry):
    out = [banner('Loading of the dispatch tables.'), '#include "vulkan/dispatch.h"\n']
    for level, owner, gpa in ((True, 'instance', 'GetInstanceProcAddr'), (False, 'device', 'GetDeviceProcAddr')):
        handle = f'Vk{owner.capitalize()}'
        fn = 'gipa' if level else 'gdpa'
        out.append(f'void pgs_{owner}_dispatch_load(struct pgs_{owner}_dispatch *table, {handle} {owner},\n'
                   f'    PFN_vk{gpa} {fn})\n{{')
        for c in table_commands(registry, level):
            if c.short == gpa:
                out.append(f'    table->{c.short} = {fn};')
                continue
            for i, alias in enumerate(c.aliases):
                test = f'    if (!table->{c.short})\n        ' if i else '    '
                out.append(f'{test}table->{c.short} = (PFN_{c.name}){fn}({owner}, "{alias}");')
        out.append('}\n')
    return '\n'.join(out)


def read_hooks(registry, path):
    """Commands with hand-written hooks, in the order of the list."""
    hooks = []
    for short in read_list(path):
        optional, short = short.endswith('?'), short.rstrip('?')
        command = registry.command_by_any_name.get('vk' + short)
        if command is None and optional:
            continue
        if command is None:
            sys.exit(f'{path}: {short} is no command')
        if command in hooks:
            sys.exit(f'{path}: {short} is another name of {command.short}')
        command.call('vk' + short)  # newer registries may have promoted it
        hooks.append(command)
    if [c.short for c in hooks] != sorted({c.short for c in hooks}):
        sys.exit(f'{path}: not sorted, or a name stands twice')
    return hooks


class Emulated:
    """The device extensions that the layer brings itself: their commands are hooked and go no further down."""

    def __init__(self, registry, path, visible):
        self.versions = read_versions(path) if path else {}
        both = sorted(self.versions.keys() & visible.allowed)
        if both:
            sys.exit(f'{path}: {both[0]} is a visible extension of the driver, too')
        self.bringers = {}  # command name: the emulated extension that alone makes it visible
        for command in registry.commands:
            origins = [o for o in command.origins if o <= visible.allowed | self.versions.keys()]
            if origins and not visible.shows(origins):
                self.bringers[command.name] = sorted(origins[0] & self.versions.keys())[0]

    @staticmethod
    def bit(extension):
        return 'PGS_EMULATED_' + extension[3:].upper()

    def check(self, hooks, path):
        missing = sorted(self.bringers.keys() - {c.name for c in hooks})
        if missing:
            sys.exit(f'{path}: {missing[0]} belongs to an emulated extension and needs a hand-written hook')

    def gen_header(self):
        out = ['/* Extensions of scripts/emulated_extensions.txt, which the layer brings whatever the driver has. */',
               'enum pgs_emulated {\n    PGS_EMULATED_NONE = 0,']
        out += [f'    {self.bit(name)} = 1 << {i},' for i, name in enumerate(self.versions)]
        out.append('''};

struct pgs_emulated_extension {
    const char *name;
    uint32_t spec_version;
    enum pgs_emulated bit;
};
extern const struct pgs_emulated_extension pgs_emulated_extensions[];
extern const size_t pgs_emulated_extension_count;
''')
        return out

    def gen_table(self):
        out = ['const struct pgs_emulated_extension pgs_emulated_extensions[] = {']
        out += [f'    {{"{name}", {version}, {self.bit(name)}}},' for name, version in self.versions.items()]
        if not self.versions:
            out.append('    {"", 0, PGS_EMULATED_NONE},')
        return out + ['};', f'const size_t pgs_emulated_extension_count = {len(self.versions)};\n']


def gen_hooks_h(hooks, queued, emulated):
    out = [banner('The hooks: hand-written ones of scripts/hooks.txt, then the queueing ones.'),
           '#ifndef PGS_VULKAN_HOOKS_H\n#define PGS_VULKAN_HOOKS_H\n',
           '#include "vulkan/dispatch.h"\n\n#include <stdbool.h>\n#include <stddef.h>\n']
    out += emulated.gen_header()
    for title, commands in (('Hand-written.', hooks), ('Generated, in queue_hooks.c.', queued)):
        out.append(f'/* {title} */')
        out += [f'{c.prototype("pgs_" + c.short)};' for c in commands]
        out.append('')
    out.append('''struct pgs_hook {
    const char *name;
    PFN_vkVoidFunction fn;
    bool lifetime; /* stays hooked on inactive devices: vkDestroyDevice and vkGetDeviceProcAddr */
    enum pgs_emulated emulated; /* not 0: only devices that enabled this extension have the command, and there it
                                   does not matter what the next layer says */
};

/* By full name, aliases included; NULL when we do not hook the command. The three levels are those of the first
 * parameter; commands without a dispatchable one (vkCreateInstance) count as instance commands. */
const struct pgs_hook *pgs_hook_find_instance(const char *name);
const struct pgs_hook *pgs_hook_find_physical_device(const char *name);
const struct pgs_hook *pgs_hook_find_device(const char *name);

/* Whether a vkCmd* name is one that applications may see. Names that do not start with vkCmd: true. */
bool pgs_is_visible_command(const char *name);

#endif''')
    return '\n'.join(out) + '\n'


def gen_hooks_c(visible, hooks, emulated):
    out = [banner('Sorted hook tables.'),
           '#include "vulkan/hooks.h"\n\n#include <stdlib.h>\n#include <string.h>\n']
    levels = {'instance': (None, 'VkInstance'), 'physical_device': ('VkPhysicalDevice',),
              'device': ('VkDevice', 'VkQueue', 'VkCommandBuffer')}
    for level, owners in levels.items():
        rows = sorted((alias, c) for c in hooks if c.owner in owners for alias in c.aliases)
        out.append(f'static const struct pgs_hook {level}_hooks[] = {{')
        for alias, c in rows:
            flag = ', true' if c.short in LIFETIME else ', false'
            bit = emulated.bit(emulated.bringers[c.name]) if c.name in emulated.bringers else 'PGS_EMULATED_NONE'
            out.append(f'    {{"{alias}", (PFN_vkVoidFunction)pgs_{c.short}{flag}, {bit}}},')
        if not rows:
            out.append('    {"", NULL, false, PGS_EMULATED_NONE},')
        out.append('};\n')
    out += emulated.gen_table()
    out.append('static const char *const visible_commands[] = {')
    out += [f'    "{n}",' for n in sorted(visible.names()) if n.startswith('vkCmd')]
    out.append('};\n')
    out.append('''#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int compare_hook(const void *name, const void *hook)
{
    return strcmp(name, ((const struct pgs_hook *)hook)->name);
}

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}
''')
    for level in levels:
        out.append(f'''const struct pgs_hook *pgs_hook_find_{level}(const char *name)
{{
    return bsearch(name, {level}_hooks, COUNT({level}_hooks), sizeof({level}_hooks[0]), compare_hook);
}}
''')
    out.append('''bool pgs_is_visible_command(const char *name)
{
    return strncmp(name, "vkCmd", 5) != 0 ||
           bsearch(name, visible_commands, COUNT(visible_commands), sizeof(visible_commands[0]), compare_name);
}''')
    return '\n'.join(out) + '\n'


def gen_struct_sizes(registry):
    out = [banner('Sizes of the structs that have an sType.'), '#include "vulkan/chain.h"\n',
           'size_t pgs_struct_size(VkStructureType type)\n{', '    switch ((int)type) {']
    for struct in sorted(registry.structs.values(), key=lambda s: s.name):
        if struct.stype:
            out.append(f'    case {struct.stype}:\n        return sizeof({struct.name});')
    for name, (stype, count) in LATER_FEATURES.items():
        if name not in registry.structs:
            out.append(f'    case {stype}: /* {name} */\n'
                       f'        return sizeof(VkBaseInStructure) + {count} * sizeof(VkBool32);')
    for name, (stype, behind) in OF_PLATFORMS.items():
        if name not in registry.structs:
            out.append(f'    case {stype}: /* {name} */\n        return sizeof(VkBaseInStructure) + {behind};')
    out.append('''    case VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO:
        return sizeof(VkLayerInstanceCreateInfo);
    case VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO:
        return sizeof(VkLayerDeviceCreateInfo);
    default:
        return 0;
    }
}''')
    return '\n'.join(out) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--xml', required=True)
    parser.add_argument('--hooks', required=True)
    parser.add_argument('--extensions', default='')
    parser.add_argument('--hidden', default='', help='extensions that stay hidden without a word')
    parser.add_argument('--emulated', default='')
    parser.add_argument('--out', help='folder of what is generated; without it, what is hidden is listed')
    args = parser.parse_args()
    registry = Registry(args.xml)
    hooks = read_hooks(registry, args.hooks)
    visible = read_visible(registry, args.extensions, args.hidden, args.emulated, args.hooks)
    queue = gen_vk_queue.Queue(registry, visible)
    if not args.out:
        sys.stdout.write(visible.message())
        return
    emulated = Emulated(registry, args.emulated, visible)
    emulated.check(hooks, args.hooks)
    queue_hooks = queue.hooked(hooks)
    files = {
        'dispatch.h': gen_dispatch_h(registry),
        'dispatch.c': gen_dispatch_c(registry),
        'hooks.h': gen_hooks_h(hooks, queue_hooks, emulated),
        'hooks.c': gen_hooks_c(visible, hooks + queue_hooks, emulated),
        'struct_sizes.c': gen_struct_sizes(registry),
        **queue.files(queue_hooks),
        **gen_vk_copy.CreateCopies(registry, visible).copy_files(),
    }
    os.makedirs(args.out, exist_ok=True)
    for name, text in files.items():
        write_if_changed(os.path.join(args.out, name), text)


if __name__ == '__main__':
    main()
