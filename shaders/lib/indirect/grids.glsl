/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, last step: the grids of the later dispatches. Each fits its largest record; the
 * earlier steps raise the maxima below.
 */
#ifndef PGS_INDIRECT_GRIDS_GLSL
#define PGS_INDIRECT_GRIDS_GLSL

#include "allot.glsl"

/* In the order of pgs_grids. `evaluation` has no maximum here: tess_allot writes its size. */
#define GRID_VERTEX 0u
#define GRID_RESTART 1u
#define GRID_CONTROL 2u
#define GRID_PATCHES 3u
#define GRID_GEOMETRY 5u
#define GRID_TILES 6u
#define GRID_ONE 7u
#define GRID_CAPTURE 8u
#define GRID_CHUNKS 9u
#define GRID_COUNT 10u

shared uint pgs_most_groups[GRID_COUNT]; /* maxima over the records, in workgroups */
shared uint pgs_drawn_end;               /* last record that draws, + 1 */

uint pgs_groups_of(const uint elements, const uint group_el)
{
    return elements / group_el + (elements % group_el != 0u ? 1u : 0u);
}

void pgs_raise_grid(const uint grid, const uint groups)
{
    atomicMax(pgs_most_groups[grid], groups);
}

/* Called first, by the whole workgroup. */
void pgs_grids_clear(const uint local)
{
    if (local < GRID_COUNT)
        pgs_most_groups[local] = 0u;
    if (local == 0u)
        pgs_drawn_end = 0u;
}

/* Writes the grids to `address`. stored: the draws store vertices, which inline draws do not. Called
 * last, by the whole workgroup. */
void pgs_grids_write(const uint local, const uvec2 address, const bool stored)
{
    if (local >= GRID_COUNT)
        return;
    const bool of_stored = local == GRID_VERTEX || local == GRID_GEOMETRY || local == GRID_TILES;
    const pgs_grid grid = pgs_grid_of(of_stored && !stored ? 0u : pgs_most_groups[local], pgs_drawn_end);
    const uvec2 at = pgs_mul_add(address, local, 12u);
    pgs_write_near(at, 0u, grid.x);
    pgs_write_near(at, 1u, grid.y);
    pgs_write_near(at, 2u, grid.z);
}

#endif
