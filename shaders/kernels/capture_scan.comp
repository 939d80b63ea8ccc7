/* SPDX-License-Identifier: MIT
 *
 * Replaces pgs_capture.tiles of each stream by its exclusive prefix sum, and writes the sum to
 * total[]. Up to PGS_COUNT_TILES_FREE tiles it sums the GS invocations itself, without
 * capture_tiles.
 *
 * One workgroup per record, which loops over the tiles: no invocation waits for another workgroup.
 * Root: pgs_capture. Step STEP_CAPTURE_SCAN, for small draws STEP_CAPTURE_TILES
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"
#include "scan.glsl"

/* Returns the sum. Called by the whole workgroup. */
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

shared uint sums[PGS_COUNT_TILES_FREE];

/* The same from the primitives of the GS invocations. */
uint count_stream(const uvec2 primitives, const uint gs_invocation_bound, const uvec2 tiles, const uint tile_count)
{
    const uint local = gl_LocalInvocationIndex;
    barrier(); /* the sums of the previous stream have been read */
    if (local < PGS_COUNT_TILES_FREE)
        sums[local] = 0u;
    barrier();
    for (uint tile = 0u; tile < tile_count; tile++) {
        const uint gs_invocation = tile * PGS_TILE_EL + local;
        if (gs_invocation < gs_invocation_bound)
            atomicAdd(sums[tile], pgs_read_at(primitives, gs_invocation));
    }
    barrier();
    uint total = 0u;
    for (uint tile = 0u; tile < tile_count; tile++) {
        if (tile == local && tile_count > 1u)
            pgs_write_at(tiles, tile, total);
        total += sums[tile];
    }
    return total;
}

void main()
{
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint tile_count = pgs_tile_count(record.draw.gs_invocation_bound);
    const uint stream_count = min(record.draw.stream_count, PGS_MAX_STREAMS);
    const uvec2 tiles = PGS_CAPTURE.tiles;
    const uint gs_invocation_bound = record.draw.gs_invocation_bound;
    const uvec2 primitives = record.draw.primitives;
    if (tile_count == 0u)
        return; /* a deferred draw that turned out empty */

    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++) {
        uint total = 0u;
        const uvec2 of_stream = pgs_mul_add(tiles, stream, tile_count * 4u);
        if (stream < stream_count && tile_count <= PGS_COUNT_TILES_FREE)
            total = count_stream(pgs_mul_add(primitives, stream, gs_invocation_bound * 4u), gs_invocation_bound, of_stream, tile_count);
        else if (stream < stream_count)
            total = scan_stream(of_stream, tile_count);
        if (gl_LocalInvocationIndex == 0u)
            PGS_CAPTURE.total[stream] = total;
    }
}
