/* SPDX-License-Identifier: MIT */
#include "pipeline/kept_render_pass.h"

#include "base/alloc.h"
#include "pipeline/device.h"
#include "vulkan/chain.h"

static struct pgs_kept_render_pass *
pass_new(uint32_t subpass_count, const VkAllocationCallbacks *allocator, VkRenderPass handle)
{
    struct pgs_kept_render_pass *pass =
        pgs_alloc(sizeof(*pass) + subpass_count * sizeof(pass->subpasses[0]));
    if (!pass)
        return NULL;
    atomic_init(&pass->refs, 1);
    pass->handle = handle;
    pass->may_outlive = !allocator;
    pass->subpass_count = subpass_count;
    return pass;
}

static VkResult publish(struct pgs_device *dev, struct pgs_kept_render_pass *pass)
{
    if (pgs_map_insert(&dev->pipelines->render_passes, (uint64_t)pass->handle, pass))
        return VK_SUCCESS;
    pgs_free(pass);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_kept_render_pass_note(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass handle)
{
    struct pgs_kept_render_pass *pass = pass_new(info->subpassCount, allocator, handle);
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkRenderPassMultiviewCreateInfo *views =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
    for (uint32_t i = 0; i < info->subpassCount; i++) {
        const VkSubpassDescription *subpass = &info->pSubpasses[i];
        const VkAttachmentReference *depth = subpass->pDepthStencilAttachment;
        pass->subpasses[i] = (struct pgs_subpass_uses){
            .depth_stencil = depth && depth->attachment != VK_ATTACHMENT_UNUSED,
            .depth_format = depth && depth->attachment < info->attachmentCount
                                ? info->pAttachments[depth->attachment].format
                                : VK_FORMAT_UNDEFINED,
            .view_mask = views && i < views->subpassCount ? views->pViewMasks[i] : 0};
        for (uint32_t c = 0; c < subpass->colorAttachmentCount; c++)
            pass->subpasses[i].color |=
                subpass->pColorAttachments[c].attachment != VK_ATTACHMENT_UNUSED;
    }
    return publish(dev, pass);
}

VkResult pgs_kept_render_pass_note2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                    const VkAllocationCallbacks *allocator, VkRenderPass handle)
{
    struct pgs_kept_render_pass *pass = pass_new(info->subpassCount, allocator, handle);
    if (!pass)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->subpassCount; i++) {
        const VkSubpassDescription2 *subpass = &info->pSubpasses[i];
        const VkAttachmentReference2 *depth = subpass->pDepthStencilAttachment;
        pass->subpasses[i] = (struct pgs_subpass_uses){
            .depth_stencil = depth && depth->attachment != VK_ATTACHMENT_UNUSED,
            .depth_format = depth && depth->attachment < info->attachmentCount
                                ? info->pAttachments[depth->attachment].format
                                : VK_FORMAT_UNDEFINED,
            .view_mask = subpass->viewMask};
        for (uint32_t c = 0; c < subpass->colorAttachmentCount; c++)
            pass->subpasses[i].color |=
                subpass->pColorAttachments[c].attachment != VK_ATTACHMENT_UNUSED;
    }
    return publish(dev, pass);
}

/* NULL where the handle or the subpass is not known. */
static const struct pgs_subpass_uses *find_subpass(const struct pgs_device *dev,
                                                   VkRenderPass handle, uint32_t subpass)
{
    const struct pgs_kept_render_pass *pass =
        handle ? pgs_map_find(&dev->pipelines->render_passes, (uint64_t)handle) : NULL;
    return pass && subpass < pass->subpass_count ? &pass->subpasses[subpass] : NULL;
}

uint32_t pgs_render_pass_view_mask(const struct pgs_device *dev, VkRenderPass handle,
                                   uint32_t subpass)
{
    const struct pgs_subpass_uses *uses = find_subpass(dev, handle, subpass);
    return uses ? uses->view_mask : 0;
}

VkFormat pgs_render_pass_depth_format(const struct pgs_device *dev, VkRenderPass handle,
                                      uint32_t subpass)
{
    const struct pgs_subpass_uses *uses = find_subpass(dev, handle, subpass);
    return uses ? uses->depth_format : VK_FORMAT_UNDEFINED;
}

struct pgs_kept_render_pass *pgs_kept_render_pass_acquire(const struct pgs_device *dev,
                                                          VkRenderPass handle)
{
    struct pgs_kept_render_pass *pass =
        pgs_map_find(&dev->pipelines->render_passes, (uint64_t)handle);
    if (!pass || !pass->may_outlive)
        return NULL;
    atomic_fetch_add(&pass->refs, 1);
    return pass;
}

void pgs_kept_render_pass_release(const struct pgs_device *dev, struct pgs_kept_render_pass *pass)
{
    if (!pass || atomic_fetch_sub(&pass->refs, 1) != 1)
        return;
    pgs_map_remove(&dev->pipelines->render_passes, (uint64_t)pass->handle);
    dev->vk.DestroyRenderPass(dev->handle, pass->handle, NULL);
    pgs_free(pass);
}

void pgs_kept_render_pass_destroy(struct pgs_device *dev, VkRenderPass handle,
                                  const VkAllocationCallbacks *allocator)
{
    struct pgs_kept_render_pass *pass =
        handle ? pgs_map_find(&dev->pipelines->render_passes, (uint64_t)handle) : NULL;
    if (pass && pass->may_outlive) {
        pgs_kept_render_pass_release(dev, pass);
        return;
    }
    if (pass)
        pgs_map_remove(&dev->pipelines->render_passes, (uint64_t)handle);
    dev->vk.DestroyRenderPass(dev->handle, handle, allocator);
    pgs_free(pass);
}
