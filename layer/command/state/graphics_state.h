/* SPDX-License-Identifier: MIT
 *
 * Which parts of the graphics state of a command buffer are known, and which are not what the
 * application set.
 */
#ifndef PGS_COMMAND_STATE_GRAPHICS_STATE_H
#define PGS_COMMAND_STATE_GRAPHICS_STATE_H

#include "command/state/buffer.h"

/* What a native pipeline could miss after emulated draws, as the driver has something of ours
 * there. */
enum pgs_clobbered {
    PGS_CLOBBERED_VERTEX = 1 << 0, /* vertex buffer 0 and the index buffer */
    PGS_CLOBBERED_STATIC = 1 << 1, /* dynamic state that the raster pipeline holds statically */
    PGS_CLOBBERED_LAYER = 1 << 2,  /* vertex buffer 1 */
};

/* Which parts of the graphics state the application has set in this command buffer. */
enum pgs_known {
    PGS_KNOWN_INDEX = 1 << 0,
    PGS_KNOWN_TOPOLOGY = 1 << 1,
    PGS_KNOWN_RESTART = 1 << 2,
    PGS_KNOWN_DISCARD = 1 << 3,
    PGS_KNOWN_PATCH = 1 << 4,
    PGS_KNOWN_DOMAIN_ORIGIN = 1 << 5,
};

/* Forgets the tracked graphics state: at Begin, and after vkCmdExecuteCommands, which leaves it
 * undefined. */
void pgs_state_reset(struct pgs_command_buffer *cb);

/* Gives back to the driver's command buffer what emulated pipelines and draws clobbered. Before the
 * next native pipeline is bound: until then nothing can miss it, in this pass or a later one. */
void pgs_state_restore(struct pgs_command_buffer *cb);

/* What the driver is told. Without geometryShader it knows no adjacency, and without
 * tessellationShader no patches. Pipelines that were created with them are emulated and ask the
 * tracked state; others take neighbours for vertices. */
VkPrimitiveTopology pgs_state_driver_topology(const struct pgs_device *dev,
                                              VkPrimitiveTopology topology);

/* The driver's pipeline for the one that is bound, and the stream. */
VkPipeline pgs_state_driver_pipeline(const struct pgs_command_buffer *cb);

/* Emits rasterizer discard where it changes: the application's own, or ours. */
void pgs_state_update_discard(struct pgs_command_buffer *cb);

/* To be called when the interval or the queries of the graphics state have changed. */
void pgs_state_update_counts(struct pgs_command_buffer *cb);

/* What captures and counts the draws of the native pipeline that is bound; NULL: nothing. */
const struct pgs_emulated_pipeline *pgs_state_counted(struct pgs_command_buffer *cb);

#endif
