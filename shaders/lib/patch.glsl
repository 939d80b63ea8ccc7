/* SPDX-License-Identifier: MIT
 *
 * Runs the tessellator on a patch of the draw.
 */
#ifndef PGS_PATCH_GLSL
#define PGS_PATCH_GLSL

#include "tessellation.glsl"
#include "tess_ruled.glsl"

/* Of the patch at this address. flags: PGS_TESS_*. */
pgs_tess_patch pgs_patch_at(const uvec2 levels, const uint flags)
{
    const uvec2 inner = pgs_add(levels, PGS_PATCH_INNER_W * 4u);
    return pgs_tess_patch_of(flags, pgs_read_near(levels, 0u), pgs_read_near(levels, 1u),
                             pgs_read_near(levels, 2u), pgs_read_near(levels, 3u), pgs_read_near(inner, 0u),
                             pgs_read_near(inner, 1u));
}

/* Writes down what shaders need that find places in a patch that is drawn. flags: those of the patch, which may be constant;
 * winding: PGS_TESS_CCW of the draw, with any others. */
void pgs_patch_rule(const uvec2 patch_at, const pgs_tess_patch tess, const uint flags, const uint winding)
{
    pgs_patch_head_ref head = pgs_patch_head_ref(patch_at);
    head.divided = uvec2(pgs_tess_ruled_outer_word(flags, tess), pgs_tess_ruled_inner_word(flags, winding, tess));
    if (!pgs_tess_has_steps(flags, tess))
        return;
    [[dont_unroll]] for (uint edge = 0u; edge < 4u; edge++) {
        const pgs_tess_steps steps = pgs_tess_edge_steps(flags, tess, edge);
        head.steps[edge] = uvec2(steps.low, steps.high);
    }
}

uvec2 pgs_patch_address(const uint number)
{
    return pgs_mul_add(PGS_TESSELLATION.patches, number, PGS_TESSELLATION.patch_stride_w * 4u);
}

/* Counts of 0 for patches that restart indices remove, and for those of other rounds. */
pgs_tess_patch pgs_patch_read(const uint number)
{
    const uint flags = PGS_TESSELLATION.flags;
    if (number % max(PGS_DRAW.primitive_count, 1u) >= pgs_patches_in_instance(PGS_DRAW_RESTART) || !pgs_patch_in_round(number))
        return pgs_tess_patch_of(flags, 0u, 0u, 0u, 0u, 0u, 0u);
    return pgs_patch_at(pgs_patch_address(number), flags);
}

#endif
