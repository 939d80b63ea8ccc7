/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering in the command room, on a fake driver, draw room and pipeline room: what of
 * it the driver sees, and who asks for an inherited condition.
 */
#include "fake_rooms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake_objects.h"
#include "fake_recording.h"

/* What reached the driver and the draw room: a letter and up to two numbers, then a space. */
static char seen[1024];

static void note(const char *format, ...)
{
    const size_t used = strlen(seen);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(seen + used, sizeof(seen) - used, format, arguments);
    va_end(arguments);
}

static uint64_t written_slot; /* of an inherited condition */

static void fake_rooms_note(char what, uint64_t a, uint64_t b, uint64_t c)
{
    switch (what) {
    case 'i':
        assert_int_equal(a % 16, 0);
        written_slot = a;
        note("i%x%s ", (unsigned)b, c ? "!" : "");
        break;
    case 'h':
        assert_int_equal(a, written_slot);
        note("h ");
        break;
    case 'k':
        note("k%u ", (unsigned)b);
        break;
    case 'b':
    case 'n':
        note("%c ", what);
        break;
    default:
        note("%c%u ", what, (unsigned)a);
    }
}

/* --- The driver --- */

static void begin_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                       VkSubpassContents contents)
{
    (void)cb, (void)info;
    note(contents == VK_SUBPASS_CONTENTS_INLINE ? "[ " : "[s ");
}

static void end_pass(VkCommandBuffer cb)
{
    (void)cb;
    note("] ");
}

static void bind_pipeline(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)cb, (void)point;
    note("P%x ", (unsigned)(uintptr_t)pipeline);
}

static void begin_condition(VkCommandBuffer cb, const VkConditionalRenderingBeginInfoEXT *info)
{
    (void)cb;
    note("?%x%s ", (unsigned)((uintptr_t)info->buffer + info->offset),
         info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT ? "!" : "");
}

static void end_condition(VkCommandBuffer cb)
{
    (void)cb;
    note(". ");
}

/* --- Set-up --- */

static VkCommandBuffer second;

static int setup(void **context)
{
    (void)context;
    seen[0] = 0;
    fake_possible = true;
    next_handle = 0x1000;
    device_memory = aligned_alloc(256, 1 << 20);
    physical.memory.memoryTypeCount = 1;
    physical.memory.memoryTypes[0].propertyFlags =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    dev = (struct pgs_device){
        .physical = &physical,
        .active = true,
        .feedback = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_OBJECT_DISPATCH,
                .CmdBeginRenderPass = begin_pass,
                .CmdEndRenderPass = end_pass,
                .CmdBindPipeline = bind_pipeline,
                .CmdBeginConditionalRenderingEXT = begin_condition,
                .CmdEndConditionalRenderingEXT = end_condition,
            },
    };
    if (!device_memory || pgs_heap_create(&dev) != VK_SUCCESS || open_commands() != 0)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    close_commands();
    pgs_heap_destroy(&dev);
    free(device_memory);
    return live_buffers || live_memories || pgs_alloc_live();
}

static void begin(VkCommandBuffer cb, VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
    };
    assert_int_equal(pgs_BeginCommandBuffer(cb, &info), VK_SUCCESS);
}

static void expect(VkCommandBuffer cb, const char *calls)
{
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    assert_string_equal(seen, calls);
    seen[0] = 0;
}

static void begin_test_pass(VkSubpassContents contents)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = HANDLE(VkRenderPass, 0x77),
    };
    pgs_CmdBeginRenderPass(cmd, &info, contents);
}

static void begin_inline(void)
{
    begin_test_pass(VK_SUBPASS_CONTENTS_INLINE);
}

static void bind(VkCommandBuffer cb, VkPipeline pipeline)
{
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

/* --- Tests --- */

static void condition(VkCommandBuffer cb, VkDeviceSize offset, bool inverted)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = HANDLE(VkBuffer, 0x100),
        .offset = offset,
        .flags = inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
    pgs_CmdBeginConditionalRenderingEXT(cb, &info);
}

static void test_condition(void **context)
{
    (void)context;
    /* Around the pass: the compute work is not under it, it asks itself. */
    begin(cmd, 0);
    condition(cmd, 4, true);
    begin_inline();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    begin_inline();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "?104! . c1 ?104! [ Pe0 d3 ] . c1 [ Pe0 d4 ] ");

    /* In the pass. */
    begin(cmd, 0);
    begin_inline();
    bind(cmd, EMULATED);
    condition(cmd, 8, false);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "c1 [ Pe0 ?108 d3 . ] ");
}

static void begin_inheriting(VkCommandBuffer cb, VkBool32 enable)
{
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = enable,
    };
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &conditional,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    assert_int_equal(pgs_BeginCommandBuffer(cb, &info), VK_SUCCESS);
}

/* A secondary does not know the condition that it inherits: its draws ask for what the primary
 * finds out for it. What is no draw (Begin, End, queries) is under no condition. */
static void test_inherited_condition(void **context)
{
    (void)context;
    begin_inheriting(second, VK_TRUE);
    pgs_CmdBeginTransformFeedbackEXT(second, 0, 0, NULL, NULL);
    bind(second, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(second, 0, 0, NULL, NULL);
    expect(second, "");
    begin(cmd, 0);
    condition(cmd, 4, false);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    expect(cmd, "?104 . i104 c1 b h k5 n ?104 [ Pe0 d5 ] . ");

    begin(cmd, 0);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    condition(cmd, 8, true);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "i108! c1 b h k5 n i0 c1 b h k5 n "
                "[ ?108! Pe0 d5 . Pe0 d5 ] ");
}

/* One that could inherit a condition may have its own; and one that cannot asks for none. */
static void test_condition_of_secondary(void **context)
{
    (void)context;
    for (VkBool32 enable = VK_FALSE; enable <= VK_TRUE; enable++) {
        begin_inheriting(second, enable);
        bind(second, EMULATED);
        condition(second, 12, false);
        pgs_CmdDraw(second, 5, 1, 0, 0);
        pgs_CmdEndConditionalRenderingEXT(second);
        pgs_CmdDraw(second, 6, 1, 0, 0);
        expect(second, "");
        begin(cmd, 0);
        begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        pgs_CmdExecuteCommands(cmd, 1, &second);
        pgs_CmdEndRenderPass(cmd);
        expect(cmd, enable ? "i0 c2 h [ Pe0 ?10c d5 . d6 ] " : "c2 [ Pe0 ?10c d5 . d6 ] ");
    }
}

static VkResult try_all(void)
{
    begin_inheriting(second, VK_TRUE);
    bind(second, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    VkResult result = pgs_EndCommandBuffer(second);
    if (result != VK_SUCCESS)
        return result;
    begin(cmd, 0);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    return pgs_EndCommandBuffer(cmd);
}

static void test_failures(void **context)
{
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n < 100);
        pgs_alloc_fail_after(n, false);
        result = try_all();
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(teardown(context), 0); /* so that the next time all is allocated anew */
        assert_int_equal(setup(context), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_condition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inherited_condition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_condition_of_secondary, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
