/* SPDX-License-Identifier: MIT
 *
 * The graphics state of a command buffer: what the application has set, and what the layer's draws
 * have clobbered.
 */
#ifndef PGS_COMMAND_STATE_GRAPHICS_STATE_H
#define PGS_COMMAND_STATE_GRAPHICS_STATE_H

#include "command/state/buffer.h"

/* What the driver does not have as the application has set it, and the next native pipeline may
 * need: the layer's draws have overwritten it, or it was kept back while an emulated pipeline was
 * bound, which does not read it. */
enum pgs_clobbered {
    PGS_CLOBBERED_VERTEX = 1 << 0, /* vertex buffers in vertex_clobbered */
    PGS_CLOBBERED_STATIC = 1 << 1, /* dynamic state that is static in the raster pipeline */
    PGS_CLOBBERED_INDEX = 1 << 2,
    PGS_CLOBBERED_PUSH = 1 << 3, /* push constants for stages in front of the rasterizer */
    /* Vertex input and input assembly that are dynamic, for a draw of the application's own with an
     * emulated pipeline. */
    PGS_CLOBBERED_INPUT = 1 << 4,
    PGS_CLOBBERED_SETS = 1 << 5, /* descriptor sets in sets_kept */
};

/* Which parts of the graphics state the application has set in this command buffer. */
enum pgs_known {
    PGS_KNOWN_INDEX = 1 << 0,
    PGS_KNOWN_TOPOLOGY = 1 << 1,
    PGS_KNOWN_RESTART = 1 << 2,
    PGS_KNOWN_DISCARD = 1 << 3,
    PGS_KNOWN_PATCH = 1 << 4,
    PGS_KNOWN_DOMAIN_ORIGIN = 1 << 5,
    PGS_KNOWN_VERTEX_INPUT = 1 << 6,
};

/* Forgets the tracked graphics state, at Begin and after vkCmdExecuteCommands, which leaves it
 * undefined. */
void pgs_state_reset(struct pgs_command_buffer *cb);

/* The driver no longer has the application's vertex buffers of these bindings (a mask). */
static inline void pgs_state_clobber_vertex(struct pgs_command_buffer *cb, uint32_t bindings)
{
    cb->vertex_clobbered |= bindings;
    cb->clobbered |= PGS_CLOBBERED_VERTEX;
}

/* Restores what emulated pipelines and draws have clobbered. Call it before the next native
 * pipeline is bound; nothing needs the state before that, in this pass or a later one. */
void pgs_state_restore(struct pgs_command_buffer *cb);

/* Of that only what a draw of the application's own takes with the bound emulated pipeline: vertex
 * and index buffers, push constants, and what is dynamic of its vertex input and, if it assembles
 * the application's primitives, of its input assembly. */
void pgs_state_restore_input(struct pgs_command_buffer *cb, bool assembles);

/* Binds the descriptor sets that were kept back. Call it before a draw whose raster pipeline sees
 * sets of the application, and before its sets are pushed or placed in descriptor buffers. */
void pgs_state_bind_kept_sets_slowly(struct pgs_command_buffer *cb);
static inline void pgs_state_bind_kept_sets(struct pgs_command_buffer *cb)
{
    if (cb->sets_kept)
        pgs_state_bind_kept_sets_slowly(cb);
}

/* The driver has, or will have, all of them. */
static inline void pgs_state_drop_kept_sets(struct pgs_command_buffer *cb)
{
    cb->sets_kept = 0;
    cb->clobbered &= ~(uint32_t)PGS_CLOBBERED_SETS;
}

/* Pushes all constants that the application has pushed once more. */
void pgs_state_push_again(struct pgs_command_buffer *cb);

/* The topology for the driver. Without geometryShader it has no adjacency, without
 * tessellationShader no patches. Draws with those are emulated and read the tracked state. */
VkPrimitiveTopology pgs_state_driver_topology(const struct pgs_device *dev,
                                              VkPrimitiveTopology topology);

/* The driver's pipeline for the bound pipeline and stream. */
VkPipeline pgs_state_driver_pipeline(const struct pgs_command_buffer *cb);

/* Notes sets that are bound or pushed, without dynamic offsets. */
static inline void pgs_state_note_sets(struct pgs_command_buffer *cb, VkPipelineLayout layout,
                                       uint32_t first, uint32_t count, const VkDescriptorSet *sets)
{
    const uint32_t order = cb->graphics.next_set_order++;
    cb->dirty = true;
    if (!PGS_LIKELY(cb->set_count))
        cb->pass.reads_noted = false;
    if (cb->set_count < first + count)
        cb->set_count = first + count;
    for (uint32_t i = 0; i < count; i++) {
        cb->graphics.sets[first + i] = sets[i];
        cb->graphics.set_layouts[first + i] = layout;
        cb->graphics.set_orders[first + i] = order;
        cb->graphics.dynamic_count[first + i] = 0;
    }
}

/* Notes vkCmdSetVertexInputEXT. */
void pgs_state_note_vertex_input(struct pgs_command_buffer *cb, uint32_t binding_count,
                                 const VkVertexInputBindingDescription2EXT *bindings,
                                 uint32_t attribute_count,
                                 const VkVertexInputAttributeDescription2EXT *attributes);

/* Records rasterizer discard if it changes: the application's, or the layer's. */
void pgs_state_update_discard(struct pgs_command_buffer *cb);

/* Call it when the interval or the queries of the graphics state have changed. */
void pgs_state_update_counts(struct pgs_command_buffer *cb);

/* The pipeline that captures and counts draws of the bound native pipeline; NULL: none. */
const struct pgs_emulated_pipeline *pgs_state_counted(struct pgs_command_buffer *cb);

#endif
