/* SPDX-License-Identifier: MIT
 *
 * Views and framebuffers of single layers. They are made from the application's when they are first
 * needed, and live as long.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_VIEWS_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_VIEWS_H

#include "base/arena.h"
#include "command/fb_layers/fb_layer_device.h"

/* Call it when a view or framebuffer is created or destroyed. Out of host memory leaves nothing
 * noted. */
VkResult pgs_fb_layer_note_view(struct pgs_device *dev, VkImageView handle,
                                const VkImageViewCreateInfo *info);
void pgs_fb_layer_forget_view(struct pgs_device *dev, VkImageView handle);
VkResult pgs_fb_layer_note_framebuffer(struct pgs_device *dev, VkFramebuffer handle,
                                       const VkFramebufferCreateInfo *info);
void pgs_fb_layer_forget_framebuffer(struct pgs_device *dev, VkFramebuffer handle);

/* Frees all views and framebuffers. */
void pgs_fb_layer_views_destroy(struct pgs_device *dev, struct pgs_fb_layer_device *fb_layers);

/* Number of layers of a framebuffer, 1 if it is unknown. */
uint32_t pgs_fb_layer_count(struct pgs_fb_layer_device *fb_layers, VkFramebuffer framebuffer);

/* One layer of the application's attachment. */
struct pgs_fb_layer_view {
    VkImage image;
    VkImageSubresourceRange range;
    bool slices; /* of a 3D image; range then covers the whole image */
};

/* Finds an attachment of the framebuffer in *begin; false if it is unknown. */
bool pgs_fb_layer_attachment(struct pgs_fb_layer_device *fb_layers,
                             const VkRenderPassBeginInfo *begin, uint32_t index, uint32_t layer,
                             struct pgs_fb_layer_view *attachment);

/* Changes *begin, a copy of the application's, to cover one layer. It may then point into the
 * arena. Thread-safe. */
VkResult pgs_fb_layer_begin(struct pgs_device *dev, uint32_t layer, VkRenderPassBeginInfo *begin,
                            struct pgs_arena *arena);
VkResult pgs_fb_layer_rendering(struct pgs_device *dev, uint32_t layer, VkRenderingInfo *info,
                                struct pgs_arena *arena);

#endif
