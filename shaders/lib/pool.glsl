/* SPDX-License-Identifier: MIT
 *
 * Taking scratch from the pool of a deferred draw.
 */
#ifndef PGS_POOL_GLSL
#define PGS_POOL_GLSL

#include "address.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_pool_ref
{
    pgs_pool pool;
};

/* Units for so many elements; a number larger than every pool where that is more than a word counts. */
uint pgs_pool_units(const uint count, const uint size_B)
{
    uint high, low;
    umulExtended(count, size_B, high, low);
    if (high >= PGS_POOL_UNIT_B / 2u)
        return 0x7FFFFFFFu;
    return (high << 24) + (low >> 8) + ((low & (PGS_POOL_UNIT_B - 1u)) != 0u ? 1u : 0u);
}

/* Room for units, by one invocation for a whole draw: the order in which draws come means nothing. (0, 0): there is no
 * room. units: at most 0x7FFFFFFF. */
uvec2 pgs_pool_take(const uvec2 address, const uint units)
{
    pgs_pool_ref at = pgs_pool_ref(address);
    const uint size = at.pool.size_units;
    if (units > size || at.pool.used_units > 0x7FFFFFFFu) { /* far from where the sum would wrap */
        atomicMax(at.pool.used_units, min(units, 0x7FFFFFFFu));
        return uvec2(0u);
    }
    const uint start = atomicAdd(at.pool.used_units, units);
    if (start > size - units)
        return uvec2(0u);
    return pgs_mul_add(at.pool.first, start, PGS_POOL_UNIT_B);
}

/* A linear grid of `groups` workgroups for each of `records`. */
pgs_grid pgs_grid_of(const uint groups, const uint records)
{
    const uint x = min(groups, PGS_GRID_X);
    return pgs_grid(x, groups == 0u ? 0u : (groups + x - 1u) / x, records);
}

#endif
