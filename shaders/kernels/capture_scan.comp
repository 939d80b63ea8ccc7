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
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"
#include "scan.glsl"

shared uint sums[PGS_COUNT_TILES_FREE];

/* Sums the primitives of the GS invocations of each tile. Called by the whole workgroup. */
void count_tiles(const uvec2 primitives, const uint gs_invocation_bound, const uint tile_count)
{
    const uint local = PGS_LOCAL_ID;
    if (local < PGS_COUNT_TILES_FREE)
        sums[local] = 0u;
    barrier();
    for (uint tile = 0u; tile < tile_count; tile++) {
        const uint gs_invocation = tile * PGS_TILE_EL + local;
        if (gs_invocation < gs_invocation_bound)
            atomicAdd(sums[tile], pgs_read_at(primitives, gs_invocation));
    }
    barrier();
}

/* Returns the sum of the tiles. is_small: they are in `sums`. Called by the whole workgroup. */
uint scan_stream(const uvec2 tiles, const uint tile_count, const bool is_small)
{
    uint total = 0u;
    for (uint chunk = 0u; chunk < tile_count; chunk += PGS_TILE_EL) {
        const uint tile = chunk + PGS_LOCAL_ID;
        const uvec2 at = pgs_mul_add(tiles, tile, 4u);
        uint count = 0u;
        if (is_small)
            count = tile < tile_count ? sums[min(tile, PGS_COUNT_TILES_FREE - 1u)] : 0u;
        else if (tile < tile_count)
            count = pgs_read(at);
        const uint before = pgs_scan_exclusive(count);
        if (tile < tile_count && tile_count > 1u) /* of a single tile nobody reads it */
            pgs_write(at, total + before);
        total += pgs_scan_total;
    }
    return total;
}

void main()
{
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint gs_invocation_bound = record.draw.gs_invocation_bound;
    const uint tile_count = pgs_tiles_of(gs_invocation_bound);
    const uint stream_count = min(record.draw.stream_count, PGS_MAX_STREAMS);
    const uvec2 tiles = PGS_CAPTURE.tiles;
    const uvec2 primitives = record.draw.primitives;
    const bool is_small = tile_count <= PGS_COUNT_TILES_FREE;

    /* 0 tiles: a deferred draw that turned out empty. */
    [[dont_unroll]] for (uint stream = 0u; stream < (tile_count == 0u ? 0u : PGS_MAX_STREAMS); stream++) {
        uint total = 0u;
        if (stream < stream_count) {
            if (is_small)
                count_tiles(pgs_mul_add(primitives, stream, gs_invocation_bound * 4u), gs_invocation_bound, tile_count);
            total = scan_stream(pgs_mul_add(tiles, stream, tile_count * 4u), tile_count, is_small);
        }
        if (PGS_LOCAL_ID == 0u)
            PGS_CAPTURE.total[stream] = total;
    }
}
