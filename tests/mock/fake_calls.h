/* SPDX-License-Identifier: MIT
 *
 * What reached the driver and the draw module, in the order it did, for tests that look at numbers;
 * and the commands of a driver that they all look at. To be included, after cmocka.h, by one file
 * of a program. (fake_events.h keeps a text instead.)
 */
#ifndef FAKE_CALLS_H
#define FAKE_CALLS_H

#include "fake_modules.h"

struct call {
    enum fake_event what;
    uint64_t a, b, c;
};
static _Thread_local struct {
    struct call calls[8192];
    size_t count;
} seen;

#define EVENT(event) #event
static const char *const fake_event_names[] = {FAKE_EVENTS(EVENT)};
#undef EVENT

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    if (seen.count < sizeof(seen.calls) / sizeof(seen.calls[0]))
        seen.calls[seen.count++] = (struct call){what, a, b, c};
}

static inline void expect_at(size_t index, enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    assert_true(index < seen.count);
    const struct call *call = &seen.calls[index];
    if (call->what != what)
        fail_msg("call %zu is %s, not %s", index, fake_event_names[call->what],
                 fake_event_names[what]);
    assert_int_equal(call->a, a);
    assert_int_equal(call->b, b);
    assert_int_equal(call->c, c);
}

/* --- The driver --- */

static inline void bind_pipeline(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)cb;
    fake_modules_note(FAKE_BIND, point, (uintptr_t)pipeline, 0);
}

static inline void draw(VkCommandBuffer cb, uint32_t vertices, uint32_t instances, uint32_t first,
                        uint32_t first_instance)
{
    (void)cb, (void)first_instance;
    fake_modules_note(FAKE_DRAW, vertices, instances, first);
}

static inline void begin_pass(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                              VkSubpassContents contents)
{
    (void)cb;
    fake_modules_note(FAKE_BEGIN_PASS, (uintptr_t)info->renderPass, contents,
                      info->clearValueCount);
}

static inline void end_pass(VkCommandBuffer cb)
{
    (void)cb;
    fake_modules_note(FAKE_END_PASS, 0, 0, 0);
}

static inline void execute(VkCommandBuffer cb, uint32_t count, const VkCommandBuffer *secondaries)
{
    (void)cb, (void)secondaries;
    fake_modules_note(FAKE_EXECUTE, count, 0, 0);
}

static inline void barrier(VkCommandBuffer cb, VkPipelineStageFlags source,
                           VkPipelineStageFlags target, VkDependencyFlags flags,
                           uint32_t memory_count, const VkMemoryBarrier *memory,
                           uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                           uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)flags, (void)buffer_count, (void)buffer, (void)image_count, (void)image;
    fake_modules_note(FAKE_BARRIER, source, target, memory_count ? memory[0].dstAccessMask : 0);
}

/* The entries of a dispatch table for the above. */
#define FAKE_CALLS_DISPATCH                                                                        \
    .CmdBindPipeline = bind_pipeline, .CmdDraw = draw, .CmdBeginRenderPass = begin_pass,           \
    .CmdEndRenderPass = end_pass, .CmdExecuteCommands = execute, .CmdPipelineBarrier = barrier

#endif
