/* SPDX-License-Identifier: MIT
 *
 * Runs the tessellator on a patch of the draw.
 */
#ifndef PGS_PATCH_GLSL
#define PGS_PATCH_GLSL

#include "tessellation.glsl"
#include "tessellator.glsl"

/* Counts of 0 for patches that restart indices remove, and for those of other rounds. flags: PGS_TESS_*. */
pgs_tess_patch pgs_patch_read_as(const uint number, const uint flags)
{
    if (number % max(PGS_DRAW.primitive_count, 1u) >= pgs_patches_in_instance() || !pgs_patch_in_round(number))
        return pgs_tess_patch_of(flags, 0u, 0u, 0u, 0u, 0u, 0u);
    const uvec2 levels = pgs_mul_add(PGS_TESSELLATION.patches, number, PGS_TESSELLATION.patch_stride_w * 4u);
    const uvec2 inner = pgs_add(levels, PGS_PATCH_INNER_W * 4u);
    return pgs_tess_patch_of(flags, pgs_read_at(levels, 0u), pgs_read_at(levels, 1u),
                             pgs_read_at(levels, 2u), pgs_read_at(levels, 3u), pgs_read_at(inner, 0u),
                             pgs_read_at(inner, 1u));
}

pgs_tess_patch pgs_patch_read(const uint number)
{
    return pgs_patch_read_as(number, PGS_TESSELLATION.flags);
}

#endif
