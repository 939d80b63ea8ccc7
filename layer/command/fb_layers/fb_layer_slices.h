/* SPDX-License-Identifier: MIT
 *
 * Slices of a 3D image have one layout together. A render pass that is recorded for each of
 * them may change it the first time only, as from VK_IMAGE_LAYOUT_UNDEFINED the others would be
 * lost: the next times another render pass is begun, which finds all attachments in their final
 * layout.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_SLICES_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_SLICES_H

#include "vulkan/device.h"

struct pgs_command_buffer;
struct pgs_fb_layer_pass;

/* An image is created or destroyed. Out of host memory leaves nothing noted. */
VkResult pgs_fb_layer_note_image(struct pgs_device *dev, VkImage image,
                                 const VkImageCreateInfo *info);
void pgs_fb_layer_forget_image(struct pgs_device *dev, VkImage image);

/* What goes with a render pass that is created from `info`. NULL in *pass where there is no need.
 */
VkResult pgs_fb_layer_pass_create(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                  struct pgs_fb_layer_pass **pass);
VkResult pgs_fb_layer_pass_create2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                   struct pgs_fb_layer_pass **pass);
void pgs_fb_layer_pass_destroy(struct pgs_device *dev, struct pgs_fb_layer_pass *pass);

/* Before a pass, begun by the application with `info`, is begun for a layer after the first: brings
 * that layer of other images into their final layout, and changes the render pass of *begin. */
void pgs_fb_layer_pass_begin(struct pgs_command_buffer *cb, const VkRenderPassBeginInfo *info,
                             VkRenderPassBeginInfo *begin);

#endif
