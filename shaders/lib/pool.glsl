/* SPDX-License-Identifier: MIT
 *
 * Allocates scratch memory of a deferred draw from its pool.
 */
#ifndef PGS_POOL_GLSL
#define PGS_POOL_GLSL

#include "address.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_pool_ref
{
    pgs_pool pool;
};

#define PGS_POOL_COUNT_MAX 0x7FFFFFFFu /* far from where sums would wrap */

void pgs_pool_count_refused(pgs_pool_ref at, const uint units)
{
    if (at.pool.refused_units < PGS_POOL_COUNT_MAX)
        atomicAdd(at.pool.refused_units, units);
}

/* Allocates `units` of PGS_POOL_UNIT_B. (0, 0): they do not fit; smaller allocations may still.
 * Called by one invocation per record, in any order. */
uvec2 pgs_pool_take(const uvec2 address, const uint units)
{
    pgs_pool_ref at = pgs_pool_ref(address);
    const uint size = at.pool.size_units;
    const bool too_large = units > at.pool.limit_units;
    bool fits = !too_large && units <= size;
    uint start = at.pool.used_units;
    uint found = start;
    do {
        start = found;
        fits = fits && start <= size - units;
        if (fits)
            found = atomicCompSwap(at.pool.used_units, start, start + units);
    } while (found != start);
    uvec2 place = uvec2(0u);
    if (fits)
        place = pgs_mul_add(at.pool.first, start, PGS_POOL_UNIT_B);
    else if (too_large)
        at.pool.too_large = 1u;
    else
        pgs_pool_count_refused(at, units);
    return place;
}

/* Notes a request that no pool can satisfy. address (0, 0): does nothing. */
void pgs_pool_refuse(const uvec2 address)
{
    if (address != uvec2(0u))
        pgs_pool_ref(address).pool.too_large = 1u;
}

/* Notes that a draw, or its capture and counts, was left out. */
void pgs_pool_leave_out(const uvec2 address)
{
    if (address != uvec2(0u))
        pgs_pool_ref(address).pool.left_out = 1u;
}

/* Numbers of the members of pgs_grids, and their size. */
#define PGS_GRID_VERTEX 0u
#define PGS_GRID_RESTART 1u
#define PGS_GRID_CONTROL 2u
#define PGS_GRID_PATCHES 3u
#define PGS_GRID_EVALUATION 4u
#define PGS_GRID_GEOMETRY 5u
#define PGS_GRID_TILES 6u
#define PGS_GRID_ONE 7u
#define PGS_GRID_CAPTURE 8u
#define PGS_GRID_CHUNKS 9u
#define PGS_GRID_COUNT 10u
#define PGS_GRID_SIZE_B 12u

uint pgs_groups_of(const uint elements, const uint group_el)
{
    return elements / group_el + (elements % group_el != 0u ? 1u : 0u);
}

/* A linear grid of `groups` workgroups for each of `records`. */
pgs_grid pgs_grid_of(const uint groups, const uint records)
{
    return pgs_grid(min(groups, PGS_GRID_X), groups / PGS_GRID_X + (groups % PGS_GRID_X != 0u ? 1u : 0u), records);
}

#endif
