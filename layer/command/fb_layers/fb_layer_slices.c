/* SPDX-License-Identifier: MIT */
#include "command/fb_layers/fb_layer_slices.h"

#include "command/fb_layers/fb_layer_state.h"
#include "command/fb_layers/fb_layer_views.h"
#include "command/state/attachment.h"
#include "command/state/buffer.h"
#include "vulkan/chain.h"

struct attachment {
    VkImageLayout initial, final;
    VkImageAspectFlags aspects;
};

struct pgs_fb_layer_pass {
    VkRenderPass next; /* compatible; its initial layouts are the final ones */
    uint32_t count;
    struct attachment attachments[];
};

/* -- images -- */

static struct pgs_fb_layer_device *fb_layers_of(const struct pgs_device *dev)
{
    return dev->active ? dev->commands->fb_layers : NULL;
}

VkResult pgs_fb_layer_note_image(struct pgs_device *dev, VkImage image,
                                 const VkImageCreateInfo *info)
{
    struct pgs_fb_layer_device *fb_layers = fb_layers_of(dev);
    if (!fb_layers || info->imageType != VK_IMAGE_TYPE_3D ||
        !(info->flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT))
        return VK_SUCCESS;
    return pgs_map_insert(&fb_layers->sliced_images, (uint64_t)(uintptr_t)image, fb_layers)
               ? VK_SUCCESS
               : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_fb_layer_forget_image(struct pgs_device *dev, VkImage image)
{
    struct pgs_fb_layer_device *fb_layers = fb_layers_of(dev);
    if (fb_layers)
        pgs_map_remove(&fb_layers->sliced_images, (uint64_t)(uintptr_t)image);
}

/* -- render passes -- */

static struct pgs_fb_layer_pass *new_pass(uint32_t count)
{
    struct pgs_fb_layer_pass *pass =
        pgs_calloc(1, sizeof(*pass) + count * sizeof(struct attachment));
    if (pass)
        pass->count = count;
    return pass;
}

/* Takes over what succeeded, or frees it. */
static VkResult finish_pass(VkResult result, struct pgs_fb_layer_pass *made,
                            struct pgs_fb_layer_pass **pass)
{
    if (result == VK_SUCCESS)
        *pass = made;
    else
        pgs_free(made);
    return result;
}

VkResult pgs_fb_layer_pass_create(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                  struct pgs_fb_layer_pass **pass)
{
    bool changes = false;
    *pass = NULL;
    for (uint32_t i = 0; i < info->attachmentCount; i++)
        changes |= info->pAttachments[i].initialLayout != info->pAttachments[i].finalLayout;
    if (!fb_layers_of(dev) || !changes)
        return VK_SUCCESS;
    struct pgs_fb_layer_pass *made = new_pass(info->attachmentCount);
    VkAttachmentDescription *attachments = pgs_calloc(info->attachmentCount, sizeof(*attachments));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (made && attachments) {
        VkRenderPassCreateInfo next = *info;
        next.pAttachments = attachments;
        for (uint32_t i = 0; i < info->attachmentCount; i++) {
            const VkAttachmentDescription *a = &info->pAttachments[i];
            attachments[i] = *a;
            attachments[i].initialLayout = a->finalLayout;
            made->attachments[i] = (struct attachment){a->initialLayout, a->finalLayout,
                                                       pgs_format_aspects(a->format)};
        }
        result = dev->vk.CreateRenderPass(dev->handle, &next, NULL, &made->next);
    }
    pgs_free(attachments);
    return finish_pass(result, made, pass);
}

/* Slices have no stencil aspect and no views of their own. */
static bool can_change2(const VkRenderPassCreateInfo2 *info)
{
    bool changes = false;
    for (uint32_t i = 0; i < info->attachmentCount; i++) {
        const VkAttachmentDescription2 *a = &info->pAttachments[i];
        if (pgs_chain_find(a->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT))
            return false;
        changes |= a->initialLayout != a->finalLayout;
    }
    return changes && info->pSubpasses[0].viewMask == 0;
}

VkResult pgs_fb_layer_pass_create2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                   struct pgs_fb_layer_pass **pass)
{
    *pass = NULL;
    if (!fb_layers_of(dev) || !can_change2(info))
        return VK_SUCCESS;
    struct pgs_fb_layer_pass *made = new_pass(info->attachmentCount);
    VkAttachmentDescription2 *attachments = pgs_calloc(info->attachmentCount, sizeof(*attachments));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (made && attachments) {
        VkRenderPassCreateInfo2 next = *info;
        next.pAttachments = attachments;
        for (uint32_t i = 0; i < info->attachmentCount; i++) {
            const VkAttachmentDescription2 *a = &info->pAttachments[i];
            attachments[i] = *a;
            attachments[i].initialLayout = a->finalLayout;
            made->attachments[i] = (struct attachment){a->initialLayout, a->finalLayout,
                                                       pgs_format_aspects(a->format)};
        }
        result = dev->vk.CreateRenderPass2(dev->handle, &next, NULL, &made->next);
    }
    pgs_free(attachments);
    return finish_pass(result, made, pass);
}

void pgs_fb_layer_pass_destroy(struct pgs_device *dev, struct pgs_fb_layer_pass *pass)
{
    if (!pass)
        return;
    dev->vk.DestroyRenderPass(dev->handle, pass->next, NULL);
    pgs_free(pass);
}

/* Records the transition from the initial layout that the render pass would do. */
static void change_layout(const struct pgs_command_buffer *cb, const struct attachment *attachment,
                          const struct pgs_fb_layer_view *view)
{
    VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = attachment->initial,
        .newLayout = attachment->final,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = view->image,
        .subresourceRange = view->range,
    };
    barrier.subresourceRange.aspectMask = attachment->aspects;
    if (barrier.oldLayout != barrier.newLayout)
        cb->dev->vk.CmdPipelineBarrier(cb->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                                       &barrier);
}

void pgs_fb_layer_pass_begin(struct pgs_command_buffer *cb, const VkRenderPassBeginInfo *info,
                             VkRenderPassBeginInfo *begin)
{
    struct pgs_command_device *fb_layers = cb->dev->commands;
    const struct pgs_render_pass *kept =
        pgs_map_find(&fb_layers->render_passes, (uint64_t)(uintptr_t)info->renderPass);
    const struct pgs_fb_layer_pass *pass = kept ? kept->fb_layers : NULL;
    struct pgs_fb_layer_view view;
    bool slices = false;
    for (uint32_t i = 0; pass && i < pass->count; i++)
        slices |= pgs_fb_layer_attachment(fb_layers->fb_layers, info, i, 0, &view) && view.slices;
    if (!slices)
        return;
    begin->renderPass = pass->next;
    for (uint32_t i = 0; i < pass->count; i++)
        if (pgs_fb_layer_attachment(fb_layers->fb_layers, info, i, pgs_fb_layers_current(cb),
                                    &view) &&
            !view.slices)
            change_layout(cb, &pass->attachments[i], &view);
}
