/* SPDX-License-Identifier: MIT
 *
 * The command module on a fake driver, a fake draw module and a fake pipeline module: what reaches
 * the driver, in which order, and that every failure is reported and leaks nothing.
 */
#include "vulkan/recorder.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_calls.h"
#include "fake_device.h"

/* --- The driver --- */

static struct fake_object queue_object = {&fake_dispatch_key};

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)layout, (void)count;
    fake_modules_note(FAKE_BIND_SET, point << 8 | first, (uintptr_t)sets[0],
                      offset_count ? offsets[0] : 0);
}

static void push(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                 uint32_t offset, uint32_t size, const void *values)
{
    uint32_t first;
    (void)cb, (void)layout;
    memcpy(&first, values, sizeof(first));
    fake_modules_note(FAKE_PUSH, stages, offset << 8 | size, first);
}

static void bind_vertex(VkCommandBuffer cb, uint32_t first, uint32_t count, const VkBuffer *buffers,
                        const VkDeviceSize *offsets)
{
    (void)cb, (void)count;
    fake_modules_note(FAKE_BIND_VERTEX, first, (uintptr_t)buffers[0], offsets[0]);
}

static void bind_index(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkIndexType type)
{
    (void)cb;
    fake_modules_note(FAKE_BIND_INDEX, (uintptr_t)buffer, offset, type);
}

static void set_topology(VkCommandBuffer cb, VkPrimitiveTopology topology)
{
    (void)cb;
    fake_modules_note(FAKE_TOPOLOGY, topology, 0, 0);
}

static void set_line_width(VkCommandBuffer cb, float width)
{
    (void)cb;
    fake_modules_note(FAKE_LINE_WIDTH, (uint64_t)width, 0, 0);
}

static void set_scissor(VkCommandBuffer cb, uint32_t first, uint32_t count, const VkRect2D *rects)
{
    (void)cb;
    fake_modules_note(FAKE_SCISSOR, first, count, rects[count - 1].extent.width);
}

static void draw_indirect(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                          uint32_t stride)
{
    (void)cb, (void)stride;
    fake_modules_note(FAKE_DRAW_INDIRECT, (uintptr_t)buffer, offset, count);
}

static void begin_rendering(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    (void)cb;
    fake_modules_note(FAKE_BEGIN_RENDERING, info->flags, info->colorAttachmentCount, 0);
}

static void wait_events(VkCommandBuffer cb, uint32_t count, const VkEvent *events,
                        VkPipelineStageFlags source, VkPipelineStageFlags target,
                        uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
                        const VkBufferMemoryBarrier *buffer, uint32_t image_count,
                        const VkImageMemoryBarrier *image)
{
    (void)cb, (void)count, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    fake_modules_note(FAKE_WAIT, (uintptr_t)events[0], source, target);
}

static VkResult create_render_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    (void)d, (void)allocator;
    fake_modules_note(FAKE_CREATE_PASS, info->pDependencies[0].srcStageMask,
                      info->pDependencies[0].dstStageMask, 0);
    *pass = HANDLE(VkRenderPass, 0x77);
    return VK_SUCCESS;
}

static VkResult submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
    (void)queue, (void)fence;
    fake_modules_note(FAKE_SUBMIT, count, infos[0].pWaitDstStageMask[0], 0);
    return VK_SUCCESS;
}

/* --- Set-up --- */

static int setup(void **context)
{
    (void)context;
    memset(&seen, 0, sizeof(seen));
    fake_possible = true;
    dev = (struct pgs_device){
        .active = true,
        .vk =
            {
                FAKE_POOL_DISPATCH,
                FAKE_CALLS_DISPATCH,
                .CmdBindDescriptorSets = bind_sets,
                .CmdPushConstants = push,
                .CmdBindVertexBuffers = bind_vertex,
                .CmdBindIndexBuffer = bind_index,
                .CmdSetPrimitiveTopology = set_topology,
                .CmdSetLineWidth = set_line_width,
                .CmdSetScissor = set_scissor,
                .CmdDrawIndirect = draw_indirect,
                .CmdBeginRendering = begin_rendering,
                .CmdEndRendering = end_pass,
                .CmdWaitEvents = wait_events,
                .CreateRenderPass = create_render_pass,
                .DestroyRenderPass = fake_DestroyRenderPass,
                .QueueSubmit = submit,
            },
    };
    return open_device();
}

static int teardown(void **context)
{
    (void)context;
    close_device();
    return 0;
}

static void begin_test_pass(VkCommandBuffer cb, VkSubpassContents contents)
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
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_INLINE);
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
            pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
            break;
        default:
            pgs_CmdDrawIndirect(cb, buffer, offset, 1, 16);
        }
        memset(rects, 0xff, sizeof(rects));
    }
    pgs_CmdEndRenderPass(cb);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
}

static void test_order(void **context)
{
    static struct call direct[sizeof(seen.calls) / sizeof(seen.calls[0])];
    (void)context;
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    fake_possible = false;
    record_random(cb, 1);
    const size_t count = seen.count;
    assert_int_equal(count, 4002);
    memcpy(direct, seen.calls, sizeof(direct));
    seen.count = 0;
    fake_possible = true;
    record_random(cb, 1);
    assert_int_equal(seen.count, count);
    assert_memory_equal(direct, seen.calls, count * sizeof(direct[0]));
    drop(pool, cb);
}

/* State, an emulated draw between native ones, and what stands before the pass. */
static VkResult record_emulated(VkCommandBuffer cb)
{
    const VkDescriptorSet sets[2] = {HANDLE(VkDescriptorSet, 0x50), HANDLE(VkDescriptorSet, 0x51)};
    const uint32_t dynamic = 256, before = 7, inside = 8;
    const VkBuffer vertex = HANDLE(VkBuffer, 0x60);
    const VkDeviceSize offset = 16;
    const VkPipelineLayout layout = HANDLE(VkPipelineLayout, 2);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, HANDLE(VkPipeline, 0xc0));
    pgs_CmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, sets, 1, &dynamic);
    pgs_CmdPushConstants(cb, layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                         4, &before);
    pgs_CmdBindVertexBuffers(cb, 0, 1, &vertex, &offset);
    seen.count = 0;
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, HANDLE(VkPipeline, 0xc1));
    pgs_CmdPushConstants(cb, layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, 4, &inside);
    pgs_CmdPushConstants(cb, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &inside);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdSetPrimitiveTopology(cb, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY);
    pgs_CmdDraw(cb, 0, 1, 0, 0);
    pgs_CmdDraw(cb, 33, 1, 0, 0);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
    pgs_CmdSetPrimitiveTopology(cb, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY);
    pgs_CmdDraw(cb, 3, 1, 0, 0);
    pgs_CmdEndRenderPass(cb);
    return pgs_EndCommandBuffer(cb);
}

/* A driver with geometry shaders of its own, where only transform feedback is ours. */
static void test_adjacency_of_the_driver(void **context)
{
    (void)context;
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    dev.native.geometry = true;
    begin(cb, 0);
    pgs_CmdSetPrimitiveTopology(cb, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    dev.native.geometry = false;
    expect_at(0, FAKE_TOPOLOGY, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 0, 0);
    drop(pool, cb);
}

static void test_restore(void **context)
{
    (void)context;
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    assert_int_equal(record_emulated(cb), VK_SUCCESS);
    size_t i = 0;
    expect_at(i++, FAKE_BATCH, 1, 0, 0);
    expect_at(i++, FAKE_BIND, VK_PIPELINE_BIND_POINT_COMPUTE, 0xc0, 0);
    expect_at(i++, FAKE_BIND_SET, VK_PIPELINE_BIND_POINT_COMPUTE << 8 | 0, 0x50, 0);
    expect_at(i++, FAKE_BIND_SET, VK_PIPELINE_BIND_POINT_COMPUTE << 8 | 1, 0x51, 256);
    expect_at(i++, FAKE_PUSH, VK_SHADER_STAGE_VERTEX_BIT, 4, 7);
    expect_at(i++, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_INLINE, 2);
    expect_at(i++, FAKE_BIND, VK_PIPELINE_BIND_POINT_COMPUTE, 0xc1, 0);
    expect_at(i++, FAKE_PUSH, VK_SHADER_STAGE_VERTEX_BIT, 4, 8);
    expect_at(i++, FAKE_BIND, VK_PIPELINE_BIND_POINT_GRAPHICS, 0xe0, 0);
    expect_at(i++, FAKE_REPLAY, 33, 8, 0);
    expect_at(i++, FAKE_BIND_VERTEX, 0, 0x60, 16);
    expect_at(i++, FAKE_TOPOLOGY, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 0, 0);
    expect_at(i++, FAKE_BIND, VK_PIPELINE_BIND_POINT_GRAPHICS, 0xa0, 0);
    expect_at(i++, FAKE_TOPOLOGY, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 0, 0);
    expect_at(i++, FAKE_DRAW, 3, 1, 0);
    expect_at(i++, FAKE_END_PASS, 0, 0, 0);
    assert_int_equal(seen.count, i);
    drop(pool, cb);
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
    expect_at(0, FAKE_CREATE_PASS, VK_PIPELINE_STAGE_TRANSFER_BIT,
              VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

static void test_barrier(void **context)
{
    (void)context;
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    seen.count = 0;
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_INDEX_READ_BIT,
    };
    pgs_CmdPipelineBarrier(cb, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                           0, 1, &memory, 0, NULL, 0, NULL);
    expect_at(0, FAKE_BARRIER, VK_PIPELINE_STAGE_TRANSFER_BIT,
              VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
              VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_SHADER_READ_BIT);
    assert_int_equal(memory.dstAccessMask, VK_ACCESS_INDEX_READ_BIT);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    drop(pool, cb);
}

/* What a pass waits for from outside, the compute work before it waits for, too. */
static void test_waits_in_a_pass(void **context)
{
    (void)context;
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkRenderPass pass = create_waiting_pass();
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    seen.count = 0;
    const VkEvent event = HANDLE(VkEvent, 0x99);
    begin_test_pass(cb, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cb, 1, 1, 0, 0);
    pgs_CmdWaitEvents(cb, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, NULL, 0, NULL, 0, NULL);
    pgs_CmdPipelineBarrier(cb, VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT,
                           VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
    pgs_CmdDraw(cb, 2, 1, 0, 0);
    pgs_CmdEndRenderPass(cb);
    size_t i = 0;
    expect_at(i++, FAKE_BARRIER, VK_PIPELINE_STAGE_TRANSFER_BIT, compute,
              VK_ACCESS_SHADER_READ_BIT);
    expect_at(i++, FAKE_WAIT, 0x99, VK_PIPELINE_STAGE_TRANSFER_BIT,
              VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | compute);
    expect_at(i++, FAKE_BATCH, 1, 0, 0); /* the barrier in the pass parts the batches */
    expect_at(i++, FAKE_BATCH, 1, 0, 0);
    expect_at(i++, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_INLINE, 2);
    i += 2; /* pipeline, draw */
    i++;    /* the wait itself */
    expect_at(i++, FAKE_BARRIER, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
              VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    drop(pool, cb);
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
    expect_at(0, FAKE_SUBMIT, 1, mask | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0);
}

static void test_secondaries(void **context)
{
    (void)context;
    VkCommandPool pool = new_pool();
    VkCommandBuffer second[2], cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    for (int i = 0; i < 2; i++) {
        second[i] = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        begin(second[i], VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
        pgs_CmdBindPipeline(second[i], VK_PIPELINE_BIND_POINT_GRAPHICS, i ? EMULATED : NATIVE);
        pgs_CmdDraw(second[i], 5, 1, 0, 0);
        assert_int_equal(pgs_EndCommandBuffer(second[i]), VK_SUCCESS);
    }
    expect_at(1, FAKE_DRAW, 5, 1, 0); /* the native one went to the driver */
    assert_int_equal(seen.count, 2);
    for (uint32_t count = 1; count <= 2; count++) {
        seen.count = 0;
        begin(cb, 0);
        begin_test_pass(cb, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        pgs_CmdExecuteCommands(cb, count, second);
        pgs_CmdEndRenderPass(cb);
        assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
        if (count == 1) {
            expect_at(0, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS, 2);
            expect_at(1, FAKE_EXECUTE, 1, 0, 0);
            continue;
        }
        expect_at(0, FAKE_BATCH, 1, 0, 0);
        expect_at(1, FAKE_BEGIN_PASS, 0x77, VK_SUBPASS_CONTENTS_INLINE, 2);
        expect_at(3, FAKE_DRAW, 5, 1, 0);
        expect_at(5, FAKE_REPLAY, 5, 0, 0);
        expect_at(6, FAKE_END_PASS, 0, 0, 0);
    }
    pgs_FreeCommandBuffers(dev.handle, pool, 2, second);
    drop(pool, cb);
}

static void test_suspended(void **context)
{
    (void)context;
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, 0);
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = VK_RENDERING_SUSPENDING_BIT,
    };
    pgs_CmdBeginRendering(cb, &info);
    pgs_CmdEndRendering(cb);
    assert_int_equal(seen.count, 0);
    info.flags = VK_RENDERING_RESUMING_BIT;
    pgs_CmdBeginRendering(cb, &info);
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, EMULATED);
    pgs_CmdDraw(cb, 4, 1, 0, 0);
    pgs_CmdEndRendering(cb);
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    expect_at(0, FAKE_BATCH, 1, 0, 0);
    expect_at(1, FAKE_BEGIN_RENDERING, VK_RENDERING_SUSPENDING_BIT, 0, 0);
    expect_at(3, FAKE_BEGIN_RENDERING, VK_RENDERING_RESUMING_BIT, 0, 0);
    expect_at(5, FAKE_REPLAY, 4, 0, 0);
    drop(pool, cb);
}

static void test_implicit_free(void **context)
{
    (void)context;
    const int64_t live = pgs_alloc_live();
    VkCommandPool pool = new_pool();
    VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkCommandBuffer list[2] = {NULL, new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY)};
    pgs_FreeCommandBuffers(dev.handle, pool, 2, list);
    begin(cb, 0);
    assert_int_equal(record_emulated(cb), VK_SUCCESS);
    assert_int_equal(pgs_ResetCommandPool(dev.handle, pool, 0), VK_SUCCESS);
    begin(cb, 0);
    pgs_DestroyCommandPool(dev.handle, pool, NULL); /* while it records */
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
        VkCommandPool pool = new_pool();
        VkCommandBuffer cb = pool ? new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY) : NULL;
        if (cb) {
            begin(cb, 0);
            const VkResult result = record_emulated(cb);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            done = result == VK_SUCCESS;
        }
        pgs_alloc_fail_after(0, false);
        if (cb)
            pgs_FreeCommandBuffers(dev.handle, pool, 1, &cb);
        if (pool)
            pgs_DestroyCommandPool(dev.handle, pool, NULL);
    }
}

static void *record_much(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 8; i++) {
        VkCommandPool pool = new_pool();
        VkCommandBuffer cb = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        seen.count = 0;
        record_random(cb, i);
        if (seen.count != 4002)
            return argument;
        drop(pool, cb);
    }
    return NULL;
}

static void test_threads(void **context)
{
    (void)context;
    pthread_t threads[4];
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
        cmocka_unit_test_setup_teardown(test_dependencies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_barrier, setup, teardown),
        cmocka_unit_test_setup_teardown(test_waits_in_a_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(test_submission, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secondaries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_suspended, setup, teardown),
        cmocka_unit_test_setup_teardown(test_implicit_free, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
