/* SPDX-License-Identifier: MIT
 *
 * The pipeline module on a fake driver and a fake spirv module: pipelines of wide lines, on a
 * driver that has none.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/layout.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_device.h"
#include "pipeline/possible.h"
#include "poly_gs/format.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

static const struct pgs_emulated_pipeline *create_and_find(VkPipeline *pipeline)
{
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    return pgs_emulated_pipeline_find(&device, *pipeline);
}

static void ask_for_width(float width)
{
    device.lines = true;
    app.rasterization.lineWidth = width;
    app.rasterization.cullMode = VK_CULL_MODE_FRONT_AND_BACK;
    app.rasterization.depthBiasEnable = VK_TRUE;
}

static void wide_lines_are_triangles(void **state)
{
    (void)state;
    VkPipeline pipeline;
    ask_for_width(3);
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(p->polygons, PGS_SPV_WIDE_LINES);
    assert_true(p->by_viewport && p->line_width == 3);
    assert_int_equal(fake.input_assembly.topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    assert_false(fake.input_assembly.primitiveRestartEnable);
    assert_true(fake.rasterization.lineWidth == 1);
    assert_int_equal(fake.rasterization.cullMode, VK_CULL_MODE_NONE);
    assert_false(fake.rasterization.depthBiasEnable);
    assert_int_equal(pgs_wide_pipeline_find(&device, pipeline), VK_NULL_HANDLE);
    destroy(pipeline);
    geometry_info.output_kind = 3; /* the width does not matter */
    p = create_and_find(&pipeline);
    assert_int_equal(p->polygons, PGS_SPV_POLYGONS_FILLED);
    assert_true(fake.rasterization.lineWidth == 1);
    assert_int_equal(fake.rasterization.cullMode, VK_CULL_MODE_FRONT_AND_BACK);
    destroy(pipeline);
    device.lines = false;
}

/* One pipeline draws thin lines, another one wide lines, and both go together. */
static void a_dynamic_width_takes_two_pipelines(void **state)
{
    (void)state;
    VkPipeline pipeline;
    ask_for_width(0); /* ignored */
    app.dynamic_states[1] = VK_DYNAMIC_STATE_LINE_WIDTH;
    const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
    assert_int_equal(p->polygons, PGS_SPV_POLYGONS_FILLED);
    assert_int_equal(fake.input_assembly.topology, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
    const VkPipeline wide = pgs_wide_pipeline_find(&device, pipeline);
    p = pgs_emulated_pipeline_find(&device, wide);
    assert_int_equal(p->polygons, PGS_SPV_WIDE_LINES);
    destroy(pipeline);
    assert_null(pgs_emulated_pipeline_find(&device, wide));
    assert_int_equal(pgs_wide_pipeline_find(&device, pipeline), VK_NULL_HANDLE);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    const int64_t live = pgs_alloc_live();
    int failures = 0;
    for (int64_t n = 1;; n++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(pipeline, VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        assert_int_equal(pgs_alloc_live(), live);
        failures++;
    }
    assert_true(failures >= 10);
    destroy(pipeline);
    geometry_info.output_kind = 1;
    p = create_and_find(&pipeline);
    assert_int_equal(pgs_wide_pipeline_find(&device, pipeline), VK_NULL_HANDLE);
    destroy(pipeline);
    device.lines = false;
}

/* The driver stipples no copies of thin lines; their fragment shader does, where there is none,
 * too. */
static void stippled_lines_are_not_the_drivers(void **state)
{
    (void)state;
    VkPipeline pipeline;
    static VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .stippledLineEnable = VK_TRUE,
        .lineStippleFactor = 5,
        .lineStipplePattern = 0x1234};
    ask_for_width(3);
    app.rasterization.pNext = &lines;
    for (int i = 0; i < 8; i++) {
        const bool copies = i & 1, enabled = i & 2, dynamic = i & 4;
        lines.lineRasterizationMode = copies ? VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT
                                             : VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT;
        device.stipples = enabled;
        app.dynamic_states[1] = dynamic ? VK_DYNAMIC_STATE_LINE_STIPPLE_EXT : 0;
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_int_equal(p->polygons, copies ? PGS_SPV_COPIED_LINES : PGS_SPV_WIDE_LINES);
        assert_int_equal(p->stipple.drawn, enabled);
        assert_int_equal(p->stipple.goes_on, enabled);
        assert_int_equal(!!(p->dynamic & PGS_DYNAMIC_STIPPLE_PATTERN), dynamic);
        assert_int_equal(fake.line.stippledLineEnable, !enabled);
        assert_true(lines.stippledLineEnable); /* it is the application's */
        if (enabled) {
            assert_int_equal(p->stipple.pattern.factor, 5);
            assert_int_equal(p->stipple.pattern.bits, 0x1234);
        }
        destroy(pipeline);
    }
    device.stipples = device.lines = false;
}

/* Where the layer brings line modes: what is asked, and what becomes of it. */
static const struct {
    VkLineRasterizationModeEXT mode;
    bool strict, samples, stippled, wide, dynamic_width;
    enum pgs_spv_polygons polygons; /* FILLED: the driver draws it */
    bool rectangles;
} modes[] = {
    {.mode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT},
    {.mode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT, .wide = true, .strict = true},
    {.mode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT,
     .stippled = true,
     .polygons = PGS_SPV_WIDE_LINES},
    {.mode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
     .polygons = PGS_SPV_WIDE_LINES,
     .rectangles = true},
    {.mode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT, .strict = true, .wide = true},
    {.mode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
     .strict = true,
     .stippled = true,
     .dynamic_width = true,
     .polygons = PGS_SPV_WIDE_LINES,
     .rectangles = true},
    {.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT},
    {.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
     .samples = true,
     .polygons = PGS_SPV_WIDE_LINES},
    {.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
     .strict = true,
     .polygons = PGS_SPV_WIDE_LINES},
    {.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
     .wide = true,
     .polygons = PGS_SPV_COPIED_LINES},
    {.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
     .dynamic_width = true,
     .polygons = PGS_SPV_COPIED_LINES},
    {.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
     .stippled = true,
     .polygons = PGS_SPV_COPIED_LINES},
};

static void the_driver_hears_of_no_modes(void **state)
{
    (void)state;
    VkPipeline pipeline;
    static VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    static VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineStippleFactor = 1};
    device.line_modes = device.stipples = true;
    app.rasterization.pNext = &lines;
    app.info.pMultisampleState = &samples;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        lines.lineRasterizationMode = modes[i].mode;
        lines.stippledLineEnable = modes[i].stippled;
        samples.rasterizationSamples =
            modes[i].samples ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
        device.physical->properties.limits.strictLines = modes[i].strict;
        app.rasterization.lineWidth = modes[i].wide ? 3 : 1;
        app.dynamic_states[0] = VK_DYNAMIC_STATE_LINE_STIPPLE_EXT;
        app.dynamic_states[1] = modes[i].dynamic_width ? VK_DYNAMIC_STATE_LINE_WIDTH : 0;
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_int_equal(p->polygons, modes[i].polygons);
        assert_int_equal(p->stipple.drawn, modes[i].stippled);
        if (p->polygons == PGS_SPV_WIDE_LINES)
            assert_int_equal(p->rectangles, modes[i].rectangles);
        assert_int_equal(fake.rasterization_nodes, 0);
        for (uint32_t k = 0; k < fake.dynamic_count; k++)
            assert_int_not_equal(fake.dynamic[k], VK_DYNAMIC_STATE_LINE_STIPPLE_EXT);
        assert_int_equal(pgs_wide_pipeline_find(&device, pipeline), VK_NULL_HANDLE);
        destroy(pipeline);
    }
    app.info.stageCount = 1; /* one of the driver's */
    lines.stippledLineEnable = VK_FALSE;
    fake.rasterization_nodes = 9;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(fake.rasterization_nodes, 0);
    for (uint32_t k = 0; k < fake.dynamic_count; k++)
        assert_int_not_equal(fake.dynamic[k], VK_DYNAMIC_STATE_LINE_STIPPLE_EXT);
    destroy(pipeline);
    device.physical->properties.limits.strictLines = VK_FALSE;
    device.line_modes = device.stipples = false;
}

static void creation_survives_lost_memory(void **state)
{
    (void)state;
    VkPipeline pipeline;
    static const VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .stippledLineEnable = VK_TRUE,
        .lineStippleFactor = 1};
    const int64_t live = pgs_alloc_live();
    int failures = 0;
    ask_for_width(2);
    device.stipples = true;
    app.rasterization.pNext = &lines;
    for (int64_t n = 1;; n++, failures++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        assert_int_equal(pgs_alloc_live(), live);
    }
    assert_true(failures >= 5);
    destroy(pipeline);
    device.stipples = device.lines = false;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(wide_lines_are_triangles),           TEST(a_dynamic_width_takes_two_pipelines),
        TEST(stippled_lines_are_not_the_drivers), TEST(the_driver_hears_of_no_modes),
        TEST(creation_survives_lost_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
