/* SPDX-License-Identifier: MIT
 *
 * Transform feedback in the command module, on a fake driver, draw module and pipeline module: what
 * the batches are asked for, and that the driver sees only what it knows.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_events.h"

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    switch (what) {
    case FAKE_BEGIN_CAPTURE:
        note("begin capture %x,%x,%x", (unsigned)a, (unsigned)b, (unsigned)c);
        break;
    case FAKE_CAPTURE:
        note("capture %s%u@%x", c ? "native " : "", (unsigned)b, (unsigned)a);
        break;
    case FAKE_END_CAPTURE:
        note("end capture %x,%x", (unsigned)a, (unsigned)b);
        break;
    default:
        note_module(what, a);
    }
}

/* --- The driver --- */

static void draw_indexed(VkCommandBuffer cb, uint32_t indices, uint32_t instances, uint32_t first,
                         int32_t offset, uint32_t first_instance)
{
    (void)cb, (void)instances, (void)first, (void)offset, (void)first_instance;
    note("draw indexed %u", indices);
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags source, VkPipelineStageFlags target,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                    uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)flags, (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("barrier %x:%x>%x:%x", source, memory_count ? memory->srcAccessMask : 0, target,
         memory_count ? memory->dstAccessMask : 0);
}

static void barrier2(VkCommandBuffer cb, const VkDependencyInfo *info)
{
    (void)cb;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        note("barrier 2 %llx:%llx>%llx:%llx", (unsigned long long)b->srcStageMask,
             (unsigned long long)b->srcAccessMask, (unsigned long long)b->dstStageMask,
             (unsigned long long)b->dstAccessMask);
    }
}

static void wait_events(VkCommandBuffer cb, uint32_t count, const VkEvent *events,
                        VkPipelineStageFlags source, VkPipelineStageFlags target,
                        uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
                        const VkBufferMemoryBarrier *buffer, uint32_t image_count,
                        const VkImageMemoryBarrier *image)
{
    (void)cb, (void)count, (void)source, (void)target, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("wait %x", (unsigned)(uintptr_t)events[0]);
}

static VkSubpassDependency created;

static VkResult create_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    created = info->pDependencies[info->dependencyCount - 1];
    *pass = HANDLE(VkRenderPass, 0x77);
    return VK_SUCCESS;
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    forget();
    fake_possible = true;
    dev = (struct pgs_device){
        .active = true,
        .xfb = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                .CreateRenderPass = create_pass,
                .DestroyRenderPass = fake_DestroyRenderPass,
                FAKE_EVENT_DISPATCH,
                .CmdDrawIndexed = draw_indexed,
                .CmdPipelineBarrier = barrier,
                .CmdPipelineBarrier2 = barrier2,
                .CmdWaitEvents = wait_events,
            },
    };
    return open_commands();
}

static int teardown(void **context)
{
    (void)context;
    return close_commands();
}

/* --- Transform feedback --- */

#define XFB_STAGE VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT
#define XFB_WRITE VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT
#define COUNTER_READ VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT
#define COUNTER_WRITE VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT
#define VERTEX_STAGE VK_PIPELINE_STAGE_VERTEX_SHADER_BIT
#define COMPUTE_STAGE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define SHADER_RW (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT)

static void bind_xfb(VkCommandBuffer cb, unsigned buffer, VkDeviceSize offset)
{
    const VkBuffer handle = HANDLE(VkBuffer, buffer);
    pgs_CmdBindTransformFeedbackBuffersEXT(cb, 0, 1, &handle, &offset, NULL);
}

/* counter 0: none. */
static void begin_xfb(VkCommandBuffer cb, unsigned counter)
{
    const VkBuffer handle = HANDLE(VkBuffer, counter);
    pgs_CmdBeginTransformFeedbackEXT(cb, 0, counter ? 1 : 0, counter ? &handle : NULL, NULL);
}

static void end_xfb(VkCommandBuffer cb, unsigned counter)
{
    const VkBuffer handle = HANDLE(VkBuffer, counter);
    pgs_CmdEndTransformFeedbackEXT(cb, 0, counter ? 1 : 0, counter ? &handle : NULL, NULL);
}

static void test_interval(void **context)
{
    (void)context;
    /* A native pipeline: its draws are captured while the interval lasts, and go down as they came.
     */
    begin(cmd, 0);
    bind_xfb(cmd, 0xb, 1);
    begin_inline();
    bind(cmd, COUNTED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    begin_xfb(cmd, 0xc);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdDraw(cmd, 0, 1, 0, 0);
    pgs_CmdDrawIndexed(cmd, 5, 1, 0, 0, 0);
    pgs_CmdDrawIndirect(cmd, HANDLE(VkBuffer, 1), 0, 1, 16);
    end_xfb(cmd, 0xd);
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 3; begin capture 1f01,b,c; capture native 4@1f01; "
                "capture native 5@1f01; capture native 1@1f01; end capture 1f01,d; begin pass; "
                "bind COUNTED; draw 3; draw 4; draw 0; draw indexed 5; draw indirect 1@0*16; "
                "draw 6; end pass");

    /* An emulated one. Nothing need be drawn; bindings outlast the pass. */
    begin(cmd, 0);
    bind_xfb(cmd, 0xb, 2);
    begin_inline();
    bind(cmd, EMULATED);
    begin_xfb(cmd, 0);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    end_xfb(cmd, 0);
    pgs_CmdEndRenderPass(cmd);
    begin_inline();
    begin_xfb(cmd, 0xc);
    end_xfb(cmd, 0xd);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 1; begin capture 1f02,b,0; capture 4@1f02; end capture 1f02,0; "
                "begin pass; bind EMULATED; replay 4; end pass; batch of 0; "
                "begin capture 1f02,b,c; end capture 1f02,d; begin pass; end pass");

    /* No command buffer knows what was bound in an earlier recording. */
    begin(cmd, 0);
    begin_inline();
    begin_xfb(cmd, 0);
    end_xfb(cmd, 0);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 0; begin capture 1f00,0,0; end capture 1f00,0; begin pass; end pass");
}

/* Nothing is known that counters could get. */
static void test_end_without_begin(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_inline();
    end_xfb(cmd, 0xd);
    begin_xfb(cmd, 0xc);
    end_xfb(cmd, 0xd);
    end_xfb(cmd, 0xe);
    pgs_CmdEndRenderPass(cmd);
    begin_inline();
    end_xfb(cmd, 0xf);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 0; begin capture 1f00,0,c; end capture 1f00,d; begin pass; end pass; "
                "begin pass; end pass");
}

/* Four of each, and more than there are. */
static void test_ranges(void **context)
{
    (void)context;
    const VkBuffer buffers[4] = {HANDLE(VkBuffer, 0xb0), HANDLE(VkBuffer, 0xb1),
                                 HANDLE(VkBuffer, 0xb2), HANDLE(VkBuffer, 0xb3)};
    const VkDeviceSize offsets[4] = {4, 8, 12, 16}, sizes[4] = {1, 2, 3, 4};
    begin(cmd, 0);
    pgs_CmdBindTransformFeedbackBuffersEXT(cmd, 1, 4, buffers, offsets, sizes);
    begin_inline();
    pgs_CmdBeginTransformFeedbackEXT(cmd, 1, 4, buffers, offsets); /* none for buffer 0 */
    assert_null(fake_last_bindings[0].buffer);
    for (int i = 1; i < 4; i++) {
        assert_ptr_equal(fake_last_bindings[i].buffer, buffers[i - 1]);
        assert_true(fake_last_bindings[i].offset_B == offsets[i - 1]);
        assert_true(fake_last_bindings[i].size_B == sizes[i - 1]);
    }
    pgs_CmdEndTransformFeedbackEXT(cmd, 3, UINT32_MAX, NULL, NULL);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 0; begin capture 1f00,0,0; end capture 1f00,0; begin pass; end pass");
}

static void byte_count(VkCommandBuffer cb)
{
    pgs_CmdDrawIndirectByteCountEXT(cb, 2, 0, HANDLE(VkBuffer, 0xc), 4, 8, 16);
}

static void test_byte_count(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_inline();
    bind(cmd, NATIVE); /* nothing stands behind it */
    byte_count(cmd);
    bind(cmd, COUNTED);
    byte_count(cmd);
    begin_xfb(cmd, 0);
    byte_count(cmd);
    end_xfb(cmd, 0);
    bind(cmd, EMULATED);
    byte_count(cmd);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd,
           "batch of 3; begin capture 1f00,0,0; capture native 0@1f00; end capture 1f00,0; "
           "begin pass; bind NATIVE; bind COUNTED; replay 0; replay 0; bind EMULATED; replay 0; "
           "end pass");
}

/* The native pipeline's dynamic state is the driver's, before and after emulated draws. */
static void test_native_state(void **context)
{
    (void)context;
    begin(cmd, 0);
    begin_inline();
    bind(cmd, COUNTED);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
    bind(cmd, EMULATED);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
    bind(cmd, COUNTED);
    begin_xfb(cmd, 0);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    assert_int_equal(fake_last_state.topology, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    end_xfb(cmd, 0);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 1; begin capture 1f00,0,0; capture native 2@1f00; end capture 1f00,0; "
                "begin pass; bind COUNTED; topology 5; bind EMULATED; topology 2; bind COUNTED; "
                "topology 1; draw 2; end pass");
}

static void xfb_barrier(VkPipelineStageFlags source, VkAccessFlags source_access,
                        VkPipelineStageFlags target, VkAccessFlags target_access)
{
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = source_access,
        .dstAccessMask = target_access,
    };
    pgs_CmdPipelineBarrier(cmd, source, target, 0, 1, &memory, 0, NULL, 0, NULL);
    assert_int_equal(memory.srcAccessMask, source_access);
}

static void xfb_barrier2(VkPipelineStageFlags2 source, VkAccessFlags2 source_access,
                         VkPipelineStageFlags2 target, VkAccessFlags2 target_access)
{
    const VkMemoryBarrier2 memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = source,
        .srcAccessMask = source_access,
        .dstStageMask = target,
        .dstAccessMask = target_access,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &memory,
    };
    pgs_CmdPipelineBarrier2(cmd, &info);
}

/* Formats the barrier that is to come. */
static const char *masks(const char *kind, VkPipelineStageFlags2 source,
                         VkAccessFlags2 source_access, VkPipelineStageFlags2 target,
                         VkAccessFlags2 target_access)
{
    static char text[128];
    snprintf(text, sizeof(text), "barrier %s%llx:%llx>%llx:%llx", kind, (unsigned long long)source,
             (unsigned long long)source_access, (unsigned long long)target,
             (unsigned long long)target_access);
    return text;
}

static void test_barriers(void **context)
{
    (void)context;
    const VkPipelineStageFlags moved = VERTEX_STAGE | COMPUTE_STAGE;
    begin(cmd, 0);
    xfb_barrier(XFB_STAGE, XFB_WRITE, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
    expect_events(masks("", moved, VK_ACCESS_SHADER_WRITE_BIT,
                        VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VERTEX_STAGE | COMPUTE_STAGE,
                        VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT));
    xfb_barrier(XFB_STAGE, COUNTER_WRITE, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, COUNTER_READ);
    expect_events(masks("", moved, VK_ACCESS_SHADER_WRITE_BIT,
                        VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | COMPUTE_STAGE,
                        VK_ACCESS_SHADER_READ_BIT));
    xfb_barrier(XFB_STAGE, COUNTER_WRITE | XFB_WRITE, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
    expect_events(masks("", moved, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                        VK_ACCESS_HOST_READ_BIT));
    xfb_barrier2(VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, COUNTER_WRITE,
                 VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, COUNTER_READ | XFB_WRITE);
    expect_events(masks("2 ", moved, VK_ACCESS_SHADER_WRITE_BIT, moved, SHADER_RW));
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* Between draws of one subpass: a new batch, and only stages of graphics. */
static void test_barriers_in_pass(void **context)
{
    (void)context;
    char want[1024];
    begin(cmd, 0);
    begin_inline();
    bind(cmd, COUNTED);
    begin_xfb(cmd, 0);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdDraw(cmd, 4, 1, 0, 0); /* no barrier is owed */
    xfb_barrier(XFB_STAGE, XFB_WRITE, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
    pgs_CmdDraw(cmd, 5, 1, 0, 0); /* the same interval goes on in the next batch */
    end_xfb(cmd, 0xc);
    xfb_barrier2(VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, COUNTER_WRITE,
                 VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, COUNTER_READ);
    byte_count(cmd);
    pgs_CmdEndRenderPass(cmd);
    snprintf(want, sizeof(want),
             "batch of 2; begin capture 1f00,0,0; capture native 3@1f00; capture native 4@1f00; "
             "batch of 1; capture native 5@1f00; end capture 1f00,c; batch of 1; begin pass; "
             "bind COUNTED; draw 3; draw 4; %s; draw 5",
             masks("", VERTEX_STAGE, VK_ACCESS_SHADER_WRITE_BIT,
                   VERTEX_STAGE | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT));
    snprintf(want + strlen(want), sizeof(want) - strlen(want), "; %s; replay 0; end pass",
             masks("2 ", VERTEX_STAGE, VK_ACCESS_SHADER_WRITE_BIT,
                   VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT));
    expect(cmd, want);
}

/* What waits in a later subpass, or after the pass, for capture in it. */
static void test_dependencies(void **context)
{
    (void)context;
    const VkSubpassDependency dependencies[2] = {
        {.srcSubpass = VK_SUBPASS_EXTERNAL,
         .srcStageMask = XFB_STAGE,
         .dstStageMask = XFB_STAGE | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
         .srcAccessMask = COUNTER_WRITE | XFB_WRITE,
         .dstAccessMask = COUNTER_READ | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT},
        {.dstSubpass = VK_SUBPASS_EXTERNAL,
         .srcStageMask = XFB_STAGE,
         .dstStageMask = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
         .srcAccessMask = XFB_WRITE,
         .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT},
    };
    VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .dependencyCount = 1,
        .pDependencies = dependencies,
    };
    const VkPipelineStageFlags input = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT;
    const VkAccessFlags fetch = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT;
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    assert_int_equal(created.srcStageMask, VERTEX_STAGE | COMPUTE_STAGE);
    assert_int_equal(created.srcAccessMask, VK_ACCESS_SHADER_WRITE_BIT);
    assert_int_equal(created.dstStageMask, VERTEX_STAGE | input);
    assert_int_equal(created.dstAccessMask, VK_ACCESS_SHADER_READ_BIT | fetch);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    info.dependencyCount = 2;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    assert_int_equal(created.srcStageMask, VERTEX_STAGE);
    assert_int_equal(created.srcAccessMask, VK_ACCESS_SHADER_WRITE_BIT);
    assert_int_equal(created.dstStageMask, input | VERTEX_STAGE | COMPUTE_STAGE);
    assert_int_equal(created.dstAccessMask, VK_ACCESS_SHADER_READ_BIT | fetch);

    char want[1024];
    begin(cmd, 0);
    begin_inline();
    begin_xfb(cmd, 0);
    end_xfb(cmd, 0);
    pgs_CmdEndRenderPass(cmd);
    snprintf(want, sizeof(want), "%s; batch of 0; begin capture 1f00,0,0; end capture 1f00,0",
             masks("", VERTEX_STAGE | COMPUTE_STAGE, VK_ACCESS_SHADER_WRITE_BIT, COMPUTE_STAGE,
                   VK_ACCESS_SHADER_READ_BIT));
    snprintf(want + strlen(want), sizeof(want) - strlen(want), "; %s; begin pass; end pass",
             masks("", COMPUTE_STAGE, VK_ACCESS_SHADER_WRITE_BIT,
                   input | VERTEX_STAGE | COMPUTE_STAGE, VK_ACCESS_SHADER_READ_BIT | fetch));
    expect(cmd, want);

    begin(cmd, 0); /* without compute work nothing is added */
    begin_inline();
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "begin pass; end pass");
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void test_secondaries(void **context)
{
    (void)context;
    VkCommandBuffer second = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin(second, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    bind_xfb(second, 0xb, 3);
    bind(second, COUNTED);
    begin_xfb(second, 0xc);
    pgs_CmdDraw(second, 5, 1, 0, 0);
    end_xfb(second, 0xc);
    expect(second, "");
    begin(cmd, 0);
    bind_xfb(cmd, 0xb, 4);
    begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    pgs_CmdExecuteCommands(cmd, 1, &second);
    pgs_CmdEndRenderPass(cmd);
    begin_inline(); /* what was bound is undefined now */
    begin_xfb(cmd, 0);
    end_xfb(cmd, 0);
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, "batch of 1; begin capture 1f03,b,c; capture native 5@1f03; end capture 1f03,c; "
                "begin pass; bind COUNTED; draw 5; end pass; batch of 0; "
                "begin capture 1f00,0,0; end capture 1f00,0; begin pass; end pass");
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &second);
}

/* The compute work of a secondary waits for what the secondary waits for. */
static void test_secondary_waits(void **context)
{
    (void)context;
    VkCommandBuffer second[2];
    for (uint32_t i = 0; i < 2; i++) {
        const VkEvent event = HANDLE(VkEvent, 0x91 + i);
        second[i] = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        begin(second[i], VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
        pgs_CmdWaitEvents(second[i], 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                          VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0, NULL, 0, NULL, 0, NULL);
        bind(second[i], EMULATED);
        pgs_CmdDraw(second[i], 5 + i, 1, 0, 0);
        pgs_CmdDraw(second[i], 7 + i, 1, 0, 0);
        assert_int_equal(pgs_EndCommandBuffer(second[i]), VK_SUCCESS);
    }
    forget();
    for (int times = 0; times < 2; times++) { /* they may be executed again */
        begin(cmd, 0);
        begin_test_pass(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        pgs_CmdExecuteCommands(cmd, 2, second);
        pgs_CmdEndRenderPass(cmd);
        expect(cmd, "wait 91; batch of 2; wait 92; batch of 2; begin pass; wait 91; "
                    "bind EMULATED; replay 5; replay 7; wait 92; bind EMULATED; replay 6; "
                    "replay 8; end pass");
    }
    pgs_FreeCommandBuffers(dev.handle, pool, 2, second);
}

/* Bound, and begun, while no pass was queued. */
static void test_capture_begins_queueing(void **context)
{
    (void)context;
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    fake_possible = false;
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    bind(cmd, COUNTED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    begin_xfb(cmd, 0); /* makes it possible, if nothing did before */
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    end_xfb(cmd, 0);
    pgs_CmdEndRendering(cmd);
    char want[1024];
    snprintf(want, sizeof(want),
             "begin rendering; bind COUNTED; draw 3; end rendering; %s; batch of 1; "
             "begin capture 1f00,0,0; capture native 4@1f00; end capture 1f00,0; "
             "begin rendering; draw 4; end rendering",
             masks("", VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT));
    expect(cmd, want);
}

/* A draw by byte count needs no pipeline, and no pool, that is special. */
static void test_byte_count_begins_queueing(void **context)
{
    (void)context;
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    fake_possible = false;
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    bind(cmd, COUNTED);
    byte_count(cmd);
    pgs_CmdEndRendering(cmd);
    assert_non_null(
        strstr(event_log.text, "; batch of 1; begin rendering; replay 0; end rendering"));
    assert_true(fake_possible);
    forget();
    expect(cmd, "");
}

/* Every failure is reported, and leaves nothing behind. */
static void test_failures(void **context)
{
    (void)context;
    bool done = false;
    for (int64_t n = 1; !done; n++) {
        assert_true(n < 100);
        VkCommandBuffer cb = new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        const VkCommandBuffer before = cmd;
        cmd = cb;
        begin(cmd, 0);
        pgs_alloc_fail_after(n, false);
        bind_xfb(cmd, 0xb, 0);
        begin_inline();
        bind(cmd, COUNTED);
        begin_xfb(cmd, 0xc);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        xfb_barrier(XFB_STAGE, XFB_WRITE, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                    VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
        byte_count(cmd);
        end_xfb(cmd, 0xc);
        pgs_CmdEndRenderPass(cmd);
        const VkResult result = pgs_EndCommandBuffer(cmd);
        done = result == VK_SUCCESS;
        assert_true(done || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        pgs_alloc_fail_after(0, false);
        pgs_FreeCommandBuffers(dev.handle, pool, 1, &cmd);
        cmd = before;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_interval, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_byte_count, setup, teardown),
        cmocka_unit_test_setup_teardown(test_byte_count_begins_queueing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_native_state, setup, teardown),
        cmocka_unit_test_setup_teardown(test_barriers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_barriers_in_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(test_dependencies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_end_without_begin, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondary_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_capture_begins_queueing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
