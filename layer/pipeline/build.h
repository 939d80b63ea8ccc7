/* SPDX-License-Identifier: MIT
 *
 * What the creation of one pipeline carries from step to step; all of it is gone afterwards but
 * `pipeline`. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_BUILD_H
#define PGS_PIPELINE_BUILD_H

#include "pipeline/layout.h"
#include "pipeline/room.h"

enum pgs_build_module {
    PGS_BUILD_VERTEX,
    PGS_BUILD_CONTROL,
    PGS_BUILD_EVALUATION,
    PGS_BUILD_GEOMETRY,
    PGS_BUILD_FUSED,   /* vertex and geometry */
    PGS_BUILD_CAPTURE, /* geometry once more, and vertex, too, if there is a fused one */
    PGS_BUILD_RASTER,
    PGS_BUILD_PLACED, /* raster, too: struct pgs_emulated_pipeline's `placed` */
    PGS_BUILD_FRAGMENT
};
#define PGS_BUILD_MODULES 9

struct pgs_build {
    struct pgs_device *dev;
    VkPipelineCache cache;
    const VkGraphicsPipelineCreateInfo *info;
    const VkAllocationCallbacks *allocator;
    uint32_t dump_serial;
    const VkPipelineShaderStageCreateInfo *vertex_stage, *control_stage, *evaluation_stage,
        *geometry_stage, *fragment_stage; /* NULL: none */
    const char *other_stage;              /* one that is none of them; NULL: none */
    struct pgs_stage_code vs, tcs, tes, gs, fs;
    struct pgs_spv_blob pass_through; /* the SPIR-V of gs where it is ours */
    struct pgs_spv_vertex_info vertex_info;
    struct pgs_spv_control_info control_info;
    bool evaluation_has_effects;
    uint32_t primitive_id_location;
    bool takes_layer; /* the fragment shader, at layer_location */
    uint32_t layer_location;
    VkShaderModule modules[PGS_BUILD_MODULES]; /* may be VK_NULL_HANDLE */
    struct pgs_emulated_pipeline *pipeline;
};

/* Begins with an empty pipeline and the stages found. pgs_build_finish is due even after an error.
 */
VkResult pgs_build_init(struct pgs_build *b, struct pgs_device *dev, VkPipelineCache cache,
                        const VkGraphicsPipelineCreateInfo *info,
                        const VkAllocationCallbacks *allocator);

/* Publishes the pipeline under `handle` if result is VK_SUCCESS; else, or if that fails, destroys
 * what there is of it, the handle's pipeline included. Returns the final result. */
VkResult pgs_build_finish(struct pgs_build *b, VkResult result, VkPipeline handle);

/* An error with a line in the log. */
VkResult pgs_build_unsupported(const char *what);

/* state.c: topology, restart and the like; with attributes, vertex input too (vertex_info is
 * filled).
 */
VkResult pgs_build_record_state(struct pgs_build *b);
VkResult pgs_build_record_vertex_input(struct pgs_build *b);

/* After that: vertices of a primitive without its neighbours, as the rasterizer sees it, where
 * nothing is tessellated. */
uint32_t pgs_build_corners(const struct pgs_build *b);

/* The code of all stages but the fragment shader. */
VkResult pgs_build_open_stages(struct pgs_build *b);

/* A geometry shader where the application gave none: gs. With tessellation after
 * pgs_build_reflect_tessellation. */
VkResult pgs_build_pass_through(struct pgs_build *b, bool primitive_id);

/* tessellation.c: what the two shaders, which must keep to our limits, say together, and all else
 * that the pipeline knows of patches. The state is recorded and the code is there. */
VkResult pgs_build_reflect_tessellation(struct pgs_build *b);
/* After that: vertices of a primitive. */
uint32_t pgs_build_tessellation_corners(const struct pgs_build *b);

/* What the geometry shader, which must keep to our limits, and the vertex shader say of themselves:
 * gs, vertex_info, uses_push_constants. Their code is there. */
VkResult pgs_build_reflect(struct pgs_build *b);

/* Makes a driver module of what the spirv room built; frees the blob. */
VkResult pgs_build_add_module(struct pgs_build *b, enum pgs_build_module which,
                              enum pgs_spv_result built, struct pgs_spv_blob *blob);

/* Some shader of the pipeline binds sets for `wanted`, or for the group as which that runs: makes
 * its layout. */
VkResult pgs_build_use_group(struct pgs_build *b, enum pgs_stage_group wanted,
                             enum pgs_stage_group *group);

/* The compute pipeline of a module that has the shaders of a group. */
VkResult pgs_build_pipeline(struct pgs_build *b, enum pgs_build_module which,
                            enum pgs_stage_group wanted, VkPipeline *pipeline);

/* emulated.c, for placed.c. How the raster pipeline of a stream is made; the fragment shader has
 * been looked at. */
void pgs_build_raster_options(const struct pgs_build *b, uint32_t stream,
                              struct pgs_spv_raster_options *options);
VkResult pgs_build_create_raster(const struct pgs_build *b, VkGraphicsPipelineCreateInfo *info,
                                 VkPipeline *raster);

/* placed.c: a second raster pipeline, `placed`, for draws that could need more memory than there
 * is. VK_SUCCESS also where there can be none, or nobody wants one. */
VkResult pgs_build_placed(struct pgs_build *b);

/* tessellation.c: module and pipeline of one stage as compute. The evaluation shader stores gs.in.
 */
VkResult pgs_build_control(struct pgs_build *b);
VkResult pgs_build_evaluation(struct pgs_build *b);

/* How the vertex shader is made, with vertex input recorded. */
struct pgs_spv_vertex_options pgs_build_vertex_options(const struct pgs_build *b);

/* Vertex input, layout, and the vertex shader as compute, storing what the next one reads,
 * control_in or gs.in, or without a next one capturing. Everything is reflected. */
VkResult pgs_build_vertex(struct pgs_build *b);
/* The same with all stages; vertex and geometry shader in one where that is worth it. */
VkResult pgs_build_compute(struct pgs_build *b);

#endif
