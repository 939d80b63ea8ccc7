/* SPDX-License-Identifier: MIT
 *
 * PGS_TESS_ALONE: what tess_allot does for other draws.
 */
#ifndef PGS_TESS_ALONE_GLSL
#define PGS_TESS_ALONE_GLSL

#include "tessellation.glsl"

/* total: vertices and primitives of the only tile. Called by one invocation. */
void pgs_tess_finish_alone(const uvec2 total)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    const uint flags = made.tessellation.flags;
    pgs_write_near(made.tessellation.tile_sums, 0u, 0u);
    pgs_write_near(made.tessellation.tile_sums, 1u, 0u);
    made.tessellation.vertex_count = total.x;
    made.tessellation.primitive_count = total.y;
    if ((flags & PGS_TESS_INLINE) != 0u)
        pgs_write_inline_args(total.y * made.tessellation.inline_vertices, 1u);
}

#endif
