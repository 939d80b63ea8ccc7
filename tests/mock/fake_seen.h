/* SPDX-License-Identifier: MIT
 *
 * What tests of the command room have in common: a text of all that reached the driver and the draw
 * room, a letter and a few numbers each and then a space; the commands of a driver that nearly all
 * look at; and the way to record. To be included, after cmocka.h, by one file of a program.
 */
#ifndef FAKE_SEEN_H
#define FAKE_SEEN_H

#include "fake_recording.h"

#include <stdio.h>
#include <string.h>

static char seen[4096];

static inline void note(const char *format, ...)
{
    const size_t used = strlen(seen);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(seen + used, sizeof(seen) - used, format, arguments);
    va_end(arguments);
}

/* --- The driver --- */

static inline void begin_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                              VkSubpassContents contents)
{
    (void)cb, (void)info;
    note(contents == VK_SUBPASS_CONTENTS_INLINE ? "[ " : "[s ");
}

static inline void begin_rendering(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    (void)cb, (void)info;
    note("[ ");
}

static inline void end_pass(VkCommandBuffer cb)
{
    (void)cb;
    note("] ");
}

static inline void bind_pipeline(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)cb, (void)point;
    note("P%x ", (unsigned)(uintptr_t)pipeline);
}

static inline void draw(VkCommandBuffer cb, uint32_t vertices, uint32_t instances, uint32_t first,
                        uint32_t first_instance)
{
    (void)cb, (void)instances, (void)first, (void)first_instance;
    note("D%u ", vertices);
}

static inline void execute(VkCommandBuffer cb, uint32_t count, const VkCommandBuffer *secondaries)
{
    (void)cb, (void)secondaries;
    note("E%u ", count);
}

/* Not among the entries: some tests look at stages. */
static inline void note_barrier(VkCommandBuffer cb, VkPipelineStageFlags source,
                                VkPipelineStageFlags target, VkDependencyFlags flags,
                                uint32_t memory_count, const VkMemoryBarrier *memory,
                                uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                                uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)source, (void)target, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    note("| ");
}

/* The entries of a dispatch table for the others. */
#define FAKE_SEEN_DISPATCH                                                                         \
    .CmdBeginRenderPass = begin_pass, .CmdEndRenderPass = end_pass,                                \
    .CmdBeginRendering = begin_rendering, .CmdEndRendering = end_pass,                             \
    .CmdBindPipeline = bind_pipeline, .CmdDraw = draw, .CmdExecuteCommands = execute

/* --- Recording --- */

/* Ends the command buffer; what was seen until then is forgotten. */
static inline void expect(VkCommandBuffer cb, const char *calls)
{
    assert_int_equal(pgs_EndCommandBuffer(cb), VK_SUCCESS);
    assert_string_equal(seen, calls);
    seen[0] = 0;
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

static inline void expect_drawn(const char *calls)
{
    pgs_CmdEndRenderPass(cmd);
    expect(cmd, calls);
}

static inline void bind(VkCommandBuffer cb, VkPipeline pipeline)
{
    pgs_CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

#endif
