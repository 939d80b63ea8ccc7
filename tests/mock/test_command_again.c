/* SPDX-License-Identifier: MIT
 *
 * Random recordings, on a fake driver, draw module and pipeline module: a command buffer that has
 * been recorded before records the same as a new one. PGS_TEST_SEEDS=N: so many of them.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "fake_split.h"

#define SEEDS 600
#define FORMER 3 /* recordings before the one that is compared */
#define LAYOUT HANDLE(VkPipelineLayout, 0x99)
#define POOL HANDLE(VkQueryPool, 0x60)
#define BUFFER(i) HANDLE(VkBuffer, 0x40 + (i))

/* --- The driver --- */

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb, (void)layout, (void)offsets;
    note("sets %u %u+%u %p, %u", (unsigned)point, first, count, (const void *)sets[0],
         offset_count);
}

static void bind_index_buffer(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B,
                              VkIndexType type)
{
    (void)cb, (void)type;
    note("index %p+%u", (const void *)buffer, (unsigned)offset_B);
}

static void bind_vertices(VkCommandBuffer cb, uint32_t first, uint32_t count,
                          const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb;
    note("vertices %u+%u %p+%u", first, count, (const void *)buffers[0], (unsigned)offsets[0]);
}

static void bind_vertices2(VkCommandBuffer cb, uint32_t first, uint32_t count,
                           const VkBuffer *buffers, const VkDeviceSize *offsets,
                           const VkDeviceSize *sizes, const VkDeviceSize *strides)
{
    bind_vertices(cb, first, count, buffers, offsets);
    note_more(" of %u*%u", sizes ? (unsigned)sizes[0] : 0, strides ? (unsigned)strides[0] : 0);
}

static void push_constants(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                           uint32_t offset_B, uint32_t size_B, const void *values)
{
    uint32_t first;
    (void)cb, (void)layout;
    memcpy(&first, values, sizeof(first));
    note("push %x %u+%u %u", stages, offset_B, size_B, first);
}

static void set_restart(VkCommandBuffer cb, VkBool32 enable)
{
    (void)cb;
    note("restart %u", enable);
}

static void begin_condition(VkCommandBuffer cb, const VkConditionalRenderingBeginInfoEXT *info)
{
    (void)cb, (void)info;
    note("condition");
}

/* --- What is recorded --- */

static VkRenderPass pass;
static uint32_t random_state;

/* Below the limit, and the same for the same seed. */
static uint32_t any(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void bind_buffers(void)
{
    const VkBuffer buffers[2] = {BUFFER(any(4)), BUFFER(any(4))};
    const VkDeviceSize offsets[2] = {16 * any(4), 16}, sizes[2] = {64, 32}, strides[2] = {8, 4};
    const uint32_t first = any(6);
    switch (any(4)) {
    case 0:
        pgs_CmdBindVertexBuffers(cmd, first, 1 + any(2), buffers, offsets);
        break;
    case 1:
        pgs_CmdBindVertexBuffers(cmd, first, 1, buffers, offsets);
        break;
    case 2:
        pgs_CmdBindVertexBuffers2(cmd, first, 1 + any(2), buffers, offsets, any(2) ? sizes : NULL,
                                  any(2) ? strides : NULL);
        break;
    default:
        pgs_CmdBindIndexBuffer(cmd, buffers[0], offsets[0], VK_INDEX_TYPE_UINT16);
        break;
    }
}

static void bind_resources(void)
{
    const VkDescriptorSet set = HANDLE(VkDescriptorSet, 0x50 + any(3));
    const uint32_t words[16] = {any(99)};
    switch (any(4)) {
    case 0:
        pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, LAYOUT, any(3), 1, &set, 0,
                                  NULL);
        break;
    case 1:
        pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, LAYOUT, any(3), 1, &set, 1,
                                  words);
        break;
    case 2:
        pgs_CmdPushConstants(cmd, LAYOUT, VK_SHADER_STAGE_VERTEX_BIT, 0, any(2) ? 64 : 16, words);
        break;
    default:
        pgs_CmdPushConstants(cmd, LAYOUT, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, words);
        break;
    }
}

static void bind_any_pipeline(void)
{
    static const VkPipeline pipelines[] = {NATIVE, NATIVE, NATIVE, COUNTED, EMULATED, DYNAMIC};
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[any(6)]);
}

/* After these a command buffer is no plain one, so they are rare. */
static void set_rarely(void)
{
    const VkDescriptorSet set = HANDLE(VkDescriptorSet, 0x53);
    switch (any(16)) {
    case 0:
        pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, any(2) ? COMPUTE : COMPUTE_2);
        break;
    case 1:
        pgs_CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, LAYOUT, any(2), 1, &set, 0,
                                  NULL);
        break;
    case 2:
        pgs_CmdSetPrimitiveTopology(cmd, (VkPrimitiveTopology)any(8));
        break;
    case 3:
        pgs_CmdSetPrimitiveRestartEnable(cmd, any(2));
        break;
    default:
        break;
    }
}

static void bind_any(void)
{
    static void (*const binds[])(void) = {bind_buffers, bind_resources, bind_any_pipeline,
                                          set_rarely};
    binds[any(4)]();
}

/* With the state that the draw module was told. */
static void draw_any(void)
{
    const struct pgs_graphics_state *told = &fake_last_state;
    fake_last_state = (struct pgs_graphics_state){0};
    if (any(3))
        pgs_CmdDraw(cmd, 3 + any(3), 1, 0, 0);
    else
        pgs_CmdDrawIndirect(cmd, BUFFER(9), 0, 1 + any(2), sizeof(VkDrawIndirectCommand));
    if (!told->version)
        return;
    note("of %d%d %p %u %u %u %p", told->pipeline != NULL, told->counted != NULL,
         (const void *)told->index_buffer, (unsigned)told->topology, told->primitive_restart,
         told->driver_queries, (const void *)told->condition.buffer);
    for (uint32_t i = 0; i < 8; i++)
        note_more(" %p+%u*%u", (const void *)told->vertex[i].buffer,
                  (unsigned)told->vertex[i].offset_B, (unsigned)told->vertex[i].stride_B);
    for (uint32_t i = 0; i < 4; i++)
        note_more(" %p,%u", (const void *)told->sets[i], told->dynamic_count[i]);
}

/* The last of `framebuffers` is never quiet if there are three. */
static void begin_any_pass(uint32_t framebuffers, bool *renders)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = HANDLE(VkImageView, 0x30),
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = HANDLE(VkFramebuffer, 0x66 + any(framebuffers)),
    };
    *renders = !any(4);
    if (*renders)
        pgs_CmdBeginRendering(cmd, &rendering);
    else
        pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

/* Returns whether a query is active. */
static bool switch_query(bool active)
{
    if (active)
        pgs_CmdEndQuery(cmd, POOL, 0);
    else
        pgs_CmdBeginQuery(cmd, POOL, 0, 0);
    return !active;
}

static void record_pass(bool calm)
{
    bool renders, queries = false;
    begin_any_pass(3, &renders);
    for (uint32_t left = any(12); left; left--) {
        if (!calm && !any(8))
            queries = switch_query(queries);
        else if (any(2))
            bind_any();
        else
            draw_any();
    }
    if (queries)
        switch_query(true);
    if (renders)
        pgs_CmdEndRendering(cmd);
    else
        pgs_CmdEndRenderPass(cmd);
}

/* Now and then it is left, in a pass or behind one. */
static void record_any(void)
{
    const VkConditionalRenderingBeginInfoEXT condition = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, .buffer = BUFFER(7)};
    const bool calm = any(4), left = !any(4), conditional = !any(8), queries = !any(8);
    bool renders;
    begin(cmd, 0);
    if (conditional)
        pgs_CmdBeginConditionalRenderingEXT(cmd, &condition);
    if (queries)
        switch_query(false);
    for (uint32_t passes = any(4); passes; passes--) {
        for (uint32_t binds = any(3); binds; binds--)
            bind_any();
        record_pass(calm || queries);
    }
    if (left && any(2))
        begin_any_pass(3, &renders);
    if (left)
        return;
    if (queries)
        switch_query(true);
    if (conditional)
        pgs_CmdEndConditionalRenderingEXT(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
}

/* Passes without anything to emulate, until they are quiet. */
static void make_quiet(void)
{
    bool renders;
    for (uint32_t i = 0; i < 256; i++) {
        begin(cmd, 0);
        begin_any_pass(2, &renders);
        if (renders)
            pgs_CmdEndRendering(cmd);
        else
            pgs_CmdEndRenderPass(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        forget();
    }
}

/* --- Tests --- */

static int open_driver(void **context)
{
    const VkAttachmentDescription attachment = description(VK_FORMAT_D16_UNORM);
    if (setup(context) != 0)
        return -1;
    dev.vk.CmdBindDescriptorSets = bind_sets;
    dev.vk.CmdBindIndexBuffer = bind_index_buffer;
    dev.vk.CmdBindVertexBuffers = bind_vertices;
    dev.vk.CmdBindVertexBuffers2 = bind_vertices2;
    dev.vk.CmdPushConstants = push_constants;
    dev.vk.CmdSetPrimitiveRestartEnable = set_restart;
    dev.vk.CmdBeginConditionalRenderingEXT = begin_condition;
    dev.vk.ResetCommandBuffer = fake_ResetCommandBuffer;
    fake_possible = true;
    return render_pass(&attachment, VK_IMAGE_LAYOUT_GENERAL, 1, &pass);
}

static int close_driver(void **context)
{
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
    return teardown(context);
}

/* What is known of passes is the device's, so both have one of their own with the same past. */
static void record_all(uint32_t seed, bool anew)
{
    random_state = seed;
    make_quiet();
    for (uint32_t i = 0; i < FORMER; i++) {
        record_any();
        if (!any(4))
            assert_int_equal(pgs_ResetCommandBuffer(cmd, 0), VK_SUCCESS);
    }
    const VkCommandBuffer former = cmd;
    if (anew)
        cmd = new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    forget();
    record_any();
    if (anew)
        pgs_FreeCommandBuffers(dev.handle, pool, 1, &cmd);
    cmd = former;
}

static void recordings_start_anew(void **context)
{
    static char again[FAKE_LOG_B];
    const char *seeds = getenv("PGS_TEST_SEEDS");
    const uint32_t end = seeds ? (uint32_t)strtoul(seeds, NULL, 10) : SEEDS;
    for (uint32_t seed = 0; seed < end; seed++) {
        assert_int_equal(open_driver(context), 0);
        record_all(seed, false);
        memcpy(again, event_log.text, sizeof(again));
        assert_int_equal(close_driver(context), 0);
        assert_int_equal(open_driver(context), 0);
        record_all(seed, true);
        assert_string_equal(again, event_log.text);
        assert_int_equal(close_driver(context), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recordings_start_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
