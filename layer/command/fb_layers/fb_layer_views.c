/* SPDX-License-Identifier: MIT */
#include "command/fb_layers/fb_layer_views.h"

#include "command/state/buffer.h"
#include "vulkan/chain.h"

#include <pthread.h>
#include <string.h>

/* A view of several layers. */
struct view {
    VkImageViewCreateInfo info;
    VkImageViewUsageCreateInfo usage; /* from the pNext chain, if it was there */
    bool slices;                      /* of a 3D image */
    VkImageView *layers;              /* VK_NULL_HANDLE until made */
    uint32_t layer_count;
};

/* A framebuffer of several layers. */
struct framebuffer {
    VkFramebufferCreateInfo info;              /* for one layer; renderPass is set on use */
    VkFramebufferAttachmentsCreateInfo images; /* of imageless framebuffers; part of the chain */
    VkImageView *views;                        /* the application's views, unless imageless */
    VkFramebufferAttachmentImageInfo *image_infos;
    VkFormat *formats;     /* of all attachments */
    VkFramebuffer *layers; /* VK_NULL_HANDLE until made; an imageless framebuffer needs only one */
    uint32_t layer_count;
};

static struct pgs_fb_layer_device *fb_layers_of(const struct pgs_device *dev)
{
    return dev->active ? dev->commands->fb_layers : NULL;
}

static uint64_t view_key(VkImageView view)
{
    return (uint64_t)(uintptr_t)view;
}

static uint64_t framebuffer_key(VkFramebuffer framebuffer)
{
    return (uint64_t)(uintptr_t)framebuffer;
}

/* -- views -- */

static void free_view(struct pgs_device *dev, struct view *view)
{
    for (uint32_t i = 0; view && i < view->layer_count; i++)
        dev->vk.DestroyImageView(dev->handle, view->layers[i], NULL);
    if (view)
        pgs_free(view->layers);
    pgs_free(view);
}

static void visit_left_view(uint64_t key, void *value, void *context)
{
    (void)key;
    free_view(context, value);
}

/* Of the pNext chain only the usage matters for attachments. */
static struct view *keep_view(struct pgs_fb_layer_device *fb_layers,
                              const VkImageViewCreateInfo *info)
{
    struct view *view = pgs_calloc(1, sizeof(*view));
    if (!view)
        return NULL;
    const VkImageViewUsageCreateInfo *usage =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
    view->info = *info;
    view->slices = pgs_map_find(&fb_layers->sliced_images, (uint64_t)(uintptr_t)info->image);
    view->info.pNext = NULL;
    if (usage) {
        view->usage = *usage;
        view->usage.pNext = NULL;
        view->info.pNext = &view->usage;
    }
    view->info.viewType = info->viewType == VK_IMAGE_VIEW_TYPE_1D_ARRAY ? VK_IMAGE_VIEW_TYPE_1D
                                                                        : VK_IMAGE_VIEW_TYPE_2D;
    return view;
}

VkResult pgs_fb_layer_note_view(struct pgs_device *dev, VkImageView handle,
                                const VkImageViewCreateInfo *info)
{
    struct pgs_fb_layer_device *fb_layers = fb_layers_of(dev);
    if (!fb_layers || info->viewType == VK_IMAGE_VIEW_TYPE_3D ||
        info->subresourceRange.layerCount == 1)
        return VK_SUCCESS;
    struct view *view = keep_view(fb_layers, info);
    if (view && pgs_map_insert(&fb_layers->views, view_key(handle), view))
        return VK_SUCCESS;
    free_view(dev, view);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_fb_layer_forget_view(struct pgs_device *dev, VkImageView handle)
{
    struct pgs_fb_layer_device *fb_layers = fb_layers_of(dev);
    if (fb_layers)
        free_view(dev, pgs_map_remove(&fb_layers->views, view_key(handle)));
}

/* Grows the array to `count` handles; new ones are VK_NULL_HANDLE. */
static bool grow(void **handles, uint32_t *old_count, uint32_t count, size_t size_B)
{
    if (count <= *old_count)
        return true;
    char *grown = pgs_realloc(*handles, count * size_B);
    if (!grown)
        return false;
    memset(grown + *old_count * size_B, 0, (count - *old_count) * size_B);
    *handles = grown;
    *old_count = count;
    return true;
}

/* Call it with the lock held. VK_NULL_HANDLE gives VK_NULL_HANDLE; a view of one layer is returned
 * as it is. */
static VkResult view_layer(struct pgs_device *dev, VkImageView handle, uint32_t layer,
                           VkImageView *made)
{
    *made = handle;
    struct view *view =
        handle ? pgs_map_find(&dev->commands->fb_layers->views, view_key(handle)) : NULL;
    if (!view)
        return VK_SUCCESS;
    if (!grow((void **)&view->layers, &view->layer_count, layer + 1, sizeof(*view->layers)))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkImageView *slot = &view->layers[layer];
    if (!*slot) {
        VkImageViewCreateInfo info = view->info;
        info.subresourceRange.baseArrayLayer += layer;
        info.subresourceRange.layerCount = 1;
        const VkResult result = dev->vk.CreateImageView(dev->handle, &info, NULL, slot);
        if (result != VK_SUCCESS) {
            *slot = VK_NULL_HANDLE;
            return result;
        }
    }
    *made = *slot;
    return VK_SUCCESS;
}

/* -- framebuffers -- */

static void free_framebuffer(struct pgs_device *dev, struct framebuffer *framebuffer)
{
    if (!framebuffer)
        return;
    for (uint32_t i = 0; i < framebuffer->layer_count; i++)
        dev->vk.DestroyFramebuffer(dev->handle, framebuffer->layers[i], NULL);
    pgs_free(framebuffer->layers);
    pgs_free(framebuffer->views);
    pgs_free(framebuffer->image_infos);
    pgs_free(framebuffer->formats);
    pgs_free(framebuffer);
}

static void visit_left_framebuffer(uint64_t key, void *value, void *context)
{
    (void)key;
    free_framebuffer(context, value);
}

static bool keep_images(struct framebuffer *framebuffer,
                        const VkFramebufferAttachmentsCreateInfo *images)
{
    size_t format_count = 0;
    for (uint32_t i = 0; i < images->attachmentImageInfoCount; i++)
        format_count += images->pAttachmentImageInfos[i].viewFormatCount;
    VkFormat *formats = pgs_calloc(format_count, sizeof(*formats));
    VkFramebufferAttachmentImageInfo *infos =
        pgs_calloc(images->attachmentImageInfoCount, sizeof(*infos));
    framebuffer->formats = formats;
    framebuffer->image_infos = infos;
    if (!formats || !infos)
        return false;
    for (uint32_t i = 0; i < images->attachmentImageInfoCount; i++) {
        infos[i] = images->pAttachmentImageInfos[i];
        infos[i].pNext = NULL;
        infos[i].layerCount = 1;
        if (infos[i].viewFormatCount)
            memcpy(formats, infos[i].pViewFormats, infos[i].viewFormatCount * sizeof(*formats));
        infos[i].pViewFormats = formats;
        formats += infos[i].viewFormatCount;
    }
    framebuffer->images = *images;
    framebuffer->images.pNext = NULL;
    framebuffer->images.pAttachmentImageInfos = infos;
    framebuffer->info.pNext = &framebuffer->images;
    return true;
}

static bool keep_attachments(struct framebuffer *framebuffer, const VkFramebufferCreateInfo *info)
{
    const VkFramebufferAttachmentsCreateInfo *images =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO);
    if (info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT)
        return images && keep_images(framebuffer, images);
    framebuffer->views = pgs_calloc(info->attachmentCount, sizeof(*framebuffer->views));
    if (framebuffer->views && info->attachmentCount)
        memcpy(framebuffer->views, info->pAttachments,
               info->attachmentCount * sizeof(*framebuffer->views));
    return framebuffer->views != NULL;
}

static struct framebuffer *keep_framebuffer(struct pgs_device *dev,
                                            const VkFramebufferCreateInfo *info)
{
    struct framebuffer *framebuffer = pgs_calloc(1, sizeof(*framebuffer));
    if (!framebuffer)
        return NULL;
    framebuffer->info = *info;
    framebuffer->info.pNext = NULL;
    framebuffer->info.pAttachments = NULL;
    framebuffer->info.layers = 1;
    framebuffer->layers = pgs_calloc(info->layers, sizeof(*framebuffer->layers));
    if (framebuffer->layers)
        framebuffer->layer_count = info->layers;
    if (framebuffer->layers && keep_attachments(framebuffer, info))
        return framebuffer;
    free_framebuffer(dev, framebuffer);
    return NULL;
}

VkResult pgs_fb_layer_note_framebuffer(struct pgs_device *dev, VkFramebuffer handle,
                                       const VkFramebufferCreateInfo *info)
{
    struct pgs_fb_layer_device *fb_layers = fb_layers_of(dev);
    if (!fb_layers || info->layers <= 1)
        return VK_SUCCESS;
    struct framebuffer *framebuffer = keep_framebuffer(dev, info);
    if (framebuffer &&
        pgs_map_insert(&fb_layers->framebuffers, framebuffer_key(handle), framebuffer))
        return VK_SUCCESS;
    free_framebuffer(dev, framebuffer);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_fb_layer_forget_framebuffer(struct pgs_device *dev, VkFramebuffer handle)
{
    struct pgs_fb_layer_device *fb_layers = fb_layers_of(dev);
    if (fb_layers)
        free_framebuffer(dev, pgs_map_remove(&fb_layers->framebuffers, framebuffer_key(handle)));
}

uint32_t pgs_fb_layer_count(struct pgs_fb_layer_device *fb_layers, VkFramebuffer handle)
{
    const struct framebuffer *framebuffer =
        pgs_map_find(&fb_layers->framebuffers, framebuffer_key(handle));
    return framebuffer ? framebuffer->layer_count : 1;
}

bool pgs_fb_layer_attachment(struct pgs_fb_layer_device *fb_layers,
                             const VkRenderPassBeginInfo *begin, uint32_t index, uint32_t layer,
                             struct pgs_fb_layer_view *attachment)
{
    const VkRenderPassAttachmentBeginInfo *imageless =
        pgs_chain_find(begin->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    const struct framebuffer *framebuffer =
        pgs_map_find(&fb_layers->framebuffers, framebuffer_key(begin->framebuffer));
    if (!framebuffer || (!framebuffer->views && !imageless))
        return false;
    const VkImageView handle =
        framebuffer->views ? framebuffer->views[index] : imageless->pAttachments[index];
    const struct view *view = pgs_map_find(&fb_layers->views, view_key(handle));
    if (!view)
        return false;
    *attachment = (struct pgs_fb_layer_view){
        .image = view->info.image,
        .range = view->info.subresourceRange,
        .slices = view->slices,
    };
    attachment->range.baseArrayLayer += layer;
    attachment->range.layerCount = 1;
    return true;
}

/* Call it with the lock held. */
static VkResult view_layers(struct pgs_device *dev, const VkImageView *views, uint32_t count,
                            uint32_t layer, struct pgs_arena *arena, const VkImageView **made)
{
    VkImageView *copy = pgs_arena_copy(arena, views, count, sizeof(*copy), _Alignof(VkImageView));
    if (!copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *made = copy;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = view_layer(dev, views[i], layer, &copy[i]);
    return result;
}

/* Call it with the lock held. Framebuffers work with any compatible render pass, so all passes
 * share them. */
static VkResult framebuffer_layer(struct pgs_device *dev, struct framebuffer *framebuffer,
                                  uint32_t layer, VkRenderPass render_pass, struct pgs_arena *arena,
                                  VkFramebuffer *made)
{
    VkResult result = VK_SUCCESS;
    VkFramebuffer *slot = &framebuffer->layers[framebuffer->views ? layer : 0];
    if (!*slot) {
        VkFramebufferCreateInfo info = framebuffer->info;
        info.renderPass = render_pass;
        if (framebuffer->views)
            result = view_layers(dev, framebuffer->views, info.attachmentCount, layer, arena,
                                 &info.pAttachments);
        if (result == VK_SUCCESS)
            result = dev->vk.CreateFramebuffer(dev->handle, &info, NULL, slot);
        if (result != VK_SUCCESS)
            *slot = VK_NULL_HANDLE;
    }
    *made = *slot;
    return result;
}

/* -- begin of a pass -- */

/* Queued commands copy the whole chain, which has only structs of known size. */
static VkResult begin_imageless(struct pgs_device *dev, uint32_t layer,
                                VkRenderPassBeginInfo *begin, struct pgs_arena *arena)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO;
    const VkRenderPassAttachmentBeginInfo *from = pgs_chain_find(begin->pNext, type);
    if (!from)
        return VK_SUCCESS;
    VkRenderPassAttachmentBeginInfo *views =
        pgs_arena_copy(arena, from, 1, sizeof(*views), _Alignof(VkRenderPassAttachmentBeginInfo));
    const VkDeviceGroupRenderPassBeginInfo *group =
        pgs_chain_find(begin->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO);
    VkDeviceGroupRenderPassBeginInfo *group_copy = pgs_arena_copy(
        arena, group, group ? 1 : 0, sizeof(*group), _Alignof(VkDeviceGroupRenderPassBeginInfo));
    if (!views || !group_copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    views->pNext = NULL;
    if (group) {
        group_copy->pNext = NULL;
        views->pNext = group_copy;
    }
    begin->pNext = views;
    return view_layers(dev, from->pAttachments, from->attachmentCount, layer, arena,
                       &views->pAttachments);
}

VkResult pgs_fb_layer_begin(struct pgs_device *dev, uint32_t layer, VkRenderPassBeginInfo *begin,
                            struct pgs_arena *arena)
{
    struct pgs_fb_layer_device *fb_layers = dev->commands->fb_layers;
    struct framebuffer *framebuffer =
        pgs_map_find(&fb_layers->framebuffers, framebuffer_key(begin->framebuffer));
    if (!framebuffer)
        return VK_ERROR_UNKNOWN;
    pthread_mutex_lock(&fb_layers->lock);
    VkResult result =
        framebuffer_layer(dev, framebuffer, layer, begin->renderPass, arena, &begin->framebuffer);
    if (result == VK_SUCCESS && !framebuffer->views)
        result = begin_imageless(dev, layer, begin, arena);
    pthread_mutex_unlock(&fb_layers->lock);
    return result;
}

/* Call it with the lock held. NULL gives NULL. */
static VkResult attachment_layers(struct pgs_device *dev, uint32_t layer, uint32_t count,
                                  const VkRenderingAttachmentInfo **attachments,
                                  struct pgs_arena *arena)
{
    if (!*attachments)
        return VK_SUCCESS;
    VkRenderingAttachmentInfo *copy = pgs_arena_copy(arena, *attachments, count, sizeof(*copy),
                                                     _Alignof(VkRenderingAttachmentInfo));
    VkResult result = copy ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    *attachments = copy;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        result = view_layer(dev, copy[i].imageView, layer, &copy[i].imageView);
        if (result == VK_SUCCESS)
            result = view_layer(dev, copy[i].resolveImageView, layer, &copy[i].resolveImageView);
    }
    return result;
}

VkResult pgs_fb_layer_rendering(struct pgs_device *dev, uint32_t layer, VkRenderingInfo *info,
                                struct pgs_arena *arena)
{
    struct pgs_fb_layer_device *fb_layers = dev->commands->fb_layers;
    info->layerCount = 1;
    pthread_mutex_lock(&fb_layers->lock);
    VkResult result =
        attachment_layers(dev, layer, info->colorAttachmentCount, &info->pColorAttachments, arena);
    if (result == VK_SUCCESS)
        result = attachment_layers(dev, layer, 1, &info->pDepthAttachment, arena);
    if (result == VK_SUCCESS)
        result = attachment_layers(dev, layer, 1, &info->pStencilAttachment, arena);
    pthread_mutex_unlock(&fb_layers->lock);
    return result;
}

void pgs_fb_layer_views_destroy(struct pgs_device *dev, struct pgs_fb_layer_device *fb_layers)
{
    pgs_map_finish(&fb_layers->framebuffers, visit_left_framebuffer, dev);
    pgs_map_finish(&fb_layers->views, visit_left_view, dev);
    pgs_map_finish(&fb_layers->sliced_images, NULL, NULL);
}
