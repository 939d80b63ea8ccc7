/* SPDX-License-Identifier: MIT
 *
 * What the kernels that list indices have in common. Before it they define PGS_LISTS and
 * write_indices.
 *
 * Up to PGS_SCAN_TILES_FREE tiles they find the position of their tile themselves, from the sums of
 * count_tiles (up to PGS_COUNT_TILES_FREE, or without sums, from the counts of the GS invocations),
 * and write the draw arguments. Above that scan_tiles did both.
 */
#ifndef PGS_EXPAND_GLSL
#define PGS_EXPAND_GLSL

#define PGS_SCAN_TYPE uvec2
#include "scan.glsl"
#include "draw_args.glsl"
#include "index_count.glsl"

/* Counts that one invocation reads without waiting for them in between. */
#define PGS_READ_AT_ONCE 8u

/* What this invocation adds to the number of indices in the tiles before this one: of the few
 * tiles, by GS invocation; of more, the sums of some tiles. */
uint indices_before(const uint tile, const uint tile_count)
{
    const uvec2 tile_sums = PGS_DRAW.tile_sums;
    const uint end = min(tile, tile_count - 1u);
    uint sum = 0u;
    if (tile_count > PGS_COUNT_TILES_FREE && tile_sums != uvec2(0u)) {
        [[dont_unroll]] for (uint i = PGS_LOCAL_ID; i < end; i += PGS_TILE_EL)
            sum += pgs_read_at(tile_sums, i);
        return sum;
    }
    uint i = 0u;
    if (!PGS_LISTS && !PGS_MAY_JOIN) { /* long ones would take long to compile */
        for (; i + PGS_READ_AT_ONCE <= end; i += PGS_READ_AT_ONCE) {
            [[unroll]] for (uint k = 0u; k < PGS_READ_AT_ONCE; k++)
                sum += pgs_index_count((i + k) * PGS_TILE_EL + PGS_LOCAL_ID);
        }
    }
    for (; i < end; i++)
        sum += pgs_index_count(i * PGS_TILE_EL + PGS_LOCAL_ID);
    return sum;
}

void main()
{
    const uint gs_invocation = pgs_linear_id(PGS_TILE_EL);
    const uint gs_invocation_bound = PGS_DRAW.gs_invocation_bound;
    const uint tile = gs_invocation / PGS_TILE_EL;
    const uint tile_count = (gs_invocation_bound + PGS_TILE_EL - 1u) / PGS_TILE_EL;
    uint counts = 0u;
    uint index_count = 0u;
    if (gs_invocation < gs_invocation_bound) {
        counts = pgs_read_at(PGS_DRAW.counts, gs_invocation);
        index_count = pgs_index_count_of(gs_invocation, counts);
    }
    const bool is_small = tile_count <= PGS_SCAN_TILES_FREE;
    uint of_tiles = 0u;
    if (is_small && tile_count > 1u)
        of_tiles = indices_before(tile, tile_count);
    const uint in_tile = pgs_scan_exclusive(uvec2(index_count, of_tiles)).x;
    uint before = pgs_scan_total.y;
    if (!is_small && tile < tile_count)
        before = pgs_read_at(PGS_DRAW.tile_sums, tile);
    if (tile + 1u == tile_count && is_small && PGS_LOCAL_ID == 0u)
        pgs_write_draw_args(before + pgs_scan_total.x);
    if (PGS_MAY_PACK && gs_invocation == 0u && (PGS_DRAW.flags & PGS_DRAW_PACKED) != 0u) /* for the next execution */
        pgs_write(pgs_add(pgs_root_address(), PGS_RECORD_PACKED_B), 0u);
    const uint emitted = index_count != 0u ? counts >> 16 : 0u;
    const uvec2 indices = pgs_mul_add(PGS_DRAW.indices, before + in_tile, 4u);
#if defined(PGS_CUTS)
    share_cuts(pgs_mul_add(PGS_DRAW.indices, before, 4u), in_tile, gs_invocation, emitted);
#elif defined(PGS_SHARES_STRIPS)
    share_strips(pgs_mul_add(PGS_DRAW.indices, before, 4u), in_tile, pgs_scan_total.x, gs_invocation, emitted);
#else
    write_indices(indices, gs_invocation, emitted);
#endif
}

#endif
