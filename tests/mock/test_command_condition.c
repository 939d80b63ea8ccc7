/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering in the command module, on a fake driver, draw module and pipeline module:
 * what of it the driver sees, and who asks for an inherited condition.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_events.h"
#include "fake_queries.h"
#include "vulkan/chain.h"

static uint64_t written_slot; /* of an inherited condition */
static uint64_t heeded_slot;  /* likewise, as the driver was told */

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    switch (what) {
    case FAKE_STORE_CONDITION:
        assert_int_equal(a % 16, 0);
        written_slot = a;
        assert_true(!heeded_slot || heeded_slot == a);
        if (b == 1)
            note("store inherited condition");
        else
            note("store condition %x%s", (unsigned)b, c ? " inverted" : "");
        break;
    case FAKE_ASK_CONDITION:
        assert_int_equal(a, written_slot ? written_slot : heeded_slot);
        note("ask condition");
        break;
    case FAKE_CAPTURE:
        note("capture %u", (unsigned)b);
        break;
    default:
        note_module(what, a);
    }
}

/* --- The driver --- */

/* Of a condition that is inherited the driver sees a slot, where the count of the instances is. */
static void begin_condition(VkCommandBuffer cb, const VkConditionalRenderingBeginInfoEXT *info)
{
    (void)cb;
    if ((uintptr_t)info->buffer >> 32) {
        heeded_slot = (uintptr_t)info->buffer + info->offset - 4;
        assert_int_equal(heeded_slot % 16, 0);
        assert_int_equal(info->flags, 0);
        note("begin inherited condition");
        return;
    }
    note("begin condition %x%s", (unsigned)((uintptr_t)info->buffer + info->offset),
         info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT ? " inverted" : "");
}

static bool told_of_inheritance;

static VkResult begin_buffer(VkCommandBuffer cb, const VkCommandBufferBeginInfo *info)
{
    (void)cb;
    told_of_inheritance =
        info->pInheritanceInfo &&
        pgs_chain_find(info->pInheritanceInfo->pNext,
                       VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
    return VK_SUCCESS;
}

/* The application's: it is not hooked. */
static void dispatch(uint32_t groups)
{
    note("dispatch %u", groups);
}

/* --- Set-up --- */

static VkCommandBuffer second, third;

static int setup(void **context)
{
    (void)context;
    forget();
    written_slot = heeded_slot = 0;
    fake_possible = true;
    prepare_memory();
    dev = (struct pgs_device){
        .active = true,
        .xfb = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_QUERY_DISPATCH,
                FAKE_EVENT_DISPATCH,
                .CmdBeginConditionalRenderingEXT = begin_condition,
                .CmdPipelineBarrier = note_barrier,
            },
    };
    dev.vk.BeginCommandBuffer = begin_buffer;
    if (open_commands() != 0 || open_memory() != 0)
        return -1;
    second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    third = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    return 0;
}

static int teardown(void **context)
{
    (void)context;
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &third);
    close_commands();
    return close_memory() || pgs_alloc_live();
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
    expect(cmd, "begin condition 104 inverted; end condition; batch of 1; "
                "begin condition 104 inverted; begin pass; bind EMULATED; replay 3; end pass; "
                "end condition; batch of 1; begin pass; bind EMULATED; replay 4; end pass");

    /* In the pass. */
    begin(cmd, 0);
    begin_inline();
    bind(cmd, EMULATED);
    condition(cmd, 8, false);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 1; begin pass; bind EMULATED; begin condition 108; replay 3; "
                "end condition; end pass");
}

static VkResult begin_inheriting(VkCommandBuffer cb, VkCommandBufferUsageFlags flags,
                                 VkBool32 enable)
{
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = enable,
    };
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .pNext = &conditional,
    };
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &rendering,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
        .pInheritanceInfo = &inherited,
    };
    const VkResult result = pgs_BeginCommandBuffer(cb, &info);
    assert_ptr_equal(rendering.pNext, &conditional);
    assert_true(told_of_inheritance == (flags != 0) || result != VK_SUCCESS);
    return result;
}

static void begin_continuing(VkCommandBuffer cb, VkBool32 enable)
{
    assert_int_equal(begin_inheriting(cb, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, enable),
                     VK_SUCCESS);
}

/* A secondary does not know the condition that it inherits: its draws ask for what the primary
 * finds out for it. What is no draw (Begin, End, queries) is under no condition. */
static void test_inherited_condition(void **context)
{
    (void)context;
    for (int i = 0; i < 2; i++) {
        const VkCommandBuffer cb = i ? third : second;
        begin_continuing(cb, VK_TRUE);
        pgs_CmdBeginTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
        bind(cb, EMULATED);
        pgs_CmdDraw(cb, 5 + i, 1, 0, 0);
        pgs_CmdEndTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
        expect(cb, "");
    }
    begin(cmd, 0);
    condition(cmd, 4, false);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    expect(cmd, "begin condition 104; end condition; store condition 104; batch of 1; "
                "begin capture; ask condition; capture 5; end capture; begin condition 104; "
                "begin pass; bind EMULATED; replay 5; end pass; end condition");

    begin(cmd, 0);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    condition(cmd, 8, true);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    pgs_CmdExecuteCommands(cmd, 1, &third);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "store condition 108 inverted; batch of 1; begin capture; ask condition; "
                "capture 5; end capture; store condition 0; batch of 1; begin capture; "
                "ask condition; capture 6; end capture; begin pass; "
                "begin condition 108 inverted; bind EMULATED; replay 5; end condition; "
                "bind EMULATED; replay 6; end pass");
}

static void begin_stored(void)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    pgs_CmdBeginRendering(cmd, &info);
}

/* One that is executed under several conditions, within a pass too: each time it finds its own. */
static void test_several_conditions(void **context)
{
    (void)context;
    begin_continuing(second, VK_TRUE);
    bind(second, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    expect(second, "");
    begin(cmd, 0);
    begin_stored();
    for (int i = 0; i < 2; i++) {
        condition(cmd, 4 + 4 * (unsigned)i, i);
        pgs_CmdExecuteCommands(cmd, 1, &second);
        pgs_CmdEndConditionalRenderingEXT(cmd);
    }
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "store condition 104; batch of 1; ask condition; begin rendering; "
                "begin condition 104; bind EMULATED; replay 5; end condition; "
                "begin condition 108 inverted; end condition; end rendering; barrier; "
                "store condition 108 inverted; batch of 1; ask condition; begin rendering; "
                "begin condition 108 inverted; bind EMULATED; replay 5; end condition; "
                "end rendering; barrier; store condition 0; batch of 1; ask condition; "
                "begin rendering; bind EMULATED; replay 5; end rendering");
    begin(cmd, 0);
    condition(cmd, 4, false);
    for (int i = 0; i < 2; i++) {
        begin_stored();
        pgs_CmdExecuteCommands(cmd, 1, &second);
        pgs_CmdEndRendering(cmd);
    }
    pgs_CmdEndConditionalRenderingEXT(cmd);
    expect(cmd,
           "begin condition 104; end condition; store condition 104; batch of 1; ask condition; "
           "begin condition 104; begin rendering; bind EMULATED; replay 5; end rendering; "
           "end condition; store condition 104; batch of 1; ask condition; begin condition 104; "
           "begin rendering; bind EMULATED; replay 5; end rendering; end condition");
}

/* One that could inherit a condition may have its own; and one that cannot asks for none. */
static void test_condition_of_secondary(void **context)
{
    (void)context;
    for (VkBool32 enable = VK_FALSE; enable <= VK_TRUE; enable++) {
        begin_continuing(second, enable);
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
        expect(cmd, enable
                        ? "store condition 0; batch of 2; ask condition; begin pass; "
                          "bind EMULATED; begin condition 10c; replay 5; end condition; replay 6; "
                          "end pass"
                        : "batch of 2; begin pass; bind EMULATED; begin condition 10c; replay 5; "
                          "end condition; replay 6; end pass");
    }
}

static void begin_outside(VkCommandBuffer cb, VkBool32 enable)
{
    assert_int_equal(begin_inheriting(cb, 0, enable), VK_SUCCESS);
}

/* The kind of pass that a secondary may begin. */
static void begin_whole(void)
{
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .layerCount = 1};
    pgs_CmdBeginRendering(second, &info);
}

static void record_whole(uint32_t vertices)
{
    begin_whole();
    bind(second, EMULATED);
    pgs_CmdDraw(second, vertices, 1, 0, 0);
    pgs_CmdEndRendering(second);
}

/* One that records whole passes: their compute work would be left out with them, and what is
 * inherited cannot be ended for it. */
static void test_condition_of_whole_passes(void **context)
{
    (void)context;
    begin_outside(second, VK_TRUE);
    record_whole(5);
    dispatch(9);
    expect(second, "begin inherited condition; end condition; batch of 1; ask condition; "
                   "begin inherited condition; begin rendering; bind EMULATED; replay 5; "
                   "end rendering; dispatch 9; end condition");

    begin(cmd, 0);
    condition(cmd, 4, true);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    dispatch(8);
    pgs_CmdEndConditionalRenderingEXT(cmd);
    pgs_CmdExecuteCommands(cmd, 2, (const VkCommandBuffer[]){second, second});
    expect(cmd, "begin condition 104 inverted; end condition; store condition 104 inverted; "
                "execute 1; begin condition 104 inverted; dispatch 8; end condition; "
                "store condition 0; store condition 0; execute 2");

    /* One that cannot inherit any. */
    begin_outside(second, VK_FALSE);
    record_whole(5);
    expect(second, "batch of 1; begin rendering; bind EMULATED; replay 5; end rendering");
    begin(cmd, 0);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    expect(cmd, "execute 1");
}

/* A secondary in a secondary inherits from the outermost, or what that one has begun. */
static void test_nested_conditions(void **context)
{
    (void)context;
    for (int own = 0; own <= 1; own++) {
        begin_continuing(third, VK_TRUE);
        bind(third, EMULATED);
        pgs_CmdDraw(third, 6, 1, 0, 0);
        expect(third, "");
        begin_continuing(second, !own);
        bind(second, EMULATED);
        pgs_CmdDraw(second, 5, 1, 0, 0);
        if (own)
            condition(second, 12, true);
        pgs_CmdExecuteCommands(second, 1, &third);
        if (own)
            pgs_CmdEndConditionalRenderingEXT(second);
        expect(second, "");
        begin(cmd, 0);
        if (!own)
            condition(cmd, 4, false);
        begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        pgs_CmdExecuteCommands(cmd, 1, &second);
        pgs_CmdEndRenderPass(cmd);
        expect(cmd, own ? "batch of 1; store condition 10c inverted; batch of 1; ask condition; "
                          "begin pass; bind EMULATED; replay 5; begin condition 10c inverted; "
                          "bind EMULATED; replay 6; end condition; end pass"
                        : "begin condition 104; end condition; store condition 104; batch of 1; "
                          "ask condition; store condition 104; batch of 1; ask condition; "
                          "begin condition 104; begin pass; bind EMULATED; replay 5; "
                          "bind EMULATED; replay 6; end pass");
    }

    /* Secondaries that record whole passes begin it themselves, so it ends around the inner one. */
    begin_outside(third, VK_TRUE);
    dispatch(9);
    expect(third, "begin inherited condition; dispatch 9; end condition");
    begin_outside(second, VK_TRUE);
    heeded_slot = 0;
    pgs_CmdExecuteCommands(second, 1, &third);
    dispatch(8);
    expect(second, "begin inherited condition; end condition; store inherited condition; "
                   "execute 1; begin inherited condition; dispatch 8; end condition");
}

/* It may have one of its own where there is none to inherit, in a pass too, even one that nothing
 * is emulated in. */
static void test_own_condition_of_whole_passes(void **context)
{
    (void)context;
    begin_outside(second, VK_TRUE);
    condition(second, 8, false);
    record_whole(5);
    pgs_CmdEndConditionalRenderingEXT(second);
    record_whole(6);
    expect(second, "begin inherited condition; end condition; begin condition 108; "
                   "end condition; batch of 1; begin condition 108; begin rendering; "
                   "bind EMULATED; replay 5; end rendering; end condition; "
                   "begin inherited condition; end condition; batch of 1; ask condition; "
                   "begin inherited condition; begin rendering; bind EMULATED; replay 6; "
                   "end rendering; end condition");
    for (int emulated = 0; emulated <= 1; emulated++) {
        fake_possible = emulated;
        begin_outside(second, VK_TRUE);
        begin_whole();
        condition(second, 12, false);
        bind(second, emulated ? EMULATED : NATIVE);
        pgs_CmdDraw(second, 5, 1, 0, 0);
        pgs_CmdEndConditionalRenderingEXT(second);
        pgs_CmdEndRendering(second);
        dispatch(9);
        expect(second, emulated
                           ? "begin inherited condition; end condition; batch of 1; "
                             "begin rendering; begin condition 10c; bind EMULATED; replay 5; "
                             "end condition; end rendering; begin inherited condition; dispatch 9; "
                             "end condition"
                           : "begin inherited condition; end condition; begin rendering; "
                             "begin condition 10c; bind NATIVE; draw 5; end condition; "
                             "end rendering; begin inherited condition; dispatch 9; end condition");
    }
}

static VkResult try_all(VkCommandBufferUsageFlags flags)
{
    VkResult result = begin_inheriting(second, flags, VK_TRUE);
    if (result != VK_SUCCESS)
        return result;
    if (!flags)
        begin_whole();
    bind(second, EMULATED);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    if (!flags)
        pgs_CmdEndRendering(second);
    result = pgs_EndCommandBuffer(second);
    if (result != VK_SUCCESS)
        return result;
    begin(cmd, 0);
    if (!flags) {
        pgs_CmdExecuteCommands(cmd, 1, &second);
        return pgs_EndCommandBuffer(cmd);
    }
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    return pgs_EndCommandBuffer(cmd);
}

static void fail_everywhere(void **context, VkCommandBufferUsageFlags flags)
{
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n < 100);
        pgs_alloc_fail_after(n, false);
        result = try_all(flags);
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(teardown(context), 0); /* so that the next time all is allocated anew */
        assert_int_equal(setup(context), 0);
    }
}

static void test_failures(void **context)
{
    fail_everywhere(context, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    fail_everywhere(context, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_condition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inherited_condition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_condition_of_secondary, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nested_conditions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_several_conditions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_condition_of_whole_passes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_own_condition_of_whole_passes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
