/* SPDX-License-Identifier: MIT
 *
 * How the compute variants of a pipeline are made. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_COMPUTE_RECIPE_H
#define PGS_PIPELINE_COMPUTE_RECIPE_H

#include "pipeline/source.h"

/* The result of a recipe. */
struct pgs_made {
    VkPipeline pipeline;
    enum pgs_stage_group group; /* group whose sets it binds; PGS_GROUP_COUNT: the application's */
    bool unsupported;           /* no pipeline: the shaders cannot be combined in this way */
};

/* How the vertex shader fetches attributes and what it stores. */
struct pgs_spv_vertex_options pgs_vertex_options(const struct pgs_pipeline_source *source);

/* Makes a compute variant. Errors: those of vkCreateComputePipelines and of shaders that cannot be
 * emulated. VK_SUCCESS with made->unsupported for variants that others can replace. */
VkResult pgs_compute_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                 struct pgs_made *made);

#endif
