/* SPDX-License-Identifier: MIT
 *
 * What stands behind an application's VkPipeline with stages that are ours (a geometry shader,
 * tessellation), or that does what only their features allow, or whose draws transform feedback and
 * queries want to know of. The application's handle is the driver's raster pipeline.
 */
#ifndef PGS_PIPELINE_PIPELINE_H
#define PGS_PIPELINE_PIPELINE_H

#include "pipeline/variant.h"
#include "spirv/spirv.h"

/* What we promise of geometry shaders (VkPhysicalDeviceLimits); pipelines beyond it are refused. */
#define PGS_MAX_GEOMETRY_VERTICES 1024
#define PGS_MAX_GEOMETRY_INVOCATIONS 32
#define PGS_MAX_VERTEX_BINDINGS 32

struct pgs_vertex_attribute {
    uint32_t location, binding, offset_B;
    uint32_t format; /* PGS_FORMAT_MAKE of poly_gs/format.h */
    uint32_t size_B; /* of one element */
};

struct pgs_vertex_binding_state {
    uint32_t stride_B, divisor;
    bool instance_rate;
};

/* What draws must know of an application's pipeline. Constant after its creation, but for what
 * `variants` points to. */
struct pgs_emulated_pipeline {
    VkPipeline handle; /* the application's: one of the raster variants, or the driver's own */
    enum pgs_variant handle_variant;
    struct pgs_variants *variants;
    struct pgs_layout *layout; /* NULL: it has no compute variants */

    struct pgs_spv_geometry_info gs;
    bool uses_push_constants; /* one of the shaders reads them */
    bool has_effects;         /* vertex or geometry shader write memory that others see */

    /* Tessellation, in front of the geometry shader or of the pass-through one that is made from
     * the evaluation shader. */
    bool tessellated;
    struct pgs_spv_patch patch;       /* what control stores and evaluation reads */
    struct pgs_spv_layout control_in; /* what control reads of the vertex stage */
    uint32_t tessellation_flags;      /* PGS_TESS_* of poly_gs/tessellation.h; where the domain's
                                         origin is dynamic, for the upper left one */
    /* What the evaluation shader stores is drawn as it is: our geometry shader, which would only
     * copy it, runs for captures alone. */
    bool tes_stored;
    bool inline_is_exact; /* PGS_VARIANT_INLINE draws the same: the stipple pattern of lists of
                             lines is not that of strips */
    bool prefers_inline;  /* it is worth it wherever it can be (PGS_PLAN_AUTO) */
    uint32_t patch_control_points;
    bool dynamic_patch_control_points, dynamic_domain_origin;
    bool pass_through; /* the application gave no GS; ours gets primitives without their neighbours,
                          the provoking vertex first, or last with provoking_last */
    bool provoking_last;

    /* The driver draws with the application's own pipeline; the variants serve transform feedback
     * and queries. Without a geometry shader the vertex shader captures by itself, gs.xfb says
     * what and gs.output_kind the vertices of a primitive. */
    bool native_raster;
    uint32_t raster_stream; /* VkPipelineRasterizationStateStreamCreateInfoEXT */
    uint32_t stored_stream; /* that one, or where nobody emits to it the first with a variant */

    /* Streams that the driver's pipeline draws by itself would draw, though no shader emits to
     * them: draws that rasterize them want rasterizer discard, which is dynamic. */
    uint32_t hidden_streams;

    /* The geometry shader writes gl_Layer, which this driver takes from no vertex shader: a raster
     * draw draws the layers that the raster pipeline finds at vertex binding 1 (two u32 at instance
     * rate: the first, how many more), and there must be one for each layer. */
    bool by_layer;

    /* Static state; the dynamic_* bits say which of it comes from the command buffer instead. */
    VkPrimitiveTopology topology;
    bool primitive_restart, rasterizer_discard;
    bool dynamic_topology, dynamic_restart, dynamic_discard, dynamic_stride;
    bool dynamic_provoking, dynamic_stream;
    uint32_t attribute_count;
    struct pgs_vertex_attribute attributes[32];
    struct pgs_vertex_binding_state bindings[PGS_MAX_VERTEX_BINDINGS];
};

/* The pipeline has the variant, or can make it. */
static inline bool pgs_pipeline_has(const struct pgs_emulated_pipeline *pipeline,
                                    enum pgs_variant variant)
{
    return atomic_load_explicit(&pipeline->variants->available, memory_order_relaxed) >> variant &
           1;
}

/* The driver draws with it, and nobody counts that. */
static inline bool pgs_pipeline_is_uncounted(const struct pgs_emulated_pipeline *pipeline)
{
    return atomic_load_explicit(&pipeline->variants->uncounted, memory_order_relaxed);
}

/* A geometry shader, or the one that hands primitives through, can run as compute. */
static inline bool pgs_pipeline_has_geometry(const struct pgs_emulated_pipeline *pipeline)
{
    return pgs_pipeline_has(pipeline, PGS_VARIANT_GEOMETRY) ||
           pgs_pipeline_has(pipeline, PGS_VARIANT_FUSED);
}

/* The variant that runs it. */
static inline enum pgs_variant pgs_geometry_variant(const struct pgs_emulated_pipeline *pipeline)
{
    return pgs_pipeline_has(pipeline, PGS_VARIANT_FUSED) ? PGS_VARIANT_FUSED : PGS_VARIANT_GEOMETRY;
}

static inline enum pgs_variant pgs_stored_variant_of(uint32_t stream)
{
    return (enum pgs_variant)(PGS_VARIANT_STORED_0 + stream);
}

/* Draws what compute shaders stored of a stream; where the pipeline draws nothing of it, its
 * handle. */
static inline enum pgs_variant pgs_stored_variant(const struct pgs_emulated_pipeline *pipeline,
                                                  uint32_t stream)
{
    if (stream < PGS_SPV_STREAMS && pgs_pipeline_has(pipeline, pgs_stored_variant_of(stream)))
        return pgs_stored_variant_of(stream);
    return pgs_stored_variant_of(pipeline->stored_stream);
}

/* The driver's pipeline of a variant that was made. */
static inline VkPipeline pgs_variant_handle(const struct pgs_emulated_pipeline *pipeline,
                                            enum pgs_variant variant)
{
    return atomic_load_explicit(&pipeline->variants->made[variant], memory_order_acquire);
}

/* The group as which a variant that was made binds sets; PGS_GROUP_COUNT: it binds what the
 * application bound. */
static inline enum pgs_stage_group pgs_variant_group(const struct pgs_emulated_pipeline *pipeline,
                                                     enum pgs_variant variant)
{
    return pipeline->variants->groups[variant];
}

/* Vertices of a unit of an inline raster draw without tessellation: all that it gives, or where
 * nobody knows (gs.pattern) can give, primitive by primitive. */
static inline uint32_t pgs_inline_corners(const struct pgs_emulated_pipeline *pipeline)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const uint32_t kind = gs->output_kind;
    if (gs->pattern.is_known)
        return kind * gs->pattern.primitives[pipeline->raster_stream];
    return gs->max_vertices < kind ? 0 : kind * (gs->max_vertices - kind + 1);
}

#endif
