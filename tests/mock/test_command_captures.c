/* SPDX-License-Identifier: MIT
 *
 * Captures over what was drawn from: the pass is ended in front of them and resumed, on a fake
 * driver, draw module and pipeline module.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_split.h"

#include "command/pass/open_query.h"

static void bind_vertex(unsigned buffer)
{
    const VkBuffer handle = HANDLE(VkBuffer, buffer);
    const VkDeviceSize offset = 8;
    pgs_CmdBindVertexBuffers(cmd, 0, 1, &handle, &offset);
}

static void capture(unsigned buffer, VkDeviceSize size)
{
    const VkBuffer handle = HANDLE(VkBuffer, buffer);
    const VkDeviceSize offset = 0;
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &handle, &offset, &size);
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
}

/* What was read may be overwritten. */
static void order_captures(void)
{
    pgs_CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                           VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 0, NULL, 0, NULL, 0,
                           NULL);
}

static void move(unsigned from, unsigned to)
{
    bind_vertex(from);
    capture(to, VK_WHOLE_SIZE);
    order_captures();
}

static void test_captures(void **context)
{
    (void)context;
    dev.xfb = true;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    fake_possible = true; /* a capture may come in any pass */
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    begin(cmd, 0);
    bind_vertex(0xb); /* not drawn from in the pass */
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xa, 0xb);
    move(0xb, 0xc);
    move(0xc, 0xb);
    move(0xb, 0xd);
    move(0xd, 0xc);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(
        event_log.text,
        "bind vertices; barrier; batch of 1; begin capture; capture; end capture; batch of 1; "
        "begin capture; capture; end capture; begin pass; bind COUNTED; bind vertices; draw 3; "
        "barrier; bind vertices; draw 3; barrier; bind vertices; end pass; barrier; batch of 1; "
        "begin capture; capture; end capture; batch of 1; begin capture; capture; end capture; "
        "begin pass; draw 3; barrier; bind vertices; draw 3; barrier; bind vertices; end pass; "
        "barrier; batch of 1; begin capture; capture; end capture; begin pass; draw 3; barrier; "
        "end pass");
    assert_int_equal(driver.begun_count, 3);
    assert_int_equal(driver.begun[0], (uintptr_t)pass);
    assert_int_equal(driver.begun[1], (uintptr_t)pass + 1);
    assert_int_equal(driver.begun[2], (uintptr_t)pass + 1);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* Where the driver loses memory with each pass, it stays one, and the log says what may be wrong.
 */
static void test_captures_in_a_kept_pass(void **context)
{
    (void)context;
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    VkRenderPass pass;
    dev.xfb = true;
    fake_possible = true;
    physical.traits.keeps_passes = true;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass), VK_SUCCESS);
    begin(cmd, 0);
    begin_draw(pass);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xa, 0xb);
    move(0xb, 0xa); /* from which the pass has drawn */
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(driver.begun_count, 1);
    physical.traits.keeps_passes = false;
    forget();
    driver.begun_count = 0;
    begin(cmd, 0);
    begin_draw(pass);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xa, 0xb);
    move(0xb, 0xa);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(driver.begun_count, 2);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* Indirect arguments, and what lies behind the captured range. */
static void test_capture_ranges(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    static const char *const want[] = {
        "batch of 1; begin capture; capture; end capture; begin rendering; bind COUNTED; "
        "draw indirect 1@16*16; barrier; draw 3; end rendering",
        "begin rendering; bind COUNTED; draw indirect 1@16*16; barrier; end rendering; barrier; "
        "batch of 1; begin capture; capture; end capture; begin rendering; draw 3; end rendering",
        "begin rendering; bind COUNTED; draw indirect 1@16*16; barrier; end rendering; barrier; "
        "batch of 1; begin capture; capture; end capture; begin rendering; draw 3; end rendering",
        "batch of 1; begin capture; capture; end capture; begin rendering; bind COUNTED; "
        "draw indirect 1@16*16; draw 3; end rendering",
        "begin rendering; bind COUNTED; draw indirect 1@0*16; barrier; end rendering; barrier; "
        "batch of 1; begin capture; capture; end capture; begin rendering; draw 3; end rendering"};
    static const VkDeviceSize sizes[] = {8, 20, VK_WHOLE_SIZE, VK_WHOLE_SIZE, 20};
    const bool split[] = {false, true, true, false, true};
    dev.xfb = true;
    fake_possible = true;
    for (int i = 0; i < 5; i++) {
        forget();
        begin(cmd, 0);
        pgs_CmdBeginRendering(cmd, &info);
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
        if (i < 4)
            pgs_CmdDrawIndirect(cmd, HANDLE(VkBuffer, 0xb), 16, 1, 16);
        else
            pgs_CmdDrawIndirectCount(cmd, HANDLE(VkBuffer, 0xa), 0, HANDLE(VkBuffer, 0xb), 16, 1,
                                     16);
        if (i != 3) /* else it cannot mean the same bytes */
            order_captures();
        capture(0xb, sizes[i]);
        pgs_CmdEndRendering(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_string_equal(event_log.text, want[i]);
        assert_int_equal(driver.color_load,
                         split[i] ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR);
    }
}

/* Ordered only when the interval has begun already. */
static void test_capture_begun(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkBuffer handle = HANDLE(VkBuffer, 0xb);
    const VkDeviceSize offset = 0;
    dev.xfb = true;
    fake_possible = true;
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    bind_vertex(0xb);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &handle, &offset, NULL);
    pgs_CmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    bind_vertex(0xa);
    order_captures();
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    order_captures(); /* what was read in between is not captured to */
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    pgs_CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(
        event_log.text,
        "batch of 0; begin capture; begin rendering; bind COUNTED; bind vertices; draw 3; "
        "bind vertices; end rendering; barrier; batch of 1; capture; batch of 1; capture; "
        "end capture; begin rendering; barrier; draw 4; barrier; draw 5; end rendering");
}

/* The parts store what the application does not, and the last one resolves. */
static void test_captures_unstored(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageView = HANDLE(VkImageView, 2),
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    VkRenderPass pass;
    dev.xfb = true;
    fake_possible = true;
    assert_int_equal(render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 2, &pass), VK_SUCCESS);
    const VkRenderPassBeginInfo pass_info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
    };
    for (int classic = 0; classic < 2; classic++) {
        forget();
        begin(cmd, 0);
        if (classic)
            pgs_CmdBeginRenderPass(cmd, &pass_info, VK_SUBPASS_CONTENTS_INLINE);
        else
            pgs_CmdBeginRendering(cmd, &info);
        if (classic)
            pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
        for (int i = 0; i < 3; i++)
            move(0xb, 0xb);
        if (classic)
            pgs_CmdEndRenderPass(cmd);
        else
            pgs_CmdEndRendering(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    }
    assert_string_equal(
        event_log.text,
        "barrier; batch of 1; begin capture; capture; end capture; begin pass; next subpass; "
        "bind COUNTED; bind vertices; draw 3; barrier; bind vertices; end pass; barrier; "
        "batch of 1; begin capture; capture; end capture; begin pass; next subpass; draw 3; "
        "barrier; bind vertices; end pass; barrier; batch of 1; begin capture; capture; "
        "end capture; begin pass; next subpass; draw 3; barrier; end pass");
    assert_int_equal(driver.rendering_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(driver.color_stores[i],
                         i < 2 ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE);
        assert_int_equal(driver.resolves[i],
                         i < 2 ? VK_RESOLVE_MODE_NONE : VK_RESOLVE_MODE_AVERAGE_BIT);
    }
    assert_int_equal(driver.color_load, VK_ATTACHMENT_LOAD_OP_LOAD);
    assert_int_equal(driver.begun_count, 3);
    static const struct made_pass want[3] = {
        {.load = VK_ATTACHMENT_LOAD_OP_CLEAR, .store = VK_ATTACHMENT_STORE_OP_STORE},
        {.load = VK_ATTACHMENT_LOAD_OP_LOAD, .store = VK_ATTACHMENT_STORE_OP_STORE},
        {.load = VK_ATTACHMENT_LOAD_OP_LOAD, .store = VK_ATTACHMENT_STORE_OP_DONT_CARE},
    };
    for (int i = 0; i < 3; i++) {
        const struct made_pass *made = &driver.passes[driver.begun[i] - (uintptr_t)pass];
        assert_int_equal(made->load, want[i].load);
        assert_int_equal(made->store, want[i].store);
        assert_int_equal(made->initial, i ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED);
    }
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* A query goes around the instances. A secondary cannot be split while one is active: it is drawn
 * as well as can be. */
static void test_captures_queried(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkQueryPool queries = HANDLE(VkQueryPool, 3);
    dev.xfb = true;
    fake_possible = true;
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xb, 0xb);
    move(0xb, 0xb);
    pgs_CmdEndQuery(cmd, queries, 1);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "batch of 1; begin capture; capture; end capture; begin rendering; "
                        "end rendering; barrier; begin query 1; begin rendering; bind COUNTED; "
                        "bind vertices; draw 3; barrier; bind vertices; end rendering; barrier; "
                        "batch of 1; begin capture; capture; end capture; begin rendering; "
                        "draw 3; barrier; end rendering; end query 1; barrier; begin rendering; "
                        "end rendering");
    assert_int_equal(driver.rendering_count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(driver.color_stores[i], VK_ATTACHMENT_STORE_OP_STORE);
    assert_int_equal(driver.color_load, VK_ATTACHMENT_LOAD_OP_LOAD);

    VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBuffer first = cmd;
    cmd = second;
    begin(cmd, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    forget();
    pgs_CmdBeginQuery(cmd, queries, 1, 0);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xb, 0xb);
    move(0xb, 0xb);
    pgs_CmdEndQuery(cmd, queries, 1);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    cmd = first;
    begin(cmd, 0);
    forget();
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_string_equal(event_log.text,
                        "batch of 1; begin capture; capture; end capture; batch of 1; "
                        "begin capture; capture; end capture; begin rendering; begin query 1; "
                        "bind COUNTED; bind vertices; draw 3; barrier; bind vertices; draw 3; "
                        "barrier; end query 1; end rendering");
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

/* Queries that cannot go around instances. */
static void test_captures_unsplit(void **context)
{
    (void)context;
    static const char drawn[] = "batch of 1; begin capture; capture; end capture; batch of 1; "
                                "begin capture; capture; end capture; begin rendering; "
                                "begin query 1; bind COUNTED; bind vertices; draw 3; barrier; "
                                "bind vertices; draw 3; barrier; end query 1; end rendering";
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 1),
    };
    const struct pgs_open_query fixed = {.pool = HANDLE(VkQueryPool, 3), .query = 1, .fixed = true};
    dev.xfb = true;
    fake_possible = true;
    for (int views = 0; views < 2; views++) {
        const VkRenderingInfo info = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
            .viewMask = views ? 3 : 0,
            .colorAttachmentCount = 1,
            .pColorAttachments = &color,
        };
        begin(cmd, 0);
        forget();
        pgs_CmdBeginRendering(cmd, &info);
        if (views)
            pgs_CmdBeginQuery(cmd, fixed.pool, 1, 0);
        else /* it counts compute shaders */
            pgs_open_query_begin(pgs_command_buffer_find(cmd), &fixed);
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
        move(0xb, 0xb);
        move(0xb, 0xb);
        pgs_CmdEndQuery(cmd, fixed.pool, 1);
        pgs_CmdEndRendering(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_string_equal(event_log.text, drawn);
    }

    /* One is around when the other begins: the pass cannot end where the first one ends. */
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdBeginQuery(cmd, fixed.pool, 2, 0);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, COUNTED);
    move(0xb, 0xb);
    move(0xb, 0xb);
    pgs_open_query_begin(pgs_command_buffer_find(cmd), &fixed);
    pgs_CmdEndQuery(cmd, fixed.pool, 2);
    pgs_CmdEndQuery(cmd, fixed.pool, 1);
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_ERROR_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_captures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_captures_in_a_kept_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(test_capture_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_capture_begun, setup, teardown),
        cmocka_unit_test_setup_teardown(test_captures_unstored, setup, teardown),
        cmocka_unit_test_setup_teardown(test_captures_queried, setup, teardown),
        cmocka_unit_test_setup_teardown(test_captures_unsplit, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
