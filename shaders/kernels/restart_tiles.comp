/* SPDX-License-Identifier: MIT
 *
 * restart_tiles[t] = how restart indices divide tile t.
 *
 * One workgroup per tile of vertex_count. Root: draw record. Step STEP_RESTART_TILES
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "restart_scan.glsl"

void main()
{
    const uint position = pgs_linear_id(PGS_TILE_EL);
    const uint tile = position / PGS_TILE_EL;
    /* Positions after the end of the draw count as restarts: they close the last segment. */
    const pgs_restart_tile sum =
        pgs_restart_inclusive(PGS_DRAW.topology, pgs_restart_of_position(pgs_restarts_at(position)));
    if (PGS_LOCAL_ID == PGS_TILE_EL - 1u && tile * PGS_TILE_EL < PGS_DRAW.vertex_count)
        pgs_restart_write(pgs_mul_add(PGS_DRAW.restart_tiles, tile, 16u), sum);
}
