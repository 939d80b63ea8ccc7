/* SPDX-License-Identifier: MIT
 *
 * Views and framebuffers of single layers, made from the application's, when they are first
 * needed; they live as long as those.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_VIEWS_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_VIEWS_H

#include "base/arena.h"
#include "command/fb_layers/fb_layer_room.h"

/* A view or a framebuffer is created or destroyed. Out of host memory leaves nothing noted. */
VkResult pgs_fb_layer_note_view(struct pgs_device *dev, VkImageView handle,
                                const VkImageViewCreateInfo *info);
void pgs_fb_layer_forget_view(struct pgs_device *dev, VkImageView handle);
VkResult pgs_fb_layer_note_framebuffer(struct pgs_device *dev, VkFramebuffer handle,
                                       const VkFramebufferCreateInfo *info);
void pgs_fb_layer_forget_framebuffer(struct pgs_device *dev, VkFramebuffer handle);

/* Frees all of it. */
void pgs_fb_layer_views_destroy(struct pgs_device *dev, struct pgs_fb_layer_room *room);

/* 1 for what is not known. */
uint32_t pgs_fb_layer_count(struct pgs_fb_layer_room *room, VkFramebuffer framebuffer);

/* One layer of an attachment of the application's. */
struct pgs_fb_layer_view {
    VkImage image;
    VkImageSubresourceRange range;
    bool slices; /* of a 3D image, where range means the whole */
};

/* Of the framebuffer that *begin names; false where nothing is known of it. */
bool pgs_fb_layer_attachment(struct pgs_fb_layer_room *room, const VkRenderPassBeginInfo *begin,
                             uint32_t index, uint32_t layer, struct pgs_fb_layer_view *attachment);

/* Makes of *begin, a copy of the application's, one for a single layer. What it points to then may
 * lie in the arena. Thread-safe. */
VkResult pgs_fb_layer_begin(struct pgs_device *dev, uint32_t layer, VkRenderPassBeginInfo *begin,
                            struct pgs_arena *arena);
VkResult pgs_fb_layer_rendering(struct pgs_device *dev, uint32_t layer, VkRenderingInfo *info,
                                struct pgs_arena *arena);

#endif
