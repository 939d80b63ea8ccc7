/* SPDX-License-Identifier: MIT
 *
 * Renderings that are suspended and resumed. Nothing may be recorded between the links of such a
 * chain, but the compute work of a link has to be, and the links may be in several command buffers.
 * So each becomes a rendering of its own, whether it has compute work or not, since the others
 * cannot know.
 */
#include "command/pass/chain.h"

#include "base/log.h"
#include "command/state/attachment.h"
#include "command/state/buffer.h"

/* Attachments that a later link needs are stored and loaded; only the last link resolves. The
 * parameter points to const because VkRenderingInfo does; the memory is ours. */
static void unchain_attachment(const VkRenderingAttachmentInfo *attachment, VkRenderingFlags flags,
                               VkImageAspectFlagBits aspect)
{
    VkRenderingAttachmentInfo *a = (VkRenderingAttachmentInfo *)attachment;
    if (!a || !a->imageView)
        return;
    if (flags & VK_RENDERING_RESUMING_BIT)
        a->loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    if (!(flags & VK_RENDERING_SUSPENDING_BIT))
        return;
    if (!pgs_attachment_stays(a->loadOp, a->storeOp, a->imageLayout, aspect))
        a->storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    a->resolveMode = VK_RESOLVE_MODE_NONE;
    a->resolveImageView = VK_NULL_HANDLE;
}

static const VkRenderingAttachmentInfo *
copy_attachments(struct pgs_command_buffer *cb, const VkRenderingAttachmentInfo *attachments,
                 uint32_t count)
{
    return attachments ? pgs_arena_copy(&cb->scratch, attachments, count, sizeof(*attachments),
                                        _Alignof(VkRenderingAttachmentInfo))
                       : NULL;
}

/* Makes the writes of the previous link visible to this one. */
static void record_barrier(const struct pgs_command_buffer *cb)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    cb->dev->vk.CmdPipelineBarrier(cb->handle, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                   VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, 0, 1, &barrier, 0, NULL, 0,
                                   NULL);
}

const VkRenderingInfo *pgs_rendering_unchain(struct pgs_command_buffer *cb,
                                             const VkRenderingInfo *info)
{
    const VkRenderingFlags chained = VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT;
    if (!(info->flags & chained))
        return info;
    if (pgs_has_lone_samples(info->pNext))
        pgs_log_once(PGS_LOG_ERROR,
                     "a rendering with samples that no attachment keeps is suspended or resumed: "
                     "its later parts begin with what the earlier ones have resolved");
    pgs_arena_reset(&cb->scratch);
    VkRenderingInfo *copy =
        pgs_arena_copy(&cb->scratch, info, 1, sizeof(*copy), _Alignof(VkRenderingInfo));
    const uint32_t colors = info->colorAttachmentCount;
    const VkRenderingAttachmentInfo *color = copy_attachments(cb, info->pColorAttachments, colors);
    const VkRenderingAttachmentInfo *depth = copy_attachments(cb, info->pDepthAttachment, 1);
    const VkRenderingAttachmentInfo *stencil = copy_attachments(cb, info->pStencilAttachment, 1);
    if (!copy || (colors && !color) || (info->pDepthAttachment && !depth) ||
        (info->pStencilAttachment && !stencil)) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
        return info;
    }
    copy->flags &= ~chained;
    copy->pColorAttachments = color;
    copy->pDepthAttachment = depth;
    copy->pStencilAttachment = stencil;
    for (uint32_t i = 0; i < colors; i++)
        unchain_attachment(&color[i], info->flags, VK_IMAGE_ASPECT_COLOR_BIT);
    unchain_attachment(depth, info->flags, VK_IMAGE_ASPECT_DEPTH_BIT);
    unchain_attachment(stencil, info->flags, VK_IMAGE_ASPECT_STENCIL_BIT);
    if (info->flags & VK_RENDERING_RESUMING_BIT)
        record_barrier(cb);
    return copy;
}
