/* SPDX-License-Identifier: MIT
 *
 * The dispatch table that replays a pass with secondaries: contents are inline, secondaries are
 * replayed in place.
 */
#include "command/state/inline_dispatch.h"

#include "command/state/buffer.h"

static VKAPI_ATTR void VKAPI_CALL begin_render_pass(VkCommandBuffer cb,
                                                    const VkRenderPassBeginInfo *begin,
                                                    VkSubpassContents contents)
{
    (void)contents;
    pgs_recorder_get(cb)->vk->CmdBeginRenderPass(cb, begin, VK_SUBPASS_CONTENTS_INLINE);
}

static VkSubpassBeginInfo inline_contents(const VkSubpassBeginInfo *info)
{
    VkSubpassBeginInfo copy = *info;
    copy.contents = VK_SUBPASS_CONTENTS_INLINE;
    return copy;
}

static VKAPI_ATTR void VKAPI_CALL begin_render_pass2(VkCommandBuffer cb,
                                                     const VkRenderPassBeginInfo *begin,
                                                     const VkSubpassBeginInfo *subpass)
{
    const VkSubpassBeginInfo info = inline_contents(subpass);
    pgs_recorder_get(cb)->vk->CmdBeginRenderPass2(cb, begin, &info);
}

static VKAPI_ATTR void VKAPI_CALL next_subpass(VkCommandBuffer cb, VkSubpassContents contents)
{
    (void)contents;
    pgs_recorder_get(cb)->vk->CmdNextSubpass(cb, VK_SUBPASS_CONTENTS_INLINE);
}

static VKAPI_ATTR void VKAPI_CALL next_subpass2(VkCommandBuffer cb, const VkSubpassBeginInfo *begin,
                                                const VkSubpassEndInfo *end)
{
    const VkSubpassBeginInfo info = inline_contents(begin);
    pgs_recorder_get(cb)->vk->CmdNextSubpass2(cb, &info, end);
}

static VKAPI_ATTR void VKAPI_CALL begin_rendering(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    VkRenderingInfo copy = *info;
    copy.flags &= ~(VkRenderingFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    pgs_recorder_get(cb)->vk->CmdBeginRendering(cb, &copy);
}

static VKAPI_ATTR void VKAPI_CALL execute_commands(VkCommandBuffer cb, uint32_t count,
                                                   const VkCommandBuffer *handles)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_peek(handles[i]);
        if (secondary && !secondary->queue_kept) /* in one that is executable */
            pgs_recorder_get(cb)->vk->CmdExecuteCommands(cb, 1, &handles[i]);
        else if (secondary) /* with this table, as it may execute others */
            pgs_queue_replay(&secondary->queue, cb, &secondary->dev->commands->inline_vk, NULL);
    }
}

void pgs_inline_dispatch_init(struct pgs_device_dispatch *inline_vk,
                              const struct pgs_device_dispatch *vk)
{
    *inline_vk = *vk;
    inline_vk->CmdBeginRenderPass = begin_render_pass;
    inline_vk->CmdBeginRenderPass2 = begin_render_pass2;
    inline_vk->CmdNextSubpass = next_subpass;
    inline_vk->CmdNextSubpass2 = next_subpass2;
    inline_vk->CmdBeginRendering = begin_rendering;
    inline_vk->CmdExecuteCommands = execute_commands;
}
