/* SPDX-License-Identifier: MIT
 *
 * Prefix sum over a workgroup of PGS_SCAN_EL (default PGS_TILE_EL), and the draw arguments that
 * follow from the last sum. Include record.glsl first.
 */
#ifndef PGS_SCAN_GLSL
#define PGS_SCAN_GLSL

#ifndef PGS_SCAN_EL
#define PGS_SCAN_EL PGS_TILE_EL
#endif
/* Rows save barriers at the price of additions: on a CPU a barrier costs more. */
#define PGS_SCAN_ROW_EL 16

shared uint pgs_scan_sums[PGS_SCAN_EL];
shared uint pgs_scan_rows[PGS_SCAN_EL / PGS_SCAN_ROW_EL];

/* Inclusive prefix sum that saturates at limit. A limit below 0xFFFFFFFF must be at most 2^31, and
 * no value may exceed it. Afterwards pgs_scan_sums holds the sums of all invocations. Called by the
 * whole workgroup. */
uint pgs_scan_limited(const uint value, const uint limit)
{
    const uint local = gl_LocalInvocationIndex;
    const uint row = local / PGS_SCAN_ROW_EL;
    const uint row_start = row * PGS_SCAN_ROW_EL;
    barrier(); /* the sums of the previous call have been read */
    pgs_scan_sums[local] = value;
    barrier();
    uint sum = 0u;
    for (uint i = row_start; i <= local; i++)
        sum = min(sum + pgs_scan_sums[i], limit);
    if (local == row_start + PGS_SCAN_ROW_EL - 1u)
        pgs_scan_rows[row] = sum;
    barrier();
    uint before = 0u;
    for (uint i = 0u; i < row; i++)
        before = min(before + pgs_scan_rows[i], limit);
    sum = min(sum + before, limit);
    pgs_scan_sums[local] = sum;
    barrier();
    return sum;
}

/* Inclusive prefix sum. Called by the whole workgroup. */
uint pgs_scan_inclusive(const uint value)
{
    return pgs_scan_limited(value, 0xFFFFFFFFu);
}

/* Writes the arguments of the raster draw. Called by one invocation. */
void pgs_write_draw_args(const uint index_count)
{
    const uvec2 args = PGS_DRAW.draw_args; /* VkDrawIndexedIndirectCommand */
    pgs_write_at(args, 0u, index_count);
    pgs_write_at(args, 1u, 1u);
    pgs_write_at(args, 2u, PGS_DRAW.first_index);
    pgs_write_at(args, 3u, PGS_DRAW.vertex_offset);
    pgs_write_at(args, 4u, 0u);
}

#endif
