/* SPDX-License-Identifier: MIT
 *
 * PGS_TESS_ALONE: what tess_allot does for other draws.
 */
#ifndef PGS_TESS_ALONE_GLSL
#define PGS_TESS_ALONE_GLSL

#include "tessellation.glsl"

/* total: vertices and primitives of the only tile. tessellation: of the draw. Called by one invocation. */
void pgs_tess_finish_alone(const pgs_tessellation tessellation, const uvec2 total)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    pgs_write_near(tessellation.tile_sums, 0u, 0u);
    pgs_write_near(tessellation.tile_sums, 1u, 0u);
    made.tessellation.vertex_count = total.x;
    made.tessellation.primitive_count = total.y;
    if ((tessellation.flags & PGS_TESS_INLINE) != 0u)
        pgs_write_args(tessellation.inline_args, total.y * tessellation.inline_vertices, 1u);
}

#endif
