/* SPDX-License-Identifier: MIT
 *
 * gl_Layer of emulated draws on drivers that take it from no vertex shader: a pass with such draws
 * is recorded once for each layer of its attachments, with views of that layer alone. Draws of
 * pipelines with by_layer draw their layer each time, all others draw the first time only, as what
 * they draw goes to layer 0.
 */
#ifndef PGS_COMMAND_LAYERS_H
#define PGS_COMMAND_LAYERS_H

#include "base/map.h"
#include "command/state/compute_state.h"
#include "memory/memory.h"

#include <pthread.h>

struct pgs_command_buffer;
struct pgs_layer_state;

/* What a device has for it. NULL in the command room where nothing is replayed. */
struct pgs_layer_room {
    /* The driver's commands, which also note the graphics state that they set. What is recorded
     * directly goes through them, and what is replayed, too. */
    struct pgs_device_dispatch noting_vk;
    struct pgs_device_dispatch layer_vk; /* those, for one layer of a pass */
    struct pgs_device_dispatch scan_vk;  /* looks for queries */
    struct pgs_map views;                /* VkImageView -> struct pgs_view */
    struct pgs_map framebuffers;         /* VkFramebuffer -> struct pgs_framebuffer */
    struct pgs_map sliced_images;        /* VkImage, 3D with layers -> something */
    pthread_mutex_t lock;                /* of all that is made from them later, and of the below */
    struct pgs_linear *memory;
    struct pgs_range numbers; /* struct layer_numbers, as many as a framebuffer can have layers */
};

/* Overrides the commands that are something else for one layer of a pass; the others are vk's. */
void pgs_layer_dispatch_init(struct pgs_device_dispatch *layer_vk,
                             const struct pgs_device_dispatch *vk);

/* NULL in *room where the device replays nothing. */
VkResult pgs_layer_room_create(struct pgs_device *dev, struct pgs_layer_room **room);
void pgs_layer_room_destroy(struct pgs_device *dev, struct pgs_layer_room *room);

/* For a command buffer; NULL in *state where its device replays nothing. */
VkResult pgs_layer_state_create(const struct pgs_device *dev, struct pgs_layer_state **state);
void pgs_layer_state_destroy(struct pgs_layer_state *state);
/* At Begin and Reset: nothing is set. NULL is fine. */
void pgs_layer_state_reset(struct pgs_layer_state *state);

/* How many layers the pass that begins has. For devices that replay nothing, too. */
void pgs_layers_note_framebuffer(struct pgs_command_buffer *cb, VkFramebuffer framebuffer);
void pgs_layers_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* layer_chain.c. What begins in place of a rendering of several layers that is part of a chain, in
 * scratch memory; before it resumes one, the barrier is recorded. Others stay. */
const VkRenderingInfo *pgs_layers_unchain(struct pgs_command_buffer *cb,
                                          const VkRenderingInfo *info);

/* A draw of the pipeline that is bound is to be replaced. Is that a pipeline with by_layer? */
bool pgs_layers_note_draw(struct pgs_command_buffer *cb);

/* To be asked when the replacement of a draw is recorded: is it drawn in this layer? Then what its
 * raster pipeline needs but the draw itself does not have is bound. */
bool pgs_layers_draw(VkCommandBuffer cb, bool by_layer);

/* Of the pass that is being recorded; the first one if that is not done by layers. */
uint32_t pgs_layers_current(const struct pgs_command_buffer *cb);

/* Whether the pass in the queue must be recorded for each layer, and does it. */
bool pgs_layers_wanted(const struct pgs_command_buffer *cb);
void pgs_layers_replay(struct pgs_command_buffer *cb);

#endif
