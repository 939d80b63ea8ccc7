/* SPDX-License-Identifier: MIT
 *
 * From one application draw, with a geometry shader or tessellation or one that is captured or
 * counted, to compute work and a replacement draw. command/ gives the state and the call and
 * decides when the recorded work goes into the driver's command buffer; this room knows nothing of
 * render passes, queues or secondaries.
 */
#ifndef PGS_DRAW_DRAW_H
#define PGS_DRAW_DRAW_H

#include "memory/memory.h"
#include "pipeline/kernel.h"
#include "pipeline/pipeline.h"
#include "poly_gs/feedback.h"
#include "poly_gs/tessellation.h"

#define PGS_MAX_DYNAMIC_OFFSETS 64 /* of one set; drivers allow some 30 in a whole layout */
#define PGS_MAX_BINDINGS PGS_MAX_VERTEX_BINDINGS

struct pgs_vertex_buffer {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B; /* size VK_WHOLE_SIZE: to the end of the buffer */
    VkDeviceSize stride_B;         /* vkCmdBindVertexBuffers2; used with dynamic_stride */
};

/* One of vkCmdBindTransformFeedbackBuffersEXT. */
struct pgs_xfb_binding {
    VkBuffer buffer; /* VK_NULL_HANDLE: nothing bound */
    VkDeviceSize offset_B, size_B;
};

/* One counter of vkCmdBegin- or vkCmdEndTransformFeedbackEXT, or what else stands somewhere in a
 * buffer. */
struct pgs_counter {
    VkBuffer buffer; /* VK_NULL_HANDLE: none */
    VkDeviceSize offset_B;
};

/* Conditional rendering. */
struct pgs_condition {
    VkBuffer buffer; /* VK_NULL_HANDLE: none is active */
    VkDeviceSize offset_B;
    bool inverted;
};

/* Graphics state of a command buffer, as command/ tracks it. Copied by value where it must last. */
struct pgs_graphics_state {
    const struct pgs_emulated_pipeline *pipeline; /* NULL: native */
    const struct pgs_emulated_pipeline *counted;  /* where it is native: what captures and counts */
    struct pgs_vertex_buffer vertex[PGS_MAX_BINDINGS];
    VkBuffer index_buffer;
    VkDeviceSize index_offset_B, index_size_B;
    VkIndexType index_type;
    VkPrimitiveTopology topology;
    VkBool32 primitive_restart, rasterizer_discard;
    uint32_t raster_stream;        /* vkCmdSetRasterizationStreamEXT */
    bool provoking_last;           /* vkCmdSetProvokingVertexModeEXT */
    uint32_t patch_control_points; /* vkCmdSetPatchControlPointsEXT */
    bool tessellation_lower_left;  /* vkCmdSetTessellationDomainOriginEXT */
    uint32_t bind_count;           /* graphics pipelines that were bound so far */
    VkDescriptorSet sets[PGS_MAX_SETS];
    VkPipelineLayout set_layouts[PGS_MAX_SETS]; /* for which they were bound */
    uint32_t set_orders[PGS_MAX_SETS];          /* greater: bound later */
    uint32_t next_set_order;
    uint16_t dynamic_count[PGS_MAX_SETS];
    uint32_t dynamic_offsets[PGS_MAX_SETS][PGS_MAX_DYNAMIC_OFFSETS];
    uint32_t push[64];            /* 256 bytes */
    VkDeviceAddress interval;     /* of transform feedback; 0: not active */
    struct pgs_query_set queries; /* that are active and count draws; all 0: none */
    uint32_t driver_queries;      /* that are active, or inherited, and may count draws */
    struct pgs_condition condition;
    /* Slot of pgs_condition_record, where no other is active; 0: none. */
    VkDeviceAddress inherited_condition;
    uint32_t view_count; /* of the subpass; 0: no multiview. Queries count each view */
};

/* The stream that a draw of the pipeline rasterizes. */
static inline uint32_t pgs_raster_stream(const struct pgs_emulated_pipeline *pipeline,
                                         const struct pgs_graphics_state *state)
{
    return pipeline->dynamic_stream ? state->raster_stream : pipeline->raster_stream;
}

/* PGS_TESS_* of a draw, with the domain's origin. */
static inline uint32_t pgs_tessellation_flags(const struct pgs_emulated_pipeline *pipeline,
                                              const struct pgs_graphics_state *state)
{
    const bool flip = pipeline->dynamic_domain_origin && state->tessellation_lower_left;
    return pipeline->tessellation_flags ^ (flip ? PGS_TESS_CCW : 0);
}

struct pgs_draw_call {
    bool indexed;
    uint32_t count;                                 /* vertices or indices */
    uint32_t instance_count, first, first_instance; /* first: firstVertex or firstIndex */
    int32_t vertex_offset;
    uint32_t draw_index; /* DrawIndex in the vertex shader */
    /* vkCmdDrawIndirectByteCountEXT: the GPU finds count, up to what pgs_batch_add says. */
    bool byte_count;
    struct pgs_counter counter;
    uint32_t counter_offset_B, vertex_stride_B;
    /* vkCmdDraw*Indirect*: the GPU finds all but `indexed` and the numbers of the draws, from
     * draw_index on. */
    bool indirect;
    struct pgs_counter args; /* the first command */
    uint32_t args_stride_B;
    uint32_t max_draws; /* up to PGS_MAX_INDIRECT_DRAWS */
    /* No buffer: max_draws. Counts from draw 0 of the application's call. */
    struct pgs_counter draw_count;
};
#define PGS_MAX_INDIRECT_DRAWS 65535 /* larger calls are several */

/* The draws of one render pass instance. Owned by the command buffer; all memory that it takes
 * (records, scratch) belongs to the command buffer until pgs_batch_reset. Not thread-safe (a
 * command buffer is externally synchronised). */
struct pgs_batch;
struct pgs_draw; /* lives until pgs_batch_reset */

/* With a sibling, the first batch of the same command buffer, the memory is that one's: it goes
 * back when the sibling is reset or destroyed, and may be reused when it begins its next pass. All
 * of them are to do so together. */
VkResult pgs_batch_create(struct pgs_device *dev, struct pgs_batch *sibling,
                          struct pgs_batch **batch);
void pgs_batch_destroy(struct pgs_batch *batch);   /* NULL is fine; the GPU must be done with it */
void pgs_batch_reset(struct pgs_batch *batch);     /* command buffer reset: everything goes back */
void pgs_batch_next_pass(struct pgs_batch *batch); /* pass recorded: scratch may be reused by the
                                                      next pass of the same command buffer */

/* Plans one draw: of an emulated pipeline, or what transform feedback and queries want of one of a
 * native pipeline (state->counted). VK_SUCCESS with *draw == NULL: nothing to replay (zero counts,
 * no complete primitive), and a native draw goes down as it came; a native one by byte count always
 * has a *draw, which takes its place, and so has a direct one that need not go down, since it
 * captures and nothing is rasterized: its *draw does nothing. Captures with state->interval, counts
 * for state->queries. By byte count: the records have room for as many vertices as lie in the bound
 * vertex buffers, or if there are none in the largest buffer that can be captured to. Errors: out
 * of host or device memory. */
VkResult pgs_batch_add(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                       const struct pgs_draw_call *call, struct pgs_draw **draw);
bool pgs_batch_is_empty(const struct pgs_batch *batch);

/* No more draws come to this pass, in this batch or its siblings: takes memory for those whose need
 * only the GPU will know. Before they are recorded, or the secondary ends. Errors: out of host or
 * device memory. */
VkResult pgs_batch_seal(struct pgs_batch *batch);

/* Transform feedback in the order of the draws. The interval lies in the batch's memory and may go
 * on in later batches of the same command buffer, which stay ordered; *interval is for
 * pgs_graphics_state. Unbound or foreign buffers capture nothing. Indices are those of the
 * bindings. */
VkResult pgs_batch_begin_xfb(struct pgs_batch *batch,
                             const struct pgs_xfb_binding bindings[PGS_MAX_FEEDBACK_BUFFERS],
                             const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS],
                             VkDeviceAddress *interval);
/* `interval` is that of Begin, `batch` the one that is open now. */
VkResult pgs_batch_end_xfb(struct pgs_batch *batch, VkDeviceAddress interval,
                           const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS]);

/* A query ends after the draws so far: it becomes available. `query`: address of its first word. */
VkResult pgs_batch_end_query(struct pgs_batch *batch, VkDeviceAddress query);

/* Writes whether the condition holds (without a buffer it does) to a slot of PGS_CONDITION_SLOT_B,
 * aligned to 16, for draws with that inherited_condition that are recorded later. As
 * pgs_batch_record otherwise; adds to *invocations. Memory that it takes from `linear` must live as
 * long as the commands. */
#define PGS_CONDITION_SLOT_B sizeof(VkDrawIndirectCommand) /* with an instance or without */
VkResult pgs_condition_record(struct pgs_device *dev, VkCommandBuffer cb,
                              const struct pgs_condition *condition, VkDeviceAddress slot,
                              struct pgs_linear *linear, uint64_t *invocations);

/* Records all compute of the batch, stage by stage with the barriers between, the barrier before
 * (everything earlier in the command buffer that used the scratch) and the one after (compute ->
 * index, indirect, vertex attribute, vertex shader), each where there is need of it. `first`: of
 * the pass; later ones come after a barrier of the application's. Outside a render pass. Disturbs
 * the compute bind point and push constants; the caller restores them. The compute shader
 * invocations that it dispatches, as a driver counts them. */
uint64_t pgs_batch_record(struct pgs_batch *batch, VkCommandBuffer cb, bool first);

/* After that: adds the invocations that it does not return, since only the GPU knows the grids, to
 * the 64-bit value at an address. As pgs_condition_record otherwise; nothing is recorded where
 * there are none. */
VkResult pgs_batch_count_grids(struct pgs_batch *batch, VkCommandBuffer cb, VkDeviceAddress value,
                               struct pgs_linear *linear, uint64_t *invocations);

/* Inside the render pass, with the application's (= raster) pipeline bound: binds vertex buffer 0
 * and the index buffer to ours and draws. The caller restores those two for later native draws.
 * No-op under rasterizer discard. An inline draw binds another pipeline, and leaves it bound for
 * the next draw of the batch. A native draw by byte count binds nothing; its instances may begin at
 * any number, so drawIndirectFirstInstance should be enabled. */
void pgs_draw_replay(const struct pgs_draw *draw, VkCommandBuffer cb);

/* Does that run shaders of the application's in front of the rasterizer? They read what is bound
 * then, in the pass. */
bool pgs_draw_shades(const struct pgs_draw *draw);

#endif
