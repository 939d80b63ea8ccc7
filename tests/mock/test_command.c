/* SPDX-License-Identifier: MIT
 *
 * The command module on a fake driver, a fake draw module and a fake pipeline module: what reaches
 * the driver, in which order, and that every failure is reported and leaks nothing.
 */
#include "fake_modules.h"
#include "vulkan/recorder.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FAKE_LOG_B (1 << 18) /* for thousands of commands */
#include "fake_events.h"

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    note_module(what, a);
    if (what == FAKE_REPLAY)
        note_more(" with %u", (unsigned)b); /* pushed */
}

/* --- The driver --- */

static struct fake_object queue_object = {&fake_dispatch_key};

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)layout, (void)count;
    note("bind %sset %u: %x+%u", point ? "compute " : "", first, (unsigned)(uintptr_t)sets[0],
         offset_count ? offsets[0] : 0);
}

static void push(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                 uint32_t offset, uint32_t size, const void *values)
{
    uint32_t first;
    (void)cb, (void)layout;
    memcpy(&first, values, sizeof(first));
    note("push %u+%u to %x: %u", offset, size, stages, first);
}

static void bind_vertex(VkCommandBuffer cb, uint32_t first, uint32_t count, const VkBuffer *buffers,
                        const VkDeviceSize *offsets)
{
    (void)cb, (void)count;
    note("bind vertex %u: %x+%u", first, (unsigned)(uintptr_t)buffers[0], (unsigned)offsets[0]);
}

static void bind_index(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkIndexType type)
{
    (void)cb;
    note("bind index %x+%u*%u", (unsigned)(uintptr_t)buffer, (unsigned)offset, (unsigned)type);
}

static void set_line_width(VkCommandBuffer cb, float width)
{
    (void)cb;
    note("line width %u", (unsigned)width);
}

static void set_scissor(VkCommandBuffer cb, uint32_t first, uint32_t count, const VkRect2D *rects)
{
    (void)cb;
    note("scissor %u+%u: %u", first, count, rects[count - 1].extent.width);
}

static void draw_all(VkCommandBuffer cb, uint32_t vertices, uint32_t instances, uint32_t first,
                     uint32_t first_instance)
{
    draw(cb, vertices, instances, first, first_instance);
    note_more("*%u@%u", instances, first);
}

static void draw_buffer(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                        uint32_t stride)
{
    draw_indirect(cb, buffer, offset, count, stride);
    note_more(" of %x", (unsigned)(uintptr_t)buffer);
}

static void begin_clear(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                        VkSubpassContents contents)
{
    begin_pass(cb, info, contents);
    note_more(" that clears %u", info->clearValueCount);
}

static void begin_part(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    (void)cb;
    const VkRenderingAttachmentInfo *color = info->pColorAttachments;
    note("begin%s%s%s%s", info->flags ? " with flags" : "",
         color->loadOp == VK_ATTACHMENT_LOAD_OP_LOAD ? ", load" : "",
         color->storeOp == VK_ATTACHMENT_STORE_OP_STORE ? ", store" : "",
         color->resolveMode ? ", resolve" : "");
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags source, VkPipelineStageFlags target,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                    uint32_t image_count, const VkImageMemoryBarrier *image)
{
    note_stages_barrier(cb, source, target, flags, memory_count, memory, buffer_count, buffer,
                        image_count, image);
    const VkAccessFlags access = memory_count ? memory[0].dstAccessMask : 0;
    note_more(access & VK_ACCESS_INDEX_READ_BIT ? ": index" : "");
    note_more(access & VK_ACCESS_SHADER_READ_BIT ? ": shader" : "");
}

static void wait_events(VkCommandBuffer cb, uint32_t count, const VkEvent *events,
                        VkPipelineStageFlags source, VkPipelineStageFlags target,
                        uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
                        const VkBufferMemoryBarrier *buffer, uint32_t image_count,
                        const VkImageMemoryBarrier *image)
{
    (void)cb, (void)count, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("wait for %x:", (unsigned)(uintptr_t)events[0]);
    note_stages(source, target);
}

static VkResult create_render_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    note("create pass");
    note_stages(info->pDependencies[0].srcStageMask, info->pDependencies[0].dstStageMask);
    *pass = HANDLE(VkRenderPass, 0x77);
    return VK_SUCCESS;
}

static VkResult submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
    (void)queue, (void)fence;
    note("submit %u", count);
    note_stages(0, infos[0].pWaitDstStageMask[0]);
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
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_EVENT_DISPATCH,
                .CmdPipelineBarrier = barrier,
                .CmdBindDescriptorSets = bind_sets,
                .CmdPushConstants = push,
                .CmdBindVertexBuffers = bind_vertex,
                .CmdBindIndexBuffer = bind_index,
                .CmdSetLineWidth = set_line_width,
                .CmdSetScissor = set_scissor,
                .CmdWaitEvents = wait_events,
                .CreateRenderPass = create_render_pass,
                .DestroyRenderPass = fake_DestroyRenderPass,
                .QueueSubmit = submit,
            },
    };
    dev.vk.CmdDraw = draw_all;
    dev.vk.CmdDrawIndirect = draw_buffer;
    dev.vk.CmdBeginRenderPass = begin_clear;
    dev.vk.CmdBeginRendering = begin_part;
    return open_commands();
}

static int teardown(void **context)
{
    (void)context;
    return close_commands();
}

static void begin_clearing(VkCommandBuffer cb, VkSubpassContents contents)
{
    const VkClearValue clear[2] = {{.color.uint32 = {1}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = HANDLE(VkRenderPass, 0x77),
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    pgs_CmdBeginRenderPass(cb, &info, contents);
}

/* --- Tests --- */

static void record_random(VkCommandBuffer cb, unsigned seed)
{
    begin(cb, 0);
    begin_clearing(cb, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < 4000; i++) {
        seed = seed * 1103515245u + 12345u;
        VkRect2D rects[3] = {{.extent = {i, i}}, {.extent = {i + 1, 0}}, {.extent = {i + 2, 0}}};
        VkBuffer buffer = HANDLE(VkBuffer, 0x100 + i);
        VkDeviceSize offset = i;
        switch (seed >> 16 & 7) {
        case 0:
            pgs_CmdDraw(cb, i, 1, 2, 3);
            break;
        case 1:
            pgs_CmdSetLineWidth(cb, (float)i);
            break;
        case 2:
            pgs_CmdSetScissor(cb, 0, 1 + i % 3, rects);
            break;
        case 3:
            pgs_CmdBindVertexBuffers(cb, i % 4, 1, &buffer, &offset);
            break;
        case 4:
            pgs_CmdBindIndexBuffer(cb, buffer, offset, VK_INDEX_TYPE_UINT16);
            break;
        case 5:
            pgs_CmdPushConstants(cb, HANDLE(VkPipelineLayout, 1), VK_SHADER_STAGE_ALL_GRAPHICS, 4,
                                 4, &i);
            break;
        case 6:
            bind(cb, NATIVE);
            break;
        default:
            pgs_CmdDrawIndirect(cb, buffer, offset, 1, 16);
        }
        memset(rects, 0xff, sizeof(rects));
    }
    pgs_CmdEndRenderPass(cb);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
}

static char unqueued[FAKE_LOG_B]; /* what record_random makes of the driver's passes */

static void record_unqueued(void)
{
    fake_possible = false;
    record_random(cmd, 1);
    memcpy(unqueued, event_log.text, event_log.length_B + 1);
    forget();
    fake_possible = true;
}

static void test_order(void **context)
{
    (void)context;
    record_unqueued();
    record_random(cmd, 1);
    expect_events(unqueued);
}

/* State, an emulated draw between native ones, and what stands before the pass. */
static VkResult record_emulated(VkCommandBuffer cb)
{
    const VkDescriptorSet sets[2] = {HANDLE(VkDescriptorSet, 0x50), HANDLE(VkDescriptorSet, 0x51)};
    const uint32_t dynamic = 256, before = 7, inside = 8;
    const VkBuffer vertex = HANDLE(VkBuffer, 0x60);
    const VkDeviceSize offset = 16;
    const VkPipelineLayout layout = HANDLE(VkPipelineLayout, 2);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, COMPUTE);
    pgs_CmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, sets, 1, &dynamic);
    pgs_CmdPushConstants(cb, layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                         4, &before);
    pgs_CmdBindVertexBuffers(cb, 0, 1, &vertex, &offset);
    forget();
    begin_clearing(cb, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, COMPUTE_2);
    pgs_CmdPushConstants(cb, layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, 4, &inside);
    pgs_CmdPushConstants(cb, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &inside);
    bind(cb, EMULATED);
    pgs_CmdSetPrimitiveTopology(cb, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY);
    pgs_CmdDraw(cb, 0, 1, 0, 0);
    pgs_CmdDraw(cb, 33, 1, 0, 0);
    bind(cb, NATIVE);
    pgs_CmdSetPrimitiveTopology(cb, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY);
    pgs_CmdDraw(cb, 3, 1, 0, 0);
    pgs_CmdEndRenderPass(cb);
    return pgs_EndCommandBuffer(cb);
}

/* A driver with geometry shaders of its own, where only transform feedback is ours. */
static void test_adjacency_of_the_driver(void **context)
{
    (void)context;
    dev.native.geometry = true;
    begin(cmd, 0);
    pgs_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY);
    expect(cmd, "topology 9");
    dev.native.geometry = false;
}

static void test_restore(void **context)
{
    (void)context;
    begin(cmd, 0);
    assert_int_equal(record_emulated(cmd), VK_SUCCESS);
    expect_events("batch of 1; bind compute COMPUTE; bind compute set 0: 50+0; "
                  "bind compute set 1: 51+256; push 0+4 to 1: 7; begin pass that clears 2; "
                  "bind compute COMPUTE_2; push 0+4 to 1: 8; bind EMULATED; "
                  "replay 33 with 8; bind vertex 0: 60+16; topology 1; bind NATIVE; "
                  "topology 4; draw 3*1@0; end pass");
}

/* A pipeline is not taken for one that was destroyed and had its handle. */
static void test_handle_of_another_pipeline(void **context)
{
    (void)context;
    static const char *const drawn[] = {
        "begin pass that clears 0; bind NATIVE; draw 3*1@0; end pass",
        "batch of 1; begin pass that clears 0; bind EMULATED; replay 3 with 0; end pass",
    };
    for (int i = 0; i < 2; i++) {
        begin(cmd, 0);
        begin_inline();
        bind(cmd, NATIVE);
        pgs_CmdDraw(cmd, 3, 1, 0, 0);
        pgs_CmdEndRenderPass(cmd);
        expect(cmd, drawn[i]);
        fake_heir = NATIVE;
        pgs_note_destroyed(&dev.destroyed.pipelines);
    }
    fake_heir = VK_NULL_HANDLE;
}

static VkResult fail_to_begin(VkCommandBuffer cb, const VkCommandBufferBeginInfo *info)
{
    (void)cb, (void)info;
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* A command buffer keeps memory for draws to come, until it is known that none come. */
static void test_memory_between_recordings(void **context)
{
    (void)context;
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const PFN_vkBeginCommandBuffer usual = dev.vk.BeginCommandBuffer;
    begin(cmd, 0);
    begin_inline();
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    begin(cmd, 0);
    assert_true(fake_keeps);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_false(fake_keeps);
    dev.vk.BeginCommandBuffer = fail_to_begin;
    assert_int_equal(pgs_BeginCommandBuffer(cmd, &info), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_false(fake_keeps);
    dev.vk.BeginCommandBuffer = usual;
}

/* A pass whose stages before the rasterizer wait for transfers. */
static VkRenderPass create_waiting_pass(void)
{
    const VkSubpassDependency dependency = {
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    return pass;
}

static void test_dependencies(void **context)
{
    (void)context;
    const VkRenderPass pass = create_waiting_pass();
    expect_events("create pass transfer > input vertex");
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void test_barrier(void **context)
{
    (void)context;
    begin(cmd, 0);
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_INDEX_READ_BIT,
    };
    pgs_CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                           0, 1, &memory, 0, NULL, 0, NULL);
    assert_int_equal(memory.dstAccessMask, VK_ACCESS_INDEX_READ_BIT);
    expect(cmd, "barrier transfer > input vertex compute: index: shader");
}

/* What a pass waits for from outside, the compute work before it waits for, too. The barrier in the
 * pass parts the batches. */
static void test_waits_in_a_pass(void **context)
{
    (void)context;
    const VkRenderPass pass = create_waiting_pass();
    begin(cmd, 0);
    forget();
    const VkEvent event = HANDLE(VkEvent, 0x99);
    begin_clearing(cmd, VK_SUBPASS_CONTENTS_INLINE);
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 1, 1, 0, 0);
    pgs_CmdWaitEvents(cmd, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, NULL, 0, NULL, 0, NULL);
    pgs_CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT,
                           VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
    pgs_CmdDraw(cmd, 2, 1, 0, 0);
    expect_drawn("barrier transfer > compute: shader; "
                 "wait for 99: transfer > vertex compute; batch of 1; batch of 1; "
                 "begin pass that clears 2; bind EMULATED; replay 1 with 0; "
                 "wait for 99: transfer > vertex compute; barrier vertex > vertex; "
                 "replay 2 with 0; end pass");
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void test_submission(void **context)
{
    (void)context;
    const VkPipelineStageFlags mask = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    const VkSubmitInfo submit_info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = 1,
        .pWaitDstStageMask = &mask,
    };
    pgs_QueueSubmit((VkQueue)&queue_object, 1, &submit_info, VK_NULL_HANDLE);
    expect_events("submit 1 > vertex compute");
}

/* Of the second one nothing reaches the driver by itself. */
static void test_secondaries(void **context)
{
    (void)context;
    VkCommandBuffer second[2];
    for (int i = 0; i < 2; i++) {
        second[i] = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        begin(second[i], VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
        bind(second[i], i ? EMULATED : NATIVE);
        pgs_CmdDraw(second[i], 5, 1, 0, 0);
        expect(second[i], i ? "" : "bind NATIVE; draw 5*1@0");
    }
    for (uint32_t count = 1; count <= 2; count++) {
        begin(cmd, 0);
        begin_clearing(cmd, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        pgs_CmdExecuteCommands(cmd, count, second);
        expect_drawn(count == 1 ? "begin pass of secondaries that clears 2; execute 1; end pass"
                                : "batch of 1; begin pass that clears 2; bind NATIVE; draw 5*1@0; "
                                  "bind EMULATED; replay 5 with 0; end pass");
    }
    pgs_FreeCommandBuffers(dev.handle, pool, 2, second);
}

/* Of emulated ones in secondaries, nothing reaches the driver before the primary; what one waits
 * for comes before its own draws. */
static void test_nested_secondaries(void **context)
{
    (void)context;
    const VkEvent event = HANDLE(VkEvent, 0x99);
    VkCommandBuffer inner[2], outer = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    for (int i = 0; i < 2; i++) {
        inner[i] = new_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        begin(inner[i], VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
        if (i)
            pgs_CmdWaitEvents(inner[i], 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                              VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, NULL, 0, NULL, 0, NULL);
        bind(inner[i], i ? EMULATED : NATIVE);
        pgs_CmdDraw(inner[i], 5, 1, 0, 0);
        expect(inner[i], i ? "" : "bind NATIVE; draw 5*1@0");
    }
    for (uint32_t count = 1; count <= 2; count++) {
        begin(outer, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
        bind(outer, NATIVE);
        pgs_CmdDraw(outer, 3, 1, 0, 0);
        pgs_CmdExecuteCommands(outer, count, inner);
        expect(outer, count == 1 ? "bind NATIVE; draw 3*1@0; execute 1" : "");
        begin(cmd, 0);
        begin_clearing(cmd, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        pgs_CmdExecuteCommands(cmd, 1, &outer);
        expect_drawn(count == 1
                         ? "begin pass of secondaries that clears 2; execute 1; end pass"
                         : "wait for 99: transfer > vertex compute; batch of 1; "
                           "begin pass that clears 2; bind NATIVE; draw 3*1@0; bind NATIVE; "
                           "draw 5*1@0; wait for 99: transfer > vertex compute; bind EMULATED; "
                           "replay 5 with 0; end pass");
    }
    pgs_FreeCommandBuffers(dev.handle, pool, 2, inner);
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &outer);
}

/* The parts of a chain are renderings of their own, so that compute work may come between them. */
static void test_suspended(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = (VkImageView)7,
        .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageView = (VkImageView)8,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
    };
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = VK_RENDERING_SUSPENDING_BIT,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "begin, store; end rendering");
    begin(cmd, 0);
    info.flags = VK_RENDERING_RESUMING_BIT | VK_RENDERING_SUSPENDING_BIT;
    pgs_CmdBeginRendering(cmd, &info);
    bind(cmd, EMULATED);
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndRendering(cmd);
    info.flags = VK_RENDERING_RESUMING_BIT;
    pgs_CmdBeginRendering(cmd, &info);
    pgs_CmdEndRendering(cmd);
    expect(cmd, "barrier 8000 > 8000; batch of 1; begin, load, store; bind EMULATED; "
                "replay 4 with 0; end rendering; barrier 8000 > 8000; "
                "begin, load, resolve; end rendering");
}

static void test_implicit_free(void **context)
{
    (void)context;
    const int64_t live = pgs_alloc_live();
    const VkCommandPool own = new_pool();
    const VkCommandBuffer cb = new_buffer_of(own, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkCommandBuffer list[2] = {NULL, new_buffer_of(own, VK_COMMAND_BUFFER_LEVEL_PRIMARY)};
    pgs_FreeCommandBuffers(dev.handle, own, 2, list);
    begin(cb, 0);
    assert_int_equal(record_emulated(cb), VK_SUCCESS);
    assert_int_equal(pgs_ResetCommandPool(dev.handle, own, 0), VK_SUCCESS);
    begin(cb, 0);
    pgs_DestroyCommandPool(dev.handle, own, NULL); /* while it records */
    assert_null(pgs_recorder_find(cb));
    assert_true(pgs_alloc_live() <= live + 1); /* the table of recorders may have grown */
    free((void *)cb);
}

static void test_failures(void **context)
{
    (void)context;
    bool done = false;
    for (int64_t n = 1; !done; n++) {
        assert_true(n < 200);
        pgs_alloc_fail_after(n, false);
        VkCommandPool own = new_pool();
        VkCommandBuffer cb = own ? new_buffer_of(own, VK_COMMAND_BUFFER_LEVEL_PRIMARY) : NULL;
        if (cb) {
            begin(cb, 0);
            const VkResult result = record_emulated(cb);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            done = result == VK_SUCCESS;
        }
        pgs_alloc_fail_after(0, false);
        if (cb)
            pgs_FreeCommandBuffers(dev.handle, own, 1, &cb);
        if (own)
            pgs_DestroyCommandPool(dev.handle, own, NULL);
    }
}

static void *record_much(void *argument)
{
    for (unsigned i = 0; i < 8; i++) {
        const VkCommandPool own = new_pool();
        const VkCommandBuffer cb = new_buffer_of(own, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        forget();
        pgs_note_destroyed(&dev.destroyed.pipelines); /* none that the others bind */
        record_random(cb, 1);
        if (strcmp(event_log.text, unqueued) != 0)
            return argument;
        drop(own, cb);
    }
    return NULL;
}

static void test_threads(void **context)
{
    (void)context;
    pthread_t threads[4];
    record_unqueued();
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, record_much, &dev), 0);
    for (int i = 0; i < 4; i++) {
        void *bad;
        pthread_join(threads[i], &bad);
        assert_null(bad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_adjacency_of_the_driver, setup, teardown),
        cmocka_unit_test_setup_teardown(test_restore, setup, teardown),
        cmocka_unit_test_setup_teardown(test_handle_of_another_pipeline, setup, teardown),
        cmocka_unit_test_setup_teardown(test_memory_between_recordings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_dependencies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_barrier, setup, teardown),
        cmocka_unit_test_setup_teardown(test_waits_in_a_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(test_submission, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nested_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_suspended, setup, teardown),
        cmocka_unit_test_setup_teardown(test_implicit_free, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
