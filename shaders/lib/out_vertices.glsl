/* SPDX-License-Identifier: MIT
 *
 * Reads what a GS invocation emitted: where strips end and, with PGS_DRAW_STREAMS, the stream of
 * each vertex. strip_ends: address of plane 0 of the GS invocation. PGS_MAY_PACK: false if no
 * vertices are packed.
 */
#ifndef PGS_OUT_VERTICES_GLSL
#define PGS_OUT_VERTICES_GLSL

#include "address.glsl"
#include "poly_gs/coverage.h"
#include "poly_gs/places.h"

#ifndef PGS_MAY_PACK
#define PGS_MAY_PACK true
#endif

/* With PGS_DRAW_SPREAD: so many GS invocations store beside each other, or as many as the record has left. More would
 * store no faster, and the vertices of a strip would lie so far apart that its raster draw took longer. */
#define PGS_SPREAD_EL 4u

uint pgs_out_bit(const uvec2 plane, const uint vertex)
{
    return pgs_read_at(plane, vertex >> 5) >> (vertex & 31u) & 1u;
}

bool pgs_out_strip_ends(const uvec2 strip_ends, const uint vertex)
{
    return pgs_out_bit(strip_ends, vertex) != 0u;
}

uint pgs_out_stream(const uvec2 strip_ends, const uint strip_end_words, const uint vertex)
{
    const uvec2 low = pgs_mul_add(strip_ends, strip_end_words, 4u);
    return pgs_out_bit(low, vertex) | (pgs_out_bit(pgs_mul_add(low, strip_end_words, 4u), vertex) << 1);
}

/* Words of a plane of strip ends. */
uint pgs_out_plane_w(const uint max_vertices)
{
    return (max_vertices + 31u) / 32u;
}

/* Bytes of all planes per GS invocation, and with the numbers of packed vertices. */
uint pgs_out_planes_B(const uint draw_flags, const uint max_vertices)
{
    const uint planes = (draw_flags & PGS_DRAW_STREAMS) != 0u ? 3u : (draw_flags & PGS_DRAW_CUTS) != 0u ? 2u : 1u;
    return planes * pgs_out_plane_w(max_vertices) * 4u;
}

uint pgs_out_strip_ends_B(const uint draw_flags, const uint max_vertices)
{
    const uint packed_B = PGS_MAY_PACK && (draw_flags & PGS_DRAW_PACKED) != 0u ? max_vertices * 4u : 0u;
    return pgs_out_planes_B(draw_flags, max_vertices) + packed_B;
}

/* Where the vertices of a GS invocation are. */
struct pgs_out_places
{
    bool packed;
    uint first, step; /* if they are not packed: of the first one, and from one to the next */
    uvec2 numbers;    /* if they are */
};

/* Where the first vertex of a GS invocation is, and how far behind each the next one, if none is packed. bound: GS
 * invocations of the record. */
uvec2 pgs_out_slots_of(const uint draw_flags, const uint max_vertices, const uint gs_invocation, const uint bound)
{
    uvec2 slots = uvec2(gs_invocation * max_vertices, 1u);
    if ((draw_flags & PGS_DRAW_SPREAD) != 0u) {
        const uint lane = gs_invocation % PGS_SPREAD_EL;
        const uint begin = gs_invocation - lane;
        slots = uvec2(begin * max_vertices + lane, min(bound - begin, PGS_SPREAD_EL));
    }
    return slots;
}

/* The first slot of a workgroup of the geometry shader. */
uint pgs_out_group_slot(const uint max_vertices, const uint gs_invocation)
{
    return (gs_invocation - gs_invocation % PGS_SHADER_GROUP_EL) * max_vertices;
}

pgs_out_places pgs_out_places_of(const uint draw_flags, const uint max_vertices, const uvec2 strip_ends,
                                 const uint gs_invocation, const uint bound)
{
    uvec2 slots = pgs_out_slots_of(draw_flags, max_vertices, gs_invocation, bound);
    if ((draw_flags & PGS_DRAW_GATHERED) != 0u && gs_invocation < bound)
        slots.x = pgs_out_group_slot(max_vertices, gs_invocation) + (pgs_read(strip_ends) >> 16);
    return pgs_out_places(PGS_MAY_PACK && (draw_flags & PGS_DRAW_PACKED) != 0u, slots.x, slots.y,
                          pgs_add(strip_ends, pgs_out_planes_B(draw_flags, max_vertices)));
}

uint pgs_out_place(const pgs_out_places places, const uint vertex)
{
    uint place = places.first + vertex * places.step;
    if (places.packed)
        place = pgs_read_at(places.numbers, vertex);
    return place;
}

#endif
