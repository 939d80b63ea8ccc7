/* SPDX-License-Identifier: MIT
 *
 * What the creation of one pipeline carries from step to step; all of it is gone afterwards but
 * `pipeline`. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_BUILD_H
#define PGS_PIPELINE_BUILD_H

#include "pipeline/room.h"

enum pgs_build_module {
    PGS_BUILD_VERTEX,
    PGS_BUILD_GEOMETRY,
    PGS_BUILD_RASTER,
    PGS_BUILD_FRAGMENT
};
#define PGS_BUILD_MODULES 4

struct pgs_build {
    struct pgs_device *dev;
    VkPipelineCache cache;
    const VkGraphicsPipelineCreateInfo *info;
    const VkAllocationCallbacks *allocator;
    uint32_t dump_serial;
    const VkPipelineShaderStageCreateInfo *vertex_stage, *geometry_stage,
        *fragment_stage;     /* NULL: none */
    const char *other_stage; /* one that is none of them; NULL: none */
    struct pgs_stage_code vs, gs, fs;
    struct pgs_spv_blob pass_through; /* the SPIR-V of gs where it is ours */
    struct pgs_spv_vertex_info vertex_info;
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

/* After that: vertices of a primitive without its neighbours, as the rasterizer sees it. */
uint32_t pgs_build_corners(const struct pgs_build *b);

/* What the geometry shader, which must keep to our limits, and the vertex shader say of themselves:
 * gs, vertex_info, uses_push_constants. Their code is there. */
VkResult pgs_build_reflect(struct pgs_build *b);

/* Makes a driver module of what the spirv room built; frees the blob. */
VkResult pgs_build_add_module(struct pgs_build *b, enum pgs_build_module which,
                              enum pgs_spv_result built, struct pgs_spv_blob *blob);

/* The vertex shader as compute, storing gs.in; the geometry shader as compute. Module and pipeline.
 */
VkResult pgs_build_vertex(struct pgs_build *b);
VkResult pgs_build_geometry(struct pgs_build *b);

#endif
