/* SPDX-License-Identifier: MIT
 *
 * Lists the indices of the vertices that are emitted, as points, lines or triangles, in the
 * application's order (poly_gs/pick.h).
 *
 * One workgroup per tile of primitives. Root: draw record. Step STEP_EXPAND
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "picked.glsl"
#include "scan.glsl"

void main()
{
    const uint primitive = pgs_linear_id(PGS_TILE_EL);
    const pgs_picked_words c = pgs_picked_words_of();
    const uint emits = primitive < c.bound ? pgs_read_at(PGS_DRAW.counts, primitive) : 0u;
    const uint in_tile = pgs_scan_exclusive(pgs_picked_primitives(emits, c.kind));
    if (emits == 0u)
        return;
    const uint tile = primitive / PGS_TILE_EL;
    const uint in_front = pgs_read_at(PGS_DRAW.tile_sums, tile * (PGS_TILE_EL / PGS_SHADER_GROUP_EL));
    pgs_picked_write(pgs_mul_add(PGS_DRAW.indices, (in_front + in_tile) * c.kind, 4u), c, primitive, emits);
}
