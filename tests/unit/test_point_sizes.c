/* SPDX-License-Identifier: MIT
 *
 * Which modules may make points that are larger than a pixel.
 */
#include "base/alloc.h"
#include "spirv/analysis/point_size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "index_widths_vert.h"
#include "point_sizes_copied.h"
#include "point_sizes_four.h"
#include "point_sizes_none.h"
#include "point_sizes_one.h"
#include "point_sizes_read.h"
#include "point_sizes_special.h"
#include "points_geom.h"
#include "points_tese.h"
#include "points_triangles.h"

#define SIZES(code) pgs_spv_module_sizes_points((code), sizeof(code) / 4)
#define MAKES(code) pgs_spv_module_makes_points((code), sizeof(code) / 4)

static void finds_sizes(void **state)
{
    (void)state;
    assert_false(SIZES(point_sizes_none));
    assert_false(SIZES(point_sizes_one));
    assert_false(SIZES(point_sizes_read));
    assert_true(SIZES(point_sizes_four));
    assert_true(SIZES(point_sizes_copied));
    assert_true(SIZES(point_sizes_special)); /* the pipeline decides */
    assert_true(SIZES(index_widths_vert));   /* by an index of 64 bits */
    assert_true(SIZES(points_geom));
    assert_true(SIZES(points_tese));
    assert_false(SIZES(points_triangles));
}

/* Emulation is right in any case. */
static void expects_sizes_without_memory(void **state)
{
    (void)state;
    pgs_alloc_fail_after(1, true);
    const bool sizes = SIZES(point_sizes_none);
    pgs_alloc_fail_after(0, false);
    assert_true(sizes);
    assert_false(SIZES(point_sizes_none));
}

static void finds_points(void **state)
{
    (void)state;
    assert_true(MAKES(points_geom));
    assert_true(MAKES(points_tese));
    assert_false(MAKES(points_triangles));
    assert_false(MAKES(point_sizes_four));
}

static void takes_anything(void **state)
{
    (void)state;
    uint32_t words[sizeof(points_geom) / 4];
    assert_false(pgs_spv_module_sizes_points(NULL, 0));
    assert_false(pgs_spv_module_makes_points(NULL, 0));
    assert_false(pgs_spv_module_sizes_points((const uint32_t[]){1}, 1));
    assert_false(pgs_spv_module_makes_points((const uint32_t[]){1}, 1));
    for (size_t i = 0; i < sizeof(words) / 4; i++) { /* a reader beyond the end is ASan's */
        memcpy(words, points_geom, sizeof(words));
        words[i] ^= 0x00010001u;
        (void)pgs_spv_module_sizes_points(words, sizeof(words) / 4);
        (void)pgs_spv_module_makes_points(words, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_sizes),
        cmocka_unit_test(expects_sizes_without_memory),
        cmocka_unit_test(finds_points),
        cmocka_unit_test(takes_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
