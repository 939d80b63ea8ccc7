/* SPDX-License-Identifier: MIT
 *
 * Numbers within bounds.
 */
#ifndef PGS_BASE_NUMBERS_H
#define PGS_BASE_NUMBERS_H

#include <stdint.h>

static inline uint64_t pgs_least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* UINT32_MAX if it is greater. */
static inline uint32_t pgs_clamp_to_u32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

#endif
