/* SPDX-License-Identifier: MIT
 *
 * The driver's modules of raster variants, shared by pipelines with equal shaders. Internal to
 * pipeline/.
 */
#ifndef PGS_PIPELINE_RASTER_MODULE_H
#define PGS_PIPELINE_RASTER_MODULE_H

#include "pipeline/source.h"

/* The modules of a variant, which live as long as the source. */
struct pgs_raster_modules {
    bool unsupported; /* there are none, as the shaders cannot be combined in this way */
    VkShaderModule vertex;
    VkShaderModule fragment; /* VK_NULL_HANDLE: the driver takes the application's stage */
};

/* Translates the shaders, or finds equal ones of another pipeline. With *modules unsupported for
 * PGS_VARIANT_INLINE, which others can replace. Errors: out of memory, and those of
 * pgs_result_from_spv. One thread at a time for each source. */
VkResult pgs_raster_modules_get(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                struct pgs_raster_modules *modules);

/* Tries whether pgs_raster_modules_get could have the vertex shader, unless another pipeline has
 * begun to make it. *unsupported: as there. Errors: likewise. One thread at a time for each source.
 */
VkResult pgs_raster_modules_try(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                bool *unsupported);

/* The vertex shader alone, to which the caller gets a reference, and its module; NULL: unsupported.
 * Errors: likewise. Thread-safe. */
VkResult pgs_raster_vertex_get(struct pgs_pipeline_source *source, enum pgs_variant variant,
                               struct pgs_shared **vertex, VkShaderModule *module);

/* True if pgs_raster_modules_get finds an equal vertex shader. Thread-safe. */
bool pgs_raster_modules_are_made(const struct pgs_pipeline_source *source,
                                 enum pgs_variant variant);

#endif
