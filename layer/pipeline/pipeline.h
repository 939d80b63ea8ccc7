/* SPDX-License-Identifier: MIT
 *
 * What is behind an application's VkPipeline with stages that the layer emulates (geometry shader,
 * tessellation), with state that only these features allow, or with draws that are captured or
 * counted. The application's handle is the driver's raster pipeline.
 */
#ifndef PGS_PIPELINE_PIPELINE_H
#define PGS_PIPELINE_PIPELINE_H

#include "pipeline/short_loops.h"
#include "pipeline/stipple_state.h"
#include "pipeline/uninstanced.h"
#include "pipeline/variant.h"
#include "poly_gs/polygon.h"
#include "poly_gs/viewport.h"
#include "spirv/spirv.h"

/* Reported geometry shader limits (VkPhysicalDeviceLimits); pipelines beyond them are refused. */
#define PGS_MAX_GEOMETRY_VERTICES 1024
#define PGS_MAX_GEOMETRY_INVOCATIONS 32
#define PGS_MAX_VERTEX_BINDINGS 32

struct pgs_vertex_attribute {
    uint32_t location, binding, offset_B;
    uint32_t format, size_B;   /* PGS_FORMAT_MAKE of poly_gs/format.h; of one element */
    uint32_t behind_B, leader; /* pgs_record_join_attributes; else 0, and its own location */
};

struct pgs_vertex_binding_state {
    uint32_t stride_B, divisor;
    bool instance_rate;
};

/* Dynamic state that the layer itself must know (VkDynamicState). */
enum pgs_dynamic {
    PGS_DYNAMIC_TOPOLOGY = 1 << 0,
    PGS_DYNAMIC_RESTART = 1 << 1,
    PGS_DYNAMIC_DISCARD = 1 << 2,
    PGS_DYNAMIC_STRIDE = 1 << 3,
    PGS_DYNAMIC_PROVOKING = 1 << 4,
    PGS_DYNAMIC_STREAM = 1 << 5,
    PGS_DYNAMIC_PATCH_CONTROL_POINTS = 1 << 6,
    PGS_DYNAMIC_DOMAIN_ORIGIN = 1 << 7,
    PGS_DYNAMIC_VERTEX_INPUT = 1 << 8,
    PGS_DYNAMIC_VIEWPORT = 1 << 9, /* also with PGS_DYNAMIC_VIEWPORT_COUNT */
    PGS_DYNAMIC_VIEWPORT_COUNT = 1 << 10,
    PGS_DYNAMIC_SCISSOR = 1 << 11, /* also with PGS_DYNAMIC_SCISSOR_COUNT */
    PGS_DYNAMIC_SCISSOR_COUNT = 1 << 12,
    PGS_DYNAMIC_LINE_WIDTH = 1 << 13,
    PGS_DYNAMIC_DEPTH_BEGIN = 1 << 14, /* VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT */
    PGS_DYNAMIC_CULL_MODE = 1 << 15,
    PGS_DYNAMIC_FRONT_FACE = 1 << 16,
    PGS_DYNAMIC_DEPTH_BIAS = 1 << 17,
    PGS_DYNAMIC_DEPTH_BIAS_ENABLE = 1 << 18,
    PGS_DYNAMIC_LINE_STIPPLE = 1 << 19,    /* VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT */
    PGS_DYNAMIC_STIPPLE_PATTERN = 1 << 20, /* VK_DYNAMIC_STATE_LINE_STIPPLE_EXT */
};

/* Viewports and scissors, of a pipeline or of a command buffer. */
struct pgs_viewports {
    uint32_t viewport_count, scissor_count;
    VkViewport viewports[PGS_MAX_VIEWPORTS];
    VkRect2D scissors[PGS_MAX_VIEWPORTS];
};

/* How polygons that the layer draws as lines or points are culled, and their depths biased; of a
 * pipeline or of a command buffer. */
struct pgs_polygon_state {
    VkCullModeFlags cull_mode;
    VkFrontFace front_face;
    bool bias_enable;
    float bias, bias_clamp, bias_slope;
};

/* What draws must know about an application's pipeline. Constant after creation, except what
 * `variants` points to. */
struct pgs_emulated_pipeline {
    VkPipeline handle; /* the application's: a raster variant, or the native pipeline */
    enum pgs_variant handle_variant;
    uint32_t number; /* of creation: those of pipelines made one after the other differ */
    enum pgs_variant usual_raster; /* of usual draws; maybe not made yet */
    struct pgs_variants *variants;
    struct pgs_layout *layout; /* NULL: it has no compute variants */

    struct pgs_spv_geometry_info gs;
    bool uses_push_constants; /* by any of the shaders */
    uint32_t push_B;          /* size of those that the layout has */
    bool has_effects;         /* vertex or geometry shader write memory that others see */
    bool vertex_has_effects;  /* the vertex shader does */
    /* Only geometry shaders that run as compute draw it, and they may run in parts: indirect draws
     * that need more memory than there is go in rounds (draw/rounds.h). */
    bool goes_in_rounds;
    bool reads_instances; /* valid with it: instances need not be alike, so there may be many */

    /* Tessellation, before the geometry shader or the pass-through one made from the evaluation
     * shader. */
    bool tessellated;
    struct pgs_spv_patch patch;       /* written by the control shader, read by the evaluation
                                       * shader */
    struct pgs_spv_layout control_in; /* the control shader's inputs from the vertex stage */
    uint32_t tessellation_flags;      /* PGS_TESS_* of poly_gs/tessellation.h; for the upper left
                                       * origin if the origin is dynamic */
    /* The evaluation shader's stored vertices are drawn directly. The pass-through geometry shader,
     * which would only copy them, runs for captures only. */
    bool tes_stored;
    /* Stored vertices, by the device's class: no gaps, lists, attributes, spread and gathered. */
    bool packs, lists, fetches, spreads, gathers;
    /* Strips of stored triangles behind one of these planes (PGS_DRAW_PLANES) need not be drawn,
     * nor, with PGS_DRAW_COVERAGE or PGS_DRAW_CUTS, what covers no sample or faces away. */
    uint32_t cull_planes, cut_from; /* of draws of so many GS invocations; 0: none has CUTS */
    bool joins_lines;     /* stored lines that pass_through has taken apart become strips again */
    bool expands_any;     /* stored vertices are joined, packed or of several streams */
    bool strips_stipple;  /* strips of lines, which are stippled or, as a dynamic state, may be */
    bool inline_is_exact; /* PGS_VARIANT_INLINE draws the same, but for what strips_stipple while
                           * that is a dynamic state and on; false if they always are stippled */
    bool prefers_inline, stores_large; /* inline if possible (PGS_PLAN_AUTO); yet large ones not */
    /* Likewise draws of so many GS invocations, known to the CPU, and for some time larger ones
     * (draw/tier.h). Then inline_steps are an inline draw's instructions for each invocation, with
     * all its vertices, or for each tessellated primitive, about; else 0. */
    uint32_t small_gs_invocations, inline_steps;
    uint32_t inline_limit_el;           /* direct draws are inline until those of a pass that say so
                                         * (draw/technique.h) shade so many vertices */
    bool learns_emits;                  /* likewise: more if much is emitted (draw/emits.h) */
    struct pgs_short_loops short_loops; /* likewise: another number if push constants say so */
    uint32_t joined_el, indexed_el;     /* 0: not so. joined_strips.h, indexed_strips.h */
    uint32_t evaluation_steps;          /* of the evaluation shader, about; 0: not known */
    bool inline_is_bounded;             /* likewise: inline is a few times slower at most */
    bool bridges;                       /* draws are stored until an inline variant is made */
    enum pgs_uninstanced uninstanced, unpicked; /* why it has no PGS_VARIANT_INSTANCED, PICKED */
    bool fragments_see_sets;                    /* through its layout, for all that is known */
    bool takes_record; /* PGS_VARIANT_INLINE also reads its record as vertex attributes */
    uint32_t patch_control_points, fused_patches; /* _; of a draw with PGS_VARIANT_FUSED_CONTROL */
    bool pass_through; /* the geometry shader is the layer's; it gets primitives without adjacent
                        * vertices, the provoking vertex first, or last with provoking_last */
    bool provoking_last;

    /* The driver draws with the application's own pipeline; the variants capture and count. Without
     * a geometry shader the vertex shader captures: gs.xfb says what, gs.output_kind is the number
     * of vertices per primitive. */
    bool native_raster;
    uint32_t raster_stream; /* VkPipelineRasterizationStateStreamCreateInfoEXT */
    uint32_t stored_stream; /* raster_stream, or if nothing emits to it the first with a variant */
    /* Streams that the driver's pipeline would draw though no shader emits to them. Draws that
     * rasterize them use dynamic rasterizer discard. */
    uint32_t hidden_streams;
    /* The geometry shader writes gl_Layer, which the driver does not accept from a vertex shader. A
     * raster draw draws the layers given at vertex binding 1 (two u32 at instance rate: the first,
     * and the number of further ones), and is repeated for each layer. */
    bool by_layer;
    /* Likewise gl_ViewportIndex. Viewport and scissor of the raster pipeline are dynamic, and there
     * is one of each. A raster draw draws the viewports that struct pgs_viewport_select at vertex
     * binding 2 names, and is repeated for other parts of the framebuffer. */
    bool by_viewport;
    bool one_viewport;              /* the driver has no multiViewport */
    bool fills;                     /* with by_viewport: polygons are always filled */
    bool multisampled;              /* likewise: there may be several samples in a pixel */
    float line_width;               /* likewise: if it is not dynamic */
    bool negative_one_to_one;       /* likewise, and with polygons:
                                     * VkPipelineViewportDepthClipControlCreateInfoEXT */
    struct pgs_viewports viewports; /* likewise, and with polygons or PGS_DRAW_COVERAGE: what is not
                                     * dynamic; counts that are, are 0 */
    /* How the layer draws triangles as lines or points, wide lines or large points, on a driver
     * that cannot: PGS_RASTER_POLYGONS. */
    enum pgs_spv_polygons polygons;
    bool rectangles;                        /* wide ones, else parallelograms */
    struct pgs_polygon_state polygon_state; /* and with PGS_DRAW_COVERAGE: what is not dynamic */
    float depth_unit;                       /* likewise: of a depth bias; 0: depths are floats */
    struct pgs_stipple stipple;             /* likewise */
    /* Views for each of which the shaders before the rasterizer run, since they read gl_ViewIndex
     * or write memory. 0: no multiview, or the views have the same primitives. A draw is added once
     * for each of these views. */
    uint32_t view_mask;
    /* There are several, so a raster draw draws the view given at vertex binding 1 (two u32 at
     * instance rate: the view, and a number without meaning). Never with by_layer. */
    bool by_view;

    uint32_t dynamic; /* enum pgs_dynamic: state that comes from the command buffer instead */
    VkPrimitiveTopology topology;
    bool primitive_restart, rasterizer_discard;
    /* The attributes that the shaders read, by binding. With PGS_DYNAMIC_VERTEX_INPUT only their
     * locations are known, their formats are PGS_FORMAT_DYNAMIC, and there are no bindings. */
    uint32_t attribute_count;
    struct pgs_vertex_attribute attributes[32];
    struct pgs_vertex_binding_state bindings[PGS_MAX_VERTEX_BINDINGS];
};

/* True if the pipeline has the variant or can make it. */
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

/* The variant that runs the geometry shader. */
static inline enum pgs_variant pgs_geometry_variant(const struct pgs_emulated_pipeline *pipeline)
{
    return pgs_pipeline_has(pipeline, PGS_VARIANT_FUSED) ? PGS_VARIANT_FUSED : PGS_VARIANT_GEOMETRY;
}

/* The variant that draws a stream's stored vertices; if nothing is drawn of it, the handle. */
static inline enum pgs_variant pgs_stored_variant(const struct pgs_emulated_pipeline *pipeline,
                                                  uint32_t stream)
{
    if (stream < PGS_SPV_STREAMS && pgs_pipeline_has(pipeline, pgs_stored_variant_of(stream)))
        return pgs_stored_variant_of(stream);
    return pgs_stored_variant_of(pipeline->stored_stream);
}

/* The driver's pipeline of a finished variant. */
static inline VkPipeline pgs_variant_handle(const struct pgs_emulated_pipeline *pipeline,
                                            enum pgs_variant variant)
{
    return atomic_load_explicit(&pipeline->variants->made[variant], memory_order_acquire);
}

/* The group whose sets a finished variant binds; PGS_GROUP_COUNT: the application's. */
static inline enum pgs_stage_group pgs_variant_group(const struct pgs_emulated_pipeline *pipeline,
                                                     enum pgs_variant variant)
{
    return pipeline->variants->groups[variant];
}

/* True if the vertex shader of the inline variant runs a geometry shader; else it is an evaluation
 * shader alone. */
static inline bool pgs_inline_runs_geometry(const struct pgs_emulated_pipeline *pipeline)
{
    return !pipeline->tessellated || !pipeline->pass_through;
}

/* The width that the layer draws for one that the application asks for. */
static inline float pgs_line_width(float width)
{
    return width > 1 ? width < PGS_MAX_LINE_WIDTH_PX ? width : PGS_MAX_LINE_WIDTH_PX : 1;
}

#endif
