# SPDX-License-Identifier: MIT
"""The command queue: for each command that is legal in a render pass and visible to the application, an entry, a deep
copy into the queue, a replay and a hook. And the test that sends every command through."""

import re

from gen_vk_copy import Copies
from vk_registry import banner

# Not legal inside a render pass, but the first entry of one.
FIRST_OF_PASS = ('vkCmdBeginRenderPass', 'vkCmdBeginRenderPass2', 'vkCmdBeginRendering')

# Their hooks queue them in another form: what they point to depends on a type, or on a template, or they become others.
QUEUED_BY_HAND = ('vkCmdPushDescriptorSetKHR', 'vkCmdPushDescriptorSetWithTemplateKHR', 'vkCmdBindDescriptorSets2KHR',
                  'vkCmdPushConstants2KHR', 'vkCmdPushDescriptorSet2KHR', 'vkCmdPushDescriptorSetWithTemplate2KHR',
                  'vkCmdSetDescriptorBufferOffsets2EXT', 'vkCmdBindDescriptorBufferEmbeddedSamplers2EXT')


# What they do lasts until another such command; events are set at once.
STATE = re.compile(r'Cmd(Bind|Push|Set(?!Event|Checkpoint|Performance))')


class Queue(Copies):
    def __init__(self, registry, visible):
        """Hides in `visible` what cannot be copied."""
        super().__init__(registry, visible, [], 'queue_copy', 'the structs that commands of a render pass point to')
        self.commands = self._copyable([c for c in registry.commands
                                        if c.name.startswith('vkCmd') and visible.shows_command(c) and
                                        (c.renderpass in ('inside', 'both') or c.name in FIRST_OF_PASS) and
                                        not set(c.aliases) & set(QUEUED_BY_HAND)])
        self.roots = [p for c in self.commands for p in c.params]
        self.find_structs()

    def leave_out(self, node, reason):
        self.visible.hide_struct(node, reason)

    def _copyable(self, commands):
        for command in commands:
            reason = self._reason(self.arguments(command), command.name)
            for param in self.arguments(command) if not reason else ():
                if param.pointer and not param.is_const:
                    reason = f'{param.decl} gets a result'
            if reason:
                self.visible.hide_command(command, reason)
        # Some went with the extensions of others.
        return [c for c in commands if self.visible.shows_command(c)]

    def hooked(self, hooks):
        """Commands that get a generated hook."""
        by_hand = {c.name for c in hooks}
        return sorted((c for c in self.commands if c.name not in by_hand and c.name not in FIRST_OF_PASS),
                      key=lambda c: c.name)

    def files(self, hooks):
        return {
            'queue_commands.h': self.gen_header(),
            'queue_commands.c': self.gen_commands(),
            'queue_hooks.c': self.gen_hooks(hooks),
            'queue_test.c': self.gen_test(),
            **self.copy_files(),
        }

    # Entries, enqueue and replay

    @staticmethod
    def arguments(command):
        return command.params[1:]

    def enqueue_prototype(self, command):
        params = ''.join(', ' + p.decl for p in self.arguments(command))
        return f'VkResult pgs_enqueue_{command.short}(struct pgs_queue *queue{params})'

    def gen_header(self):
        out = [banner('Enqueueing: VK_ERROR_OUT_OF_HOST_MEMORY leaves the queue as it was.'),
               '#ifndef PGS_VULKAN_QUEUE_COMMANDS_H\n#define PGS_VULKAN_QUEUE_COMMANDS_H\n',
               '#include <vulkan/vulkan.h>\n\nstruct pgs_queue;\n']
        out += [self.enqueue_prototype(c) + ';' for c in self.commands]
        out.append('\n#endif')
        return '\n'.join(out) + '\n'

    @staticmethod
    def member(param):
        """The parameter as a member that can be assigned."""
        if param.array:
            dims = ''.join(f'[{d}]' for d in param.array)
            return f'{param.type} {param.name}{dims};'
        return f'{param.decl};'

    def gen_commands(self):
        out = [banner('Entries, their enqueueing and their replay.'),
               '#include "vulkan/queue.h"\n\n#include "vulkan/queue_copy.h"\n#include "vulkan/queue_entry.h"\n\n'
               '#include <string.h>\n\nenum {\n    ENTRY_CUSTOM = PGS_ENTRY_CUSTOM,\n'
               '    ENTRY_SET = PGS_ENTRY_SET,']
        out += [f'    ENTRY_{c.short},' for c in self.commands]
        out.append('};\n')
        for c in self.commands:
            args = self.arguments(c)
            if args:
                out.append(f'struct entry_{c.short} {{\n    struct pgs_entry header;')
                out += [f'    {self.member(p)}' for p in args]
                out.append('};\n')
            out += self.enqueue(c, args)
        out.append(self.replay())
        return '\n'.join(out)

    def enqueue(self, command, args):
        out = [self.enqueue_prototype(command) + '\n{']
        if not args:
            return out + [f'    return pgs_queue_entry(queue, ENTRY_{command.short}, sizeof(struct pgs_entry))'
                          '\n               ? VK_SUCCESS\n               : VK_ERROR_OUT_OF_HOST_MEMORY;\n}\n']
        pointers = [p for p in args if p.pointer]
        if pointers:
            out.append('    struct pgs_copy copy = {.arena = &queue->data}, *c = &copy;')
            for p in pointers:
                copy = self.copy_call(p, args, '', command.name).replace('copy_array_Vk', 'pgs_copy_Vk')
                out.append(f'    const {p.type} *{p.name}_copy = {copy};')
            out.append('    if (copy.failed)\n        return VK_ERROR_OUT_OF_HOST_MEMORY;')
        out.append(f'    struct entry_{command.short} *entry =\n'
                   f'        pgs_queue_entry(queue, ENTRY_{command.short}, sizeof(*entry));\n'
                   '    if (!entry)\n        return VK_ERROR_OUT_OF_HOST_MEMORY;')
        for p in args:
            if p.array:
                out.append(f'    memcpy(entry->{p.name}, {p.name}, sizeof(entry->{p.name}));')
            else:
                out.append(f'    entry->{p.name} = {p.name}{"_copy" if p.pointer else ""};')
        return out + ['    return VK_SUCCESS;\n}\n']

    def replay(self):
        out = ['''/* One entry. A call for each of them would cost as much as it does itself. */
__attribute__((always_inline)) static inline void
replay_entry(const struct pgs_entry *header, VkCommandBuffer cb,
                                const struct pgs_device_dispatch *vk, void *context)
{
    switch (header->type) {
    case ENTRY_CUSTOM:
        pgs_queue_replay_custom(header, cb, vk, context);
        break;
    case ENTRY_SET:
        pgs_queue_replay_set(header, cb, vk);
        break;''']
        for c in self.commands:
            args = self.arguments(c)
            out.append(f'    case ENTRY_{c.short}: {{')
            if args:
                out.append(f'        const struct entry_{c.short} *e = (const void *)header;')
            out.append(f'        vk->{c.short}({", ".join(["cb"] + ["e->" + p.name for p in args])});\n'
                       '        break;\n    }')
        out.append('''    }
}

static bool is_wanted(const struct pgs_entry *header, const struct pgs_device_dispatch *vk)
{
    switch (header->type) {
    case ENTRY_CUSTOM:
        return true;
    case ENTRY_SET:
        return vk->CmdBindDescriptorSets;''')
        out += [f'    case ENTRY_{c.short}:\n        return vk->{c.short};' for c in self.commands]
        out.append('''    default:
        return false;
    }
}

/* only_wanted: leaves out what the table has no entry for. */
static inline void replay_entries(const struct pgs_queue *queue, VkCommandBuffer cb,
                                  const struct pgs_device_dispatch *vk, void *context, bool only_wanted)
{
    for (const struct pgs_arena_block *block = queue->entries.first; block; block = block->next) {
        const unsigned char *p = block->data;
        const unsigned char *end = p + pgs_arena_block_used(&queue->entries, block);
        while (p < end) {
            const struct pgs_entry *header = (const void *)p;
            if (!only_wanted || is_wanted(header, vk))
                replay_entry(header, cb, vk, context);
            p += header->size_B;
        }
    }
}

void pgs_queue_scan(const struct pgs_queue *queue, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                    void *context)
{
    replay_entries(queue, cb, vk, context, true);
}

void pgs_queue_replay(const struct pgs_queue *queue, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                      void *context)
{
    replay_entries(queue, cb, vk, context, false);
}
''')
        out.append('void pgs_queue_keep_state(struct pgs_device_dispatch *vk)\n{')
        out += [f'    vk->{c.short} = NULL;' for c in self.commands if not STATE.match(c.short)]
        out.append('}')
        return '\n'.join(out) + '\n'

    # Hooks

    def gen_hooks(self, hooks):
        out = [banner('Commands that only have to wait for their turn.'),
               '#include "vulkan/hooks.h"\n#include "vulkan/queue.h"\n#include "vulkan/recorder.h"\n']
        for c in hooks:
            names = [p.name for p in self.arguments(c)]
            call = f'{c.short}({", ".join(["commandBuffer"] + names)})'
            parameters = c.prototype('').split('(', 1)[1]
            out.append(f'''static PGS_SLOW void {c.short}_slowly({parameters}
{{
    struct pgs_recorder *recorder = pgs_recorder_get(commandBuffer);
    if (recorder->queue)
        pgs_recorder_latch(recorder, pgs_enqueue_{c.short}({", ".join(["recorder->queue"] + names)}));
    else
        recorder->vk->{call};
}}

{c.prototype("pgs_" + c.short)}
{{
    if (PGS_LIKELY(pgs_recorder_is_unqueued(commandBuffer)))
        pgs_recorder_memory.vk->{call};
    else
        {c.short}_slowly({", ".join(["commandBuffer"] + names)});
}}
''')
        return '\n'.join(out)

    # Test: every command with filled arguments, queued, its source destroyed, replayed and compared

    def counts(self, variables):
        """Variables that other ones' lengths name, with a value that makes all of them small."""
        found = {v.stride: '64' for v in variables if v.stride}
        for v in variables:
            if v.pointer and v.length and v.length != 'null-terminated':
                for word in re.findall(r'[A-Za-z_]\w*', v.length):
                    found[word] = '3' if word == v.length else '64'
        return found

    @staticmethod
    def size_expression(variable, count, at):
        """Bytes behind a pointer to what holds no pointers, as C over the other variables."""
        element = '1' if variable.type == 'void' else f'sizeof(*{at}{variable.name})'
        return f'({count} - 1) * {at}{variable.stride} + {element}' if variable.stride else f'({count}) * {element}'

    def fill_lines(self, variables, at, parent=None):
        out, counts = [], self.counts(variables)
        for v in variables:
            target = at + v.name
            struct = self.struct(v.type)
            if v.name == 'sType' and parent is not None:
                out.append(f'    {target} = {parent.stype};')
            elif v.name == 'pNext':
                out.append(f'    {target} = NULL;')
            elif v.name in counts:
                out.append(f'    {target} = {counts[v.name]};')
            elif not v.pointer:
                if self.is_deep(struct):
                    out.append(f'    fill_{struct.name}(r, &{target});')
                else:
                    out.append(f'    fill_bytes(r, &{target}, sizeof({target}));')
            elif v.length == 'null-terminated':
                out.append(f'    {target} = fill_string(r);')
            else:
                count = self.count_expression(v, variables, at)
                if self.is_deep(struct):
                    out.append(f'    {target} = fill_array_{struct.name}(r, {count});')
                else:
                    out.append(f'    {target} = fill_new(r, {self.size_expression(v, count, at)});')
        # Counts first: the lengths of the others read them.
        return sorted(out, key=lambda line: not re.search(r' = (3|64);$', line))

    def check_lines(self, variables, a, b):
        out = []
        for v in variables:
            struct = self.struct(v.type)
            x, y = a + v.name, b + v.name
            if v.name == 'pNext':
                out.append(f'    check_chain({x}, {y});')
            elif not v.pointer:
                if self.is_deep(struct):
                    out.append(f'    check_{struct.name}(&{x}, &{y});')
                elif v.array and a == '':
                    out.append(f'    assert_memory_equal({x}, {y}, sizeof({y}));')
                else:
                    out.append(f'    assert_memory_equal(&{x}, &{y}, sizeof({y}));')
            elif v.length == 'null-terminated':
                out.append(f'    assert_string_equal({x}, {y});')
            else:
                count = self.count_expression(v, variables, b)
                out.append(f'    assert_non_null({x});')
                if self.is_deep(struct):
                    out.append(f'    for (size_t i = 0; i < {count}; i++)\n        check_{struct.name}(&{x}[i], &{y}[i]);')
                else:
                    out.append(f'    assert_memory_equal({x}, {y}, {self.size_expression(v, count, b)});')
        return out

    def gen_test(self):
        out = [banner('Every command through the queue: arguments filled, queued, destroyed, replayed, compared.'),
               '#include "queue_test.h"\n']
        nodes = self.chain_nodes()
        filled = self.deep_structs() + [s for s in nodes if not self.is_deep(s)]
        out.append('static void check_chain(const void *got, const void *want);')
        out += [f'static void fill_{s.name}(struct filler *r, {s.name} *v);' for s in filled] + ['']
        for s in filled:
            out.append(f'static void fill_{s.name}(struct filler *r, {s.name} *v)\n{{')
            out += ['    (void)r;'] + self.fill_lines(s.members, 'v->', s)
            parents = self.extenders.get(s.name, [])
            out.append('}\n')
            out.append(f'static void check_{s.name}(const {s.name} *got, const {s.name} *want)\n{{')
            out += self.check_lines(s.members, 'got->', 'want->')
            out.append('}\n')
            if self.is_pointed_to(s):
                out.append(f'static const {s.name} *fill_array_{s.name}(struct filler *r, size_t count)\n{{\n'
                           f'    {s.name} *v = fill_new(r, count * sizeof(*v));\n'
                           f'    for (size_t i = 0; i < count; i++) {{\n        fill_{s.name}(r, &v[i]);')
                if parents:
                    out.append('        const void **link = (const void **)&v[i].pNext;')
                for n in parents:
                    out.append(f'        {{\n            {n.name} *node = fill_new(r, sizeof(*node));\n'
                               f'            fill_{n.name}(r, node);\n            *link = node;\n'
                               '            link = (const void **)&node->pNext;\n        }')
                out.append('    }\n    return v;\n}\n')
        out.append('''static void check_chain(const void *got, const void *want)
{
    assert_int_equal(got == NULL, want == NULL);
    if (!want)
        return;
    assert_int_equal(((const VkBaseInStructure *)got)->sType, ((const VkBaseInStructure *)want)->sType);
    switch ((int)((const VkBaseInStructure *)want)->sType) {''')
        for n in nodes:
            out.append(f'    case {n.stype}:\n        check_{n.name}(got, want);\n        break;')
        out.append('    default:\n        fail_msg("a node of a type that was not put in");\n    }\n}\n')
        for c in self.commands:
            out += self.test_command(c)
        out.append('int main(void)\n{\n    const struct CMUnitTest tests[] = {')
        out += [f'        cmocka_unit_test(test_{c.short}),' for c in self.commands]
        out.append('    };\n    return cmocka_run_group_tests(tests, NULL, NULL);\n}')
        return '\n'.join(out) + '\n'

    def test_command(self, c):
        args = self.arguments(c)
        out = []
        if args:
            out.append(f'struct args_{c.short} {{')
            out += [f'    {self.member(p)}' for p in args]
            out.append(f'}};\n\nstatic struct args_{c.short} want_{c.short};\n\n'
                       f'static void fill_args_{c.short}(struct filler *r, struct args_{c.short} *v)\n{{')
            out += self.fill_lines(args, 'v->')
            out.append('}\n')
        out.append(f'static {c.prototype("stub_" + c.short)}\n{{\n'
                   f'    assert_ptr_equal(commandBuffer, COMMAND_BUFFER);\n    calls++;')
        out += self.check_lines(args, '', f'want_{c.short}.')
        out.append('}\n')
        names = ', '.join(['&queue'] + ['v.' + p.name for p in args])
        out.append(f'''static void test_{c.short}(void **state)
{{
    (void)state;
    const struct pgs_device_dispatch vk = {{.{c.short} = stub_{c.short}}};
    struct pgs_queue queue;
    pgs_queue_init(&queue);''')
        if args:
            out.append(f'''    struct filler source = {{.seed = 1}}, want = {{.seed = 1}};
    struct args_{c.short} v;
    fill_args_{c.short}(&source, &v);
    fill_args_{c.short}(&want, &want_{c.short});''')
        out.append(f'''    for (int64_t n = 1;; n++) {{
        pgs_alloc_fail_after(n, false);
        const VkResult result = pgs_enqueue_{c.short}({names});
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_true(pgs_queue_is_empty(&queue));
        pgs_queue_finish(&queue);
    }}''')
        if args:
            out.append('    filler_destroy(&source);')
        out.append('''    assert_false(pgs_queue_is_empty(&queue));
    calls = 0;
    pgs_queue_replay(&queue, COMMAND_BUFFER, &vk, NULL);
    pgs_queue_replay(&queue, COMMAND_BUFFER, &vk, NULL);
    assert_int_equal(calls, 2);
    pgs_queue_finish(&queue);''')
        if args:
            out.append('    filler_destroy(&want);')
        out.append('    assert_int_equal(pgs_alloc_live(), 0);\n}\n')
        return out
