/* SPDX-License-Identifier: MIT
 *
 * How a draw is done: how its primitives reach the rasterizer, who captures, who counts, who knows
 * its size, and which dispatches that takes. The chooser (plan.c) decides once; everybody else
 * switches over these without a default case, so that the compiler finds who forgot a new row.
 * Internal to draw/.
 */
#ifndef PGS_DRAW_TECHNIQUE_H
#define PGS_DRAW_TECHNIQUE_H

#include "draw/draw.h"
#include "poly_gs/abi.h"

/* How primitives reach the rasterizer. */
enum pgs_raster_path {
    PGS_RASTER_NONE,             /* nothing is rasterized: only effects, captures and counts */
    PGS_RASTER_NATIVE,           /* the application's own draw */
    PGS_RASTER_STORED,           /* vertices and indices that the geometry shader left in memory */
    PGS_RASTER_TES_STORED,       /* the evaluation shader's vertices, the tessellator's indices */
    PGS_RASTER_INLINE_GS,        /* the raster vertex shader runs VS and GS for each vertex */
    PGS_RASTER_INLINE_TES,       /* the raster vertex shader runs the TES for each vertex */
    PGS_RASTER_STORED_OR_INLINE, /* indirect: the GPU chooses, INLINE_GS where memory runs out */
};

/* Who writes what transform feedback captures. */
enum pgs_xfb_path {
    PGS_XFB_NONE,
    PGS_XFB_COPY,           /* a kernel copies what the geometry shader stored */
    PGS_XFB_COPY_OR_CHUNKS, /* indirect: the GPU chooses, chunks (feedback.h) where memory runs out
                             */
    PGS_XFB_VS,             /* the vertex shader: no stage follows it */
    PGS_XFB_GS,             /* one more run of the geometry shader, whose emits are static */
    PGS_XFB_GS_NO_MEMORY,   /* likewise with the vertex shader within: nothing is stored */
};

/* Who tells transform feedback and queries how many primitives there are. */
enum pgs_count_path {
    PGS_COUNT_NONE,        /* nobody asks */
    PGS_COUNT_INPUT,       /* the record: as many as there are input primitives */
    PGS_COUNT_TESSELLATOR, /* the prefix sums of the patches */
    PGS_COUNT_STATIC,      /* the record, times what each invocation emits */
    PGS_COUNT_EMITS,       /* kernels add up what each invocation emitted */
};

/* Who knows the arguments of the draw. (How much a patch or an emit gives comes later.) */
enum pgs_sizing {
    PGS_SIZE_CPU,
    PGS_SIZE_SETUP, /* the CPU but for a byte count or a condition: `setup` patches the records */
    PGS_SIZE_GPU,   /* indirect: `indirect` fills the records */
};

/* Why the raster draw of an emulated pipeline does not run the shaders itself, which would be
 * cheaper: the first reason that holds. */
enum pgs_why {
    PGS_WHY_CHEAPEST, /* it does, or there is no such draw */
    PGS_WHY_NO_PIPELINE,
    PGS_WHY_SETTING,
    PGS_WHY_FITS,    /* tessellation, whose memory suffices whatever the levels are */
    PGS_WHY_DYNAMIC, /* emits that are not static */
    PGS_WHY_RESTART, /* some of the primitives may not be there */
    PGS_WHY_SIZE,    /* likewise: only the GPU knows how many there are */
    PGS_WHY_LONG,    /* many vertices, or instructions for each */
    PGS_WHY_QUERY,   /* the driver would count primitives that are not there */
    PGS_WHY_EMITS,   /* somebody asks for emits that only the GPU counts */
    PGS_WHY_STIPPLE, /* lists of lines would begin the pattern anew */
    PGS_WHY_TOO_MANY /* more vertices than one draw may have */
};

/* A bit for each dispatch of a draw, in the order in which those of one step are recorded. */
enum pgs_stage {
    PGS_STAGE_SETUP,
    PGS_STAGE_INDIRECT,
    PGS_STAGE_XFB_SHADER, /* a vertex or geometry shader that captures by itself */
    PGS_STAGE_VERTEX,
    PGS_STAGE_RESTART_TILES,
    PGS_STAGE_RESTART_SCAN,
    PGS_STAGE_RESTART_EMIT,
    PGS_STAGE_CONTROL,
    PGS_STAGE_TESS_COUNT,
    PGS_STAGE_TESS_ALLOT,
    PGS_STAGE_TESSELLATE,
    PGS_STAGE_EVALUATION,
    PGS_STAGE_CHUNKS_COUNT,
    PGS_STAGE_GEOMETRY,
    PGS_STAGE_COUNT_TILES, /* subdraws that are small do without, as without SCAN and XFB_TILES */
    PGS_STAGE_SCAN_TILES,
    PGS_STAGE_EXPAND,
    PGS_STAGE_XFB_TILES,
    PGS_STAGE_XFB_SCAN,
    PGS_STAGE_CHUNKS_CAPTURE,
    PGS_STAGE_XFB_COPY,
    PGS_STAGE_FEEDBACK,  /* of the batch, for all its draws */
    PGS_STAGE_POOL_CLOSE /* of the pass: the draw takes memory from a pool */
};
#define PGS_STAGE_COUNT (PGS_STAGE_POOL_CLOSE + 1)

#define PGS_STAGE_BIT(stage) (UINT32_C(1) << PGS_STAGE_##stage)
#define PGS_STAGES_RESTART                                                                         \
    (PGS_STAGE_BIT(RESTART_TILES) | PGS_STAGE_BIT(RESTART_SCAN) | PGS_STAGE_BIT(RESTART_EMIT))
#define PGS_STAGES_TESSELLATION                                                                    \
    (PGS_STAGE_BIT(CONTROL) | PGS_STAGE_BIT(TESS_COUNT) | PGS_STAGE_BIT(TESS_ALLOT))
/* Shaders that leave vertices in scratch. */
#define PGS_STAGES_STORE (PGS_STAGE_BIT(VERTEX) | PGS_STAGE_BIT(GEOMETRY))
/* All shaders of the application: tessellation comes with a vertex shader. */
#define PGS_STAGES_SHADERS (PGS_STAGES_STORE | PGS_STAGE_BIT(XFB_SHADER))

/* The raster draw reads vertices that compute shaders stored. */
static inline bool pgs_raster_reads_stored(enum pgs_raster_path raster)
{
    switch (raster) {
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_STORED_OR_INLINE:
        return true;
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
        break;
    }
    return false;
}

/* The raster vertex shader runs the application's shaders, at least for some draws of a call. */
static inline bool pgs_raster_runs_shaders(enum pgs_raster_path raster)
{
    switch (raster) {
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_STORED_OR_INLINE:
        return true;
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
        break;
    }
    return false;
}

/* ... and among them the geometry shader. */
static inline bool pgs_raster_runs_geometry(enum pgs_raster_path raster)
{
    return pgs_raster_runs_shaders(raster) && raster != PGS_RASTER_INLINE_TES;
}

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
