/* SPDX-License-Identifier: MIT
 *
 * What stands behind an application's VkPipeline with stages that are ours (a geometry shader,
 * tessellation), or that does what only their features allow, or whose draws transform feedback and
 * queries want to know of. The application's handle is the driver's raster pipeline.
 */
#ifndef PGS_PIPELINE_PIPELINE_H
#define PGS_PIPELINE_PIPELINE_H

#include "pipeline/bind_sets.h"
#include "spirv/spirv.h"
#include "vulkan/device.h"

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

struct pgs_emulated_pipeline {
    VkPipeline raster;           /* = the application's handle */
    VkPipeline vertex, geometry; /* compute */
    VkPipeline capture; /* compute: the geometry shader, and the vertex shader if `fused`, which
                           captures by itself; VK_NULL_HANDLE: it cannot, or captures nothing */
    /* Likewise with the vertex shader in any case: for indirect draws, which could have no memory
     * (pgs_late_pipeline_get). NULL: none. */
    struct pgs_late_pipeline *no_memory;
    struct pgs_layout *layout;
    uint32_t stage_groups; /* bit PGS_GROUP_*: what its shaders bind sets for */
    struct pgs_spv_geometry_info gs;
    bool uses_push_constants; /* one of the shaders reads them */
    bool has_effects;         /* vertex or geometry shader write memory that others see */
    bool fused;               /* geometry runs the vertex shader, too; vertex is VK_NULL_HANDLE */

    /* Tessellation, in front of the geometry shader or of the pass-through one that is made from
     * the evaluation shader. */
    bool tessellated;
    VkPipeline control, evaluation;   /* compute; VK_NULL_HANDLE where nobody needs vertices */
    struct pgs_spv_patch patch;       /* what control stores and evaluation reads */
    struct pgs_spv_layout control_in; /* what control reads of the vertex stage */
    uint32_t tessellation_flags;      /* PGS_TESS_* of poly_gs/tessellation.h; where the domain's
                                         origin is dynamic, for the upper left one */
    /* What the evaluation shader stores is drawn as it is: our geometry shader, which would only
     * copy it, runs for captures alone. */
    bool tes_stored;
    /* Draws without memory for vertices: its vertex shader runs the evaluation shader
     * (pgs_spv_evaluation_to_raster), or without tessellation vertex and geometry shader
     * (pgs_spv_fused_to_raster) for each vertex. VK_NULL_HANDLE: cannot. */
    VkPipeline inline_raster;
    bool inline_is_exact; /* it draws the same; the stipple pattern of lists of lines is not that of
                             strips */
    bool prefers_inline;  /* it is worth it wherever it can be (PGS_PLAN_AUTO) */
    uint32_t patch_control_points;
    bool dynamic_patch_control_points, dynamic_domain_origin;
    bool pass_through; /* the application gave no GS; ours gets primitives without their neighbours,
                          the provoking vertex first, or last with provoking_last */
    bool provoking_last;

    /* The handle is the application's own pipeline, which the driver draws with; ours is only what
     * transform feedback and queries want to know of its draws. vertex is VK_NULL_HANDLE when it
     * captures nothing. Without a geometry shader it captures by itself, gs.feedback is what and
     * gs.output_kind the corners of a primitive. */
    bool native_raster;
    /* With native_raster, what it takes to count its draws cannot be made: nobody does. */
    bool uncounted;
    uint32_t raster_stream; /* VkPipelineRasterizationStateStreamCreateInfoEXT */

    /* With dynamic_stream these draw streams that raster does not; VK_NULL_HANDLE: it does, or
     * nothing of the stream is to be drawn. Some may be the same. */
    VkPipeline raster_of_stream[PGS_SPV_STREAMS];
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

/* Of the compute geometry shader. */
static inline enum pgs_stage_group
pgs_pipeline_geometry_group(const struct pgs_emulated_pipeline *pipeline)
{
    return pipeline->fused ? PGS_GROUP_VERTEX_GEOMETRY : PGS_GROUP_GEOMETRY;
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

/* The stages of a push constant range as the driver knows them: vkCmdPushConstants must name the
 * same. May be 0. */
VkShaderStageFlags pgs_push_constant_stages(const struct pgs_device *dev,
                                            VkShaderStageFlags stages);

/* Dynamic offsets that a set of an application's layout takes in vkCmdBindDescriptorSets.
 * Thread-safe. */
uint32_t pgs_layout_dynamic_count(const struct pgs_device *dev, VkPipelineLayout layout,
                                  uint32_t set);

/* Could a draw need emulation? False until the first module with geometry capabilities or the first
 * emulated pipeline is created, true ever after. */
bool pgs_pipelines_possible(const struct pgs_device *dev);

/* Where that is kept, as long as the device lives: for who asks often. */
const _Atomic bool *pgs_pipelines_possible_flag(const struct pgs_device *dev);

/* Something else than a pipeline came to be for which passes must be queued: a query that counts
 * draws. */
void pgs_pipelines_note_possible(struct pgs_device *dev);

/* What stands behind a pipeline: where feedback is emulated all graphics pipelines have something
 * (see native_raster), else those that are emulated. NULL for the others. The pointer lives until
 * vkDestroyPipeline of the handle. Thread-safe. */
const struct pgs_emulated_pipeline *pgs_emulated_pipeline_find(const struct pgs_device *dev,
                                                               VkPipeline handle);

/* late.c: a compute pipeline that is compiled when it is first wanted, always with the same layout.
 * It stays the room's. Thread-safe. */
struct pgs_late_pipeline;
VkResult pgs_late_pipeline_get(struct pgs_device *dev, struct pgs_late_pipeline *late,
                               VkPipelineLayout layout, VkPipeline *pipeline);

/* Whole kernels of shaders/kernels, compiled at the first use. Their layout is kernel_layout: no
 * sets, pgs_root. */
enum pgs_kernel {
    PGS_KERNEL_RESTART_TILES,
    PGS_KERNEL_RESTART_SCAN,
    PGS_KERNEL_RESTART_EMIT,
    PGS_KERNEL_COUNT_TILES,
    PGS_KERNEL_SCAN_TILES,
    PGS_KERNEL_EXPAND,
    PGS_KERNEL_SETUP,
    PGS_KERNEL_TESS_COUNT,
    PGS_KERNEL_TESS_ALLOT,
    PGS_KERNEL_TESSELLATE,
    PGS_KERNEL_CAPTURE_TILES,
    PGS_KERNEL_CAPTURE_SCAN,
    PGS_KERNEL_FEEDBACK,
    PGS_KERNEL_CAPTURE_GEOMETRY,
    PGS_KERNEL_QUERY_COPY,
    PGS_KERNEL_QUERY_DRAIN,
    PGS_KERNEL_QUERY_GRIDS,
    PGS_KERNEL_POOL_CLOSE,
    PGS_KERNEL_INDIRECT,
    PGS_KERNEL_INTERVAL_END,
    PGS_KERNEL_COUNT
};
/* The pipeline and layout stay the room's. Thread-safe. */
VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout);

VkResult pgs_pipeline_room_create(struct pgs_device *dev);
void pgs_pipeline_room_destroy(struct pgs_device *dev);

#endif
