/* SPDX-License-Identifier: MIT
 *
 * How many indices the raster draw has of a GS invocation.
 */
#ifndef PGS_INDEX_COUNT_GLSL
#define PGS_INDEX_COUNT_GLSL

#include "record.glsl"

/* Of strips the geometry shader has counted them; of polygons it counts the triangles. */
uint pgs_index_count(const uint gs_invocation)
{
    if ((PGS_DRAW.flags & PGS_DRAW_POLYGONS) == 0u)
        return pgs_read_at(PGS_DRAW.counts, gs_invocation) & 0xFFFFu;
    const uvec2 primitives = pgs_mul_add(PGS_DRAW.primitives, PGS_DRAW.raster_stream, PGS_DRAW.gs_invocation_bound * 4u);
    return 3u * pgs_read_at(primitives, gs_invocation);
}

#endif
