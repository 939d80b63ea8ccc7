/* SPDX-License-Identifier: MIT
 *
 * The pgs_tessellation of a draw record.
 */
#ifndef PGS_TESSELLATION_GLSL
#define PGS_TESSELLATION_GLSL

#include "poly_gs/tessellation.h"
#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_tessellation_ref
{
    pgs_tessellation tessellation;
};

#define PGS_TESSELLATION pgs_tessellation_ref(PGS_DRAW.tessellation).tessellation

/* A VkDrawIndirectCommand that begins with the first vertex and instance. */
void pgs_write_args(const uvec2 args, const uint vertices, const uint instances)
{
    pgs_write_near(args, 0u, vertices);
    pgs_write_near(args, 1u, instances);
    pgs_write_near(args, 2u, 0u);
    pgs_write_near(args, 3u, 0u);
}

/* Arguments of the inline draw. */
void pgs_write_inline_args(const uint vertices, const uint instances)
{
    pgs_write_args(PGS_TESSELLATION.inline_args, vertices, instances);
}

/* Complete patches per instance; at most primitive_count, for which there is memory. flags: that the record may have. */
uint pgs_patches_in_instance(const uint flags)
{
    uint patches = PGS_DRAW.primitive_count;
    if ((PGS_DRAW.flags & (flags & PGS_DRAW_RESTART)) != 0u)
        patches = min(patches, pgs_read_readable(PGS_DRAW.restart_count));
    return patches;
}

/* Primitives of a tessellated draw, over all instances; any number of another one. */
uint pgs_tessellated_primitives()
{
    const uvec2 address = PGS_DRAW.tessellation;
    return pgs_tessellation_ref(pgs_readable(address, address)).tessellation.primitive_count;
}

/* Are its vertices and primitives stored? Not if there was too little memory; then it may be drawn
 * inline. Records of one indirect call share their grids, so that stages run for it all the same. */
bool pgs_tessellated_is_stored()
{
    const uvec2 address = PGS_DRAW.tessellation;
    return pgs_tessellation_ref(pgs_readable(address, address)).tessellation.coords != uvec2(0u);
}

/* Of a draw in rounds, is the patch, numbered over all instances, one of this round? */
bool pgs_patch_in_round(const uint number)
{
    return number - PGS_TESSELLATION.patch_first <= PGS_TESSELLATION.patch_count - 1u;
}

#endif
