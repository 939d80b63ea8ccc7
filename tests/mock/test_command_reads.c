/* SPDX-License-Identifier: MIT
 *
 * Captures over what native draws of the same pass have read, in the command room on a fake driver,
 * draw room and pipeline room: where a pass has to be parted, and where it need not be.
 */
#include "command/buffer.h"
#include "fake_rooms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_seen.h"

static void fake_rooms_note(char what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    if (what == 'c' || what == 'd')
        note("%c%u ", what, (unsigned)a);
    else if (what == 'b' || what == 'n')
        note("%c ", what);
}

/* --- The driver --- */

enum { BUFFER_B = 256, MAX_BUFFERS = 8 };
static VkDeviceAddress addresses[MAX_BUFFERS]; /* by handle, from 1 on */
static uint32_t buffer_count;

static VkResult create_buffer(VkDevice d, const VkBufferCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    (void)d, (void)info, (void)allocator;
    *buffer = HANDLE(VkBuffer, ++buffer_count);
    return VK_SUCCESS;
}

static void destroy_buffer(VkDevice d, VkBuffer buffer, const VkAllocationCallbacks *allocator)
{
    (void)d, (void)buffer, (void)allocator;
}

static VkResult bind_memory(VkDevice d, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset)
{
    (void)d, (void)buffer, (void)memory, (void)offset;
    return VK_SUCCESS;
}

static VkDeviceAddress buffer_address(VkDevice d, const VkBufferDeviceAddressInfo *info)
{
    (void)d;
    return addresses[(uintptr_t)info->buffer];
}

static void push_constants(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                           uint32_t offset, uint32_t size, const void *values)
{
    (void)cb, (void)layout, (void)stages, (void)offset, (void)size;
    note("p%u ", *(const uint32_t *)values);
}

static void bind_vertex_buffers(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb, (void)first, (void)count, (void)buffers, (void)offsets;
}

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)point, (void)layout, (void)first, (void)count, (void)sets;
    (void)offset_count, (void)offsets;
}

/* --- Set-up --- */

static VkCommandBuffer second, third;

static int setup(void **context)
{
    (void)context;
    seen[0] = 0;
    fake_possible = true;
    buffer_count = 0;
    dev = (struct pgs_device){
        .physical = &physical,
        .active = true,
        .feedback = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_SEEN_DISPATCH,
                .CreateBuffer = create_buffer,
                .DestroyBuffer = destroy_buffer,
                .GetBufferDeviceAddress = buffer_address,
                .BindBufferMemory = bind_memory,
                .CmdPipelineBarrier = note_barrier,
                .CmdPushConstants = push_constants,
                .CmdBindVertexBuffers = bind_vertex_buffers,
                .CmdBindDescriptorSets = bind_sets,
            },
    };
    if (open_commands() != 0)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    third = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    for (uint32_t i = 1; i <= buffer_count; i++)
        pgs_DestroyBuffer(dev.handle, HANDLE(VkBuffer, i), NULL);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &third);
    return close_commands();
}

/* At an address, if not 0. */
static VkBuffer make_buffer(VkBufferUsageFlags usage, VkDeviceAddress address)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = BUFFER_B,
        .usage = usage | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
    };
    VkBuffer buffer;
    assert_int_equal(pgs_CreateBuffer(dev.handle, &info, NULL, &buffer), VK_SUCCESS);
    addresses[(uintptr_t)buffer] = address;
    return buffer;
}

static void begin_dynamic(VkRenderingFlags flags)
{
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .flags = flags, .layerCount = 1};
    pgs_CmdBeginRendering(cmd, &info);
}

/* A native draw that reads the buffer, if there is one, and what is bound before. */
static void read_vertices(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B)
{
    bind(cb, NATIVE);
    if (buffer)
        pgs_CmdBindVertexBuffers(cb, 0, 1, &buffer, &offset_B);
    pgs_CmdDraw(cb, 3, 1, 0, 0);
}

static void bind_set(VkCommandBuffer cb)
{
    const VkDescriptorSet set = HANDLE(VkDescriptorSet, 0x5e);
    pgs_CmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE, 0, 1, &set, 0,
                              NULL);
}

static void order(VkCommandBuffer cb)
{
    pgs_CmdPipelineBarrier(cb, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                           VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 0, NULL, 0, NULL, 0,
                           NULL);
}

static void capture(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B, VkDeviceSize size_B)
{
    pgs_CmdBindTransformFeedbackBuffersEXT(cb, 0, 1, &buffer, &offset_B, &size_B);
    pgs_CmdBeginTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
    pgs_CmdEndTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
}

#define PARTED "[ Pa0 D3 | ] | c0 b n [ ] "
#define WHOLE "c0 b n [ Pa0 D3 | ] "

/* --- Tests --- */

static void test_vertices(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, 0x2000);
    static const struct {
        bool other, barrier;
        VkDeviceSize read_B, capture_B, size_B;
        const char *calls;
    } cases[] = {
        {false, true, 0, 0, VK_WHOLE_SIZE, PARTED},
        {true, true, 0, 0, VK_WHOLE_SIZE, WHOLE}, /* as particles do */
        {false, false, 0, 0, VK_WHOLE_SIZE, "c0 b n [ Pa0 D3 ] "},
        {false, true, 128, 0, 128, WHOLE},
        {false, true, 124, 0, 128, PARTED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin(cmd, 0);
        begin_dynamic(0);
        read_vertices(cmd, cases[i].other ? b : a, cases[i].read_B);
        if (cases[i].barrier)
            order(cmd);
        capture(cmd, a, cases[i].capture_B, cases[i].size_B);
        pgs_CmdEndRendering(cmd);
        expect(cmd, cases[i].calls);
    }
}

/* What is read through descriptors and pointers nobody tells, but a buffer has a usage for it. */
static void test_descriptors(void **context)
{
    (void)context;
    static const struct {
        VkBufferUsageFlags usage;
        bool set, parted;
    } cases[] = {
        {VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true, false},
        {VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, false, false},
        {VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, true, true},
        {VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, false, true},
        {VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, true, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkBuffer buffer = make_buffer(cases[i].usage, 0x1000);
        begin(cmd, 0);
        begin_dynamic(0);
        if (cases[i].set)
            bind_set(cmd);
        read_vertices(cmd, VK_NULL_HANDLE, 0);
        order(cmd);
        capture(cmd, buffer, 0, VK_WHOLE_SIZE);
        pgs_CmdEndRendering(cmd);
        expect(cmd, cases[i].parted ? PARTED : WHOLE);
        pgs_DestroyBuffer(dev.handle, buffer, NULL);
        buffer_count = 0;
    }

    /* A set that only the second draw has. */
    const VkBuffer buffer = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0x1000);
    begin(cmd, 0);
    begin_dynamic(0);
    read_vertices(cmd, VK_NULL_HANDLE, 0);
    bind_set(cmd);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    order(cmd);
    capture(cmd, buffer, 0, VK_WHOLE_SIZE);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "[ Pa0 D3 D4 | ] | c0 b n [ ] ");
}

/* Descriptors may be of another buffer on the memory. */
static void test_described_aliases(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0), b = make_buffer(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    const VkDeviceMemory memory = HANDLE(VkDeviceMemory, 7);
    assert_int_equal(pgs_BindBufferMemory(dev.handle, a, memory, 0), VK_SUCCESS);
    for (int apart = 0; apart < 2; apart++) {
        const VkDeviceSize offset_B = apart ? BUFFER_B : BUFFER_B - 4;
        assert_int_equal(pgs_BindBufferMemory(dev.handle, b, memory, offset_B), VK_SUCCESS);
        begin(cmd, 0);
        begin_dynamic(0);
        bind_set(cmd);
        read_vertices(cmd, VK_NULL_HANDLE, 0);
        order(cmd);
        capture(cmd, a, 0, VK_WHOLE_SIZE);
        pgs_CmdEndRendering(cmd);
        expect(cmd, apart ? WHOLE : PARTED);
    }
}

/* Two buffers on the same memory. */
static void test_aliases(void **context)
{
    (void)context;
    static const struct {
        VkDeviceAddress address;
        VkDeviceSize read_B, capture_B, size_B;
        const char *calls;
    } cases[] = {
        {0x1000, 0, 0, VK_WHOLE_SIZE, PARTED},
        {0x1000 + BUFFER_B - 4, 0, 0, VK_WHOLE_SIZE, PARTED},
        {0x1000 + BUFFER_B, 0, 0, VK_WHOLE_SIZE, WHOLE},
        {0x1000 - BUFFER_B, 0, 0, VK_WHOLE_SIZE, WHOLE},
        {0x1000 - BUFFER_B + 4, 0, 0, VK_WHOLE_SIZE, PARTED},
        {0x1000 - BUFFER_B + 4, 0, 4, VK_WHOLE_SIZE, WHOLE},
        {0x1000, 128, 0, 128, WHOLE},
        {0x1000, 128, 0, 132, PARTED},
        {0, 0, 0, VK_WHOLE_SIZE, WHOLE}, /* in external memory: nobody knows where */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, cases[i].address);
        begin(cmd, 0);
        begin_dynamic(0);
        read_vertices(cmd, b, cases[i].read_B);
        order(cmd);
        capture(cmd, a, cases[i].capture_B, cases[i].size_B);
        pgs_CmdEndRendering(cmd);
        expect(cmd, cases[i].calls);
        pgs_DestroyBuffer(dev.handle, a, NULL);
        pgs_DestroyBuffer(dev.handle, b, NULL);
        buffer_count = 0;
    }
}

static void begin_continuing(VkCommandBuffer cb)
{
    begin(cb, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
}

static void end(VkCommandBuffer cb)
{
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    seen[0] = 0;
}

static void execute_both(bool together, const char *calls)
{
    const VkCommandBuffer both[2] = {second, third};
    begin(cmd, 0);
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    pgs_CmdExecuteCommands(cmd, together ? 2 : 1, both);
    if (!together)
        pgs_CmdExecuteCommands(cmd, 1, &third);
    pgs_CmdEndRendering(cmd);
    expect(cmd, calls);
}

/* Where a secondary reads and a later one captures, the barrier stands in either. */
static void test_secondaries(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, 0x2000);
    enum { NOWHERE, AT_END, AT_BEGIN, BEFORE_READ, AFTER_CAPTURE };
    static const struct {
        int barrier;
        bool other;
        const char *calls;
    } cases[] = {
        {NOWHERE, false, "c0 b n [ Pa0 D3 ] "},
        {AT_END, false, "[ E1 ] | c0 b n [ ] "},
        {AT_BEGIN, false, "[ E1 ] | c0 b n [ | ] "},
        {BEFORE_READ, false, "c0 b n [ | Pa0 D3 ] "},
        {AFTER_CAPTURE, false, "c0 b n [ Pa0 D3 | ] "},
        {AT_END, true, "c0 b n [ Pa0 D3 | ] "},
        {AT_BEGIN, true, "c0 b n [ Pa0 D3 | ] "},
    };
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const int barrier_at = cases[i / 2].barrier;
        begin_continuing(second);
        if (barrier_at == BEFORE_READ)
            order(second);
        read_vertices(second, a, 0);
        if (barrier_at == AT_END)
            order(second);
        end(second);
        begin_continuing(third);
        if (barrier_at == AT_BEGIN)
            order(third);
        capture(third, cases[i / 2].other ? b : a, 0, VK_WHOLE_SIZE);
        if (barrier_at == AFTER_CAPTURE)
            order(third);
        end(third);
        execute_both(i % 2, cases[i / 2].calls);
    }
}

/* One that reads and captures has parts, and so has the pass where it is executed. */
static void test_parts(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000), b = make_buffer(0, 0x2000);
    const uint32_t pushed[2] = {7, 8};
    begin_continuing(second);
    pgs_CmdPushConstants(second, VK_NULL_HANDLE, VK_SHADER_STAGE_VERTEX_BIT, 0, 8, pushed);
    read_vertices(second, a, 0);
    order(second);
    capture(second, b, 0, VK_WHOLE_SIZE); /* elsewhere */
    capture(second, a, 0, VK_WHOLE_SIZE);
    order(second);
    read_vertices(second, b, 0);
    order(second);
    capture(second, a, 0, VK_WHOLE_SIZE); /* read in another part */
    order(second);
    capture(second, b, 0, VK_WHOLE_SIZE);
    end(second);
    begin_continuing(third);
    read_vertices(third, b, 0);
    end(third);
    execute_both(true, "c0 b n [ p7 Pa0 D3 | ] | c0 b n c0 b n [ p7 | Pa0 D3 | | ] "
                       "| c0 b n [ p7 Pa0 D3 ] ");
}

/* A barrier within an interval of a secondary. */
static void test_interval_of_secondary(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(0, 0x1000);
    const VkDeviceSize offset = 0;
    begin_continuing(second);
    read_vertices(second, a, 0);
    end(second);
    begin_continuing(third);
    bind(third, EMULATED);
    pgs_CmdBindTransformFeedbackBuffersEXT(third, 0, 1, &a, &offset, NULL);
    pgs_CmdBeginTransformFeedbackEXT(third, 0, 0, NULL, NULL);
    pgs_CmdDraw(third, 5, 1, 0, 0);
    order(third);
    pgs_CmdDraw(third, 6, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(third, 0, 0, NULL, NULL);
    end(third);
    execute_both(true, "[ E1 ] | c1 b c1 n [ Pe0 d5 | d6 ] ");
}

/* All its draws would show what the last time has left in its memory. */
static void execute_twice(bool feedback)
{
    dev.feedback = feedback;
    begin_continuing(second);
    bind(second, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    end(second);
    begin_continuing(third);
    bind(third, NATIVE);
    pgs_CmdDraw(third, 6, 1, 0, 0);
    end(third);
    const VkCommandBuffer all[4] = {second, third, second, third};
    begin(cmd, 0);
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    pgs_CmdExecuteCommands(cmd, 4, all);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "c1 [ Pe0 d5 Pa0 D6 ] | c1 [ Pe0 d5 Pa0 D6 ] ");
    begin(cmd, 0); /* nothing is emulated in it */
    begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    pgs_CmdExecuteCommands(cmd, 2, (const VkCommandBuffer[]){third, third});
    pgs_CmdEndRendering(cmd);
    expect(cmd, "[ E2 ] ");
    dev.feedback = true;
}

static void test_executed_twice(void **context)
{
    (void)context;
    execute_twice(false); /* geometry shaders alone */
    execute_twice(true);
}

/* Every failure is reported, and leaves nothing behind. */
static void test_failures(void **context)
{
    (void)context;
    const VkBuffer a = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0x1000);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n < 100);
        VkCommandBuffer cb = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        pgs_alloc_fail_after(n, false);
        begin_continuing(cb);
        bind_set(cb);
        read_vertices(cb, a, 0);
        order(cb);
        capture(cb, a, 0, VK_WHOLE_SIZE);
        result = pgs_EndCommandBuffer(cb);
        if (result == VK_SUCCESS) {
            begin(cmd, 0);
            begin_dynamic(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
            pgs_CmdExecuteCommands(cmd, 1, &cb);
            pgs_CmdEndRendering(cmd);
            result = pgs_EndCommandBuffer(cmd);
        }
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        pgs_alloc_fail_after(0, false);
        pgs_FreeCommandBuffers(dev.handle, pool, 1, &cb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vertices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_descriptors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_aliases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_described_aliases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interval_of_secondary, setup, teardown),
        cmocka_unit_test_setup_teardown(test_executed_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
