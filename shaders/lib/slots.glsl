/* SPDX-License-Identifier: MIT
 *
 * Reading back what a unit of a geometry shader emitted: where strips end and, with PGS_DRAW_STREAMS, to which stream
 * each vertex went. cuts: the address of the unit's first plane.
 */
#ifndef PGS_SLOTS_GLSL
#define PGS_SLOTS_GLSL

#include "address.glsl"

uint pgs_slots_bit(const uvec2 plane, const uint vertex)
{
    return pgs_read_at(plane, vertex >> 5) >> (vertex & 31u) & 1u;
}

bool pgs_slots_strip_ends(const uvec2 cuts, const uint vertex)
{
    return pgs_slots_bit(cuts, vertex) != 0u;
}

uint pgs_slots_stream(const uvec2 cuts, const uint cut_words, const uint vertex)
{
    const uvec2 low = pgs_mul_add(cuts, cut_words, 4u);
    return pgs_slots_bit(low, vertex) | (pgs_slots_bit(pgs_mul_add(low, cut_words, 4u), vertex) << 1);
}

/* Bytes between the cuts of two units. */
uint pgs_slots_cuts_B(const uint draw_flags, const uint cut_words)
{
    return ((draw_flags & PGS_DRAW_STREAMS) != 0u ? 3u : 1u) * cut_words * 4u;
}

#endif
