/* SPDX-License-Identifier: MIT
 *
 * tile_sums[t] = indices of the GS invocations of tile t.
 *
 * One workgroup per tile of gs_invocation_bound. Root: draw record. Step STEP_COUNT_TILES
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "index_count.glsl"

shared uint partial[PGS_TILE_EL];

void main()
{
    const uint local = gl_LocalInvocationIndex;
    const uint gs_invocation = pgs_linear_id(PGS_TILE_EL);
    const uint tile = gs_invocation / PGS_TILE_EL;
    const uint gs_invocation_bound = PGS_DRAW.gs_invocation_bound;
    const bool inside = tile * PGS_TILE_EL < gs_invocation_bound; /* the same for the whole workgroup */

    partial[local] = gs_invocation < gs_invocation_bound ? pgs_index_count(gs_invocation) : 0u;
    for (uint half_el = PGS_TILE_EL / 2u; half_el > 0u; half_el /= 2u) {
        barrier();
        if (local < half_el)
            partial[local] += partial[local + half_el];
    }
    if (inside && local == 0u)
        pgs_write_at(PGS_DRAW.tile_sums, tile, partial[0]);
}
