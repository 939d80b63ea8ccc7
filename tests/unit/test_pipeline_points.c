/* SPDX-License-Identifier: MIT
 *
 * The pipeline module on a fake driver and a fake spirv module: pipelines of large points, on a
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

/* Of all modules. */
static bool sizes_points, makes_points;

bool pgs_spv_module_sizes_points(const uint32_t *words, size_t word_count)
{
    (void)words, (void)word_count;
    return sizes_points;
}

bool pgs_spv_module_makes_points(const uint32_t *words, size_t word_count)
{
    (void)words, (void)word_count;
    return makes_points;
}

static int set_up_points(void **state)
{
    sizes_points = makes_points = true;
    device.points = true;
    if (set_up(state) != 0)
        return -1;
    app.rasterization.cullMode = VK_CULL_MODE_FRONT_AND_BACK;
    app.rasterization.depthBiasEnable = VK_TRUE;
    return 0;
}

static int tear_down_points(void **state)
{
    sizes_points = makes_points = device.points = false;
    return tear_down(state);
}

static const struct pgs_emulated_pipeline *create_and_find(VkPipeline *pipeline)
{
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    return pgs_emulated_pipeline_find(&device, *pipeline);
}

static void large_points_are_triangles(void **state)
{
    (void)state;
    static const struct {
        uint32_t output_kind;
        bool sized;
        VkPolygonMode mode;
        enum pgs_spv_polygons polygons;
    } cases[] = {
        {1, true, VK_POLYGON_MODE_FILL, PGS_SPV_LARGE_POINTS},
        {1, false, VK_POLYGON_MODE_FILL, PGS_SPV_POLYGONS_FILLED},
        {1, true, VK_POLYGON_MODE_LINE, PGS_SPV_LARGE_POINTS},
        {2, true, VK_POLYGON_MODE_POINT, PGS_SPV_POLYGONS_FILLED},
        {3, true, VK_POLYGON_MODE_FILL, PGS_SPV_POLYGONS_FILLED},
        {3, true, VK_POLYGON_MODE_POINT, PGS_SPV_LARGE_CORNERS},
        {3, false, VK_POLYGON_MODE_POINT, PGS_SPV_POLYGONS_FILLED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        geometry_info.output_kind = cases[i].output_kind;
        geometry_info.writes_point_size = cases[i].sized;
        app.rasterization.polygonMode = cases[i].mode;
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        const bool large = cases[i].polygons != PGS_SPV_POLYGONS_FILLED;
        assert_int_equal(p->polygons, cases[i].polygons);
        assert_int_equal(p->by_viewport, large);
        assert_int_equal(fake.rasterization.depthBiasEnable, !large);
        assert_int_equal(fake.rasterization.polygonMode,
                         large ? VK_POLYGON_MODE_FILL : cases[i].mode);
        assert_int_equal(fake.rasterization.cullMode,
                         large ? VK_CULL_MODE_NONE : VK_CULL_MODE_FRONT_AND_BACK);
        if (large)
            assert_int_equal(fake.input_assembly.topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        destroy(pipeline);
    }
}

/* Polygons that the driver cannot draw as points stay small where nothing sizes them. */
static void corners_may_be_small(void **state)
{
    (void)state;
    VkPipeline pipeline;
    physical.emulates_fill = true;
    geometry_info.output_kind = 3;
    app.rasterization.polygonMode = VK_POLYGON_MODE_POINT;
    assert_int_equal(create_and_find(&pipeline)->polygons, PGS_SPV_POLYGONS_POINTS);
    destroy(pipeline);
    geometry_info.writes_point_size = true;
    assert_int_equal(create_and_find(&pipeline)->polygons, PGS_SPV_LARGE_CORNERS);
    destroy(pipeline);
    physical.emulates_fill = false;
}

/* Of vertex shaders alone the driver draws all but sized points, and those of a device that did not
 * enable the feature. */
static void the_driver_draws_the_rest(void **state)
{
    (void)state;
    static const struct {
        bool sizes, enabled;
        VkPrimitiveTopology topology;
        VkPolygonMode mode;
        bool emulated;
    } cases[] = {
        {true, true, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_POLYGON_MODE_FILL, true},
        {false, true, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_POLYGON_MODE_FILL, false},
        {true, false, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_POLYGON_MODE_FILL, false},
        {true, true, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, VK_POLYGON_MODE_FILL, false},
        {true, true, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_POLYGON_MODE_FILL, false},
        {true, true, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_POLYGON_MODE_POINT, true},
    };
    set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.info.stageCount = 2;
    app.xfb.pipelineStageCreationFeedbackCount = 0;
    app.dynamic.dynamicStateCount = 0;
    geometry_info.output_kind = 1;
    geometry_info.writes_point_size = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        sizes_points = cases[i].sizes;
        device.points = cases[i].enabled;
        app.input_assembly.topology = cases[i].topology;
        app.rasterization.polygonMode = cases[i].mode;
        const VkShaderModule vertex = module_of(WORD_PLAIN); /* scanned anew */
        set_stage(0, VK_SHADER_STAGE_VERTEX_BIT, vertex);
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_int_equal(p != NULL, cases[i].emulated);
        destroy(pipeline);
        pgs_DestroyShaderModule(VK_NULL_HANDLE, vertex, NULL);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_points, tear_down_points)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(large_points_are_triangles),
        TEST(corners_may_be_small),
        TEST(the_driver_draws_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
