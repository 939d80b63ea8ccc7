/* SPDX-License-Identifier: MIT
 *
 * tiles becomes the exclusive prefix sum of each stream, total[] its sum. One workgroup for the whole part of a draw: it
 * goes through the tiles in chunks and needs nobody else's progress. Nothing for parts of a single tile.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/feedback.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"
#include "scan.glsl"

/* All invocations together. */
uint scan_stream(const uvec2 tiles, const uint tile_count)
{
    uint total = 0u;
    for (uint chunk = 0u; chunk < tile_count; chunk += PGS_TILE_EL) {
        const uint tile = chunk + gl_LocalInvocationIndex;
        const uint count = tile < tile_count ? pgs_read_at(tiles, tile) : 0u;
        const uint end = pgs_scan_inclusive(count);
        if (tile < tile_count)
            pgs_write_at(tiles, tile, total + end - count);
        total += pgs_scan_sums[PGS_TILE_EL - 1];
    }
    return total;
}

void main()
{
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint tile_count = pgs_tile_count(record.draw.unit_bound);
    const uint stream_count = min(record.draw.stream_count, PGS_MAX_STREAMS);
    const uvec2 tiles = PGS_CAPTURE.tiles;
    if (tile_count <= 1u)
        return; /* a draw whose size only the GPU knows; the total is there */

    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++) {
        uint total = 0u;
        if (stream < stream_count)
            total = scan_stream(pgs_mul_add(tiles, stream, tile_count * 4u), tile_count);
        if (gl_LocalInvocationIndex == 0u)
            PGS_CAPTURE.total[stream] = total;
    }
}
