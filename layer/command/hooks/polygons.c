/* SPDX-License-Identifier: MIT
 *
 * How polygons are culled and their depths biased, for draws of the layer that make lines or points
 * of them, or wide lines, or large points; what is culled also for those that leave it out. The
 * driver gets all of it.
 */
#include "command/state/graphics_state.h"
#include "vulkan/hooks.h"
#include "vulkan/replaced_primitives.h"

/* As of viewports: the last replacement has the state of its draw, and takes no more draws. */
static bool notes(struct pgs_command_buffer *cb)
{
    if (!pgs_replaces_primitives(cb->dev->physical))
        return false;
    cb->dirty = true;
    cb->pass.replaced_to = NULL;
    return true;
}

/* Draws that leave out triangles which face away are no repetitions of those that left out
 * others. */
static void note_facing(struct pgs_command_buffer *cb, VkCullModeFlags cull_mode, VkFrontFace front)
{
    struct pgs_polygon_state *state = &cb->graphics.polygons;
    const bool is_read = notes(cb) || cb->dev->physical->traits.finds_uncovered;
    if (!is_read || (state->cull_mode == cull_mode && state->front_face == front))
        return;
    cb->dirty = true;
    state->cull_mode = cull_mode;
    state->front_face = front;
    pgs_state_changed(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetCullMode(VkCommandBuffer commandBuffer,
                                              VkCullModeFlags cullMode)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetCullMode, cullMode);
        return;
    }
    note_facing(cb, cullMode, cb->graphics.polygons.front_face);
    PGS_EMIT(cb, CmdSetCullMode, cullMode);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetFrontFace(VkCommandBuffer commandBuffer, VkFrontFace frontFace)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetFrontFace, frontFace);
        return;
    }
    note_facing(cb, cb->graphics.polygons.cull_mode, frontFace);
    PGS_EMIT(cb, CmdSetFrontFace, frontFace);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetDepthBiasEnable(VkCommandBuffer commandBuffer,
                                                     VkBool32 depthBiasEnable)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetDepthBiasEnable, depthBiasEnable);
        return;
    }
    if (notes(cb))
        cb->graphics.polygons.bias_enable = depthBiasEnable;
    PGS_EMIT(cb, CmdSetDepthBiasEnable, depthBiasEnable);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetDepthBias(VkCommandBuffer commandBuffer,
                                               float depthBiasConstantFactor, float depthBiasClamp,
                                               float depthBiasSlopeFactor)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetDepthBias, depthBiasConstantFactor, depthBiasClamp,
                    depthBiasSlopeFactor);
        return;
    }
    if (notes(cb)) {
        cb->graphics.polygons.bias = depthBiasConstantFactor;
        cb->graphics.polygons.bias_clamp = depthBiasClamp;
        cb->graphics.polygons.bias_slope = depthBiasSlopeFactor;
    }
    PGS_EMIT(cb, CmdSetDepthBias, depthBiasConstantFactor, depthBiasClamp, depthBiasSlopeFactor);
}
