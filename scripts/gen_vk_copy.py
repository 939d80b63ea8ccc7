# SPDX-License-Identifier: MIT
"""Deep copies of structs, in C."""

import re

from vk_registry import banner


class Unknown(Exception):
    """What the generator has no copy for. Such a command or structure is hidden."""


class Copies:
    """Copies of all that some variables lead to."""

    def __init__(self, registry, visible, roots, file_name, what, skipped=()):
        """`skipped`: chain nodes that no copy has and nobody misses, by name."""
        self.registry = registry
        self.visible = visible
        self.roots = roots
        self.file_name = file_name
        self.what = what
        self.skipped = skipped
        self.reasons = {}  # struct: why it cannot be copied, '' when it can

    def find_structs(self):
        """To be called before anything is generated, when all roots are known."""
        extenders = {}
        for struct in self.registry.structs.values():
            for parent in struct.extends:
                extenders.setdefault(self.registry.canonical_struct(parent), []).append(struct)
        self.extenders = {}
        self.reached = self._reach(extenders)

    def leave_out(self, node, reason):
        """A chain node for which there is no copy."""

    def takes(self, node):
        """Whether a chain node is to be copied."""
        return self.visible.shows_struct(node)

    def copy_files(self):
        return {f'{self.file_name}.h': self.gen_copy_header(), f'{self.file_name}.c': self.gen_copy()}

    def _reason(self, variables, holder, union=False):
        """Why there is no copy of what the variables lead to, chains left out; '' when there is one."""
        for v in variables:
            if v.name == 'pNext':
                continue
            try:
                if v.pointer:
                    self.copy_call(v, variables, '', holder)
            except Unknown as e:
                return str(e)
            struct = self.struct(v.type)
            if v.pointer and union or v.array and not v.pointer and self.is_deep(struct) or v.bitfield:
                return f'{holder}: {v.decl} needs a hand-written copy'
            if struct is not None:
                if struct.name not in self.reasons:
                    self.reasons[struct.name] = ''  # of a list that leads to itself
                    self.reasons[struct.name] = self._reason(struct.members, struct.name, struct.union)
                if self.reasons[struct.name]:
                    return self.reasons[struct.name]
        return ''

    def struct(self, type_name):
        return self.registry.structs.get(self.registry.canonical_struct(type_name))

    def _reach(self, extenders):
        """Structs that the roots can lead to, chains of what is visible included."""
        reached, todo = {}, [self.struct(v.type) for v in self.roots]
        while todo:
            struct = todo.pop()
            if struct is None or struct.name in reached:
                continue
            reached[struct.name] = struct
            todo += [self.struct(m.type) for m in struct.members if m.name != 'pNext']
            for node in extenders.get(struct.name, []) if struct.stype else ():
                if not node.stype or not self.takes(node):
                    continue
                reason = self._reason(node.members, node.name)
                if reason:
                    self.leave_out(node, reason)
                else:
                    self.extenders.setdefault(struct.name, []).append(node)
                    todo.append(node)
        return dict(sorted(reached.items()))

    def is_deep(self, struct):
        return struct is not None and any(
            m.pointer or self.is_deep(self.struct(m.type)) for m in struct.members)

    def deep_structs(self):
        """Inner ones before those that hold them."""
        order, seen = [], set()

        def visit(struct):
            if struct is None or struct.name in seen or not self.is_deep(struct):
                return
            seen.add(struct.name)
            for member in struct.members:
                if member.name != 'pNext':
                    visit(self.struct(member.type))
            order.append(struct)

        for struct in self.reached.values():
            visit(struct)
        return order

    def chain_nodes(self):
        names = {node.name for nodes in self.extenders.values() for node in nodes}
        return [s for s in self.reached.values() if s.name in names]

    # What a pointer leads to

    @staticmethod
    def count_expression(variable, siblings, prefix):
        """Elements behind a pointer, as C over the other variables; None for a string."""
        if variable.length is None:
            return '1'
        if variable.length == 'null-terminated':
            return None
        if ',' in variable.length or 'latexmath' in variable.length:
            raise Unknown(f'{variable.decl}: a length that needs a hand-written copy')
        names = {s.name for s in siblings}
        # What else may be in a length: numbers, and constants of the headers.
        strangers = set(re.findall(r'[A-Za-z_]\w*', variable.length)) - names
        if not re.fullmatch(r'[\w\s+*/()-]+', variable.length) or any(not re.fullmatch(r'VK_[A-Z0-9_]+', s) for s in strangers):
            raise Unknown(f'{variable.decl}: the length {variable.length} needs a hand-written copy')
        return re.sub(r'[A-Za-z_]\w*', lambda m: prefix + m.group(0) if m.group(0) in names else m.group(0),
                      variable.length)

    def copy_call(self, variable, siblings, prefix, holder):
        """A C expression: the copy of what prefix+variable points to."""
        source = prefix + variable.name
        if variable.pointer != 1 or (variable.type == 'void' and variable.length is None):
            raise Unknown(f'{holder}: {variable.decl} needs a hand-written copy')
        count = self.count_expression(variable, siblings, prefix)
        if count is None:
            return f'pgs_copy_string(c, {source})'
        struct = self.struct(variable.type)
        if variable.stride and self.is_deep(struct):
            raise Unknown(f'{holder}: {variable.decl} needs a hand-written copy')
        if variable.stride:
            return f'pgs_copy_strided(c, {source}, {count}, {prefix}{variable.stride}, sizeof(*{source}))'
        if self.is_deep(struct):
            return f'copy_array_{struct.name}(c, {source}, {count})'
        size = '1' if variable.type == 'void' else f'sizeof(*{source})'
        return f'pgs_copy_array(c, {source}, {count}, {size})'

    # Deep copies

    def copied_first(self):
        names = {v.type for v in self.roots if v.pointer}
        return [s for s in self.deep_structs() if s.name in names]

    def gen_copy_header(self):
        guard = f'PGS_VULKAN_{self.file_name.upper()}_H'
        out = [banner(f'Deep copies of {self.what}.'), f'#ifndef {guard}\n#define {guard}\n',
               '#include "vulkan/copy.h"\n']
        for s in self.copied_first():
            out.append(f'const {s.name} *pgs_copy_{s.name}(struct pgs_copy *c, const {s.name} *from, size_t count);')
        out.append('\n#endif')
        return '\n'.join(out) + '\n'

    def gen_copy(self):
        out = [banner('Deep copies.'), f'#include "vulkan/{self.file_name}.h"\n',
               'static const void *copy_chain(struct pgs_copy *c, const void *chain);\n']
        for s in self.deep_structs():
            if not self.is_pointed_to(s) and not self.is_embedded(s):
                continue  # only ever a node of a chain
            out.append(f'static void copy_{s.name}(struct pgs_copy *c, {s.name} *to, const {s.name} *from)\n{{')
            out.append('    *to = *from;')
            for m in s.members:
                if m.name == 'pNext':
                    cast = '' if m.is_const else '(void *)'
                    out.append(f'    to->pNext = {cast}copy_chain(c, from->pNext);')
                elif m.pointer:
                    out.append(f'    to->{m.name} = {self.copy_call(m, s.members, "from->", s.name)};')
                elif self.is_deep(self.struct(m.type)):
                    out.append(f'    copy_{self.struct(m.type).name}(c, &to->{m.name}, &from->{m.name});')
            out.append('}\n')
            if self.is_pointed_to(s):
                out.append(f'''static const {s.name} *copy_array_{s.name}(struct pgs_copy *c, const {s.name} *from, size_t count)
{{
    {s.name} *to = from ? pgs_copy_space(c, count, sizeof(*to)) : NULL;
    for (size_t i = 0; to && i < count; i++)
        copy_{s.name}(c, &to[i], &from[i]);
    return to;
}}
''')
        out.append('''static void *copy_node(struct pgs_copy *c, const VkBaseInStructure *node)
{
    switch ((int)node->sType) {''')
        for s in self.chain_nodes():
            out.append(f'    case {s.stype}: {{\n        {s.name} *to = pgs_copy_space(c, 1, sizeof(*to));\n'
                       f'        if (to)\n            *to = *(const {s.name} *)node;')
            members = [m for m in s.members if m.name != 'pNext']
            if any(m.pointer or self.is_deep(self.struct(m.type)) for m in members):
                out.append(f'        if (to) {{\n            const {s.name} *from = (const {s.name} *)node;')
                for m in members:
                    if m.pointer:
                        out.append(f'            to->{m.name} = {self.copy_call(m, s.members, "from->", s.name)};')
                    elif self.is_deep(self.struct(m.type)):
                        out.append(f'            copy_{self.struct(m.type).name}(c, &to->{m.name}, &from->{m.name});')
                out.append('        }')
            out.append('        return to;\n    }')
        for name in self.skipped:
            out.append(f'    case {self.struct(name).stype}:\n        return NULL;')
        out.append('''    default:
        return pgs_copy_unknown(c, node);
    }
}

static const void *copy_chain(struct pgs_copy *c, const void *chain)
{
    const void *head = NULL;
    const void **link = &head;
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        VkBaseInStructure *to = copy_node(c, node);
        if (!to)
            continue;
        to->pNext = NULL;
        *link = to;
        link = (const void **)&to->pNext;
    }
    return head;
}
''')
        for s in self.copied_first():
            out.append(f'''const {s.name} *pgs_copy_{s.name}(struct pgs_copy *c, const {s.name} *from, size_t count)
{{
    return copy_array_{s.name}(c, from, count);
}}
''')
        return '\n'.join(out)

    def is_pointed_to(self, struct):
        holders = [self.roots] + [s.members for s in self.reached.values()]
        return any(v.pointer and self.struct(v.type) is struct for holder in holders for v in holder)

    def is_embedded(self, struct):
        return any(not m.pointer and self.struct(m.type) is struct
                   for s in self.reached.values() for m in s.members)


class CreateCopies(Copies):
    """Copies of create infos, which outlive the call. The caller has taken out what the specification says is ignored,
    since pointers there may lead anywhere; of chains only nodes are taken that lead nowhere, of which all counts, or
    of which the caller has taken out what is ignored, too."""

    FOLLOWED = ('VkPipelineRenderingCreateInfo', 'VkShaderModuleCreateInfo', 'VkRenderingAttachmentLocationInfo',
                'VkRenderingInputAttachmentIndexInfo',
                'VkPipelineVertexInputDivisorStateCreateInfoEXT', 'VkPipelineVertexInputDivisorStateCreateInfoKHR',
                'VkPipelineVertexInputDivisorStateCreateInfo', 'VkPipelineDiscardRectangleStateCreateInfoEXT',
                'VkPipelineColorWriteCreateInfoEXT', 'VkPipelineViewportSwizzleStateCreateInfoNV',
                'VkPipelineViewportDepthClampControlCreateInfoEXT', 'VkRenderPassMultiviewCreateInfo',
                'VkRenderPassInputAttachmentAspectCreateInfo', 'VkSubpassDescriptionDepthStencilResolve',
                'VkFragmentShadingRateAttachmentInfo', 'VkPipelineViewportWScalingStateCreateInfoNV',
                'VkPipelineViewportExclusiveScissorStateCreateInfoNV', 'VkPipelineCoverageModulationStateCreateInfoNV',
                'VkPipelineSampleLocationsStateCreateInfoEXT', 'VkAttachmentSampleCountInfoAMD')
    ROOTS = ('VkGraphicsPipelineCreateInfo', 'VkRenderPassCreateInfo', 'VkRenderPassCreateInfo2')
    EMULATED = ('VkPipelineRasterizationStateStreamCreateInfoEXT',)  # no visible extension of the driver's brings them
    # Results of the call.
    SKIPPED = ('VkPipelineCreationFeedbackCreateInfo', 'VkRenderPassCreationFeedbackCreateInfoEXT',
               'VkRenderPassSubpassFeedbackCreateInfoEXT')

    def __init__(self, registry, visible):
        super().__init__(registry, visible, [Root(root) for root in self.ROOTS], 'create_copy', 'create infos',
                         tuple(name for name in self.SKIPPED if name in registry.structs))
        self.find_structs()

    def takes(self, node):
        plain = all(m.name == 'pNext' or not m.pointer and not self.is_deep(self.struct(m.type)) for m in node.members)
        return node.name in self.EMULATED or super().takes(node) and (plain or node.name.removesuffix('KHR') in self.FOLLOWED)


class Root:
    """Stands for a pointer to a struct."""

    def __init__(self, struct):
        self.type = struct
        self.pointer = 1
