/* SPDX-License-Identifier: MIT
 *
 * gl_Layer of emulated draws on drivers that take it from no vertex shader: a pass with such
 * draws is recorded once for each layer of its attachments, with views of that layer alone.
 * Draws of pipelines with by_layer draw their layer each time, all others draw the first time
 * only, as what they draw goes to layer 0.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYERS_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYERS_H

#include "command/fb_layers/fb_layer_room.h"

struct pgs_command_buffer;

/* NULL in *room where the device replays nothing. */
VkResult pgs_fb_layer_room_create(struct pgs_device *dev, struct pgs_fb_layer_room **room);
void pgs_fb_layer_room_destroy(struct pgs_device *dev, struct pgs_fb_layer_room *room);

/* How many layers the pass that begins has. For devices that replay nothing, too. */
void pgs_fb_layers_note_framebuffer(struct pgs_command_buffer *cb, VkFramebuffer framebuffer);
void pgs_fb_layers_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* A draw of the pipeline that is bound is to be replaced. Is that a pipeline with by_layer? */
bool pgs_fb_layers_note_draw(struct pgs_command_buffer *cb);

/* To be asked when the replacement of a draw is recorded: is it drawn in this layer? Then what its
 * raster pipeline needs but the draw itself does not have is bound. */
bool pgs_fb_layers_draw(VkCommandBuffer cb, bool by_layer);

/* Whether the pass in the queue must be recorded for each layer, and does it. */
bool pgs_fb_layers_wanted(const struct pgs_command_buffer *cb);
void pgs_fb_layers_replay(struct pgs_command_buffer *cb);

#endif
