/* SPDX-License-Identifier: MIT
 *
 * tiles[stream][t] = primitives of the units of tile t; where there is one tile only, total[] instead. One workgroup per
 * tile of unit_bound.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/feedback.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"

shared uint partial[PGS_TILE_EL];

/* All invocations together. Only the first gets the sum. */
uint sum_of_tile(const uint value)
{
    const uint local = gl_LocalInvocationIndex;
    barrier(); /* the sum of the previous call has been read */
    partial[local] = value;
    for (uint half_el = PGS_TILE_EL / 2u; half_el > 0u; half_el /= 2u) {
        barrier();
        if (local < half_el)
            partial[local] += partial[local + half_el];
    }
    return partial[0];
}

void main()
{
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint unit = pgs_linear_id(PGS_TILE_EL);
    const uint tile = unit / PGS_TILE_EL;
    const uint unit_bound = record.draw.unit_bound;
    const uint tile_count = pgs_tile_count(unit_bound);
    const uint stream_count = min(record.draw.stream_count, PGS_MAX_STREAMS);
    const bool writes = gl_LocalInvocationIndex == 0u && tile < tile_count;
    uvec2 primitives = record.draw.primitives;

    for (uint stream = 0u; stream < stream_count; stream++) {
        const uint sum = sum_of_tile(unit < unit_bound ? pgs_read_at(primitives, unit) : 0u);
        primitives = pgs_mul_add(primitives, unit_bound, 4u);
        if (writes && tile_count == 1u)
            PGS_CAPTURE.total[stream] = sum;
        else if (writes)
            pgs_write_at(pgs_mul_add(PGS_CAPTURE.tiles, stream, tile_count * 4u), tile, sum);
    }
    if (!writes || tile_count != 1u)
        return;
    for (uint stream = stream_count; stream < PGS_MAX_STREAMS; stream++)
        PGS_CAPTURE.total[stream] = 0u;
}
