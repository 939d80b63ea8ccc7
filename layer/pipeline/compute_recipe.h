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
    struct pgs_shared *shared; /* a reference to what owns the pipeline; NULL: the caller owns it */
    enum pgs_stage_group group; /* group whose sets it binds; PGS_GROUP_COUNT: the application's */
    bool unsupported;           /* no pipeline: the shaders cannot be combined in this way */
};

/* Makes a compute variant, or finds an equal one of another pipeline. Errors: those of
 * vkCreateComputePipelines and of shaders that cannot be emulated. A source that must compile
 * nothing does not wait for other threads either. VK_SUCCESS with made->unsupported for variants
 * that others can replace. On failure made->shared is NULL. */
VkResult pgs_compute_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                 struct pgs_made *made);

/* Tries whether pgs_compute_recipe_make could translate the shaders, unless another pipeline has
 * begun to do it. *unsupported: as of struct pgs_made. Errors: out of host memory, or those of a
 * translation. */
VkResult pgs_compute_recipe_try(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                                bool *unsupported);

/* Finds such a variant that is made already, else one that draws with any vertex input, too, maybe
 * of a library with this layout, which may be NULL. The reference is the caller's. Thread-safe. */
bool pgs_compute_recipe_find(const struct pgs_pipeline_source *source,
                             const struct pgs_layout *layout, enum pgs_variant variant,
                             struct pgs_made *made, bool *is_generic);

/* True if there is one to find. Thread-safe. */
bool pgs_compute_recipe_has(const struct pgs_pipeline_source *source,
                            const struct pgs_layout *layout, enum pgs_variant variant);

/* True if what is made of `other` as this variant is one to find. Thread-safe. */
bool pgs_compute_recipe_suits(const struct pgs_pipeline_source *source,
                              const struct pgs_layout *layout, enum pgs_variant variant,
                              const struct pgs_pipeline_source *other);

/* True if pgs_compute_recipe_make finds an equal variant. Thread-safe. */
bool pgs_compute_recipe_is_made(const struct pgs_pipeline_source *source, enum pgs_variant variant);

#endif
