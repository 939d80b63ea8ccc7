/* SPDX-License-Identifier: MIT
 *
 * How a draw is done: how its primitives reach the rasterizer, who captures, who counts, who knows
 * its size, and which dispatches that takes. The chooser (plan.c) decides once. All others switch
 * over these enums without a default case, so that the compiler finds missing rows. Internal to
 * draw/.
 */
#ifndef PGS_DRAW_TECHNIQUE_H
#define PGS_DRAW_TECHNIQUE_H

#include "draw/draw.h"
#include "draw/plan_rules.h"
#include "draw/raster_path.h"
#include "draw/tiles.h"
#include "poly_gs/abi.h"

/* Who writes what transform feedback captures. */
enum pgs_xfb_path {
    PGS_XFB_NONE,
    PGS_XFB_COPY,           /* a kernel copies what the geometry shader stored */
    PGS_XFB_COPY_OR_CHUNKS, /* likewise: the GPU chooses chunks (xfb.h) if memory runs out */
    PGS_XFB_VS,             /* the vertex shader: no stage follows it */
    PGS_XFB_GS,             /* a second run of the geometry shader, whose emits are static */
    PGS_XFB_GS_NO_MEMORY,   /* as PGS_XFB_GS, including the vertex shader: nothing is stored */
};

/* Who tells transform feedback and queries how many primitives there are. */
enum pgs_count_path {
    PGS_COUNT_NONE,        /* not counted */
    PGS_COUNT_INPUT,       /* the record has the number of input primitives */
    PGS_COUNT_TESSELLATOR, /* the prefix sums over the patches */
    PGS_COUNT_STATIC,      /* the number of input primitives, times what each invocation emits */
    PGS_COUNT_EMITS,       /* kernels add up what each invocation emitted */
};

/* Who knows the arguments of the draw. The sizes of patches and emits are found later. */
enum pgs_sizing {
    PGS_SIZE_CPU,
    PGS_SIZE_SETUP, /* the CPU, except a byte count or a condition: `setup` patches the records */
    PGS_SIZE_GPU,   /* indirect: `indirect` fills the records */
};

/* Why a draw is not inline, which would be cheaper: the first test that failed. */
enum pgs_why {
    PGS_WHY_CHEAPEST,    /* it is inline, or nothing is rasterized */
    PGS_WHY_NO_PIPELINE, /* the pipeline has no inline variant */
    PGS_WHY_SETTING,
    PGS_WHY_FITS,     /* tessellation: memory suffices for any levels */
    PGS_WHY_DYNAMIC,  /* emits are not static */
    PGS_WHY_RESTART,  /* some primitives may be missing */
    PGS_WHY_SIZE,     /* only the GPU knows how many primitives there are */
    PGS_WHY_LONG,     /* too many vertices, or too many instructions for each */
    PGS_WHY_QUERY,    /* the driver would count primitives that do not exist */
    PGS_WHY_EMITS,    /* something needs counts of emits, which only the GPU has */
    PGS_WHY_STIPPLE,  /* line lists would restart the stipple pattern */
    PGS_WHY_TOO_MANY, /* more vertices than one draw may have */
    PGS_WHY_COMPILING /* the inline variant is not made yet (pipeline/generic.h) */
};

/* One bit for each dispatch of a draw, in the order in which a step records them. */
enum pgs_stage {
    PGS_STAGE_SETUP,
    PGS_STAGE_INDIRECT,
    PGS_STAGE_INDIRECT_INLINE,  /* in its place, if the draw takes no memory and is only drawn */
    PGS_STAGE_INDIRECT_ROUND,   /* likewise, if it goes in rounds */
    PGS_STAGE_INDIRECT_PATCHES, /* the same with tessellation */
    PGS_STAGE_DRAW_COUNT,       /* of a native draw, which is nothing but that */
    PGS_STAGE_XFB_SHADER,       /* a vertex or geometry shader that captures by itself */
    PGS_STAGE_VERTEX,
    PGS_STAGE_RESTART_TILES,
    PGS_STAGE_RESTART_SCAN,
    PGS_STAGE_RESTART_EMIT,
    PGS_STAGE_CONTROL,
    PGS_STAGE_TESS_COUNT, /* of all that is tessellated */
    PGS_STAGE_TESS_ALLOT, /* TESS_COUNT does it for few patches of which nothing is stored */
    PGS_STAGE_TESS_ROUND, /* in its place, if what finds no memory is left to the next round */
    PGS_STAGE_TESSELLATE,
    PGS_STAGE_EVALUATION,
    PGS_STAGE_CHUNKS_COUNT,
    PGS_STAGE_GEOMETRY,
    PGS_STAGE_COUNT_TILES, /* small subdraws skip this, SCAN_TILES and XFB_TILES */
    PGS_STAGE_COUNT_TILES_ANY,
    PGS_STAGE_SCAN_TILES,
    PGS_STAGE_EXPAND,
    PGS_STAGE_EXPAND_ANY,
    PGS_STAGE_EXPAND_POLYGONS,
    PGS_STAGE_STIPPLE, /* finds where the pattern of each line of a strip begins */
    PGS_STAGE_XFB_TILES,
    PGS_STAGE_XFB_SCAN,
    PGS_STAGE_CHUNKS_CAPTURE,
    PGS_STAGE_XFB_COPY,
    PGS_STAGE_XFB_PROGRAM, /* once for all draws of the batch */
    PGS_STAGE_POOL_CLOSE   /* once for the pass, if a draw takes memory from a pool */
};
#define PGS_STAGE_COUNT (PGS_STAGE_POOL_CLOSE + 1)

#define PGS_STAGE_BIT(stage) (UINT32_C(1) << PGS_STAGE_##stage)
#define PGS_STAGES_INDIRECT (UINT32_C(15) << PGS_STAGE_INDIRECT) /* one of four */
#define PGS_STAGES_RESTART                                                                         \
    (PGS_STAGE_BIT(RESTART_TILES) | PGS_STAGE_BIT(RESTART_SCAN) | PGS_STAGE_BIT(RESTART_EMIT))
#define PGS_STAGES_TESSELLATION (UINT32_C(7) << PGS_STAGE_CONTROL) /* up to TESS_ALLOT */
#define PGS_STAGES_COUNT_TILES (PGS_STAGE_BIT(COUNT_TILES) | PGS_STAGE_BIT(COUNT_TILES_ANY))
/* Kernels that list what is drawn; those named ANY know joined lines and packed vertices. */
#define PGS_STAGES_EXPAND (UINT32_C(7) << PGS_STAGE_EXPAND)
#define PGS_STAGES_STORE (PGS_STAGE_BIT(VERTEX) | PGS_STAGE_BIT(GEOMETRY)) /* to scratch */
/* All shaders of the application. Tessellation always has a vertex shader. */
#define PGS_STAGES_SHADERS (PGS_STAGES_STORE | PGS_STAGE_BIT(XFB_SHADER))

/* How PGS_STAGE_EXPAND lists the strips of GS invocations: each its own, a tile those of all, or
 * without what draws nothing (PGS_DRAW_CUTS). */
enum pgs_expand { PGS_EXPAND_EACH, PGS_EXPAND_SHARED, PGS_EXPAND_CUT };
#define PGS_EXPAND_COUNT (PGS_EXPAND_CUT + 1)

struct pgs_draw_plan {
    enum pgs_raster_path raster;
    enum pgs_xfb_path xfb;
    enum pgs_count_path count;
    enum pgs_sizing sizing;
    enum pgs_why why;
    enum pgs_uninstanced uninstanced; /* of one with stored vertices otherwise */
    enum pgs_uninstanced unpicked;    /* likewise */
    uint32_t pick_from; /* with more primitives it would be picked, or is not as that awaits */
    enum pgs_variant in_line; /* of an inline raster draw */
    uint32_t inline_vertices; /* of it: for each GS invocation, if it runs a geometry shader */
    uint32_t stages;          /* PGS_STAGE_BIT() of what is dispatched */
    uint32_t variants;        /* PGS_VARIANT_BIT() of the driver's pipelines that run or draw */
    VkPrimitiveTopology topology;
    uint32_t primitives;                /* per instance; with restart an upper bound */
    uint32_t vertices, vertex_first;    /* vertex shader runs: of all instances, or of a round */
    uint32_t xfb_invocations;           /* of PGS_STAGE_XFB_SHADER, or an upper bound */
    uint32_t patches;                   /* of all instances */
    uint32_t patch_first, patch_count;  /* those that become primitives; patch_count 0: all */
    uint32_t gs_invocations, gs_first;  /* GS invocations; number of the first one, in a round */
    uint32_t most_gs_invocations;       /* of a subdraw: its indices must not span more */
    uint64_t most_stored_B;             /* as in the rules */
    uint32_t summed_tiles, spread_from; /* likewise, at least PGS_COUNT_TILES_FREE; as it is */
    uint32_t slice_vertices;            /* likewise */
    uint32_t slices;                    /* raster draws of a call, at most (slices.h); 0: one */
    uint32_t subdraw_gs_invocations;    /* of each subdraw but the last */
    uint32_t subdraw_count;             /* with PGS_SIZE_GPU the maximum number of draws */
    uint32_t direct_indices; /* of each GS invocation, if stored vertices are drawn directly */
    uint32_t extra_ksteps;   /* what it runs because it is inline; 0: next to nothing (tier.h) */
    bool watched, serial; /* likewise, the GPU knows; pgs_plan_is_short, or no records, on a CPU */
    uint32_t limited_el, limit_el; /* vertices that count, and may together in a pass; 0: any */
    bool is_part, by_bytes; /* of a draw in rounds; its size is the most that a byte count may be */
    bool packed, fetches, culls, finds_uncovered; /* no gaps; a vertex buffer; planes, coverage.h */
    bool self_listed, spread, gathered;           /* PGS_DRAW_*; pgs_is_self_listed */
    bool awaits_sift;    /* instanced until the shader for PGS_RASTER_SIFTED is compiled */
    bool awaits_pick;    /* stored until the shaders for PGS_RASTER_PICKED are compiled */
    bool awaits_listing; /* self_listed once compiled (stored_ahead.h) */
    bool is_dense, has_short_loops; /* its limit is a higher one (emits.h); pgs_loops_are_short */
    enum pgs_expand expand;
    bool in_order;      /* no kernel lists them: direct, as they lie */
    bool fuses_control; /* PGS_VARIANT_FUSED_CONTROL does VERTEX and CONTROL in the latter's step */
    bool by_patch; /* each is a raster draw, and TESS_COUNT takes no kernel (PGS_TESS_BY_PATCH) */
    bool vital_pool, vital_lists; /* lost without memory of a pool: something; only lists */
};

static inline bool pgs_plan_runs(const struct pgs_draw_plan *plan, enum pgs_stage stage)
{
    return plan->stages >> stage & 1;
}

/* True if the index list has whole primitives, not strips with restart indices. */
static inline bool pgs_plan_lists_primitives(const struct pgs_draw_plan *plan)
{
    return plan->raster == PGS_RASTER_POLYGONS || pgs_plan_runs(plan, PGS_STAGE_EXPAND_POLYGONS);
}

/* True if tess_count finds all that is wanted: few patches, and nothing stored behind them. */
static inline bool pgs_plan_counts_patches_alone(const struct pgs_draw_plan *plan)
{
    return pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT) &&
           !pgs_plan_runs(plan, PGS_STAGE_EVALUATION) && plan->sizing != PGS_SIZE_GPU &&
           plan->patches <= PGS_TILE_EL;
}

/* True if only the GPU knows the number of gs_invocations. */
static inline bool pgs_gs_invocations_unknown(const struct pgs_draw_plan *plan)
{
    return plan->sizing == PGS_SIZE_GPU || pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT);
}

#endif
