/* SPDX-License-Identifier: MIT
 *
 * As count_tiles, for CPUs (rows.glsl).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"

#define PGS_MAY_JOIN false
#include "rows.glsl"

shared uint of_rows[PGS_TILE_ROWS];

void main()
{
    const uint row = PGS_LOCAL_ID;
    const uint tile = pgs_linear_id(PGS_TILE_ROWS) / PGS_TILE_ROWS;
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const uvec2 tile_sums = PGS_DRAW.tile_sums;
    const pgs_row_counts counts = pgs_row_counts_of(PGS_DRAW.flags, bound);
    const uint begin = tile * PGS_TILE_EL + row * PGS_ROW_EL;
    of_rows[row] = pgs_row_sum(counts, begin, min(begin + PGS_ROW_EL, bound), 1u);
    barrier();
    if (row != 0u || tile * PGS_TILE_EL >= bound)
        return;
    uint sum = 0u;
    for (uint i = 0u; i < PGS_TILE_ROWS; i++)
        sum += of_rows[i];
    pgs_write_at(tile_sums, tile, sum);
}
