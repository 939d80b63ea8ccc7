/* SPDX-License-Identifier: MIT
 *
 * The draw record of the entry point.
 */
#ifndef PGS_RECORD_GLSL
#define PGS_RECORD_GLSL

#include "address.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pgs_draw_ref
{
    pgs_draw_record draw;
};

/* Every entry point gets the address of its draw record. */
layout(push_constant, std430) uniform pgs_root_block
{
    uvec2 root;
} pgs_root;

#define PGS_DRAW pgs_draw_ref(pgs_root.root).draw

/* Number of this invocation in a linear grid of groups of group_el. */
uint pgs_linear_id(const uint group_el)
{
    return (gl_WorkGroupID.y * PGS_GRID_X + gl_WorkGroupID.x) * group_el + gl_LocalInvocationIndex;
}

/* Where the application's push constants are, offset 0. */
uvec2 pgs_push_address()
{
    return pgs_add(pgs_root.root, PGS_RECORD_PUSH_B);
}

#endif
