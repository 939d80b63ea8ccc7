/* SPDX-License-Identifier: MIT
 *
 * How the compute variants of a pipeline are made. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_COMPUTE_RECIPE_H
#define PGS_PIPELINE_COMPUTE_RECIPE_H

#include "pipeline/source.h"

/* What a recipe made. */
struct pgs_made {
    VkPipeline pipeline;
    enum pgs_stage_group group; /* as which it binds sets; PGS_GROUP_COUNT: as the application */
    bool unsupported;           /* nothing: the shaders cannot be put together in this way */
};

/* How the vertex shader fetches and what it leaves. */
struct pgs_spv_vertex_options pgs_vertex_options(const struct pgs_pipeline_source *source);

/* Makes a compute variant. Errors: those of vkCreateComputePipelines and of shaders that cannot be
 * emulated, VK_SUCCESS with made->unsupported for the variants that others stand in for. */
VkResult pgs_compute_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                 struct pgs_made *made);

#endif
