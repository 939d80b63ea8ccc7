/* SPDX-License-Identifier: MIT
 *
 * Unsigned 64-bit numbers in two words, low word first. Sums and products wrap.
 */
#ifndef PGS_XFB_WIDE_GLSL
#define PGS_XFB_WIDE_GLSL

#include "record.glsl"

uvec2 pgs_wide_product(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return uvec2(low, high);
}

uvec2 pgs_wide_times(const uvec2 a, const uint b)
{
    const uvec2 low = pgs_wide_product(a.x, b);
    return uvec2(low.x, low.y + a.y * b);
}

uvec2 pgs_wide_plus(const uvec2 a, const uvec2 b)
{
    const uint low = a.x + b.x;
    return uvec2(low, a.y + b.y + (low < b.x ? 1u : 0u));
}

/* The low word, or the largest word if the number does not fit. */
uint pgs_wide_saturated(const uvec2 a)
{
    return a.y != 0u ? 0xFFFFFFFFu : a.x;
}

/* Not atomic. */
void pgs_wide_add_to_memory(const uvec2 address, const uvec2 value)
{
    const uvec2 sum = pgs_wide_plus(uvec2(pgs_read_near(address, 0u), pgs_read_near(address, 1u)), value);
    pgs_write_near(address, 0u, sum.x);
    pgs_write_near(address, 1u, sum.y);
}

#endif
