/* SPDX-License-Identifier: MIT
 *
 * Render passes that resume what another one has stored. They are made with every render pass until
 * the device has seen a geometry shader, for pgs_pass_split, and always if transform feedback is
 * emulated, for pgs_pass_begin_segment. They differ from the original in load operations and
 * initial layouts only, and so are compatible.
 */
#include "command/pass/split_render_pass.h"

#include "command/state/attachment.h"
#include "pipeline/possible.h"
#include "vulkan/chain.h"

static const char several_subpasses[] = "it has several subpasses";

static const char not_stored[] = "it does not store all of its attachments";

static const char stencil_layouts[] = "it has separate stencil layouts";

/* The members that both versions of VkAttachmentDescription have. */
struct ops {
    VkAttachmentLoadOp *load, *stencil_load;
    VkAttachmentStoreOp store, stencil_store;
    VkImageLayout layout; /* in the subpass, for the depth and stencil attachment */
    VkImageLayout *initial, final;
};

/* Attachment number `index`; `reference` is the depth and stencil attachment, or NULL. */
#define OPS_OF(described, index, reference)                                                        \
    {                                                                                              \
        .load = &(described)->loadOp, .stencil_load = &(described)->stencilLoadOp,                 \
        .store = (described)->storeOp, .stencil_store = (described)->stencilStoreOp,               \
        .layout = (reference) && (reference)->attachment == (index) ? (reference)->layout          \
                                                                    : VK_IMAGE_LAYOUT_UNDEFINED,   \
        .initial = &(described)->initialLayout, .final = (described)->finalLayout,                 \
    }

/* Edits the attachment so that it loads its contents; false if they are not preserved. */
static bool load_again(VkFormat format, const struct ops *ops)
{
    const VkImageAspectFlags aspects = pgs_format_aspects(format);
    const VkImageAspectFlagBits first =
        aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
    if (aspects & first) {
        if (!pgs_attachment_stays(*ops->load, ops->store, ops->layout, first))
            return false;
        *ops->load = VK_ATTACHMENT_LOAD_OP_LOAD;
    }
    if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) {
        if (!pgs_attachment_stays(*ops->stencil_load, ops->stencil_store, ops->layout,
                                  VK_IMAGE_ASPECT_STENCIL_BIT))
            return false;
        *ops->stencil_load = VK_ATTACHMENT_LOAD_OP_LOAD;
    }
    *ops->initial = ops->final;
    return true;
}

/* False if the pass will be queued from the start, or cannot be split. */
static bool needs_second_pass(const struct pgs_device *dev, uint32_t subpass_count,
                              struct pgs_render_pass *pass)
{
    if (pgs_pipelines_possible(dev) && !dev->xfb)
        return false;
    pass->several_subpasses = subpass_count != 1;
    pass->obstacle = pass->several_subpasses ? several_subpasses : NULL;
    return !pass->obstacle;
}

VkResult pgs_render_pass_prepare(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                 struct pgs_render_pass *pass)
{
    if (!needs_second_pass(dev, info->subpassCount, pass))
        return VK_SUCCESS;
    const uint32_t count = info->attachmentCount;
    VkAttachmentDescription *attachments = pgs_calloc(count + 1, sizeof(*attachments));
    if (!attachments)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkAttachmentReference *depth = info->pSubpasses[0].pDepthStencilAttachment;
    for (uint32_t i = 0; i < count; i++) {
        VkAttachmentDescription *a = &attachments[i];
        *a = info->pAttachments[i];
        const struct ops ops = OPS_OF(a, i, depth);
        if (!load_again(a->format, &ops))
            pass->obstacle = not_stored;
    }
    VkRenderPassCreateInfo again = *info;
    again.pAttachments = attachments;
    VkResult result = VK_SUCCESS;
    if (!pass->obstacle)
        result = dev->vk.CreateRenderPass(dev->handle, &again, NULL, &pass->again);
    pgs_free(attachments);
    return result;
}

VkResult pgs_render_pass_prepare2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                  struct pgs_render_pass *pass)
{
    if (!needs_second_pass(dev, info->subpassCount, pass))
        return VK_SUCCESS;
    const uint32_t count = info->attachmentCount;
    VkAttachmentDescription2 *attachments = pgs_calloc(count + 1, sizeof(*attachments));
    if (!attachments)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkAttachmentReference2 *depth = info->pSubpasses[0].pDepthStencilAttachment;
    for (uint32_t i = 0; i < count; i++) {
        VkAttachmentDescription2 *a = &attachments[i];
        *a = info->pAttachments[i];
        const struct ops ops = OPS_OF(a, i, depth);
        if (pgs_chain_find(a->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT))
            pass->obstacle = stencil_layouts;
        else if (!load_again(a->format, &ops))
            pass->obstacle = not_stored;
    }
    VkRenderPassCreateInfo2 again = *info;
    again.pAttachments = attachments;
    VkResult result = VK_SUCCESS;
    if (!pass->obstacle)
        result = dev->vk.CreateRenderPass2(dev->handle, &again, NULL, &pass->again);
    pgs_free(attachments);
    return result;
}
