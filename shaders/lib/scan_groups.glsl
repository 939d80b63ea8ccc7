/* SPDX-License-Identifier: MIT
 *
 * Sums of many groups, by one workgroup.
 */
#ifndef PGS_SCAN_GROUPS_GLSL
#define PGS_SCAN_GROUPS_GLSL

#include "address.glsl"
#include "scan.glsl"

/* Groups of an invocation, which are read at once: each scan waits for several barriers. */
#define PGS_SCAN_GROUPS_EACH 8u

/* Replaces what each group has by the sum of all in front. Returns that of all. Called by the whole workgroup. */
uint pgs_scan_groups(const uvec2 groups, const uint group_count)
{
    uint total = 0u;
    for (uint chunk = 0u; chunk < group_count; chunk += PGS_TILE_EL * PGS_SCAN_GROUPS_EACH) {
        const uint first = chunk + PGS_LOCAL_ID * PGS_SCAN_GROUPS_EACH;
        uint sums[PGS_SCAN_GROUPS_EACH];
        uint own = 0u;
        [[unroll]] for (uint i = 0u; i < PGS_SCAN_GROUPS_EACH; i++) {
            sums[i] = first + i < group_count ? pgs_read_at(groups, first + i) : 0u;
            own += sums[i];
        }
        uint before = total + pgs_scan_exclusive(own);
        [[unroll]] for (uint i = 0u; i < PGS_SCAN_GROUPS_EACH; i++) {
            if (first + i < group_count)
                pgs_write_at(groups, first + i, before);
            before += sums[i];
        }
        total += pgs_scan_total;
    }
    return total;
}

#endif
