/* SPDX-License-Identifier: MIT
 *
 * Runs the tessellator on a patch of the draw.
 */
#ifndef PGS_PATCH_GLSL
#define PGS_PATCH_GLSL

#include "tessellation.glsl"
#include "tessellator.glsl"

/* Of the patch at this address. flags: PGS_TESS_*. */
pgs_tess_patch pgs_patch_at(const uvec2 levels, const uint flags)
{
    const uvec2 inner = pgs_add(levels, PGS_PATCH_INNER_W * 4u);
    return pgs_tess_patch_of(flags, pgs_read_near(levels, 0u), pgs_read_near(levels, 1u),
                             pgs_read_near(levels, 2u), pgs_read_near(levels, 3u), pgs_read_near(inner, 0u),
                             pgs_read_near(inner, 1u));
}

/* The same, if it has primitives. */
pgs_tess_patch pgs_patch_drawn(const uvec2 levels, const uint flags)
{
    const uvec4 outer = pgs_read4_near(levels, PGS_PATCH_OUTER_W);
    return pgs_tess_divided(flags, pgs_tess_edges_of(flags, outer.x, outer.y, outer.z, outer.w,
                                                     pgs_read_near(levels, PGS_PATCH_INNER_W),
                                                     pgs_read_near(levels, PGS_PATCH_INNER_W + 1u)));
}

/* Counts of 0 for patches that restart indices remove, and for those of other rounds. */
pgs_tess_patch pgs_patch_read(const uint number)
{
    const uint flags = PGS_TESSELLATION.flags;
    if (number % max(PGS_DRAW.primitive_count, 1u) >= pgs_patches_in_instance() || !pgs_patch_in_round(number))
        return pgs_tess_patch_of(flags, 0u, 0u, 0u, 0u, 0u, 0u);
    return pgs_patch_at(pgs_mul_add(PGS_TESSELLATION.patches, number, PGS_TESSELLATION.patch_stride_w * 4u), flags);
}

#endif
