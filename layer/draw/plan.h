/* SPDX-License-Identifier: MIT
 *
 * The chooser: by which technique a draw is done, how much work and memory that is, in how many
 * subdraws. Pure: the same inputs give the same plan, and nothing is allocated.
 */
#ifndef PGS_DRAW_PLAN_H
#define PGS_DRAW_PLAN_H

#include "draw/draw.h"
#include "draw/technique.h"
#include "poly_gs/abi.h"

/* Slots (possible output vertices) that one record may cover. Slot ids are indices of the raster
 * draw, and without fullDrawIndexUint32 an index may not exceed 2^24 - 1. */
#define PGS_MAX_SLOTS ((UINT32_C(1) << 24) - 1)
/* With it, and such that the indices of all of them are counted in 32 bits. */
#define PGS_MAX_SLOTS_UINT32 ((UINT32_C(1) << 31) - 1)

struct pgs_draw_plan {
    enum pgs_raster_path raster;
    enum pgs_xfb_path xfb;
    enum pgs_count_path count;
    enum pgs_sizing sizing;
    enum pgs_why why;
    uint32_t stages;   /* PGS_STAGE_BIT() of what is dispatched */
    uint32_t variants; /* PGS_VARIANT_BIT() of the driver's pipelines that run or draw */
    VkPrimitiveTopology topology;
    uint32_t primitives;             /* per instance; with restart an upper bound */
    uint32_t vertices;               /* vertex shader invocations = positions of all instances */
    uint32_t xfb_invocations;        /* of PGS_STAGE_XFB_SHADER, or an upper bound */
    uint32_t patches;                /* of all instances */
    uint32_t gs_invocations;         /* geometry shader invocations of the draw */
    uint32_t subdraw_gs_invocations; /* of each subdraw but the last */
    uint32_t subdraw_count;          /* with PGS_SIZE_GPU as many as there may be draws */
};

static inline bool pgs_plan_runs(const struct pgs_draw_plan *plan, enum pgs_stage stage)
{
    return plan->stages >> stage & 1;
}

/* What the choice depends on besides the pipeline, the state and the call. */
struct pgs_plan_rules {
    enum pgs_plan wish;
    uint32_t max_slots; /* PGS_MAX_SLOTS*, of the device */
    uint64_t sure_B;    /* left for tessellated draws whose worst case must fit */
};

/* Chooses how to do the draw. Pure. False: nothing to do (no instances, no complete primitive, a
 * topology that is not the shader's, or the driver draws and nobody captures or counts), then the
 * plan has no work but what finds the arguments of a native draw. `pipeline` may be NULL: a native
 * one of which nothing is known. *too_large: the draw needs more invocations than 32 bits count. */
bool pgs_draw_plan(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan, bool *too_large);

/* No draw of this pipeline and so many instances is too large up to this count. */
uint32_t pgs_draw_count_limit(const struct pgs_emulated_pipeline *pipeline,
                              uint32_t instance_count);

/* Vertices of a patch of the draw; 0 where nobody said. */
uint32_t pgs_patch_control_points(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_graphics_state *state);

/* As it stands in records: with the vertices of a patch. */
uint32_t pgs_record_topology(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_draw_plan *plan);

/* Geometry shader invocations of a subdraw. */
uint32_t pgs_subdraw_gs_invocations(const struct pgs_draw_plan *plan, uint32_t subdraw);

static inline uint32_t pgs_tiles(uint32_t elements)
{
    return elements / PGS_TILE_EL + (elements % PGS_TILE_EL != 0);
}

/* Kernels between the geometry shader and expand, or feedback, that a subdraw of `gs_invocations`
 * needs: small ones do without (abi.h). */
static inline bool pgs_needs_count_tiles(uint32_t gs_invocations)
{
    return pgs_tiles(gs_invocations) > PGS_COUNT_TILES_FREE;
}

static inline bool pgs_needs_scan_tiles(uint32_t gs_invocations)
{
    return pgs_tiles(gs_invocations) > PGS_SCAN_TILES_FREE;
}

/* Of the gs_invocations only the GPU knows the number. */
static inline bool pgs_gs_invocations_unknown(const struct pgs_draw_plan *plan)
{
    return plan->sizing == PGS_SIZE_GPU || pgs_plan_runs(plan, PGS_STAGE_TESS_ALLOT);
}

#endif
