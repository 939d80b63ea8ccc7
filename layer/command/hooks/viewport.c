/* SPDX-License-Identifier: MIT
 *
 * Viewports, scissors and, for what they cover, the width of lines and where depths begin. Emulated
 * draws choose among them where the driver takes no viewport index from a vertex shader, and those
 * that make lines or points of polygons, or wide lines, or look for samples, must know them. A
 * driver without multiViewport gets the first of each, one without wideLines lines of one pixel.
 */
#include "command/pass/bind_graphics.h"
#include "command/state/graphics_state.h"
#include "vulkan/hooks.h"
#include "vulkan/replaced_primitives.h"

#include <string.h>

/* Copies values from number `first` on, as far as there is room; returns their bits. */
static uint32_t note(void *to, const void *from, size_t size_B, uint32_t first, uint32_t count)
{
    if (first >= PGS_MAX_VIEWPORTS)
        return 0;
    const uint32_t room = PGS_MAX_VIEWPORTS - first;
    const uint32_t copied = count < room ? count : room;
    memcpy((char *)to + first * size_B, from, copied * size_B);
    return ((1u << copied) - 1) << first;
}

/* The last replacement has the viewports of its draw, so it takes no more draws. The version of the
 * state stays: draws with other viewports may be repetitions. */
static bool notes(struct pgs_command_buffer *cb)
{
    const struct pgs_physical_device *physical = cb->dev->physical;
    if (!physical->replays_viewports && !pgs_replaces_primitives(physical))
        return false;
    cb->dirty = true;
    cb->graphics.viewport_version++;
    cb->pass.replaced_to = NULL;
    return true;
}

/* Draws that leave out triangles which cover no sample of their viewport are no repetitions of
 * those with another one. */
static void note_samples(struct pgs_command_buffer *cb, uint32_t first, uint32_t count,
                         const VkViewport *viewports)
{
    struct pgs_graphics_state *state = &cb->graphics;
    VkViewport *known = state->viewports.viewports;
    if (!cb->dev->physical->traits.finds_uncovered || first != 0 || count == 0 ||
        ((state->viewport_mask & 1) && memcmp(known, viewports, sizeof(*known)) == 0))
        return;
    *known = *viewports;
    state->viewport_mask |= 1;
    cb->dirty = true;
    pgs_state_changed(cb);
}

static uint32_t known_count(uint32_t count)
{
    return count < PGS_MAX_VIEWPORTS ? count : PGS_MAX_VIEWPORTS;
}

/* How many of `count` from number `first` on the driver has. */
static uint32_t driver_count(const struct pgs_command_buffer *cb, uint32_t first, uint32_t count)
{
    if (!cb->dev->physical->one_viewport)
        return count;
    return first == 0 && count > 0;
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetViewport(VkCommandBuffer commandBuffer, uint32_t firstViewport,
                                              uint32_t viewportCount, const VkViewport *pViewports)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetViewport, firstViewport, viewportCount, pViewports);
        return;
    }
    note_samples(cb, firstViewport, viewportCount, pViewports);
    if (notes(cb)) {
        cb->graphics.viewports.viewport_count = 0;
        cb->graphics.viewport_mask |= note(cb->graphics.viewports.viewports, pViewports,
                                           sizeof(*pViewports), firstViewport, viewportCount);
    }
    const uint32_t count = driver_count(cb, firstViewport, viewportCount);
    if (count)
        PGS_EMIT(cb, CmdSetViewport, firstViewport, count, pViewports);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetScissor(VkCommandBuffer commandBuffer, uint32_t firstScissor,
                                             uint32_t scissorCount, const VkRect2D *pScissors)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetScissor, firstScissor, scissorCount, pScissors);
        return;
    }
    if (notes(cb)) {
        cb->graphics.viewports.scissor_count = 0;
        cb->graphics.scissor_mask |= note(cb->graphics.viewports.scissors, pScissors,
                                          sizeof(*pScissors), firstScissor, scissorCount);
    }
    const uint32_t count = driver_count(cb, firstScissor, scissorCount);
    if (count)
        PGS_EMIT(cb, CmdSetScissor, firstScissor, count, pScissors);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetViewportWithCount(VkCommandBuffer commandBuffer,
                                                       uint32_t viewportCount,
                                                       const VkViewport *pViewports)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetViewportWithCount, viewportCount, pViewports);
        return;
    }
    note_samples(cb, 0, viewportCount, pViewports);
    if (notes(cb)) {
        cb->graphics.viewports.viewport_count = known_count(viewportCount);
        cb->graphics.viewport_mask = note(cb->graphics.viewports.viewports, pViewports,
                                          sizeof(*pViewports), 0, viewportCount);
    }
    PGS_EMIT(cb, CmdSetViewportWithCount, driver_count(cb, 0, viewportCount), pViewports);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetScissorWithCount(VkCommandBuffer commandBuffer,
                                                      uint32_t scissorCount,
                                                      const VkRect2D *pScissors)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetScissorWithCount, scissorCount, pScissors);
        return;
    }
    if (notes(cb)) {
        cb->graphics.viewports.scissor_count = known_count(scissorCount);
        cb->graphics.scissor_mask =
            note(cb->graphics.viewports.scissors, pScissors, sizeof(*pScissors), 0, scissorCount);
    }
    PGS_EMIT(cb, CmdSetScissorWithCount, driver_count(cb, 0, scissorCount), pScissors);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetLineWidth(VkCommandBuffer commandBuffer, float lineWidth)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetLineWidth, lineWidth);
        return;
    }
    if (notes(cb))
        cb->graphics.line_width = lineWidth;
    PGS_EMIT(cb, CmdSetLineWidth, cb->dev->lines ? 1 : lineWidth);
    pgs_bind_other_pipeline(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetDepthClipNegativeOneToOneEXT(VkCommandBuffer commandBuffer,
                                                                  VkBool32 negativeOneToOne)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetDepthClipNegativeOneToOneEXT, negativeOneToOne);
        return;
    }
    if (notes(cb))
        cb->graphics.negative_one_to_one = negativeOneToOne;
    PGS_EMIT(cb, CmdSetDepthClipNegativeOneToOneEXT, negativeOneToOne);
}
