/* SPDX-License-Identifier: MIT
 *
 * As pick_list, for CPUs: an invocation goes through a row of primitives (rows.glsl), and adds up those of its group in
 * front of them, so that none waits for another one.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
#include "poly_gs/rows.h"
layout(local_size_x = PGS_TILE_ROWS) in;

#include "picked.glsl"

#define ROW_EL (PGS_TILE_EL / PGS_TILE_ROWS)

void main()
{
    const uint begin = pgs_linear_id(PGS_TILE_ROWS) * ROW_EL;
    const pgs_picked_words c = pgs_picked_words_of();
    const uvec2 counts = PGS_DRAW.counts;
    const uvec2 sums = PGS_DRAW.tile_sums;
    const uvec2 indices = PGS_DRAW.indices;
    const uint end = min(begin + ROW_EL, c.bound);
    const uint group = begin / PGS_SHADER_GROUP_EL;
    uint before = begin < c.bound ? pgs_read_at(sums, group) : 0u;
    [[dont_unroll]] for (uint i = group * PGS_SHADER_GROUP_EL; i < min(begin, c.bound); i++)
        before += pgs_picked_primitives(pgs_read_at(counts, i), c.kind);
    uvec2 place = pgs_mul_add(indices, before * c.kind, 4u);
    [[dont_unroll]] for (uint i = begin; i < end; i++)
        place = pgs_picked_write(place, c, i, pgs_read_at(counts, i));
}
