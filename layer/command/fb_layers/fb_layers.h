/* SPDX-License-Identifier: MIT
 *
 * gl_Layer of emulated draws, for drivers that do not accept it from a vertex shader. A pass with
 * such draws is recorded once per layer of its attachments, with views of that layer only. Draws of
 * pipelines with by_layer are recorded for each layer, all others for the first only, since they
 * draw to layer 0.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYERS_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYERS_H

#include "command/fb_layers/fb_layer_device.h"

struct pgs_command_buffer;

/* *fb_layers is NULL if the device never records per layer. */
VkResult pgs_fb_layer_device_create(struct pgs_device *dev, struct pgs_fb_layer_device **fb_layers);
void pgs_fb_layer_device_destroy(struct pgs_device *dev, struct pgs_fb_layer_device *fb_layers);

/* Notes how many layers the pass that begins has. Works for all devices. */
void pgs_fb_layers_note_framebuffer(struct pgs_command_buffer *cb, VkFramebuffer framebuffer);
void pgs_fb_layers_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* Call it when a draw of the bound pipeline is replaced. True if the pipeline has by_layer.
 */
bool pgs_fb_layers_note_draw(struct pgs_command_buffer *cb);

/* Call it when the replacement of a draw is recorded. Returns true if the draw belongs to this
 * layer, and binds what the raster pipeline needs for the layer. */
bool pgs_fb_layers_draw(VkCommandBuffer cb, bool by_layer);

/* True if the queued pass must be recorded once per layer; the second function records it. */
bool pgs_fb_layers_wanted(const struct pgs_command_buffer *cb);
void pgs_fb_layers_replay(struct pgs_command_buffer *cb);

#endif
