/* SPDX-License-Identifier: MIT
 *
 * Prefix sum over a workgroup of PGS_SCAN_EL (default PGS_TILE_EL) values of PGS_SCAN_TYPE (default
 * uint; uvec2: two sums at once).
 */
#ifndef PGS_SCAN_GLSL
#define PGS_SCAN_GLSL

#ifndef PGS_SCAN_EL
#define PGS_SCAN_EL PGS_TILE_EL
#endif
#ifndef PGS_SCAN_TYPE
#define PGS_SCAN_TYPE uint
#endif
/* Rows save barriers at the price of additions: on a CPU a barrier costs more. */
#define PGS_SCAN_ROW_EL 16
#define PGS_SCAN_ROWS (PGS_SCAN_EL / PGS_SCAN_ROW_EL)

shared PGS_SCAN_TYPE pgs_scan_values[PGS_SCAN_EL];
shared PGS_SCAN_TYPE pgs_scan_rows[PGS_SCAN_ROWS];

PGS_SCAN_TYPE pgs_scan_total; /* of the last call */

/* Returns the sum of the values of all earlier invocations. Called by the whole workgroup. */
PGS_SCAN_TYPE pgs_scan_exclusive(const PGS_SCAN_TYPE value)
{
    const uint local = PGS_LOCAL_ID;
    const uint row = local / PGS_SCAN_ROW_EL;
    PGS_SCAN_TYPE before = PGS_SCAN_TYPE(0u);
    pgs_scan_values[local] = value;
    barrier();
    for (uint i = row * PGS_SCAN_ROW_EL; i < local; i++)
        before += pgs_scan_values[i];
    if (local % PGS_SCAN_ROW_EL == PGS_SCAN_ROW_EL - 1u)
        pgs_scan_rows[row] = before + value;
    barrier();
    PGS_SCAN_TYPE total = PGS_SCAN_TYPE(0u);
    [[dont_unroll]] for (uint i = 0u; i < PGS_SCAN_ROWS; i++) {
        if (i == row)
            before += total;
        total += pgs_scan_rows[i];
    }
    pgs_scan_total = total;
    return before;
}

#endif
