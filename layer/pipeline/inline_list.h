/* SPDX-License-Identifier: MIT
 *
 * What an inline raster draw lists: the vertices of its GS invocations. A public header of
 * pipeline/.
 */
#ifndef PGS_PIPELINE_INLINE_LIST_H
#define PGS_PIPELINE_INLINE_LIST_H

#include "pipeline/pipeline.h"

/* True if inline raster draws with the variant are one strip instead of a list. */
static inline bool pgs_inline_joins_strips(const struct pgs_emulated_pipeline *pipeline,
                                           enum pgs_variant variant)
{
    return pipeline->joined_el && variant == PGS_VARIANT_INLINE;
}

/* True if inline raster draws with the variant have an index list. */
static inline bool pgs_inline_has_indices(const struct pgs_emulated_pipeline *pipeline,
                                          enum pgs_variant variant)
{
    return pipeline->indexed_el && variant == PGS_VARIANT_INLINE;
}

/* Vertices of one GS invocation in an inline raster draw of a stream with a geometry shader: all
 * that it emits, or can emit at most if that is unknown (gs.pattern), primitive by primitive, or in
 * a part of one strip; with an index list each of them once. */
static inline uint32_t
pgs_inline_vertices_per_gs_invocation(const struct pgs_emulated_pipeline *pipeline,
                                      enum pgs_variant variant, uint32_t stream)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const uint32_t kind = gs->output_kind;
    if (pgs_inline_joins_strips(pipeline, variant))
        return pgs_spv_joined_vertices(pipeline->joined_el);
    if (pgs_inline_has_indices(pipeline, variant))
        return gs->pattern.vertices;
    return kind *
           (gs->pattern.is_known ? gs->pattern.primitives[stream] : pgs_spv_most_primitives(gs));
}

/* True if in inline raster draws with the variant the vertices of all GS invocations follow each
 * other, so that an instance is a call of the application; else each GS invocation is an instance.
 * Without static emits those of an indirect call could be more than a word can count. */
static inline bool pgs_inline_lists_invocations(const struct pgs_emulated_pipeline *pipeline,
                                                enum pgs_variant variant)
{
    return pipeline->gs.pattern.is_known ||
           (variant == PGS_VARIANT_INLINE && !pipeline->tessellated);
}

#endif
