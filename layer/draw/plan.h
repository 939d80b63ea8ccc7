/* SPDX-License-Identifier: MIT
 *
 * How one draw is to be done, in numbers: which way, how much work, how much memory, in how many
 * parts. Pure: the same inputs give the same plan, and nothing is allocated.
 */
#ifndef PGS_DRAW_PLAN_H
#define PGS_DRAW_PLAN_H

#include "draw/draw.h"
#include "poly_gs/abi.h"

/* Slots (possible output vertices) that one record may cover. Slot ids are indices of the raster
 * draw, and without fullDrawIndexUint32 an index may not exceed 2^24 - 1. */
#define PGS_MAX_SLOTS ((UINT32_C(1) << 24) - 1)
/* With it, and such that the indices of all of them are counted in 32 bits. */
#define PGS_MAX_SLOTS_UINT32 ((UINT32_C(1) << 31) - 1)

struct pgs_draw_plan {
    enum pgs_plan way; /* PGS_PLAN_COMPUTE or PGS_PLAN_VERTEX */
    VkPrimitiveTopology topology;
    bool restart;     /* the restart kernels find the primitives */
    bool discard;     /* we rasterize nothing: only side effects, captures and counts matter */
    bool vertex;      /* the vertex shader runs, by itself */
    bool tessellated; /* and if so the control shader, primitives are patches, and only the GPU
                         knows the units */
    bool evaluation;  /* the evaluation shader runs */
    bool geometry;    /* the geometry shader runs */
    bool placed;      /* a raster draw runs the shaders itself for each vertex that it puts out.
                         With discard that is the only one, and what else runs is for captures
                         alone; without (plan.indirect), the GPU chooses between the two */
    bool direct;      /* what the evaluation shader stores is rasterized */
    bool capture;     /* transform feedback captures vertices */
    bool straight; /* and the last shader does that itself: the vertex shader behind which nothing
                      comes, or with `known` once more the geometry shader */
    bool known;    /* what the geometry shader emits is counted by multiplication */
    bool bare; /* indirect: the pipeline's `bare` captures, or does what there is no memory for */
    bool idle; /* and the driver has nothing to draw, or to count */
    bool counted;        /* transform feedback or a query wants to know of the draw */
    bool indirect;       /* only the GPU knows the draws, part_count of them at most */
    bool deferred;       /* only the GPU knows how large it is: memory comes from the pool */
    uint32_t primitives; /* per instance; with restart an upper bound */
    uint32_t vertices;   /* vertex shader invocations = positions of all instances */
    uint32_t captors;    /* with straight: invocations that capture, or an upper bound */
    uint32_t patches;    /* of all instances */
    uint32_t units;      /* geometry shader invocations of the draw */
    uint32_t part_units; /* of each part but the last */
    uint32_t part_count;
};

/* The compute way. False: nothing to do (no instances, no complete primitive, a topology that is
 * not the shader's; or the driver draws and nobody captures or counts), then *plan is zero.
 * *too_large: the draw needs more invocations than 32 bits count. */
bool pgs_draw_plan(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   struct pgs_draw_plan *plan, bool *too_large);

/* The draw does with no memory for what its shaders make, but for captures. Its pipeline has
 * `placed`, the plan rasterizes, and without tessellation is not counted unless it is known. */
void pgs_draw_plan_place(struct pgs_draw_plan *plan);

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

/* Bytes of scratch that a part of `units` needs for each of its arrays (abi.h, feedback.h). Of
 * tessellated draws those that need not come from the pool. */
struct pgs_part_sizes {
    uint64_t slots_B, cuts_B, counts_B, tile_sums_B, indices_B, draw_args_B;
    uint64_t primitives_B, capture_tiles_B;
};
uint32_t pgs_part_unit_count(const struct pgs_draw_plan *plan, uint32_t part);
void pgs_part_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                    uint32_t units, struct pgs_part_sizes *sizes);
/* Those that grow with the units, wherever they come from. */
void pgs_unit_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                    uint32_t units, struct pgs_part_sizes *sizes);

/* What all parts of a draw share. */
struct pgs_draw_sizes {
    uint64_t vertices_B, primitive_list_B, restart_tiles_B, restart_count_B;
    uint64_t patches_B, starts_B, patch_tiles_B, grids_B; /* tessellated draws only */
};
void pgs_draw_sizes(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                    uint32_t vertex_count, struct pgs_draw_sizes *sizes);

static inline uint32_t pgs_tiles(uint32_t elements)
{
    return elements / PGS_TILE_EL + (elements % PGS_TILE_EL != 0);
}

/* Kernels between the geometry shader and expand, or feedback, that a part of `units` needs: small
 * ones do without (abi.h). */
static inline bool pgs_needs_count_tiles(uint32_t units)
{
    return pgs_tiles(units) > PGS_COUNT_TILES_FREE;
}

static inline bool pgs_needs_scan_tiles(uint32_t units)
{
    return pgs_tiles(units) > PGS_SCAN_TILES_FREE;
}

/* The vertex shader captures what it makes. */
static inline bool pgs_vertex_captures(const struct pgs_draw_plan *plan)
{
    return plan->straight && !plan->known;
}

/* What shaders make is stored in scratch. */
static inline bool pgs_plan_stores(const struct pgs_draw_plan *plan)
{
    return plan->geometry || (plan->vertex && !pgs_vertex_captures(plan));
}

/* A vertex shader, at least; it may run in the geometry shader. */
static inline bool pgs_plan_runs_shaders(const struct pgs_draw_plan *plan)
{
    return pgs_plan_stores(plan) || plan->straight;
}

/* What the geometry shader emits kernels have to count, for whoever wants to know. */
static inline bool pgs_plan_counts_emits(const struct pgs_draw_plan *plan)
{
    return plan->geometry && !plan->known;
}

/* Where there is no memory, the draw is captured and counted in chunks (feedback.h). */
static inline bool pgs_plan_has_chunks(const struct pgs_draw_plan *plan)
{
    return plan->bare && !plan->known;
}

/* Of the units only the GPU knows the number. */
static inline bool pgs_units_unknown(const struct pgs_draw_plan *plan)
{
    return plan->tessellated || plan->indirect;
}

#endif
