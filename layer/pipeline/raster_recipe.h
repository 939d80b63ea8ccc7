/* SPDX-License-Identifier: MIT
 *
 * Makes the raster variants of a pipeline: the application's graphics pipeline with another vertex
 * shader and vertex input, and without stages that the driver lacks. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_RASTER_RECIPE_H
#define PGS_PIPELINE_RASTER_RECIPE_H

#include "pipeline/compute_recipe.h"

/* Finds what the fragment shader reads that vertices must supply. The pipeline's other facts must
 * be known. Errors: no free location, or those of pgs_result_from_spv. */
VkResult pgs_raster_recipe_prepare(struct pgs_pipeline_source *source);

/* Finds the library that links of the pipeline want for a raster variant, or makes it through the
 * cache if `makes` says so. *found is false if there is none, or the variant cannot be linked of
 * one. Errors: as pgs_raster_recipe_make. Thread-safe. */
VkResult pgs_raster_recipe_prepare_link(struct pgs_pipeline_source *source,
                                        const struct pgs_raster_link *link, VkPipelineCache cache,
                                        enum pgs_variant variant, bool makes, bool *found);

/* True if another pipeline has the same shaders, so that the driver may know them. Thread-safe. */
bool pgs_raster_recipe_is_known(const struct pgs_pipeline_source *source, enum pgs_variant variant);

/* Makes a raster variant, with the application's allocator if it becomes the handle. Errors: those
 * of vkCreateGraphicsPipelines and of shaders that cannot be emulated. VK_SUCCESS with
 * made->unsupported for PGS_VARIANT_INLINE, which others can replace. */
VkResult pgs_raster_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                struct pgs_made *made);

#endif
