/* SPDX-License-Identifier: MIT
 *
 * What reached the driver and the draw module, in words: here are the commands that nearly all
 * tests of the command module look at, and the way to record them. To be included, after cmocka.h,
 * by one file of a program.
 */
#ifndef FAKE_EVENTS_H
#define FAKE_EVENTS_H

#include "fake_log.h"
#include "fake_modules.h"
#include "fake_recording.h"

/* Of the fake draw module. */
static inline void note_module(enum fake_event what, uint64_t a)
{
    static const char *const names[] = {
        [FAKE_BEGIN_CAPTURE] = "begin capture", [FAKE_CAPTURE] = "capture",
        [FAKE_END_CAPTURE] = "end capture",     [FAKE_QUERY_ENDS] = "query ends",
        [FAKE_COUNT_GRIDS] = "count grids",     [FAKE_ASK_CONDITION] = "ask condition",
    };
    if (what == FAKE_BATCH)
        note("batch of %u", (unsigned)a);
    else if (what == FAKE_REPLAY)
        note("replay %u", (unsigned)a);
    else
        note("%s", what <= FAKE_ASK_CONDITION && names[what] ? names[what] : "another event");
}

/* --- The driver --- */

static inline void begin_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                              VkSubpassContents contents)
{
    (void)cb, (void)info;
    note(contents == VK_SUBPASS_CONTENTS_INLINE ? "begin pass" : "begin pass of secondaries");
}

static inline void begin_pass2(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                               const VkSubpassBeginInfo *subpass)
{
    begin_pass(cb, info, subpass->contents);
}

static inline void begin_rendering(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    (void)cb, (void)info;
    note("begin rendering");
}

static inline void next_subpass(VkCommandBuffer cb, VkSubpassContents contents)
{
    (void)cb, (void)contents;
    note("next subpass");
}

static inline void end_pass(VkCommandBuffer cb)
{
    (void)cb;
    note("end pass");
}

static inline void end_pass2(VkCommandBuffer cb, const VkSubpassEndInfo *info)
{
    (void)cb, (void)info;
    note("end pass 2");
}

static inline void end_rendering(VkCommandBuffer cb)
{
    (void)cb;
    note("end rendering");
}

static inline void bind_pipeline(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)cb;
    note("bind %s%s", point ? "compute " : "", fake_pipeline_name(pipeline));
}

static inline void draw(VkCommandBuffer cb, uint32_t vertices, uint32_t instances, uint32_t first,
                        uint32_t first_instance)
{
    (void)cb, (void)instances, (void)first, (void)first_instance;
    note("draw %u", vertices);
}

static inline void draw_indirect(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                                 uint32_t count, uint32_t stride)
{
    (void)cb, (void)buffer;
    note("draw indirect %u@%u*%u", count, (unsigned)offset, stride);
}

static inline void execute(VkCommandBuffer cb, uint32_t count, const VkCommandBuffer *secondaries)
{
    (void)cb, (void)secondaries;
    note("execute %u", count);
}

static inline void begin_query(VkCommandBuffer cb, VkQueryPool from, uint32_t query,
                               VkQueryControlFlags flags)
{
    (void)cb, (void)from, (void)flags;
    note("begin query %u", query);
}

static inline void end_query(VkCommandBuffer cb, VkQueryPool from, uint32_t query)
{
    (void)cb, (void)from;
    note("end query %u", query);
}

static inline void end_condition(VkCommandBuffer cb)
{
    (void)cb;
    note("end condition");
}

static inline void set_topology(VkCommandBuffer cb, VkPrimitiveTopology topology)
{
    (void)cb;
    note("topology %u", (unsigned)topology);
}

/* Some tests look at stages. */
static inline void note_barrier(VkCommandBuffer cb, VkPipelineStageFlags source,
                                VkPipelineStageFlags target, VkDependencyFlags flags,
                                uint32_t memory_count, const VkMemoryBarrier *memory,
                                uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                                uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)source, (void)target, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("barrier");
}

/* In words where some test asks for them. */
static inline void note_stages(VkPipelineStageFlags source, VkPipelineStageFlags target)
{
    static const struct {
        VkPipelineStageFlags stage;
        const char *name;
    } names[] = {
        {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, "all"},
        {VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, "input"},
        {VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, "vertex"},
        {VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT, "geometry"},
        {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, "compute"},
        {VK_PIPELINE_STAGE_TRANSFER_BIT, "transfer"},
        {VK_PIPELINE_STAGE_HOST_BIT, "host"},
    };
    for (int end = 0; end < 2; end++) {
        VkPipelineStageFlags rest = end ? target : source;
        note_more(end ? " >" : "");
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            if (rest & names[i].stage)
                note_more(" %s", names[i].name);
            rest &= ~names[i].stage;
        }
        if (rest)
            note_more(" %x", rest);
    }
}

static inline void note_stages_barrier(VkCommandBuffer cb, VkPipelineStageFlags source,
                                       VkPipelineStageFlags target, VkDependencyFlags flags,
                                       uint32_t memory_count, const VkMemoryBarrier *memory,
                                       uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                                       uint32_t image_count, const VkImageMemoryBarrier *image)
{
    note_barrier(cb, source, target, flags, memory_count, memory, buffer_count, buffer, image_count,
                 image);
    note_stages(source, target);
}

/* The entries of a dispatch table; a test may replace some. */
#define FAKE_EVENT_DISPATCH                                                                        \
    .CmdBeginRenderPass = begin_pass, .CmdBeginRenderPass2 = begin_pass2,                          \
    .CmdBeginRendering = begin_rendering, .CmdNextSubpass = next_subpass,                          \
    .CmdEndRenderPass = end_pass, .CmdEndRenderPass2 = end_pass2,                                  \
    .CmdEndRendering = end_rendering, .CmdBindPipeline = bind_pipeline, .CmdDraw = draw,           \
    .CmdDrawIndirect = draw_indirect, .CmdDrawMeshTasksIndirectEXT = draw_indirect,                \
    .CmdExecuteCommands = execute, .CmdBeginQuery = begin_query, .CmdEndQuery = end_query,         \
    .CmdEndConditionalRenderingEXT = end_condition, .CmdSetPrimitiveTopology = set_topology

/* --- Recording --- */

/* Ends the command buffer; what was seen until then is forgotten. */
static inline void expect(VkCommandBuffer cb, const char *text)
{
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    expect_events(text);
}

static inline void begin_test_pass(VkSubpassContents contents)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = HANDLE(VkRenderPass, 0x77),
    };
    pgs_CmdBeginRenderPass(cmd, &info, contents);
}

static inline void begin_inline(void)
{
    begin_test_pass(VK_SUBPASS_CONTENTS_INLINE);
}

/* The command buffer with one pass in it. */
static inline void begin_drawing(void)
{
    begin(cmd, 0);
    begin_inline();
}

static inline void expect_drawn(const char *text)
{
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, text);
}

static inline void bind(VkCommandBuffer cb, VkPipeline pipeline)
{
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

#endif
