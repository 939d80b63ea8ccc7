/* SPDX-License-Identifier: MIT
 *
 * tiles[stream][t] = primitives of the GS invocations of tile t. Does nothing for draws of up to
 * PGS_COUNT_TILES_FREE tiles.
 *
 * One workgroup per tile of gs_invocation_bound. Root: pgs_capture. Step STEP_CAPTURE_TILES
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"

shared uint sums[PGS_MAX_STREAMS];

void main()
{
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint local = PGS_LOCAL_ID;
    const uint gs_invocation = pgs_linear_id(PGS_TILE_EL);
    const uint tile = gs_invocation / PGS_TILE_EL;
    const uint gs_invocation_bound = record.draw.gs_invocation_bound;
    const uint tile_count = pgs_tiles_of(gs_invocation_bound);
    const uint stream_count = min(record.draw.stream_count, PGS_MAX_STREAMS);

    if (tile_count <= PGS_COUNT_TILES_FREE)
        return; /* the whole dispatch */
    if (local < PGS_MAX_STREAMS)
        sums[local] = 0u;
    barrier();
    uvec2 primitives = record.draw.primitives;
    for (uint stream = 0u; stream < stream_count; stream++) {
        if (gs_invocation < gs_invocation_bound)
            atomicAdd(sums[stream], pgs_read_at(primitives, gs_invocation));
        primitives = pgs_mul_add(primitives, gs_invocation_bound, 4u);
    }
    barrier();
    if (tile < tile_count && local < stream_count)
        pgs_write_at(pgs_mul_add(PGS_CAPTURE.tiles, local, tile_count * 4u), tile, sums[local]);
}
