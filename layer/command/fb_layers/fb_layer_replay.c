/* SPDX-License-Identifier: MIT
 *
 * The commands of a pass when it is recorded for one layer.
 */
#include "command/fb_layers/fb_layer_replay.h"

#include "command/fb_layers/fb_layer_queries.h"
#include "command/fb_layers/fb_layer_slices.h"
#include "command/fb_layers/fb_layer_state.h"
#include "command/fb_layers/fb_layer_views.h"
#include "command/state/buffer.h"
#include "command/state/inline_dispatch.h"

static bool is_first(const struct pgs_command_buffer *cb)
{
    return cb->fb_layers->layer == 0;
}

static bool is_last(const struct pgs_command_buffer *cb)
{
    return cb->fb_layers->layer + 1 == cb->pass.layer_count;
}

/* -- the pass -- */

/* If the copy fails, the pass is recorded with the application's own attachments, so that Begin and
 * End match. The command buffer has failed anyway. */
static VkRenderPassBeginInfo begin_of(struct pgs_command_buffer *cb,
                                      const VkRenderPassBeginInfo *info)
{
    VkRenderPassBeginInfo copy = *info;
    pgs_arena_reset(&cb->scratch);
    const VkResult result = pgs_fb_layer_begin(cb->dev, cb->fb_layers->layer, &copy, &cb->scratch);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return *info;
    if (!is_first(cb))
        pgs_fb_layer_pass_begin(cb, info, &copy);
    return copy;
}

static VKAPI_ATTR void VKAPI_CALL begin_render_pass(VkCommandBuffer handle,
                                                    const VkRenderPassBeginInfo *info,
                                                    VkSubpassContents contents)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    const VkRenderPassBeginInfo copy = begin_of(cb, info);
    (void)contents;
    cb->dev->vk.CmdBeginRenderPass(handle, &copy, VK_SUBPASS_CONTENTS_INLINE);
}

static VKAPI_ATTR void VKAPI_CALL begin_render_pass2(VkCommandBuffer handle,
                                                     const VkRenderPassBeginInfo *info,
                                                     const VkSubpassBeginInfo *subpass)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    const VkRenderPassBeginInfo copy = begin_of(cb, info);
    VkSubpassBeginInfo inlined = *subpass;
    inlined.contents = VK_SUBPASS_CONTENTS_INLINE;
    cb->dev->vk.CmdBeginRenderPass2(handle, &copy, &inlined);
}

static VKAPI_ATTR void VKAPI_CALL begin_rendering(VkCommandBuffer handle,
                                                  const VkRenderingInfo *info)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    VkRenderingInfo copy = *info;
    pgs_arena_reset(&cb->scratch);
    const VkResult result =
        pgs_fb_layer_rendering(cb->dev, cb->fb_layers->layer, &copy, &cb->scratch);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        copy = *info;
    copy.flags &= ~(VkRenderingFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    cb->dev->vk.CmdBeginRendering(handle, &copy);
}

static VKAPI_ATTR void VKAPI_CALL execute_commands(VkCommandBuffer handle, uint32_t count,
                                                   const VkCommandBuffer *handles)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_peek(handles[i]);
        if (secondary)
            pgs_queue_replay(&secondary->queue, handle, &cb->dev->commands->fb_layers->layer_vk,
                             NULL);
    }
}

/* -- commands that run in one of the layers only -- */

#define FIRST(command, parameters, ...)                                                            \
    static VKAPI_ATTR void VKAPI_CALL first_##command parameters                                   \
    {                                                                                              \
        const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);                     \
        if (is_first(cb))                                                                          \
            cb->dev->vk.command(handle, __VA_ARGS__);                                              \
    }

FIRST(CmdDraw, (VkCommandBuffer handle, uint32_t a, uint32_t b, uint32_t c, uint32_t d), a, b, c, d)
FIRST(CmdDrawIndexed,
      (VkCommandBuffer handle, uint32_t a, uint32_t b, uint32_t c, int32_t d, uint32_t e), a, b, c,
      d, e)
FIRST(CmdDrawIndirect,
      (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
       uint32_t stride),
      buffer, offset, count, stride)
FIRST(CmdDrawIndexedIndirect,
      (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
       uint32_t stride),
      buffer, offset, count, stride)
FIRST(CmdDrawIndirectCount,
      (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkBuffer counter,
       VkDeviceSize counter_offset, uint32_t most, uint32_t stride),
      buffer, offset, counter, counter_offset, most, stride)
FIRST(CmdDrawIndexedIndirectCount,
      (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkBuffer counter,
       VkDeviceSize counter_offset, uint32_t most, uint32_t stride),
      buffer, offset, counter, counter_offset, most, stride)
FIRST(CmdDrawMultiEXT,
      (VkCommandBuffer handle, uint32_t count, const VkMultiDrawInfoEXT *draws, uint32_t instances,
       uint32_t first, uint32_t stride),
      count, draws, instances, first, stride)
FIRST(CmdDrawMultiIndexedEXT,
      (VkCommandBuffer handle, uint32_t count, const VkMultiDrawIndexedInfoEXT *draws,
       uint32_t instances, uint32_t first, uint32_t stride, const int32_t *vertex_offset),
      count, draws, instances, first, stride, vertex_offset)
#undef FIRST

static bool is_here(const struct pgs_command_buffer *cb, VkQueryPool pool, uint32_t query)
{
    return is_first(cb) && !pgs_fb_layer_query_is_around(cb, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL begin_query(VkCommandBuffer handle, VkQueryPool pool,
                                              uint32_t query, VkQueryControlFlags flags)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (is_here(cb, pool, query))
        cb->dev->vk.CmdBeginQuery(handle, pool, query, flags);
}

static VKAPI_ATTR void VKAPI_CALL end_query(VkCommandBuffer handle, VkQueryPool pool,
                                            uint32_t query)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (is_here(cb, pool, query))
        cb->dev->vk.CmdEndQuery(handle, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL begin_query_indexed(VkCommandBuffer handle, VkQueryPool pool,
                                                      uint32_t query, VkQueryControlFlags flags,
                                                      uint32_t index)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (is_here(cb, pool, query))
        cb->dev->vk.CmdBeginQueryIndexedEXT(handle, pool, query, flags, index);
}

static VKAPI_ATTR void VKAPI_CALL end_query_indexed(VkCommandBuffer handle, VkQueryPool pool,
                                                    uint32_t query, uint32_t index)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (is_here(cb, pool, query))
        cb->dev->vk.CmdEndQueryIndexedEXT(handle, pool, query, index);
}

static VKAPI_ATTR void VKAPI_CALL write_timestamp(VkCommandBuffer handle,
                                                  VkPipelineStageFlagBits stage, VkQueryPool pool,
                                                  uint32_t query)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (is_last(cb))
        cb->dev->vk.CmdWriteTimestamp(handle, stage, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL write_timestamp2(VkCommandBuffer handle,
                                                   VkPipelineStageFlags2 stage, VkQueryPool pool,
                                                   uint32_t query)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (is_last(cb))
        cb->dev->vk.CmdWriteTimestamp2(handle, stage, pool, query);
}

/* Keeps the rectangles that cover this layer. */
static VKAPI_ATTR void VKAPI_CALL clear_attachments(VkCommandBuffer handle, uint32_t count,
                                                    const VkClearAttachment *attachments,
                                                    uint32_t rectangle_count,
                                                    const VkClearRect *rectangles)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    const uint32_t layer = cb->fb_layers->layer;
    uint32_t kept = 0;
    pgs_arena_reset(&cb->scratch);
    VkClearRect *copy = pgs_arena_copy(&cb->scratch, rectangles, rectangle_count, sizeof(*copy),
                                       _Alignof(VkClearRect));
    if (!copy) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < rectangle_count; i++) {
        if (layer < rectangles[i].baseArrayLayer ||
            layer - rectangles[i].baseArrayLayer >= rectangles[i].layerCount)
            continue;
        copy[kept] = rectangles[i];
        copy[kept].baseArrayLayer = 0;
        copy[kept++].layerCount = 1;
    }
    if (kept)
        cb->dev->vk.CmdClearAttachments(handle, count, attachments, kept, copy);
}

void pgs_fb_layer_dispatch_init(struct pgs_device_dispatch *layer_vk,
                                const struct pgs_device_dispatch *vk)
{
    pgs_inline_dispatch_init(layer_vk, vk); /* the next subpass is recorded inline, too */
    layer_vk->CmdBeginRenderPass = begin_render_pass;
    layer_vk->CmdBeginRenderPass2 = begin_render_pass2;
    layer_vk->CmdBeginRendering = begin_rendering;
    layer_vk->CmdExecuteCommands = execute_commands;
    layer_vk->CmdDraw = first_CmdDraw;
    layer_vk->CmdDrawIndexed = first_CmdDrawIndexed;
    layer_vk->CmdDrawIndirect = first_CmdDrawIndirect;
    layer_vk->CmdDrawIndexedIndirect = first_CmdDrawIndexedIndirect;
    layer_vk->CmdDrawIndirectCount = first_CmdDrawIndirectCount;
    layer_vk->CmdDrawIndexedIndirectCount = first_CmdDrawIndexedIndirectCount;
    layer_vk->CmdDrawMultiEXT = first_CmdDrawMultiEXT;
    layer_vk->CmdDrawMultiIndexedEXT = first_CmdDrawMultiIndexedEXT;
    layer_vk->CmdBeginQuery = begin_query;
    layer_vk->CmdEndQuery = end_query;
    layer_vk->CmdBeginQueryIndexedEXT = begin_query_indexed;
    layer_vk->CmdEndQueryIndexedEXT = end_query_indexed;
    layer_vk->CmdWriteTimestamp = write_timestamp;
    layer_vk->CmdWriteTimestamp2 = write_timestamp2;
    layer_vk->CmdClearAttachments = clear_attachments;
}
