/* SPDX-License-Identifier: MIT
 *
 * The pipeline module on a fake driver and a fake spirv module: pipelines that draw other
 * topologies than the one for which the application's pipeline is made.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/layout.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_device.h"
#include "pipeline/possible.h"
#include "pipeline/topologies.h"
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

#define POINTS VK_PRIMITIVE_TOPOLOGY_POINT_LIST
#define LINES VK_PRIMITIVE_TOPOLOGY_LINE_STRIP
#define TRIANGLES VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN
#define LINES_ADJACENT VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY
#define TRIANGLES_ADJACENT VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY

/* A pipeline that the driver draws, with a dynamic topology. */
static void be_plain(void)
{
    device.geometry = true;
    set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.info.stageCount = 2;
    app.info.pNext = NULL;
    geometry_info.output_kind = 3;
}

static int leave(void **state)
{
    physical.any_topology = device.xfb = device.geometry = false;
    return tear_down(state);
}

/* Bits of the topologies above, in their order, that another pipeline draws. */
static uint32_t others_of(VkPipeline pipeline)
{
    static const VkPrimitiveTopology topologies[] = {POINTS, LINES, TRIANGLES, LINES_ADJACENT,
                                                     TRIANGLES_ADJACENT};
    const struct pgs_topologies *all = pgs_topologies_find(&device, pipeline);
    uint32_t others = 0;
    for (int i = 0; i < 5; i++)
        others |= (uint32_t)pgs_topologies_differ(all, topologies[i]) << i;
    assert_false(pgs_topologies_differ(all, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST));
    return others;
}

static VkPipeline other_of(VkPipeline pipeline, VkPrimitiveTopology topology)
{
    VkPipeline other;
    struct pgs_topologies *all = pgs_topologies_find(&device, pipeline);
    assert_non_null(all);
    assert_int_equal(pgs_topologies_get(&device, all, topology, &other), VK_SUCCESS);
    return other;
}

static void the_first_draw_makes_another_pipeline(void **state)
{
    (void)state;
    VkPipeline pipeline;
    be_plain();
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 1);
    const int64_t modules = fakes.alive[FAKE_MODULE];
    const VkPipeline other = other_of(pipeline, TRIANGLES_ADJACENT);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, other);
    assert_true(p && !p->native_raster && p->pass_through && other != pipeline);
    assert_int_equal(p->topology, TRIANGLES_ADJACENT);
    assert_int_equal(pass_through_vertices, 3);
    const int64_t alive = fakes.alive[FAKE_PIPELINE];
    assert_true(alive > 1 && fakes.alive[FAKE_MODULE] >= modules);
    assert_int_equal(other_of(pipeline, TRIANGLES_ADJACENT), other); /* once */
    assert_int_equal(fakes.alive[FAKE_PIPELINE], alive);
    destroy(pipeline);
    assert_null(pgs_topologies_find(&device, pipeline));
    assert_null(pgs_emulated_pipeline_find(&device, other));
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    /* Of what cannot be kept there is none. */
    const VkSubmitInfo elsewhere = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    app.rasterization.pNext = &elsewhere;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(other_of(pipeline, TRIANGLES_ADJACENT), VK_NULL_HANDLE);
    destroy(pipeline);
}

static void others_are_needed_where_the_driver_cannot_draw(void **state)
{
    (void)state;
    static const struct {
        bool geometry, any, number, captures;
        VkPrimitiveTopology topology;
        uint32_t others;
    } cases[] = {
        {true, false, false, false, TRIANGLES, 0x10},
        {true, false, false, true, TRIANGLES, 0x10},
        {true, false, false, false, LINES, 0x08},
        {true, false, false, false, POINTS, 0},
        {false, false, false, false, TRIANGLES, 0},
        {true, false, true, false, TRIANGLES, 0},
        {true, true, false, false, TRIANGLES, 0x18},
        {true, true, false, false, POINTS, 0x18},
        {false, true, false, false, TRIANGLES, 0},
        {true, true, true, false, TRIANGLES, 0x0B},
        {true, true, true, false, LINES, 0x15},
        {true, true, true, false, POINTS, 0x1E},
        {true, true, true, false, TRIANGLES_ADJACENT, 0x0B},
        {true, true, true, false, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, 0x0B},
        {true, true, true, false, VK_PRIMITIVE_TOPOLOGY_MAX_ENUM, 0x0B}, /* no input assembly */
        {true, true, false, true, VK_PRIMITIVE_TOPOLOGY_MAX_ENUM, 0x18},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        be_plain();
        device.geometry = cases[i].geometry;
        device.xfb = cases[i].captures;
        physical.any_topology = cases[i].any;
        reads_primitive_id = cases[i].number;
        set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, cases[i].number ? app.geometry : app.plain);
        app.input_assembly.topology = cases[i].topology;
        app.info.pInputAssemblyState =
            cases[i].topology == VK_PRIMITIVE_TOPOLOGY_MAX_ENUM ? NULL : &app.input_assembly;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        assert_int_equal(others_of(pipeline), cases[i].others);
        const struct pgs_emulated_pipeline *base = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(base && !base->native_raster, cases[i].number);
        if (cases[i].others & 2) {
            const struct pgs_emulated_pipeline *other =
                pgs_emulated_pipeline_find(&device, other_of(pipeline, LINES));
            assert_true(other && other->pass_through && pass_through_vertices == 2);
        }
        destroy(pipeline);
    }
}

/* Nothing is kept of a static topology, or behind a geometry shader. */
static void others_need_a_dynamic_topology(void **state)
{
    (void)state;
    VkPipeline pipeline;
    be_plain();
    physical.any_topology = true;
    app.dynamic_states[0] = VK_DYNAMIC_STATE_LINE_WIDTH;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_null(pgs_topologies_find(&device, pipeline));
    destroy(pipeline);
    app.dynamic_states[0] = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
    set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_null(pgs_topologies_find(&device, pipeline));
    destroy(pipeline);
}

static void leaves_nothing_without_memory(void **state)
{
    (void)state;
    VkPipeline pipeline, other;
    be_plain();
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    other_of(pipeline, TRIANGLES_ADJACENT); /* so that the layer's own layouts are there */
    destroy(pipeline);
    const int64_t live = pgs_alloc_live();
    int failures = 0;
    for (int64_t n = 1;; n++, failures++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_true(result == VK_ERROR_OUT_OF_HOST_MEMORY && pipeline == VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        assert_int_equal(pgs_alloc_live(), live);
    }
    assert_true(failures >= 3);
    destroy(pipeline);
    for (int64_t n = 1;; n++, failures++) {
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        struct pgs_topologies *all = pgs_topologies_find(&device, pipeline);
        pgs_alloc_fail_after(n, false);
        const VkResult result = pgs_topologies_get(&device, all, TRIANGLES_ADJACENT, &other);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_true(result == VK_ERROR_OUT_OF_HOST_MEMORY && other == VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 1);
        destroy(pipeline);
        assert_int_equal(pgs_alloc_live(), live);
    }
    assert_true(failures >= 10);
    destroy(pipeline);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_draw_makes_another_pipeline),
        TEST(others_are_needed_where_the_driver_cannot_draw),
        TEST(others_need_a_dynamic_topology),
        TEST(leaves_nothing_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
