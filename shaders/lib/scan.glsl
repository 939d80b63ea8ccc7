/* SPDX-License-Identifier: MIT
 *
 * Prefix sum over the invocations of one workgroup of PGS_TILE_EL, and what becomes of the last one of a draw. After
 * record.glsl.
 */
#ifndef PGS_SCAN_GLSL
#define PGS_SCAN_GLSL

shared uint pgs_scan_sums[PGS_TILE_EL];

/* The sum of the values of this invocation and all before it. Afterwards pgs_scan_sums holds everybody's. Called by
 * all invocations together. */
uint pgs_scan_inclusive(const uint value)
{
    const uint local = gl_LocalInvocationIndex;
    uint sum = value;
    barrier(); /* the sums of the previous call have been read */
    pgs_scan_sums[local] = sum;
    barrier();
    for (uint step_el = 1u; step_el < PGS_TILE_EL; step_el *= 2u) {
        const uint before = local >= step_el ? pgs_scan_sums[local - step_el] : 0u;
        barrier();
        sum += before;
        pgs_scan_sums[local] = sum;
        barrier();
    }
    return sum;
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
