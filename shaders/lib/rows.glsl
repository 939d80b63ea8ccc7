/* SPDX-License-Identifier: MIT
 *
 * Tiles on CPUs: an invocation goes through a row of GS invocations, one after the other. Drivers of CPUs run some
 * invocations as one vector, read and write shared memory for each by itself, and divide a shader at each barrier; so
 * few invocations that share little take less than one for each GS invocation.
 */
#ifndef PGS_ROWS_GLSL
#define PGS_ROWS_GLSL

#include "poly_gs/rows.h"

#include "index_count.glsl"

layout(local_size_x = PGS_TILE_ROWS) in; /* one workgroup for each tile */

#define PGS_ROW_EL (PGS_TILE_EL / PGS_TILE_ROWS)

/* Where the number of indices of each GS invocation is: see pgs_index_count_of. */
struct pgs_row_counts
{
    uvec2 words;
    uint mask, each; /* indices = (word & mask) * each */
};

pgs_row_counts pgs_row_counts_of(const uint flags, const uint bound)
{
    const bool lists = (flags & (PGS_DRAW_LISTS | PGS_DRAW_POLYGONS)) != 0u;
    const uint kind = PGS_DRAW.out_kind;
    const uvec2 primitives = pgs_mul_add(PGS_DRAW.primitives, PGS_DRAW.raster_stream, bound * 4u);
    const uvec2 counts = PGS_DRAW.counts;
    return pgs_row_counts(lists ? primitives : counts, lists ? 0xFFFFFFFFu : 0xFFFFu, lists ? kind : 1u);
}

uint pgs_row_count(const pgs_row_counts counts, const uint gs_invocation)
{
    return (pgs_read_at(counts.words, gs_invocation) & counts.mask) * counts.each;
}

/* Indices of GS invocations from `begin` on, each `step` behind the one before. */
uint pgs_row_sum(const pgs_row_counts counts, const uint begin, const uint end, const uint step)
{
    uint sum = 0u;
    [[dont_unroll]] for (uint i = begin; i < end; i += step)
        sum += pgs_row_count(counts, i);
    return sum;
}

#endif
