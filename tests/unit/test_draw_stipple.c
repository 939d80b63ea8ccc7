/* SPDX-License-Identifier: MIT
 *
 * Draws of stippled lines that are the layer's: when the kernel runs that finds where the pattern
 * of each line begins, and what shaders are told. The driver is fake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/polygons.h"
#include "draw_triangles.h"

/* Strips of up to five vertices. */
static int set_up(void **unused)
{
    (void)unused;
    bind_triangles(0);
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    pipeline.polygons = PGS_SPV_WIDE_LINES;
    pipeline.line_width = 3;
    pipeline.stipple = (struct pgs_stipple){.drawn = true, .pattern = {7, 0xABC}};
    pipeline.gs.input_vertices = pipeline.gs.output_kind = 2;
    pipeline.gs.max_vertices = 5;
    pipeline.gs.out[0].position_w = 4;
    pipeline.gs.out[0].viewport_index_w = PGS_NO_WORD;
    return open_batch(64);
}

static void patterns_go_on_along_strips(void **unused)
{
    (void)unused;
    VkDeviceSize size_B = 0;
    for (int i = 0; i < 4; i++) {
        const bool goes_on = i & 1, joins = i == 3;
        pipeline.stipple.goes_on = goes_on;
        pipeline.stipple.joins = joins;
        const struct pgs_draw *draw =
            add_call((struct pgs_draw_call){.count = 40, .instance_count = 1});
        const uint32_t flags = record(draw, 0)->flags;
        assert_int_equal(draw->plan.raster, PGS_RASTER_POLYGONS);
        assert_int_equal(pgs_plan_runs(&draw->plan, PGS_STAGE_STIPPLE), goes_on);
        assert_int_equal(!!(flags & PGS_DRAW_STIPPLED), goes_on);
        assert_int_equal(!!(flags & PGS_DRAW_JOINS), joins);
        if (i == 0)
            size_B = draw->subdraws[0].indices.size_B;
        assert_int_equal(draw->subdraws[0].indices.size_B, goes_on ? size_B / 2 * 3 : size_B);
    }
}

static void the_kernel_waits_for_the_list(void **unused)
{
    (void)unused;
    pipeline.stipple.goes_on = true;
    (void)add_sealed((struct pgs_draw_call){.count = 40, .instance_count = 1});
    (void)record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; bind 11; dispatch 1 x 1; bind 12; barrier; dispatch 1 x 1; "
           "bind expand_polygons; barrier; dispatch 1 x 1; bind stipple; barrier; dispatch 1 x 1; "
           "barrier to raster");
}

static struct pgs_polygons filled_of(bool goes_on)
{
    struct pgs_polygons filled;
    pgs_polygons_fill_record(&filled, &state, goes_on);
    return filled;
}

static void shaders_know_the_pattern(void **unused)
{
    (void)unused;
    struct pgs_polygons filled = filled_of(true);
    assert_int_equal(filled.stipple_factor, 7);
    assert_int_equal(filled.stipple_pattern, 0xABC);
    assert_int_equal(filled.flags & (PGS_POLYGONS_GOES_ON | PGS_POLYGONS_PIXELS),
                     PGS_POLYGONS_GOES_ON);
    assert_int_equal(filled.position_w, 4);
    assert_int_equal(filled.viewport_w, UINT32_MAX);
    pipeline.stipple.pixels = true;
    assert_int_equal(filled_of(false).flags & (PGS_POLYGONS_GOES_ON | PGS_POLYGONS_PIXELS),
                     PGS_POLYGONS_PIXELS);
    assert_true(filled_of(false).flags & PGS_POLYGONS_CENTRES);
    pipeline.polygons = PGS_SPV_COPIED_LINES;
    assert_true(filled_of(false).flags & PGS_POLYGONS_PIXELS);
    assert_false(filled_of(false).flags & PGS_POLYGONS_CENTRES);
    pipeline.stipple.drawn = false;
    filled = filled_of(false);
    assert_int_equal(filled.flags & PGS_POLYGONS_PIXELS, 0);
    assert_int_equal(filled.stipple_factor, 0);
}

static void commands_set_the_pattern(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t set, used;
    } factors[] = {{0, 1}, {1, 1}, {256, 256}, {257, 256}, {UINT32_MAX, 256}};
    pipeline.dynamic = PGS_DYNAMIC_STIPPLE_PATTERN;
    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        state.stipple = (struct pgs_stipple_pattern){factors[i].set, 0x55};
        assert_int_equal(filled_of(false).stipple_factor, factors[i].used);
        assert_int_equal(filled_of(false).stipple_pattern, 0x55);
    }
    pipeline.dynamic |= PGS_DYNAMIC_LINE_STIPPLE;
    assert_int_equal(filled_of(false).stipple_pattern, 0xFFFF);
    state.line_stipple = true;
    assert_int_equal(filled_of(false).stipple_pattern, 0x55);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(patterns_go_on_along_strips),
        TEST(the_kernel_waits_for_the_list),
        TEST(shaders_know_the_pattern),
        TEST(commands_set_the_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
