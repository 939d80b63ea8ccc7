/* SPDX-License-Identifier: MIT
 *
 * Names that let pure arithmetic compile as GLSL and, for the unit tests, as C. Such files use
 * pgs_u32, int, float and bool values, float literals with f, and the names below.
 */
#ifndef PGS_PORTABLE_GLSL
#define PGS_PORTABLE_GLSL

#include "poly_gs/abi.h"

#ifdef PGS_GLSL
#define PGS_PURE
#define PGS_FLOAT(x) float(x)
#define PGS_INT(x) int(x)
#define PGS_U32(x) uint(x)
#define PGS_SELECT(condition, one, other) mix(other, one, condition) /* of scalars; without a branch */
#define pgs_max(a, b) max(a, b)
#define pgs_larger(a, b) max(a, b) /* of pgs_u32 */
#define pgs_smaller(a, b) min(a, b)
#define pgs_pow(x, y) pow(x, y)
#define pgs_sqrt(x) sqrt(x)
#define PGS_DONT_UNROLL [[dont_unroll]]
#define PGS_BITS(x, first, count) bitfieldExtract(x, first, count)

/* count < 32 */
uint pgs_low_bits(const uint x, const uint count)
{
    return bitfieldExtract(x, 0, int(count));
}

int pgs_bit_count(const uint x)
{
    return bitCount(x);
}

uint pgs_mul_high(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#define PGS_PURE static inline
#define PGS_FLOAT(x) ((float)(x))
#define PGS_INT(x) ((int)(x))
#define PGS_U32(x) ((pgs_u32)(x))
#define PGS_SELECT(condition, one, other) ((condition) ? (one) : (other))
#define pgs_max(a, b) fmaxf(a, b)
#define pgs_pow(x, y) powf(x, y)
#define pgs_sqrt(x) sqrtf(x)
#define PGS_DONT_UNROLL
#define PGS_BITS(x, first, count) ((x) >> (first) & ((1u << (count)) - 1u))

PGS_PURE pgs_u32 pgs_larger(const pgs_u32 a, const pgs_u32 b)
{
    return a > b ? a : b;
}

PGS_PURE pgs_u32 pgs_smaller(const pgs_u32 a, const pgs_u32 b)
{
    return a < b ? a : b;
}

PGS_PURE pgs_u32 pgs_low_bits(const pgs_u32 x, const pgs_u32 count)
{
    return x & ((1u << count) - 1u);
}

PGS_PURE int pgs_bit_count(const pgs_u32 x)
{
    int count = 0;
    for (pgs_u32 rest = x; rest != 0u; rest &= rest - 1u)
        count++;
    return count;
}

PGS_PURE pgs_u32 pgs_mul_high(const pgs_u32 a, const pgs_u32 b)
{
    return (pgs_u32)((uint64_t)a * b >> 32);
}

PGS_PURE pgs_u32 floatBitsToUint(const float value)
{
    pgs_u32 bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

PGS_PURE float uintBitsToFloat(const pgs_u32 bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}
#endif

/* a && b without a branch. */
PGS_PURE bool pgs_both(const bool a, const bool b)
{
    return a && b;
}

#endif
