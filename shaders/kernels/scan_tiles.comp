/* SPDX-License-Identifier: MIT
 *
 * Replaces tile_sums by its exclusive prefix sum and writes the draw arguments with the total. Does
 * nothing for draws of up to PGS_SCAN_TILES_FREE tiles.
 *
 * One workgroup per record, which loops over the tiles: no invocation waits for another workgroup.
 * Root: draw record. Step STEP_SCAN_TILES (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "scan.glsl"
#include "draw_args.glsl"

/* Tiles of an invocation, which are read at once: each scan waits for several barriers. */
#define EACH_EL 8u

void main()
{
    const uint local = PGS_LOCAL_ID;
    const uint tile_count = (PGS_DRAW.gs_invocation_bound + PGS_TILE_EL - 1u) / PGS_TILE_EL;
    const uvec2 tile_sums = PGS_DRAW.tile_sums;
    /* Of a deferred draw that turned out small, expand does it. */
    const bool is_small = tile_count != 0u && tile_count <= PGS_SCAN_TILES_FREE;

    uint total = 0u;
    for (uint chunk = 0u; chunk < (is_small ? 0u : tile_count); chunk += PGS_TILE_EL * EACH_EL) {
        const uint first = chunk + local * EACH_EL;
        uint sums[EACH_EL];
        uint own = 0u;
        [[unroll]] for (uint i = 0u; i < EACH_EL; i++) {
            sums[i] = first + i < tile_count ? pgs_read_at(tile_sums, first + i) : 0u;
            own += sums[i];
        }
        uint before = total + pgs_scan_exclusive(own);
        [[unroll]] for (uint i = 0u; i < EACH_EL; i++) {
            if (first + i < tile_count)
                pgs_write_at(tile_sums, first + i, before);
            before += sums[i];
        }
        total += pgs_scan_total;
    }
    if (local == 0u && !is_small)
        pgs_write_draw_args(total);
}
