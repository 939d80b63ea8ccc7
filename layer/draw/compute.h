/* SPDX-License-Identifier: MIT
 *
 * A draw whose shaders run as compute shaders: its memory and records. Internal to draw/.
 */
#ifndef PGS_DRAW_COMPUTE_H
#define PGS_DRAW_COMPUTE_H

#include "base/arena.h"
#include "draw/bound_sets.h"
#include "draw/capture.h"
#include "draw/descriptors.h"
#include "draw/pool.h"
#include "draw/program.h"
#include "draw/record.h"
#include "poly_gs/indirect.h"
#include "poly_gs/query.h"

#define PGS_ARGS_STRIDE_B 32 /* of arguments of raster draws that follow each other */

struct pgs_bound_buffers;
struct pgs_chains;

/* One record and its raster draw. */
struct pgs_subdraw {
    struct pgs_range record; /* upload memory, also vertex buffer 0 of the raster draw */
    struct pgs_range indices, draw_args;
    struct pgs_range out_vertices; /* vertex buffer 0 of it instead, if the plan fetches them */
    struct pgs_range tessellation; /* upload memory; empty without tessellation */
    struct pgs_range inline_args;  /* of an inline draw of patches, VkDrawIndirectCommand; upload
                                      memory, one for each, with plan.by_patch */
    VkDeviceAddress capture; /* struct pgs_capture in upload memory; 0: nobody captures or counts */
    uint32_t gs_invocations;
};

/* Memory of a batch, or of all its siblings. */
struct pgs_batch_memory {
    struct pgs_linear *upload;  /* records: each lives until the reset */
    struct pgs_linear *scratch; /* reused by every pass */
    struct pgs_linear *pooled;  /* the scratch of pools, reused by every pass */
    struct pgs_arena arena;     /* the draws since the reset */
    struct pgs_capture_tables tables;
    struct pgs_interval_state interval;
    struct pgs_draw_pool *pass_pools[PGS_POOL_KINDS]; /* NULL: no draw wanted one */
    struct pgs_draw_pool *pools;                      /* since the reset, newest first */
    struct pgs_tier_watch *watched;                   /* likewise (tier.h) */
    struct pgs_rounds_watch *in_rounds;               /* likewise (rounds.h) */
    struct pgs_emits_told *told;                      /* likewise (emits.h) */
    struct pgs_patches_told *patches_told;            /* likewise (patches.h) */
    uint32_t patches_told_count;
    uint64_t evaluated_more; /* vertices, by inline patches of the pass (patches.h) */
    uint64_t emits_noted[PGS_TIER_SLOTS / 64]; /* likewise: bit n: a pipeline of slot n was */
    uint32_t rounds_spent, records_spent;      /* likewise, of indirect draws */
    /* Of the draws of the pass together (technique.h): those that are inline though nobody knows
     * what they emit, and those that are since much is known to be emitted. */
    uint64_t limited_el, dense_el;
    uint32_t next_query, queries_left; /* of the pass, once one of its draws took some (slices.h) */
    bool has_queries;
    bool takes_turns; /* command buffers that use the like are executed one after the other */
    uint32_t drawn_bind_count; /* the state's bind_count at the last draw of an emulated pipeline */
};

struct pgs_draw {
    struct pgs_draw *next; /* in the pass */
    /* Calls of the application that it stands for: 1, or with a plan of one subdraw those that
     * repeat it (repeat.h). The records of all lie in `records` at distances of record_stride_B,
     * what else they have in `scratch` at distances of scratch_stride_B. Both may have room for
     * more. The plan and subdraws[0] are those of the first. */
    uint32_t call_count;
    uint32_t room; /* calls for which an inline draw took memory when it was prepared; else 1 */
    struct pgs_range records; /* upload memory */
    struct pgs_range scratch; /* empty: not in one piece */
    VkDeviceSize scratch_stride_B;
    /* Then what each call has in `scratch` lies array by array, without a stride (chain.h). NULL:
     * its calls, if there are several, are listed and drawn one by one. */
    struct pgs_chains *chains;
    VkDeviceAddress listing; /* struct pgs_listing of a draw without chains; 0: none (listing.h) */
    struct pgs_device *dev;
    const struct pgs_emulated_pipeline *pipeline; /* NULL: a native draw that needs only `args` */
    struct pgs_draw_plan plan;
    uint32_t groups;     /* mask of enum pgs_stage_group: for those the layer binds sets */
    uint32_t view_index; /* valid if the pipeline has a view_mask */
    uint32_t vertex_count;
    const struct pgs_draw_call *call; /* of an instanced draw, which has nothing else */
    struct pgs_xfb_target xfb_target; /* valid with plan.xfb */
    /* Of a native draw whose arguments the GPU writes: VkDrawIndirectCommand, or with
     * PGS_STAGE_DRAW_COUNT args_count copies of those of the application (draw_count.h). */
    struct pgs_range args;
    uint32_t args_count;
    bool args_indexed;
    const struct pgs_draw_pool
        *pool;              /* where the GPU takes its memory and indices; NULL: no pool */
    struct pgs_range grids; /* struct pgs_grids; empty if the CPU knows all grids */
    /* struct pgs_inline_draw, upload memory; those of further calls follow it. Empty: none, or
     * patches, or a direct draw that takes its record. */
    struct pgs_range inline_root;
    struct pgs_range inline_args; /* of an indirect inline draw, VkDrawIndirectCommand */
    /* Of a direct inline draw whose calls are instances (pgs_draw_find_instances): vertex buffer 0,
     * bound from its begin on, the number of the first call's instance, and the vertices of each.
     * VK_NULL_HANDLE: another draw. */
    VkBuffer instances;
    uint32_t first_instance, instance_vertices;
    const struct pgs_strip_list *strips; /* index list of an inline draw; NULL: it has none */
    uint32_t first_query, query_count;   /* of the device's, between slices (slices.h) */
    bool tells;                          /* its counts are wanted (emits.h) */
    struct pgs_range told_args; /* upload memory in place of draw_args; empty: nobody reads them */
    bool tells_patches;         /* its pgs_tessellation is read (patches.h) */
    VkPipeline stored;          /* raster pipeline that reads stored vertices */
    VkCullModeFlags cull_mode;  /* of wide lines: dynamic state that they suspend */
    bool bias_enable;           /* likewise */
    bool line_stipple;          /* likewise */
    float line_width;           /* likewise */
    VkDeviceAddress setup;      /* struct pgs_setup; 0: not needed */
    VkDeviceAddress draw_count; /* struct pgs_draw_count, with PGS_STAGE_DRAW_COUNT */
    VkDeviceAddress counter; /* with PGS_XFB_VS: the counter that its shader reads instead of setup;
                                0: setup reads it */
    VkDeviceAddress indirect;             /* struct pgs_indirect, with PGS_SIZE_GPU */
    struct pgs_indirect *indirect_mapped; /* the same, for the CPU, which only writes */
    uint32_t record_stride_B; /* from the record of a subdraw, or of a call, to the next */
    VkDeviceAddress queries;  /* struct pgs_query_set; 0: none */
    /* [plan.subdraw_count], or with only_records that of the first record: the others have nothing
     * but their record and, PGS_ARGS_STRIDE_B apart, their arguments (pgs_draw_subdraw). */
    struct pgs_subdraw *subdraws;
    bool only_records;
    bool at_once; /* likewise: one raster draw takes all arguments */
    /* Sets that its shaders bind, by stage group; NULL: the draw has no shader of the group. Those
     * for the rasterizer may differ from call to call, and are the first one's (replay.h). */
    const struct pgs_draw_sets *sets[PGS_GROUP_COUNT];
    const struct pgs_bound_buffers *bound; /* see bound_buffers.h; NULL: none */
    const struct pgs_bound_sets
        *sets_before; /* the application's sets, with sets[PGS_GROUP_RASTER] */
};

/* Adds what so many calls of the plan shade inline. */
static inline void pgs_count_limited(struct pgs_batch_memory *memory,
                                     const struct pgs_draw_plan *plan, uint32_t calls)
{
    *(plan->is_dense ? &memory->dense_el : &memory->limited_el) +=
        (uint64_t)calls * plan->limited_el;
}

/* Makes the draw of state->pipeline or state->counted and finds its sets. The subdraws are zeroed.
 * Lives in the arena. Others may raise `room` before it is prepared. Errors: out of host or device
 * memory. */
VkResult pgs_draw_new(struct pgs_arena *arena, struct pgs_device *dev,
                      const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan,
                      struct pgs_draw **draw);

/* Finds anew what a draw has as sets[PGS_GROUP_RASTER] and sets_before. Errors: as above. */
VkResult pgs_draw_find_raster_sets(struct pgs_arena *arena, const struct pgs_graphics_state *state,
                                   const struct pgs_draw *draw, const struct pgs_draw_sets **sets,
                                   const struct pgs_bound_sets **sets_before);

/* Finds the groups of the plan's variants. A draw by byte count may have no pipeline. */
void pgs_draw_find_groups(struct pgs_draw *draw);

/* Finds the sets of these groups, in place of those that it has. Errors: as above. */
VkResult pgs_draw_find_sets(struct pgs_arena *arena, const struct pgs_graphics_state *state,
                            struct pgs_draw *draw);

/* A subdraw by its number. */
struct pgs_subdraw pgs_draw_subdraw(const struct pgs_draw *draw, uint32_t number);

/* Sets that a compute variant of the draw binds. */
static inline const struct pgs_draw_sets *pgs_draw_sets_of(const struct pgs_draw *draw,
                                                           enum pgs_variant variant)
{
    return draw->sets[pgs_variant_group(draw->pipeline, variant)];
}

/* Finds or makes the pass's pool of a kind for a draw of `batch`, which wants so much of it
 * (pgs_draw_pool_want). Errors: out of host or device memory. */
VkResult pgs_compute_pool(struct pgs_batch_memory *memory, const void *batch,
                          enum pgs_pool_kind kind, uint64_t wanted_B,
                          const struct pgs_draw_pool **pool);

/* Takes the draw's memory and writes its records. By byte count, call->count is the upper bound.
 * *record is a copy of the last record, valid if there are any. Errors: out of host or device
 * memory. */
VkResult pgs_compute_prepare(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                             const struct pgs_draw_call *call, struct pgs_batch_memory *memory,
                             struct pgs_draw_record *record);

/* As pgs_compute_prepare for a draw with one subdraw, which is a copy of another one with another
 * plan. *record is the record of the other one, of which it changes what depends on the plan and on
 * memory. The caller fills in the call. */
VkResult pgs_compute_prepare_like(struct pgs_draw *draw, const struct pgs_draw_call *call,
                                  struct pgs_batch_memory *memory, struct pgs_draw_record *record);

/* True if the draw is inline, or may turn out to be, and then reads its record as attributes. */
bool pgs_draw_takes_record(const struct pgs_draw *draw);

/* Takes memory for so many records of the draw, each of record_stride_B. If it takes its record, as
 * many bytes into their buffer as some number of records have, which is that of the first instance:
 * so all such draws have the same vertex buffer, from its begin on. Errors: out of host or device
 * memory. */
VkResult pgs_records_take(const struct pgs_draw *draw, struct pgs_linear *upload, uint32_t count,
                          struct pgs_range *range);

/* Takes memory for the struct pgs_inline_draw of so many calls of an inline draw. Errors: out of
 * host or device memory. */
VkResult pgs_inline_roots_take(struct pgs_draw *draw, struct pgs_batch_memory *memory,
                               uint32_t count);

/* The one of the first call. subdraws[0].record must be known. */
struct pgs_inline_draw pgs_inline_draw_of(const struct pgs_draw *draw);

/* Writes those of the first calls, as many as there is memory for. `first`: that of the first one;
 * the others differ in where their record lies. */
void pgs_inline_roots_write(const struct pgs_draw *draw, const struct pgs_inline_draw *first,
                            uint32_t count);

/* Lets setup, which runs before all else, read the draw's counter, since a later step stores it. */
void pgs_compute_count_first(struct pgs_draw *draw);

#endif
