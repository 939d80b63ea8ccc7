/* SPDX-License-Identifier: MIT
 *
 * What raster vertex shaders are told of polygons that become lines or points.
 */
#include "draw/polygons.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static float float_of(pgs_u32 bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static struct pgs_emulated_pipeline pipeline_of(uint32_t dynamic)
{
    return (struct pgs_emulated_pipeline){
        .polygons = PGS_SPV_POLYGONS_LINES,
        .dynamic = dynamic,
        .polygon_state = {.cull_mode = VK_CULL_MODE_BACK_BIT,
                          .front_face = VK_FRONT_FACE_CLOCKWISE,
                          .bias_enable = true,
                          .bias = 4,
                          .bias_clamp = 0.5f,
                          .bias_slope = 2},
        .depth_unit = 1.0f / 65536,
        .viewports = {.viewport_count = 2,
                      .scissor_count = 2,
                      .viewports = {{0, 0, 64, 32, 0, 1}, {8, 64, 32, -64, 1, 0.25f}}},
    };
}

static const struct pgs_graphics_state other = {
    .polygons = {.cull_mode = VK_CULL_MODE_FRONT_BIT,
                 .front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE,
                 .bias = -8,
                 .bias_clamp = 0,
                 .bias_slope = 1},
    .viewports = {.viewports = {{0, 16, 16, -16, 0, 0.5f}}},
    .line_width = 5,
};

static struct pgs_polygons filled_of(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_graphics_state state = other;
    struct pgs_polygons filled;
    state.pipeline = pipeline;
    pgs_polygons_fill_record(&filled, &state, false);
    return filled;
}

static void takes_what_the_pipeline_says(void **state)
{
    (void)state;
    const struct pgs_emulated_pipeline pipeline = pipeline_of(0);
    const struct pgs_polygons filled = filled_of(&pipeline);
    assert_int_equal(filled.flags,
                     PGS_POLYGONS_CULL_BACK | PGS_POLYGONS_CLOCKWISE | PGS_POLYGONS_BIAS);
    assert_true(float_of(filled.bias) == 4.0f / 65536);
    assert_true(float_of(filled.bias_clamp) == 0.5f && float_of(filled.bias_slope) == 2);
    assert_true(float_of(filled.viewports[0].x_scale) == 32);
    assert_true(float_of(filled.viewports[0].y_scale) == 16);
    assert_true(float_of(filled.viewports[0].z_scale) == 1);
    assert_true(float_of(filled.viewports[1].y_scale) == -32);
    assert_true(float_of(filled.viewports[1].z_scale) == -0.75f);
    assert_true(float_of(filled.viewports[1].z_shift) == 1);
    assert_true(float_of(filled.viewports[2].y_scale) == 16); /* there are two: as the first */
    assert_true(float_of(filled.viewports[PGS_MAX_VIEWPORTS - 1].x_scale) == 32);
}

static void takes_what_is_dynamic_from_commands(void **state)
{
    (void)state;
    struct pgs_emulated_pipeline pipeline =
        pipeline_of(PGS_DYNAMIC_CULL_MODE | PGS_DYNAMIC_FRONT_FACE | PGS_DYNAMIC_DEPTH_BIAS |
                    PGS_DYNAMIC_VIEWPORT);
    struct pgs_polygons filled = filled_of(&pipeline);
    assert_int_equal(filled.flags, PGS_POLYGONS_CULL_FRONT | PGS_POLYGONS_BIAS);
    assert_true(float_of(filled.bias) == -8.0f / 65536);
    assert_true(float_of(filled.bias_clamp) == 0 && float_of(filled.bias_slope) == 1);
    assert_true(float_of(filled.viewports[0].y_scale) == -8);
    assert_true(float_of(filled.viewports[0].z_scale) == 0.5f);
    pipeline.dynamic |= PGS_DYNAMIC_DEPTH_BIAS_ENABLE;
    filled = filled_of(&pipeline);
    assert_int_equal(filled.flags, PGS_POLYGONS_CULL_FRONT);
}

static void knows_other_depths(void **state)
{
    (void)state;
    struct pgs_emulated_pipeline pipeline = pipeline_of(0);
    pipeline.depth_unit = 0;
    pipeline.negative_one_to_one = true;
    const struct pgs_polygons filled = filled_of(&pipeline);
    assert_true(filled.flags & PGS_POLYGONS_FLOAT_DEPTH);
    assert_true(filled.flags & PGS_POLYGONS_NEGATIVE_Z);
    assert_true(float_of(filled.bias) == 4);
    assert_true(float_of(filled.viewports[0].z_scale) == 0.5f);
    assert_true(float_of(filled.viewports[0].z_shift) == 0.5f);
    assert_true(float_of(filled.viewports[1].z_scale) == -0.375f);
    assert_true(float_of(filled.viewports[1].z_shift) == 0.625f);
}

static void rounds_the_width_of_copies(void **state)
{
    (void)state;
    static const struct {
        float asked, drawn;
        pgs_u32 vertices;
    } copies[] = {{1, 1, 2}, {1.5f, 2, 4}, {2.25f, 2, 4}, {7, 7, 14}, {1000, 64, 128}, {-1, 1, 2}};
    struct pgs_emulated_pipeline pipeline = pipeline_of(0);
    for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
        pipeline.line_width = copies[i].asked;
        pipeline.polygons = PGS_SPV_COPIED_LINES;
        pipeline.stipple.pixels = true;
        struct pgs_polygons filled = filled_of(&pipeline);
        assert_true(float_of(filled.line_width) == copies[i].drawn);
        assert_int_equal(filled.line_vertices, copies[i].vertices);
        pipeline.polygons = PGS_SPV_WIDE_EDGES;
        pipeline.stipple.pixels = false;
        filled = filled_of(&pipeline);
        assert_true(float_of(filled.line_width) == pgs_line_width(copies[i].asked));
        assert_int_equal(filled.line_vertices, 6);
    }
    pipeline.dynamic = PGS_DYNAMIC_LINE_WIDTH;
    pipeline.rectangles = true;
    const struct pgs_polygons filled = filled_of(&pipeline);
    assert_true(float_of(filled.line_width) == 5);
    assert_true(filled.flags & PGS_POLYGONS_RECTANGLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_the_pipeline_says),
        cmocka_unit_test(takes_what_is_dynamic_from_commands),
        cmocka_unit_test(knows_other_depths),
        cmocka_unit_test(rounds_the_width_of_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
