/* SPDX-License-Identifier: MIT
 *
 * Prefix scan of restart summaries over a workgroup of PGS_TILE_EL.
 */
#ifndef PGS_RESTART_SCAN_GLSL
#define PGS_RESTART_SCAN_GLSL

#include "index.glsl"
#include "restart.glsl"

shared pgs_restart_tile pgs_restart_sums[PGS_TILE_EL];

/* Combines the summaries of this invocation and all before it. Afterwards pgs_restart_sums holds
 * those of all invocations. Called by the whole workgroup. */
pgs_restart_tile pgs_restart_inclusive(const uint topology, const pgs_restart_tile value)
{
    const uint local = PGS_LOCAL_ID;
    pgs_restart_tile sum = value;
    barrier(); /* the sums of the previous call have been read */
    pgs_restart_sums[local] = sum;
    barrier();
    for (uint step_el = 1u; step_el < PGS_TILE_EL; step_el *= 2u) {
        if (local >= step_el)
            sum = pgs_restart_combine(topology, pgs_restart_sums[local - step_el], sum);
        barrier();
        pgs_restart_sums[local] = sum;
        barrier();
    }
    return sum;
}

/* True if a restart index is at this position, or the draw ends there. */
bool pgs_restarts_at(const uint position)
{
    return position >= PGS_DRAW.vertex_count || pgs_index_at(position) == pgs_restart_index();
}

pgs_restart_tile pgs_restart_read(const uvec2 address)
{
    const uvec4 words = pgs_read4(address);
    return pgs_restart_tile(words.x, words.y, words.z, words.w);
}

void pgs_restart_write(const uvec2 address, const pgs_restart_tile tile)
{
    pgs_write4(address, uvec4(tile.restarts, tile.head_el, tile.inner_primitives, tile.tail_el));
}

#endif
