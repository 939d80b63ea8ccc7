/* SPDX-License-Identifier: MIT
 *
 * Prefix sum over the invocations of one workgroup of PGS_SCAN_EL (PGS_TILE_EL where nothing else was defined), and what
 * becomes of the last one of a draw. After record.glsl.
 */
#ifndef PGS_SCAN_GLSL
#define PGS_SCAN_GLSL

#ifndef PGS_SCAN_EL
#define PGS_SCAN_EL PGS_TILE_EL
#endif
/* Few barriers rather than few additions: where invocations take turns on a CPU, a barrier costs more. */
#define PGS_SCAN_ROW_EL 16

shared uint pgs_scan_sums[PGS_SCAN_EL];
shared uint pgs_scan_rows[PGS_SCAN_EL / PGS_SCAN_ROW_EL];

/* The sum of the values of this invocation and all before it, or limit if that is less; then no value may be more than
 * limit, nor limit more than half of what a word holds. Afterwards pgs_scan_sums holds everybody's. Called by all
 * invocations together. */
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

/* Without a limit. */
uint pgs_scan_inclusive(const uint value)
{
    return pgs_scan_limited(value, 0xFFFFFFFFu);
}

/* By one invocation, once the number of indices of the draw is known. */
void pgs_write_draw_args(const uint index_count)
{
    const uvec2 args = PGS_DRAW.draw_args; /* VkDrawIndexedIndirectCommand */
    pgs_write_at(args, 0u, index_count);
    pgs_write_at(args, 1u, 1u);
    pgs_write_at(args, 2u, PGS_DRAW.first_index);
    pgs_write_at(args, 3u, 0u);
    pgs_write_at(args, 4u, 0u);
}

#endif
