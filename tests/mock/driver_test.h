/* SPDX-License-Identifier: MIT
 *
 * What tests of the whole layer on the fake driver begin and end with. To be included, after
 * cmocka.h, by one file of a program.
 */
#ifndef DRIVER_TEST_H
#define DRIVER_TEST_H

#include "base/alloc.h"
#include "fake_driver.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A driver with the defaults, and a user who says nothing but whether there is transform
 * feedback. */
static inline void begin_test(bool xfb)
{
    unsetenv("VK_POLY_GS_FORCE");
    setenv("VK_POLY_GS_FEEDBACK", xfb ? "1" : "0", 1);
    setenv("VK_POLY_GS_LOG", "off", 1);
    setenv("VK_POLY_GS_CACHE", "0", 1);
    fake_reset(NULL);
}

static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(fakes_alive(), 0);
    assert_int_equal(pgs_alloc_live(), 0);
    fake_reset(NULL);
    return 0;
}

#endif
