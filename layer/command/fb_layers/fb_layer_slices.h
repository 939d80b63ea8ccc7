/* SPDX-License-Identifier: MIT
 *
 * All slices of a 3D image share one layout. A render pass that is recorded once per slice may
 * change the layout only the first time: a transition from VK_IMAGE_LAYOUT_UNDEFINED would discard
 * the other slices. Later slices use another render pass, which starts with all attachments in
 * their final layout.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_SLICES_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_SLICES_H

#include "vulkan/device.h"

struct pgs_command_buffer;
struct pgs_fb_layer_pass;

/* Call it when an image is created or destroyed. Out of host memory leaves nothing noted. */
VkResult pgs_fb_layer_note_image(struct pgs_device *dev, VkImage image,
                                 const VkImageCreateInfo *info);
void pgs_fb_layer_forget_image(struct pgs_device *dev, VkImage image);

/* Creates what a render pass with this `info` needs besides. *pass is NULL if that is nothing. */
VkResult pgs_fb_layer_pass_create(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                  struct pgs_fb_layer_pass **pass);
VkResult pgs_fb_layer_pass_create2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                   struct pgs_fb_layer_pass **pass);
void pgs_fb_layer_pass_destroy(struct pgs_device *dev, struct pgs_fb_layer_pass *pass);

/* Call it before a pass, begun by the application with `info`, begins for a layer after the first.
 * Moves that layer of non-3D images to their final layout and replaces the render pass of *begin.
 */
void pgs_fb_layer_pass_begin(struct pgs_command_buffer *cb, const VkRenderPassBeginInfo *info,
                             VkRenderPassBeginInfo *begin);

#endif
