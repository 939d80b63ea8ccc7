/* SPDX-License-Identifier: MIT
 *
 * How many indices the raster draw has of a GS invocation.
 */
#ifndef PGS_INDEX_COUNT_GLSL
#define PGS_INDEX_COUNT_GLSL

#include "record.glsl"

#ifndef PGS_LISTS /* a kernel may know it */
#define PGS_LISTS ((PGS_DRAW.flags & (PGS_DRAW_LISTS | PGS_DRAW_POLYGONS)) != 0u)
#endif

/* Of strips the geometry shader has counted them; of lists it counts the primitives. counts: what it
 * has counted. */
uint pgs_index_count_of(const uint gs_invocation, const uint counts)
{
    if (!PGS_LISTS)
        return counts & 0xFFFFu;
    const uvec2 primitives = pgs_mul_add(PGS_DRAW.primitives, PGS_DRAW.raster_stream, PGS_DRAW.gs_invocation_bound * 4u);
    return PGS_DRAW.out_kind * pgs_read_at(primitives, gs_invocation);
}

uint pgs_index_count(const uint gs_invocation)
{
    return pgs_index_count_of(gs_invocation, pgs_read_at(PGS_DRAW.counts, gs_invocation));
}

#endif
