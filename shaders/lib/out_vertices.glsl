/* SPDX-License-Identifier: MIT
 *
 * Reads what a GS invocation emitted: where strips end and, with PGS_DRAW_STREAMS, the stream of
 * each vertex. strip_ends: address of plane 0 of the GS invocation.
 */
#ifndef PGS_OUT_VERTICES_GLSL
#define PGS_OUT_VERTICES_GLSL

#include "address.glsl"

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

/* Bytes of strip ends and streams per GS invocation. */
uint pgs_out_strip_ends_B(const uint draw_flags, const uint strip_end_words)
{
    return ((draw_flags & PGS_DRAW_STREAMS) != 0u ? 3u : 1u) * strip_end_words * 4u;
}

#endif
