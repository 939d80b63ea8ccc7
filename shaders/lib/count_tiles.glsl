/* SPDX-License-Identifier: MIT
 *
 * The kernels count_tiles and count_tiles_any.
 */
#ifndef PGS_COUNT_TILES_GLSL
#define PGS_COUNT_TILES_GLSL

#include "index_count.glsl"

shared uint partial[PGS_TILE_EL];

void main()
{
    const uint local = PGS_LOCAL_ID;
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

#endif
