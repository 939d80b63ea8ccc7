/* SPDX-License-Identifier: MIT
 *
 * How the raster variants of a pipeline are made: the application's graphics pipeline with another
 * vertex shader and vertex input, and without the stages that the driver lacks. Internal to
 * pipeline/.
 */
#ifndef PGS_PIPELINE_RASTER_RECIPE_H
#define PGS_PIPELINE_RASTER_RECIPE_H

#include "pipeline/compute_recipe.h"

/* Finds out what the fragment shader reads that vertices must bring. The pipeline's other facts are
 * known. Errors: no location is free, or those of pgs_result_from_spv. */
VkResult pgs_raster_recipe_prepare(struct pgs_pipeline_source *source);

/* Makes a raster variant: with the application's allocator, if it becomes its handle. Errors: those
 * of vkCreateGraphicsPipelines and of shaders that cannot be emulated, VK_SUCCESS with
 * made->unsupported for PGS_VARIANT_INLINE, in place of which others do. */
VkResult pgs_raster_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                struct pgs_made *made);

#endif
