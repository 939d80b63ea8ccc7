/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, last step: the grids of the later dispatches. Each fits its largest record; the
 * earlier steps raise the maxima below.
 */
#ifndef PGS_INDIRECT_GRIDS_GLSL
#define PGS_INDIRECT_GRIDS_GLSL

#include "allot.glsl"

/* Maxima over the records, in workgroups. That of `evaluation` stays 0: tess_allot writes its size. */
shared uint pgs_most_groups[PGS_GRID_COUNT];
shared uint pgs_drawn_end; /* last record that draws, + 1 */

void pgs_raise_grid(const uint grid, const uint groups)
{
    atomicMax(pgs_most_groups[grid], groups);
}

/* Called first, by the whole workgroup. */
void pgs_grids_clear(const uint local)
{
    if (local < PGS_GRID_COUNT)
        pgs_most_groups[local] = 0u;
    if (local == 0u)
        pgs_drawn_end = 0u;
}

/* Writes the grids to `address`. stored: the draws store vertices, which inline draws do not. Called
 * last, by the whole workgroup. */
void pgs_grids_write(const uint local, const uvec2 address, const bool stored)
{
    if (local >= PGS_GRID_COUNT)
        return;
    const bool of_stored = local == PGS_GRID_VERTEX || local == PGS_GRID_GEOMETRY || local == PGS_GRID_TILES;
    const pgs_grid grid = pgs_grid_of(of_stored && !stored ? 0u : pgs_most_groups[local], pgs_drawn_end);
    const uvec2 at = pgs_mul_add(address, local, PGS_GRID_SIZE_B);
    pgs_write_near(at, 0u, grid.x);
    pgs_write_near(at, 1u, grid.y);
    pgs_write_near(at, 2u, grid.z);
}

/* Writes what pgs_grids_write does for draws that raise none. Called by one invocation. */
void pgs_grids_write_none(const uvec2 address)
{
    const pgs_grid grid = pgs_grid_of(0u, pgs_drawn_end);
    [[dont_unroll]] for (uint number = 0u; number < PGS_GRID_COUNT; number++) {
        const uvec2 at = pgs_mul_add(address, number, PGS_GRID_SIZE_B);
        pgs_write_near(at, 0u, grid.x);
        pgs_write_near(at, 1u, grid.y);
        pgs_write_near(at, 2u, grid.z);
    }
}

#endif
