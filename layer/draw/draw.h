/* SPDX-License-Identifier: MIT
 *
 * From one application draw with a geometry shader to compute work and a replacement draw. command/ gives the state
 * and the call and decides when the recorded work goes into the driver's command buffer; this room knows
 * nothing of render passes, queues or secondaries.
 */
#ifndef PGS_DRAW_DRAW_H
#define PGS_DRAW_DRAW_H

#include "pipeline/pipeline.h"

#define PGS_MAX_SETS 32
#define PGS_MAX_DYNAMIC_OFFSETS 64 /* of one set; drivers allow some 30 in a whole layout */
#define PGS_MAX_BINDINGS PGS_MAX_VERTEX_BINDINGS

struct pgs_vertex_buffer {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B;      /* size VK_WHOLE_SIZE: to the end of the buffer */
    VkDeviceSize stride_B;              /* vkCmdBindVertexBuffers2; used with dynamic_stride */
};

/* Graphics state of a command buffer, as command/ tracks it. Copied by value where it must last. */
struct pgs_graphics_state {
    const struct pgs_emulated_pipeline *pipeline; /* NULL: native */
    struct pgs_vertex_buffer vertex[PGS_MAX_BINDINGS];
    VkBuffer index_buffer;
    VkDeviceSize index_offset_B, index_size_B;
    VkIndexType index_type;
    VkPrimitiveTopology topology;
    VkBool32 primitive_restart, rasterizer_discard;
    VkDescriptorSet sets[PGS_MAX_SETS];
    uint16_t dynamic_count[PGS_MAX_SETS];
    uint32_t dynamic_offsets[PGS_MAX_SETS][PGS_MAX_DYNAMIC_OFFSETS];
    uint32_t push[64];                     /* 256 bytes */
};

struct pgs_draw_call {
    bool indexed;
    uint32_t count;                        /* vertices or indices */
    uint32_t instance_count, first, first_instance; /* first: firstVertex or firstIndex */
    int32_t vertex_offset;
};

/* The draws of one render pass instance. Owned by the command buffer; all memory that it takes (records, scratch)
 * belongs to the command buffer until pgs_batch_reset. Not thread-safe (a command buffer is externally
 * synchronised). */
struct pgs_batch;
struct pgs_draw;                           /* lives until pgs_batch_reset */

VkResult pgs_batch_create(struct pgs_device *dev, struct pgs_batch **batch);
void pgs_batch_destroy(struct pgs_batch *batch);          /* NULL is fine; the GPU must be done with it */
void pgs_batch_reset(struct pgs_batch *batch);            /* command buffer reset: everything goes back */
void pgs_batch_next_pass(struct pgs_batch *batch);        /* pass recorded: scratch may be reused by the next pass of
                                                             the same command buffer */

/* Plans one draw. VK_SUCCESS with *draw == NULL: nothing to do (zero counts, no complete primitive: D12).
 * Errors: out of host or device memory. */
VkResult pgs_batch_add(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                       const struct pgs_draw_call *call, struct pgs_draw **draw);
bool pgs_batch_is_empty(const struct pgs_batch *batch);

/* Records all compute of the batch, stage by stage with the barriers between, the barrier before (everything
 * earlier in the command buffer that used the scratch) and the one after (compute -> index, indirect, vertex
 * attribute, vertex shader). Outside a render pass. Disturbs the compute bind point and push constants; the
 * caller restores them. */
void pgs_batch_record(struct pgs_batch *batch, VkCommandBuffer cb);

/* Inside the render pass, with the application's (= raster) pipeline bound: binds vertex buffer 0 and the index buffer
 * to ours and draws. The caller restores those two for later native draws. No-op under rasterizer discard. */
void pgs_draw_replay(const struct pgs_draw *draw, VkCommandBuffer cb);

#endif
