/* SPDX-License-Identifier: MIT
 *
 * For numbers that need not be exact, in tests that use cmocka; include it behind <cmocka.h>, whose
 * assert_in_range() is deprecated from version 2.0 on, while what replaces it is not in
 * version 1.1.
 */
#ifndef PGS_TEST_WITHIN_H
#define PGS_TEST_WITHIN_H

#include <inttypes.h>

/* Fails unless the unsigned value is `least`, `most`, or between them. */
#define assert_within(value, least, most) assert_within_at(value, least, most, __FILE__, __LINE__)

static inline void assert_within_at(uintmax_t value, uintmax_t least, uintmax_t most,
                                    const char *file, int line)
{
    if (value >= least && value <= most)
        return;
    print_error("%s:%d: %" PRIuMAX " is not from %" PRIuMAX " to %" PRIuMAX "\n", file, line, value,
                least, most);
    fail();
}

#endif
