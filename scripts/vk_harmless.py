# SPDX-License-Identifier: MIT
"""Which extensions that nobody has reviewed may be seen all the same, as the registry says what they bring."""

import re

from vk_registry import clauses, is_reviewable, is_vulkan

# Chains that the layer hands on whatever is in them.
FORWARDED = frozenset({'VkDeviceCreateInfo', 'VkPhysicalDeviceFeatures2', 'VkPhysicalDeviceProperties2'})
FEATURES, PROPERTIES = 'VkPhysicalDeviceFeatures2', 'VkPhysicalDeviceProperties2'
# Enumerations that every structure has, or that say nothing of what is drawn.
COMMON = frozenset({'VkStructureType', 'VkResult', 'VkObjectType', 'VkDebugReportObjectTypeEXT', 'VkDriverId', 'VkVendorId'})


class Harmless:
    """The rule: an extension is harmless if all that it brings is structures and values for commands that the layer does not
    touch. A command is touched if it is hooked or may be in the queue of a pass. So whatever the extension
    means, the driver gets it as the application gave it.

    A feature alone, or nothing but a name, may lift a rule for draws that the layer does itself, which no registry tells.
    They are harmless only beside structures or values that show what they are for. Whatever shaders may declare is never
    harmless: it could be in a geometry shader."""

    def __init__(self, registry, hooks):
        """hooks: short names of the commands with hand-written hooks."""
        self.registry = registry
        self.in_shaders = self._read_spirv(registry.root)
        self.extensions = {e.get('name'): e for e in registry.root.find('extensions') if is_reviewable(e)}
        self.extenders = {}
        for struct in registry.structs.values():
            for parent in struct.extends:
                self.extenders.setdefault(registry.canonical_struct(parent), []).append(struct)
        self.flags = {}  # type of members: the enumeration of its bits
        for node in registry.root.find('types'):
            if node.get('category') == 'bitmask' and (node.get('requires') or node.get('bitvalues')):
                self.flags[node.findtext('name')] = node.get('requires') or node.get('bitvalues')
        self.touched = self._reach(hooks)

    @staticmethod
    def _read_spirv(root):
        """Extensions that bring something to shaders."""
        found = set()
        for group in ('spirvextensions', 'spirvcapabilities'):
            for node in root.find(group) if root.find(group) is not None else ():
                for enable in node.findall('enable'):
                    found |= {enable.get('extension')} | set((enable.get('requires') or '').split(','))
        return found

    def _reach(self, hooks):
        """Names of structures and enumerations that touched commands have, or lead to."""
        wanted = {'vk' + short for short in hooks}
        reached = set()
        todo = [p.type for c in self.registry.commands for p in c.params
                if wanted & set(c.aliases) or c.name.startswith('vkCmd') and c.renderpass != 'outside']
        todo = [t for t in todo if t not in FORWARDED]
        while todo:
            name = self.registry.canonical_struct(todo.pop())
            name = self.flags.get(name, name)
            if name in reached:
                continue
            reached.add(name)
            struct = self.registry.structs.get(name)
            if struct is not None:
                todo += [m.type for m in struct.members]
                todo += [node.name for node in self.extenders.get(name, ())]
        return reached

    def reason_against(self, name, allowed):
        """Why an extension is not harmless; '' if it is. allowed: what else may be seen."""
        node = self.extensions[name]
        if name in self.in_shaders:
            return 'brings something to shaders'
        needs = clauses(node.get('depends') or '') if node.get('depends') else \
            [frozenset(n for n in (node.get('requires') or '').split(',') if n)]
        if not any(all(n in allowed or self.registry.extensions.get(n) == 'instance' or re.match(r'VK_(\w+_)?VERSION_', n)
                       for n in clause) for clause in needs):
            return 'needs hidden extensions'
        features, properties, others = 0, 0, 0
        for require in (r for r in node.findall('require') if is_vulkan(r)):
            if require.find('command') is not None:
                return f'brings {require.find("command").get("name")}'
            for enum in require.findall('enum'):
                values = enum.get('extends')
                if values in self.touched - COMMON:
                    return f'brings values of {values}'
                others += values is not None and values not in COMMON
            for kind in require.findall('type'):
                struct = self.registry.structs.get(self.registry.canonical_struct(kind.get('name')))
                parents = {self.registry.canonical_struct(p) for p in struct.extends} if struct else set()
                touched = sorted(parents & self.touched - FORWARDED)
                if touched:
                    return f'extends {touched[0]}'
                features += FEATURES in parents
                properties += PROPERTIES in parents
                others += bool(parents - FORWARDED)
        if others or properties and not features:
            return ''
        return 'brings features alone' if features else 'brings nothing but its name'

    def names(self, candidates, allowed):
        """The harmless ones of these extensions; one may need another."""
        found = set()
        while True:
            more = {n for n in candidates if n not in found and not self.reason_against(n, allowed | found)}
            if not more:
                return found
            found |= more
