/* SPDX-License-Identifier: MIT
 *
 * Pipelines that the driver draws while transform feedback is ours: what stands beside them.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

static VkPipelineRasterizationStateStreamCreateInfoEXT stream;

/* A vertex and a fragment shader; `vertex` is the module of the first. */
static int set_up_native(void **state)
{
    device.xfb = true;
    physical.emulates_xfb = true;
    if (set_up(state) != 0)
        return -1;
    set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.info.stageCount = 2;
    app.xfb.pipelineStageCreationFeedbackCount = 0;
    return 0;
}

static int tear_down_native(void **state)
{
    device.xfb = physical.emulates_xfb = false;
    return tear_down(state);
}

static void knows_every_pipeline(void **state)
{
    (void)state;
    VkPipeline pipelines[2];
    const VkGraphicsPipelineCreateInfo infos[2] = {app.info, app.info};
    assert_int_equal(create(2, infos, pipelines), VK_SUCCESS);
    assert_int_equal(fake.graphics_calls, 1); /* went down as they were */
    for (int i = 0; i < 2; i++) {
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipelines[i]);
        assert_non_null(p);
        assert_true(p->native_raster && p->handle == pipelines[i]);
        assert_true(made(p, PGS_VARIANT_VERTEX) == VK_NULL_HANDLE &&
                    made(p, PGS_VARIANT_GEOMETRY) == VK_NULL_HANDLE);
        assert_int_equal(p->topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
        assert_int_equal(p->gs.output_kind, 3);
        assert_true((p->dynamic & PGS_DYNAMIC_TOPOLOGY) && (p->dynamic & PGS_DYNAMIC_RESTART) &&
                    !(p->dynamic & PGS_DYNAMIC_DISCARD));
        destroy(pipelines[i]);
        assert_null(pgs_emulated_pipeline_find(&device, pipelines[i]));
    }
}

static void captures_beside_the_driver(void **state)
{
    (void)state;
    VkPipeline pipeline;
    vertex_captures = true;
    set_stage(0, VK_SHADER_STAGE_VERTEX_BIT, app.geometry);
    app.stages[0].pSpecializationInfo = &app.spec;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 2);
    assert_int_equal(fake.module_words[0], WORD_EXTRACTED); /* without Xfb */
    assert_string_equal(fake.stages[0].pName, "entry");
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(p->native_raster && p->gs.xfb.enabled && p->uses_push_constants);
    assert_true(made(p, PGS_VARIANT_VERTEX) != VK_NULL_HANDLE &&
                made(p, PGS_VARIANT_GEOMETRY) == VK_NULL_HANDLE);
    assert_int_equal(p->gs.in.stride_w, 8);
    assert_int_equal(p->attribute_count, 1);
    assert_int_equal(p->bindings[4].divisor, 0);
    destroy(pipeline);
}

static void shaders_with_effects_run_once(void **state)
{
    (void)state;
    VkPipeline pipeline;
    vertex_captures = vertex_info.has_side_effects = true;
    set_stage(0, VK_SHADER_STAGE_VERTEX_BIT, app.geometry);
    app.stages[0].pSpecializationInfo = &app.spec;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(!p->native_raster && p->pass_through);
    destroy(pipeline);
}

/* Without vertexPipelineStoresAndAtomics of the driver. Shaders that only declare what could be
 * written are the driver's, changed. */
static void shaders_that_store_are_not_the_drivers(void **state)
{
    (void)state;
    bool was_possible = false;
    physical.emulates_stores = true;
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"declares", "calls none", "stores", "plain"};
        VkPipeline pipeline;
        module_stores = i == 0   ? PGS_SPV_STORES_DECLARED
                        : i == 3 ? PGS_SPV_STORES_NONE
                                 : PGS_SPV_STORES_DONE;
        vertex_info.has_side_effects = i == 2; /* of the entry point */
        const VkShaderModule module = module_of(WORD_STORES);
        if (i == 0)
            was_possible = pgs_pipelines_possible(&device);
        if (i < 2)
            assert_int_equal(pgs_pipelines_possible(&device), was_possible || i == 1);
        set_stage(0, VK_SHADER_STAGE_VERTEX_BIT, module);
        app.stages[0].pSpecializationInfo = &app.spec;
        app.stages[0].pName = names[i];
        fake.module_words[0] = 0;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(p->native_raster, i != 2);
        assert_int_equal(p->pass_through, i == 2);
        if (i < 2)
            assert_int_equal(fake.module_words[0], WORD_EXTRACTED);
        if (i == 3)
            assert_true(fake.stages[0].module == module);
        destroy(pipeline);
        pgs_DestroyShaderModule(VK_NULL_HANDLE, module, NULL);
    }
    physical.emulates_stores = false;
}

/* A driver with geometry shaders, but without transform feedback. */
static void counts_beside_geometry_shaders_of_the_driver(void **state)
{
    (void)state;
    VkPipeline pipelines[2];
    set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.plain); /* the driver takes it as it is */
    set_stage(2, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.stages[0].pSpecializationInfo = &app.spec;
    app.info.stageCount = 3;
    physical.emulates_geometry = false;
    assert_int_equal(create(1, &app.info, &pipelines[0]), VK_SUCCESS);
    geometry_info.has_side_effects = true;
    app.stages[1].pName = "with effects"; /* each is another shader */
    assert_int_equal(create(1, &app.info, &pipelines[1]), VK_SUCCESS);
    geometry_info.max_vertices = PGS_MAX_GEOMETRY_VERTICES + 1; /* not counted right */
    app.stages[1].pName = "beyond the limits";
    VkPipeline beyond;
    assert_int_equal(create(1, &app.info, &beyond), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, beyond);
    assert_true(p->native_raster && pgs_pipeline_is_uncounted(p) &&
                made(p, PGS_VARIANT_VERTEX) == VK_NULL_HANDLE);
    destroy(beyond);
    geometry_info.has_side_effects = false;
    assert_int_equal(create(1, &app.info, &beyond), VK_SUCCESS);
    p = pgs_emulated_pipeline_find(&device, beyond);
    assert_true(p->native_raster && pgs_pipeline_is_uncounted(p));
    destroy(beyond);
    physical.emulates_geometry = true;
    p = pgs_emulated_pipeline_find(&device, pipelines[0]);
    assert_true(p->native_raster && made(p, PGS_VARIANT_VERTEX) != VK_NULL_HANDLE &&
                made(p, PGS_VARIANT_GEOMETRY) != VK_NULL_HANDLE);
    p = pgs_emulated_pipeline_find(&device, pipelines[1]);
    assert_true(!p->native_raster && made(p, PGS_VARIANT_VERTEX) != VK_NULL_HANDLE &&
                made(p, PGS_VARIANT_GEOMETRY) != VK_NULL_HANDLE);
    destroy(pipelines[0]);
    destroy(pipelines[1]);
}

/* A driver with geometry shaders, but without sizes of points there. */
static void point_sizes_are_emulated_alone(void **state)
{
    (void)state;
    physical.emulates_geometry = false;
    device.gaps = PGS_FEATURE_BIT(POINT_SIZE);
    const VkShaderModule sized = module_of(WORD_POINT_SIZE);
    set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.plain);
    set_stage(2, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.stages[0].pSpecializationInfo = &app.spec;
    app.info.stageCount = 3;
    for (int xfb = 0; xfb < 2; xfb++) {
        VkPipeline pipeline;
        device.xfb = physical.emulates_xfb = xfb;
        app.stages[1].module = app.plain;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(fake.graphics.stageCount, 3); /* the geometry shader is the driver's */
        assert_true(fake.stages[1].stage == VK_SHADER_STAGE_GEOMETRY_BIT &&
                    fake.stages[1].module == app.plain);
        assert_true(xfb ? p && p->native_raster : !p);
        destroy(pipeline);
        app.stages[1].module = sized;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_true(p && !p->native_raster && made(p, PGS_VARIANT_GEOMETRY));
        assert_int_equal(fake.graphics.stageCount, 2);
        destroy(pipeline);
        /* Another entry point of the module has them. */
        set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, sized);
        app.info.stageCount = 2;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_true(xfb ? p && p->native_raster : !p);
        destroy(pipeline);
        set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.plain);
        app.info.stageCount = 3;
    }
    pgs_DestroyShaderModule(VK_NULL_HANDLE, sized, NULL);
    device.gaps = 0;
    physical.emulates_geometry = true;
}

static void drivers_see_no_stream(void **state)
{
    (void)state;
    VkPipeline pipeline;
    stream = (VkPipelineRasterizationStateStreamCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
        .rasterizationStream = 2};
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = &stream,
        .lineStippleFactor = 7};
    app.rasterization.pNext = &line;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_true(app.rasterization.pNext == &line && line.pNext == &stream);
    assert_int_equal(fake.rasterization_nodes, 1);
    assert_int_equal(fake.line.lineStippleFactor, 7);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(p->raster_stream, 2);
    assert_int_equal(fake.discarding_calls, 1); /* nobody emits to it */
    destroy(pipeline);
    app.dynamic_states[1] = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(fake.discarding_calls, 1);
    assert_true((p->dynamic & PGS_DYNAMIC_DISCARD) && (p->hidden_streams >> 2 & 1));
    destroy(pipeline);
}

static void expect_no_dynamic_stream(void)
{
    assert_int_equal(fake.dynamic_count, 3);
    for (uint32_t i = 0; i < fake.dynamic_count; i++)
        assert_int_not_equal(fake.dynamic[i], VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
}

static void streams_without_shaders_draw_nothing(void **state)
{
    (void)state;
    VkPipeline pipeline;
    app.dynamic_states[3] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    expect_no_dynamic_stream();
    assert_int_equal(fake.graphics_calls, 2);
    assert_int_equal(fake.discarding_calls, 1);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(p->native_raster && (p->dynamic & PGS_DYNAMIC_STREAM) && p->handle == pipeline);
    assert_true(made(p, PGS_VARIANT_NOTHING) && made(p, PGS_VARIANT_NOTHING) != pipeline);
    assert_true(made(p, PGS_VARIANT_STORED_0) == pipeline && !made(p, PGS_VARIANT_STORED_1));
    assert_int_equal(p->hidden_streams, 0);
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    app.dynamic_states[1] = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    expect_no_dynamic_stream();
    assert_int_equal(fake.graphics_calls, 3);
    p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(!made(p, PGS_VARIANT_NOTHING) && (p->hidden_streams & 0xF) == 0xE);
    destroy(pipeline);
    app.info.pRasterizationState = NULL; /* all of it is dynamic */
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(!made(p, PGS_VARIANT_NOTHING) && (p->hidden_streams & 0xF) == 0xE);
    destroy(pipeline);
}

/* The driver's geometry shader emits to one stream, another one in each pipeline. */
static void geometry_shaders_of_the_driver_keep_each_stream(void **state)
{
    (void)state;
    VkPipeline pipeline;
    set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
    set_stage(2, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.stages[0].pSpecializationInfo = &app.spec;
    app.info.stageCount = 3;
    app.dynamic_states[3] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
    geometry_info.stream_mask = 0xA;
    physical.emulates_geometry = false;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    physical.emulates_geometry = true;
    assert_int_equal(kept_streams, 0xA);
    assert_int_equal(fake.graphics_calls, 3);
    assert_int_equal(fake.discarding_calls, 1);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(made(p, PGS_VARIANT_NOTHING) && !made(p, PGS_VARIANT_STORED_0));
    assert_true(made(p, PGS_VARIANT_STORED_1) == pipeline && made(p, PGS_VARIANT_STORED_3));
    destroy(pipeline);
}

static void emulated_pipelines_draw_each_stream(void **state)
{
    (void)state;
    VkPipeline pipeline;
    set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
    set_stage(2, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.stages[0].pSpecializationInfo = &app.spec;
    app.info.stageCount = 3;
    app.dynamic_states[3] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
    geometry_info.stream_mask = 0xA;
    for (int i = 1; i < PGS_SPV_STREAMS; i++)
        geometry_info.out[i] = geometry_info.out[0];
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(raster_streams, 0xA);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(!p->native_raster && (p->dynamic & PGS_DYNAMIC_STREAM) && p->handle == pipeline);
    assert_true(!made(p, PGS_VARIANT_STORED_0) && !made(p, PGS_VARIANT_STORED_2));
    assert_true(made(p, PGS_VARIANT_STORED_1) == pipeline && made(p, PGS_VARIANT_STORED_3));
    assert_int_equal(fakes.alive[FAKE_MODULE], 3 + 2); /* the application's, one for each stream */
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_MODULE], 3);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
}

/* One for which the layer has no layouts of its own yet. */
static void renew_layout(void)
{
    const VkPipelineLayoutCreateInfo info = {.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, app.layout, NULL);
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &info, NULL, &app.layout),
                     VK_SUCCESS);
    app.info.layout = app.layout;
}

static void every_failure_leaves_nothing(void **state)
{
    (void)state;
    vertex_captures = true;
    set_stage(0, VK_SHADER_STAGE_VERTEX_BIT, app.geometry);
    app.stages[0].pSpecializationInfo = &app.spec;
    app.dynamic_states[3] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
    VkResult result = VK_ERROR_UNKNOWN;
    int failures = 0;
    for (int n = 1; result != VK_SUCCESS; n++) {
        VkPipeline pipeline;
        const int pipelines = fakes.alive[FAKE_PIPELINE];
        renew_layout();
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        result = create(1, &app.info, &pipeline);
        fake_fail_after(0, VK_SUCCESS);
        if (result == VK_SUCCESS) {
            destroy(pipeline);
        } else {
            assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
            assert_true(pipeline == VK_NULL_HANDLE);
            failures++;
        }
        assert_int_equal(fakes.alive[FAKE_PIPELINE], pipelines);
    }
    assert_int_equal(failures, 7); /* three modules, three pipelines, a layout */
    result = VK_ERROR_UNKNOWN;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        VkPipeline pipeline;
        pgs_alloc_fail_after(n, false);
        result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            destroy(pipeline);
        else
            assert_true(result == VK_ERROR_OUT_OF_HOST_MEMORY && pipeline == VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_native, tear_down_native)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(knows_every_pipeline),
        TEST(captures_beside_the_driver),
        TEST(shaders_with_effects_run_once),
        TEST(shaders_that_store_are_not_the_drivers),
        TEST(point_sizes_are_emulated_alone),
        TEST(drivers_see_no_stream),
        TEST(streams_without_shaders_draw_nothing),
        TEST(emulated_pipelines_draw_each_stream),
        TEST(geometry_shaders_of_the_driver_keep_each_stream),
        TEST(every_failure_leaves_nothing),
        TEST(counts_beside_geometry_shaders_of_the_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
