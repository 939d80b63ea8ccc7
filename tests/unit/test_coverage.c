/* SPDX-License-Identifier: MIT
 *
 * What draws tell geometry shaders of viewports and faces, by which these leave out triangles that
 * cover no sample or face away.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "draw/coverage.h"
#include "poly_gs/coverage.h"

static struct pgs_emulated_pipeline pipeline;
static struct pgs_graphics_state state;

static int set_up(void **unused)
{
    (void)unused;
    pipeline = (struct pgs_emulated_pipeline){.cull_planes = PGS_DRAW_COVERAGE};
    pipeline.viewports.viewport_count = 1;
    pipeline.viewports.viewports[0] = (VkViewport){8, -4, 300, 201, 0, 1};
    state = (struct pgs_graphics_state){.pipeline = &pipeline};
    return 0;
}

static void expect(float half_width_px, float half_height_px, uint32_t flags)
{
    const struct pgs_coverage found = pgs_coverage_find(&state);
    float half_px[2];
    memcpy(half_px, &found.half_px, sizeof(half_px));
    assert_true(half_px[0] == half_width_px && half_px[1] == half_height_px);
    assert_int_equal(found.flags, flags);
}

static void knows_viewports_between_pixels(void **unused)
{
    (void)unused;
    const float most = PGS_COVERAGE_MOST_PX;
    const VkViewport others[] = {
        {0.5f, 0, 64, 64, 0, 1},      {0, -0.25f, 64, 64, 0, 1},  {0, 0, 63.5f, 64, 0, 1},
        {0, 0, 64, 0, 0, 1},          {0, 0, most + 1, 64, 0, 1}, {0, 0, 64, -most - 1, 0, 1},
        {-most - 1, 0, 64, 64, 0, 1}, {NAN, 0, 64, 64, 0, 1},     {0, 0, INFINITY, 64, 0, 1},
    };
    expect(150, 100.5f, 0);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        pipeline.viewports.viewports[0] = others[i];
        expect(0, 0, 0);
    }
    pipeline.viewports.viewports[0] = (VkViewport){-most, most, most, -most, 0, 1};
    expect(most / 2, most / 2, 0);
    pipeline.cull_planes = 0;
    expect(0, 0, 0);
}

static void takes_the_viewport_that_was_set(void **unused)
{
    (void)unused;
    pipeline.dynamic = PGS_DYNAMIC_VIEWPORT;
    expect(0, 0, 0); /* none */
    state.viewports.viewports[0] = (VkViewport){0, 0, 20, 10, 0, 1};
    state.viewport_mask = 2;
    expect(0, 0, 0);
    state.viewport_mask = 3;
    expect(10, 5, 0);
    pipeline.dynamic = 0;
    pipeline.viewports.viewport_count = 0;
    expect(0, 0, 0);
}

static void turned_viewports_turn_triangles(void **unused)
{
    (void)unused;
    const uint32_t clockwise = PGS_DRAW_CULLS_CLOCKWISE, counter = PGS_DRAW_CULLS_COUNTER_CLOCKWISE;
    for (int turned = 0; turned < 2; turned++) {
        for (int dynamic = 0; dynamic < 2; dynamic++) {
            struct pgs_polygon_state *const faces =
                dynamic ? &state.polygons : &pipeline.polygon_state;
            set_up(NULL);
            if (turned)
                pipeline.viewports.viewports[0].height = -201;
            pipeline.dynamic = dynamic ? PGS_DYNAMIC_CULL_MODE | PGS_DYNAMIC_FRONT_FACE : 0;
            expect(150, 100.5f, 0);
            faces->cull_mode = VK_CULL_MODE_BACK_BIT;
            faces->front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE;
            expect(150, 100.5f, turned ? counter : clockwise);
            faces->front_face = VK_FRONT_FACE_CLOCKWISE;
            expect(150, 100.5f, turned ? clockwise : counter);
            faces->cull_mode = VK_CULL_MODE_FRONT_BIT;
            expect(150, 100.5f, turned ? counter : clockwise);
            faces->cull_mode = VK_CULL_MODE_FRONT_AND_BACK;
            expect(150, 100.5f, clockwise | counter);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(knows_viewports_between_pixels, set_up),
        cmocka_unit_test_setup(takes_the_viewport_that_was_set, set_up),
        cmocka_unit_test_setup(turned_viewports_turn_triangles, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
