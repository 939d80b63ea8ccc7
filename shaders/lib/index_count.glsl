/* SPDX-License-Identifier: MIT
 *
 * How many indices the raster draw has of a GS invocation.
 */
#ifndef PGS_INDEX_COUNT_GLSL
#define PGS_INDEX_COUNT_GLSL

#include "record.glsl"
#include "topology.glsl"

#ifndef PGS_LISTS /* a kernel may know it */
#define PGS_LISTS ((PGS_DRAW.flags & (PGS_DRAW_LISTS | PGS_DRAW_POLYGONS)) != 0u)
#endif

#ifndef PGS_MAY_JOIN /* false: no lines are joined */
#define PGS_MAY_JOIN true
#endif

#define PGS_JOINS_EARLIER 1u
#define PGS_JOINS_LATER 2u

/* With PGS_DRAW_JOINS: number of the primitive in its segment. */
uint pgs_number_in_segment(const uint primitive)
{
    const uvec2 entry = pgs_mul_add(PGS_DRAW.primitive_list, primitive, 8u);
    return pgs_read(pgs_add(entry, 4u)) & ~PGS_PRIMITIVE_LAST;
}

/* With PGS_DRAW_JOINS: to which of its neighbours in the same strip a line is joined. */
uint pgs_joins(const uint gs_invocation)
{
    const uint topology = PGS_DRAW.topology;
    if (topology != PGS_LINE_STRIP && topology != PGS_LINE_STRIP_ADJACENCY)
        return 0u;
    const bool restarts = (PGS_DRAW.flags & PGS_DRAW_RESTART) != 0u;
    uint primitives = PGS_DRAW.primitive_count;
    if (restarts)
        primitives = min(primitives, pgs_read_readable(PGS_DRAW.restart_count));
    const uint primitive = (PGS_DRAW.gs_invocation_first + gs_invocation) % max(primitives, 1u);
    bool earlier = gs_invocation != 0u && primitive != 0u;
    bool later = gs_invocation + 1u < PGS_DRAW.gs_invocation_bound && primitive + 1u < primitives;
    if (restarts) {
        if (earlier)
            earlier = pgs_number_in_segment(primitive) != 0u;
        if (later)
            later = pgs_number_in_segment(primitive + 1u) != 0u;
    }
    return (earlier ? PGS_JOINS_EARLIER : 0u) | (later ? PGS_JOINS_LATER : 0u);
}

/* Of joined lines the provoking vertices are listed, and an end of the strip, and a restart. */
uint pgs_joined_count(const uint joins)
{
    const bool last = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    const bool begins = (joins & PGS_JOINS_EARLIER) == 0u;
    const bool ends = (joins & PGS_JOINS_LATER) == 0u;
    return 1u + ((last ? begins : ends) ? 1u : 0u) + (ends ? 1u : 0u);
}

/* Of strips the geometry shader has counted them; of lists it counts the primitives. counts: what it
 * has counted. */
uint pgs_index_count_of(const uint gs_invocation, const uint counts)
{
    if (!PGS_LISTS) {
        const uint of_strips = counts & 0xFFFFu;
        if (PGS_MAY_JOIN && of_strips != 0u && (PGS_DRAW.flags & PGS_DRAW_JOINS) != 0u)
            return pgs_joined_count(pgs_joins(gs_invocation));
        return of_strips;
    }
    const uvec2 primitives = pgs_mul_add(PGS_DRAW.primitives, PGS_DRAW.raster_stream, PGS_DRAW.gs_invocation_bound * 4u);
    return PGS_DRAW.out_kind * pgs_read_at(primitives, gs_invocation);
}

uint pgs_index_count(const uint gs_invocation)
{
    return pgs_index_count_of(gs_invocation, pgs_read_at(PGS_DRAW.counts, gs_invocation));
}

#endif
