/* SPDX-License-Identifier: MIT
 *
 * The pipeline module on a fake driver and a fake spirv module: what reaches the driver, that the
 * application's structs stay as they are, and that every failure is reported and leaks nothing.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/layout.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_device.h"
#include "pipeline/possible.h"
#include "poly_gs/abi.h"
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

/* --- Layouts. --- */

static void widens_descriptor_bindings(void **state)
{
    (void)state;
    const VkShaderStageFlags given[] = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
                                        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                                        VK_SHADER_STAGE_ALL};
    const VkShaderStageFlags wanted[] = {
        VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT,
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT,
        VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutBinding bindings[4] = {{0}};
    for (uint32_t i = 0; i < 4; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i, .stageFlags = given[i]};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 4,
        .pBindings = bindings};
    VkDescriptorSetLayout layout;
    assert_int_equal(pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &info, NULL, &layout),
                     VK_SUCCESS);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(fake.bindings[i].stageFlags, wanted[i]);
        assert_int_equal(fake.bindings[i].binding, i);
        assert_int_equal(bindings[i].stageFlags, given[i]);
    }
    pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, layout, NULL);
    assert_int_equal(fakes.alive[FAKE_SET_LAYOUT], 0);
}

static void splits_pipeline_layouts(void **state)
{
    (void)state;
    const VkPushConstantRange ranges[] = {
        {VK_SHADER_STAGE_GEOMETRY_BIT, 48, 16},
        {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 16, 32}};
    const VkDescriptorSetLayout sets[3] = {VK_NULL_HANDLE};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 3,
                                             .pSetLayouts = sets,
                                             .pushConstantRangeCount = 2,
                                             .pPushConstantRanges = ranges};
    VkPipelineLayout layout;
    fake.layout_count = 0;
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &info, NULL, &layout), VK_SUCCESS);
    assert_int_equal(fake.layout_infos[0].setLayoutCount, 3);
    assert_int_equal(fake.layout_infos[0].pushConstantRangeCount, 2);
    assert_int_equal(fake.ranges[0][0].stageFlags, VK_SHADER_STAGE_FRAGMENT_BIT);
    assert_int_equal(fake.ranges[0][0].offset, 16);
    assert_int_equal(fake.ranges[0][1].stageFlags, VK_SHADER_STAGE_VERTEX_BIT);
    assert_int_equal(fake.layout_count, 1); /* until a pipeline is made with it */
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    assert_int_equal(known->push_B, 64); /* geometry shaders read them from records */
    assert_int_equal(pgs_layout_prepare(&device, known, PGS_GROUP_ALL), VK_SUCCESS);
    assert_int_equal(fake.layout_infos[1].setLayoutCount, 3);
    assert_int_equal(fake.layout_infos[1].pushConstantRangeCount, 1);
    assert_int_equal(fake.ranges[1][0].stageFlags, VK_SHADER_STAGE_COMPUTE_BIT);
    assert_int_equal(fake.ranges[1][0].size, sizeof(struct pgs_root));
    pgs_layout_release(&device, known);
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, layout, NULL);
    assert_int_equal(pgs_push_constant_stages(&device, VK_SHADER_STAGE_ALL), VK_SHADER_STAGE_ALL);
    assert_int_equal(pgs_push_constant_stages(&device, VK_SHADER_STAGE_GEOMETRY_BIT), 0);
}

/* --- Pipelines. --- */

static const struct pgs_emulated_pipeline *create_and_find(VkPipeline *pipeline)
{
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    return pgs_emulated_pipeline_find(&device, *pipeline);
}

static void builds_all_variants(void **state)
{
    (void)state;
    VkPipeline pipeline;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 4); /* vertex, geometry, no memory, stored */
    assert_int_equal(fake.graphics.stageCount, 2);
    assert_int_equal(fake.stages[0].stage, VK_SHADER_STAGE_VERTEX_BIT);
    assert_int_equal(fake.module_words[0], WORD_EXTRACTED);
    assert_null(fake.stages[0].pSpecializationInfo);
    assert_int_equal(fake.stages[1].module, app.plain); /* its fragment shader needs no change */
    assert_string_equal(fake.stages[1].pName, "entry");
    assert_int_equal(fake.input_assembly.topology, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
    assert_true(fake.input_assembly.primitiveRestartEnable);
    assert_int_equal(fake.dynamic_count, 1);
    assert_int_equal(fake.dynamic[0], VK_DYNAMIC_STATE_SCISSOR);
    assert_int_equal(fake.xfb_stages, 0);
    assert_int_equal(app.xfb_of_stages[2].duration, 0);
    assert_int_equal(app.xfb.pipelineStageCreationFeedbackCount, 3);
    assert_int_equal(app.info.stageCount, 3);
    assert_int_equal(app.dynamic.dynamicStateCount, 4);

    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_non_null(p);
    assert_int_equal(p->handle, pipeline);
    assert_true(p->uses_push_constants);
    assert_true((p->dynamic & PGS_DYNAMIC_TOPOLOGY) && (p->dynamic & PGS_DYNAMIC_RESTART) &&
                (p->dynamic & PGS_DYNAMIC_STRIDE));
    assert_false((p->dynamic & PGS_DYNAMIC_DISCARD));
    assert_int_equal(p->attribute_count, 1);
    assert_int_equal(p->attributes[0].location, 2);
    assert_int_equal(p->attributes[0].offset_B, 8);
    assert_int_equal(p->attributes[0].size_B, 8);
    assert_true(p->bindings[4].instance_rate);
    assert_int_equal(p->bindings[4].divisor, 0);
    assert_int_equal(p->bindings[4].stride_B, 24);
    destroy(pipeline);
    assert_null(pgs_emulated_pipeline_find(&device, pipeline));
}

/* The vertex shader runs in the geometry shader where that costs nothing, or somebody wants it. */
static void runs_two_stages_in_one_pipeline(void **state)
{
    static const struct {
        VkPrimitiveTopology topology;
        bool is_short, effects, geometry_effects;
        uint32_t invocations;
        enum pgs_spv_result built;
        enum pgs_fuse wish;
        bool fused;
    } cases[] = {
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .invocations = 1, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, .invocations = 1, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .invocations = 1, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, .invocations = 1, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, .invocations = 1, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, .invocations = 1},
        {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, .is_short = true, .invocations = 1, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, .invocations = 1, .wish = PGS_FUSE_ALWAYS,
         .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .invocations = 2},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .is_short = true, .invocations = 8, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .is_short = true, .invocations = 9},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, .is_short = true, .invocations = 2, .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, .is_short = true, .invocations = 3},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .invocations = 2, .wish = PGS_FUSE_ALWAYS,
         .fused = true},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .invocations = 1, .wish = PGS_FUSE_NEVER},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .invocations = 1, .effects = true},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .invocations = 1, .geometry_effects = true,
         .wish = PGS_FUSE_ALWAYS},
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .invocations = 1, .built = PGS_SPV_UNSUPPORTED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        app.input_assembly.topology = cases[i].topology;
        vertex_info.steps = cases[i].is_short ? 250 : 251;
        vertex_info.has_side_effects = cases[i].effects;
        geometry_info.has_side_effects = cases[i].geometry_effects;
        geometry_info.invocations = cases[i].invocations;
        fused_result = cases[i].built;
        instance.settings.fuse = cases[i].wish;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(made(p, PGS_VARIANT_FUSED) != VK_NULL_HANDLE, cases[i].fused);
        assert_int_equal(made(p, PGS_VARIANT_VERTEX) == VK_NULL_HANDLE, cases[i].fused);
        const bool no_memory = !cases[i].effects && !cases[i].geometry_effects;
        assert_int_equal(fakes.alive[FAKE_PIPELINE], (cases[i].fused ? 2 : 3) + no_memory);
        destroy(pipeline);
    }
    fused_result = PGS_SPV_OUT_OF_MEMORY;
    VkPipeline pipeline;
    instance.settings.fuse = PGS_FUSE_ALWAYS;
    geometry_info.has_side_effects = false;
    assert_int_equal(create(1, &app.info, &pipeline), VK_ERROR_OUT_OF_HOST_MEMORY);
    instance.settings.fuse = PGS_FUSE_AUTO;
    fused_result = PGS_SPV_OK;
}

/* Where nothing has to be counted, the shaders run once more for what they capture. */
static void captures_what_it_knows_with_one_more_pipeline(void **state)
{
    (void)state;
    static const struct {
        bool known, captures;
        enum pgs_fuse fuse;
        uint32_t pipelines;
    } cases[] = {
        {true, true, PGS_FUSE_ALWAYS, 3},  {true, true, PGS_FUSE_NEVER, 4},
        {true, false, PGS_FUSE_ALWAYS, 2}, {false, true, PGS_FUSE_ALWAYS, 2},
        {false, false, PGS_FUSE_NEVER, 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        geometry_info.pattern.is_known = cases[i].known;
        geometry_info.xfb.enabled = cases[i].captures;
        geometry_info.xfb.copy_count = 1;
        instance.settings.fuse = cases[i].fuse;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        const bool fused = cases[i].fuse == PGS_FUSE_ALWAYS;
        const bool xfb = cases[i].known && cases[i].captures;
        const bool no_memory = cases[i].known ? xfb && !fused : true;
        assert_int_equal(fakes.alive[FAKE_PIPELINE], cases[i].pipelines + no_memory);
        assert_int_equal(made(p, PGS_VARIANT_XFB) != VK_NULL_HANDLE, xfb);
        assert_int_equal(made(p, PGS_VARIANT_NO_MEMORY) != VK_NULL_HANDLE, no_memory);
        if (xfb || no_memory)
            assert_int_equal(captures_fused, fused || no_memory);
        destroy(pipeline);
    }
    instance.settings.fuse = PGS_FUSE_AUTO;
}

static void outlives_its_layout(void **state)
{
    (void)state;
    VkPipeline pipeline;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, app.layout, NULL);
    app.layout = VK_NULL_HANDLE;
    assert_int_equal(fakes.alive[FAKE_LAYOUT], 2); /* the pipelines have it */
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_LAYOUT], 0);
}

static void routes_primitive_id_around_the_locations_in_use(void **state)
{
    (void)state;
    reads_primitive_id = true;
    VkPipeline pipeline;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(raster_options.primitive_id_location, 3);
    assert_int_equal(fake.module_words[1], WORD_EXTRACTED);
    assert_string_equal(fake.stages[1].pName, "entry");
    destroy(pipeline);
}

/* Where the layer must be chosen by the draw: its number comes in, and goes to who asks for it. */
static void draws_layers_one_by_one(void **state)
{
    (void)state;
    const struct pgs_spv_geometry_info before = geometry_info;
    geometry_info.writes_layer = true;
    geometry_info.out[0].layer_w = 4;
    reads_primitive_id = reads_layer = true;
    physical.properties.limits.maxFramebufferLayers = 256;
    for (int i = 0; i < 4; i++) {
        const bool replays = i >= 2, clamps = i & 1;
        physical.replays_layers = replays;
        physical.traits.guards = clamps ? PGS_GUARD_CLAMP_LAYER : 0;
        VkPipeline pipeline;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        assert_int_equal(pgs_emulated_pipeline_find(&device, pipeline)->by_layer, replays);
        assert_int_equal(raster_options.select_layer, replays);
        assert_int_equal(raster_options.pass_layer, replays);
        assert_int_equal(raster_options.write_layer, !replays);
        assert_int_equal(raster_options.max_layer, replays || !clamps ? 0 : 255);
        assert_int_equal(fragment_options.take_layer, replays);
        assert_int_equal(fake.vertex_binding_count, 1 + replays);
        destroy(pipeline);
    }
    physical.traits.guards = 0;
    assert_int_equal(raster_options.primitive_id_location, 3);
    assert_int_equal(raster_options.layer_location, 4);
    assert_int_equal(fragment_options.layer_location, 4);
    assert_int_equal(fake.vertex_bindings[1].binding, 1);
    assert_int_equal(fake.vertex_bindings[1].stride, 8);
    assert_int_equal(fake.vertex_bindings[1].inputRate, VK_VERTEX_INPUT_RATE_INSTANCE);
    assert_int_equal(fake.vertex_attributes[1].location, 1);
    assert_int_equal(fake.vertex_attributes[1].format, VK_FORMAT_R32G32_UINT);
    physical.replays_layers = false;
    reads_layer = false;
    geometry_info = before;
}

static bool is_dynamic(VkDynamicState state)
{
    for (uint32_t i = 0; i < fake.dynamic_count; i++)
        if (fake.dynamic[i] == state)
            return true;
    return false;
}

/* Likewise viewports: there is one, which draws set. */
static void draws_viewports_one_by_one(void **state)
{
    (void)state;
    static const VkViewport viewports[2] = {{.width = 3}, {.width = 4}};
    static const VkRect2D scissors[2] = {{.extent = {5, 6}}, {.extent = {7, 8}}};
    static const VkPipelineViewportStateCreateInfo two = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 2,
        .pViewports = viewports,
        .scissorCount = 2,
        .pScissors = scissors,
    };
    const struct pgs_spv_geometry_info before = geometry_info;
    geometry_info.writes_viewport_index = true;
    geometry_info.out[0].viewport_index_w = 4;
    reads_primitive_id = reads_viewport_index = true;
    app.info.pViewportState = &two;
    for (int count = 0; count < 2; count++) /* dynamic: the scissor, then both with counts */
        for (int replays = 0; replays < 2; replays++) {
            physical.replays_viewports = replays;
            app.dynamic_states[0] =
                count ? VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT : VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
            app.dynamic_states[1] =
                count ? VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT : VK_DYNAMIC_STATE_SCISSOR;
            VkPipeline pipeline;
            assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
            const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
            assert_int_equal(p->by_viewport, replays);
            assert_int_equal(raster_options.select_viewport, replays);
            assert_int_equal(raster_options.pass_viewport, replays);
            assert_int_equal(fragment_options.take_viewport, replays);
            assert_int_equal(fake.vertex_binding_count, 1 + replays);
            assert_int_equal(fake.viewport.viewportCount, replays ? !count : 2);
            assert_int_equal(fake.viewport.scissorCount, replays ? !count : 2);
            assert_int_equal(is_dynamic(VK_DYNAMIC_STATE_VIEWPORT), replays && !count);
            assert_int_equal(is_dynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT), count);
            assert_int_equal(is_dynamic(VK_DYNAMIC_STATE_SCISSOR), !count);
            assert_int_equal(is_dynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT), count);
            assert_int_equal(p->viewports.viewport_count, replays && !count ? 2 : 0);
            assert_int_equal(p->viewports.scissor_count, replays && !count ? 2 : 0);
            assert_true(p->viewports.viewports[1].width == (replays && !count ? 4 : 0));
            assert_int_equal(p->viewports.scissors[1].extent.width, 0); /* dynamic */
            destroy(pipeline);
        }
    assert_int_equal(raster_options.viewport_location, 4);
    assert_int_equal(fragment_options.viewport_location, 4);
    assert_int_equal(fake.vertex_bindings[1].binding, 2);
    assert_int_equal(fake.vertex_bindings[1].stride, 0);
    assert_int_equal(fake.vertex_attributes[1].location, 2);
    assert_int_equal(fake.vertex_attributes[1].format, VK_FORMAT_R32G32B32A32_UINT);
    physical.replays_viewports = false;
    reads_viewport_index = false;
    geometry_info = before;
}

/* A driver without multiViewport gets the first viewport and scissor of any pipeline. */
static void cuts_viewports(void **state)
{
    (void)state;
    static const VkViewport viewports[3];
    static const VkRect2D scissors[3];
    static const VkPipelineViewportStateCreateInfo three = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 3,
        .pViewports = viewports,
        .scissorCount = 3,
        .pScissors = scissors,
    };
    app.info.pViewportState = &three;
    for (int one = 0; one < 2; one++)
        for (int native = 0; native < 2; native++) {
            physical.replays_viewports = physical.one_viewport = one;
            set_stage(1, native ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_GEOMETRY_BIT,
                      native ? app.plain : app.geometry);
            app.info.stageCount = native ? 2 : 3;
            VkPipeline pipeline;
            assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
            assert_int_equal(fake.viewport.viewportCount, one ? 1 : 3);
            assert_int_equal(fake.viewport.scissorCount, one ? 1 : 3);
            destroy(pipeline);
        }
    physical.replays_viewports = physical.one_viewport = false;
}

/* The pointer is ignored, and the raster pipeline has the layer's own vertex input. */
static void leaves_dynamic_vertex_input_to_the_draw(void **state)
{
    (void)state;
    VkPipeline pipeline;
    app.dynamic_states[0] = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    app.info.pVertexInputState = (const void *)(uintptr_t)8;
    formats_are_dynamic = true;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(p->dynamic & PGS_DYNAMIC_VERTEX_INPUT);
    uint32_t locations = 0;
    for (uint32_t i = 0; i < p->attribute_count; i++) {
        locations |= UINT32_C(1) << p->attributes[i].location;
        assert_int_equal(p->attributes[i].format, PGS_FORMAT_DYNAMIC);
    }
    assert_int_not_equal(locations, 0);
    assert_int_equal(locations, vertex_info.attribute_mask);
    assert_int_equal(fake.dynamic_count, 1);
    assert_int_equal(fake.dynamic[0], VK_DYNAMIC_STATE_SCISSOR);
    assert_int_equal(fake.vertex_binding_count, 1);
    destroy(pipeline);
    formats_are_dynamic = false;
}

/* A second raster pipeline that runs the shaders itself: lists, and the same vertex inputs for all
 * instances. */
static void places_what_it_can(void **state)
{
    const struct pgs_spv_geometry_info before = geometry_info;
    VkPipeline pipeline;
    (void)state;
    places_geometry = true;
    geometry_info.stream_mask = 1;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 6);
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_true(made(p, PGS_VARIANT_INLINE) && made(p, PGS_VARIANT_INLINE_CALL));
    assert_true(placed_options.many_records);
    assert_true(made(p, PGS_VARIANT_INLINE) != p->handle);
    assert_int_equal(fake.stages[0].stage, VK_SHADER_STAGE_VERTEX_BIT);
    assert_int_equal(fake.input_assembly.topology, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
    assert_false(fake.input_assembly.primitiveRestartEnable);
    assert_int_equal(fake.vertex_binding_count, 1);
    assert_int_equal(fake.vertex_bindings[0].stride, 0);
    assert_int_equal(fake.vertex_attributes[0].format, VK_FORMAT_R32G32B32A32_UINT);
    assert_int_equal(placed_assembly.topology,
                     (p->dynamic & PGS_DYNAMIC_TOPOLOGY) ? PGS_TOPOLOGY_ANY : p->topology);
    assert_int_equal(placed_assembly.flags & (PGS_DRAW_RESTART | PGS_DRAW_MAIN),
                     p->primitive_restart || (p->dynamic & PGS_DYNAMIC_RESTART) ? PGS_DRAW_RESTART
                                                                                : 0);
    assert_int_equal(placed_options.stream, raster_options.stream);
    assert_int_equal(placed_options.primitive_id_location, raster_options.primitive_id_location);
    destroy(pipeline);
    geometry_info.pattern.is_known = true; /* each instance is a call */
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_non_null(made(p, PGS_VARIANT_INLINE));
    assert_int_equal(fake.vertex_bindings[0].stride, sizeof(struct pgs_inline_draw));
    geometry_info.pattern = before.pattern;
    destroy(pipeline);
    for (int i = 0; i < 3; i++) {
        geometry_info.has_side_effects = i == 0;
        vertex_info.has_side_effects = i == 1;
        instance.settings.plan = i == 2 ? PGS_PLAN_COMPUTE : PGS_PLAN_AUTO;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], i == 2 ? 4 : 3);
        p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_null(made(p, PGS_VARIANT_INLINE));
        destroy(pipeline);
    }
    vertex_info.has_side_effects = false;
    instance.settings.plan = PGS_PLAN_AUTO;
    geometry_info = before;
    places_geometry = false;
}

/* What is short and known to emit little. What else is on a CPU depends on the draw
 * (test_variants.c). */
static void places_first_what_is_worth_it(void **state)
{
    static const struct {
        bool unknown;
        uint32_t primitives, vertex_steps, steps, type, vendor;
        bool first;
    } cases[] = {
        {.primitives = 9, .vertex_steps = 100, .steps = 700, .first = true},
        {.primitives = 10, .vertex_steps = 100, .steps = 700},
        {.primitives = 9, .vertex_steps = 101, .steps = 700},
        {.primitives = 1, .vertex_steps = UINT32_MAX},
        {.primitives = 1, .steps = UINT32_MAX},
        {.unknown = true},
        {.primitives = 1, .type = VK_PHYSICAL_DEVICE_TYPE_CPU, .vendor = 0x10005, .first = true},
        {.primitives = 1, .type = VK_PHYSICAL_DEVICE_TYPE_CPU, .vendor = 0x1AE0, .first = true},
    };
    const struct pgs_spv_geometry_info before = geometry_info;
    (void)state;
    places_geometry = true;
    geometry_info.stream_mask = 1;
    geometry_info.input_vertices = 3;
    geometry_info.output_kind = 2;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        geometry_info.pattern = (struct pgs_spv_emit_pattern){.is_known = !cases[i].unknown,
                                                              .primitives = {cases[i].primitives},
                                                              .steps = cases[i].steps};
        vertex_info.steps = cases[i].vertex_steps;
        physical.properties.deviceType = cases[i].type;
        physical.properties.vendorID = cases[i].vendor;
        physical.traits = pgs_device_class_of(&physical.properties, (VkDriverId)0,
                                              &instance.settings.device_class);
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_true(made(p, PGS_VARIANT_INLINE) && p->inline_is_exact);
        assert_int_equal(p->prefers_inline, cases[i].first);
        assert_int_equal(p->inline_steps > 0, cases[i].type == VK_PHYSICAL_DEVICE_TYPE_CPU);
        destroy(pipeline);
    }
    physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    physical.properties.vendorID = 0;
    physical.traits = (struct pgs_device_class){0};
    vertex_info.steps = UINT32_MAX;
    geometry_info = before;
    places_geometry = false;
}

/* The application's pipeline without its geometry shader. */
static void take_geometry_away(void)
{
    app.stages[1] = app.stages[2];
    app.stages[1].module = app.geometry;
    app.info.stageCount = 2;
    app.info.pNext = NULL;
    pass_through_vertices = 0;
}

static void makes_the_geometry_shader_that_is_missing(void **state)
{
    static const struct {
        VkPrimitiveTopology topology;
        uint32_t vertices;
        bool adjacency;
    } cases[] = {
        {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 1, false},
        {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 2, false},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 3, false},
        {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 2, true},
        {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 2, true},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 3, true},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 3, true},
    };
    (void)state;
    take_geometry_away();
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    VkPipelineRasterizationStateCreateInfo rasterization = *app.info.pRasterizationState;
    app.info.pRasterizationState = &rasterization;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        app.input_assembly.topology = cases[i].topology;
        rasterization.pNext = i & 1 ? &provoking : NULL;
        reads_primitive_id = !cases[i].adjacency;
        const struct pgs_emulated_pipeline *p = create_and_find(&pipeline);
        assert_non_null(p);
        assert_true(p->pass_through && p->provoking_last == (i & 1));
        assert_int_equal(pass_through_vertices, cases[i].vertices);
        assert_int_equal(pass_through_numbers, reads_primitive_id);
        assert_int_equal(fake.stages[0].stage, VK_SHADER_STAGE_VERTEX_BIT);
        assert_string_equal(fake.stages[1].pName, "entry");
        destroy(pipeline);
    }
    assert_int_equal(fakes.alive[FAKE_MODULE], 3); /* the application's */
}

static void makes_none_where_the_driver_can(void **state)
{
    VkPipeline pipeline;
    (void)state;
    take_geometry_away();
    assert_null(create_and_find(&pipeline));
    assert_int_equal(pass_through_vertices, 0);
    destroy(pipeline);
}

/* A native one, an emulated one, one that only needs its module cleaned, and a bad one. */
static void creates_mixed_batches_one_by_one(void **state)
{
    (void)state;
    VkPipelineShaderStageCreateInfo native[2] = {app.stages[0], app.stages[2]};
    VkPipelineShaderStageCreateInfo cleaned[2] = {app.stages[0], app.stages[2]};
    VkPipelineShaderStageCreateInfo bad[2] = {app.stages[0], app.stages[1]};
    cleaned[0].module = app.geometry;
    bad[1].module = app.bad;
    VkGraphicsPipelineCreateInfo infos[4] = {app.info, app.info, app.info, app.info};
    for (int i = 0; i < 4; i++)
        infos[i].pNext = NULL;
    infos[0].stageCount = infos[2].stageCount = infos[3].stageCount = 2;
    infos[0].pStages = native;
    infos[2].pStages = cleaned;
    infos[3].pStages = bad;
    infos[2].flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
    infos[2].basePipelineIndex = 1;
    VkPipeline pipelines[4];
    assert_int_equal(create(4, infos, pipelines), VK_ERROR_INVALID_SHADER_NV);
    assert_int_equal(fake.graphics_calls, 3);
    assert_null(pgs_emulated_pipeline_find(&device, pipelines[0]));
    assert_non_null(pgs_emulated_pipeline_find(&device, pipelines[1]));
    assert_null(pgs_emulated_pipeline_find(&device, pipelines[2]));
    assert_int_equal(fake.module_words[0], WORD_EXTRACTED); /* of the last that was created */
    assert_int_equal(fake.base, pipelines[1]);
    assert_int_equal(pipelines[3], VK_NULL_HANDLE);
    for (int i = 0; i < 3; i++)
        destroy(pipelines[i]);

    infos[0] = infos[3];
    infos[0].flags = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
    fake.graphics_calls = 0;
    assert_int_equal(create(4, infos, pipelines), VK_ERROR_INVALID_SHADER_NV);
    assert_int_equal(fake.graphics_calls, 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pipelines[i], VK_NULL_HANDLE);
}

static void leaves_native_batches_alone(void **state)
{
    (void)state;
    VkPipelineShaderStageCreateInfo native[2] = {app.stages[0], app.stages[2]};
    VkGraphicsPipelineCreateInfo infos[2] = {app.info, app.info};
    for (int i = 0; i < 2; i++) {
        infos[i].pNext = NULL;
        infos[i].stageCount = 2;
        infos[i].pStages = native;
    }
    VkPipeline pipelines[2];
    assert_int_equal(create(2, infos, pipelines), VK_SUCCESS);
    assert_int_equal(fake.graphics_calls, 1);
    destroy(pipelines[0]);
    destroy(pipelines[1]);
}

static void expect_refusal(VkResult expected)
{
    VkPipeline pipeline = (VkPipeline)(uintptr_t)1;
    assert_int_equal(create(1, &app.info, &pipeline), expected);
    assert_int_equal(pipeline, VK_NULL_HANDLE);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    geometry_info.max_vertices = PGS_MAX_GEOMETRY_VERTICES + 1;
    expect_refusal(VK_ERROR_INVALID_SHADER_NV);
    geometry_info.max_vertices = 0;
    expect_refusal(VK_ERROR_INVALID_SHADER_NV);
    geometry_info.max_vertices = 1;
    geometry_info.invocations = PGS_MAX_GEOMETRY_INVOCATIONS + 1;
    expect_refusal(VK_ERROR_INVALID_SHADER_NV);
    geometry_info.invocations = 1;
    app.stages[2].stage = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    expect_refusal(VK_ERROR_UNKNOWN);
    app.stages[2].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    app.stages[1].module = app.bad;
    expect_refusal(VK_ERROR_INVALID_SHADER_NV);
    app.stages[1].module = app.geometry;
    app.attributes[1].format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
    expect_refusal(VK_ERROR_UNKNOWN);
    app.attributes[1].format = VK_FORMAT_R32G32_SFLOAT;
}

static void hands_on_that_a_compilation_would_be_needed(void **state)
{
    (void)state;
    fake.graphics_result = VK_PIPELINE_COMPILE_REQUIRED;
    expect_refusal(VK_PIPELINE_COMPILE_REQUIRED);
}

static void reports_every_driver_failure(void **state)
{
    (void)state;
    reads_primitive_id = true;
    int failures = 0;
    for (int n = 1;; n++) {
        VkPipeline pipeline;
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        const VkResult result = create(1, &app.info, &pipeline);
        if (result == VK_SUCCESS) {
            destroy(pipeline);
            break;
        }
        assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_int_equal(pipeline, VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        assert_int_equal(fakes.alive[FAKE_MODULE], 3); /* the application's */
        failures++;
    }
    fake_fail_after(0, VK_SUCCESS);
    assert_int_equal(failures, 5 + 4); /* modules, pipelines */
}

static void reports_every_host_failure(void **state)
{
    (void)state;
    reads_primitive_id = true;
    const int64_t live = pgs_alloc_live();
    int failures = 0;
    for (int64_t n = 1;; n++) {
        VkPipeline pipeline;
        pgs_alloc_fail_after(n, false);
        const VkResult result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS) {
            destroy(pipeline);
            break;
        }
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(pipeline, VK_NULL_HANDLE);
        assert_int_equal(pgs_alloc_live(), live);
        failures++;
    }
    assert_true(failures >= 6);
}

static void objects_report_every_host_failure(void **state)
{
    (void)state;
    const uint32_t word = WORD_GEOMETRY;
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 4, .pCode = &word};
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkShaderModule module;
    VkPipelineLayout layouts[64];
    int count = 0;
    pgs_alloc_fail_after(1, false);
    VkResult result = pgs_CreateShaderModule(VK_NULL_HANDLE, &module_info, NULL, &module);
    assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
    for (int64_t n = 1; n <= 2; n++) { /* the object; once there are some, the table's memory */
        do {
            pgs_alloc_fail_after(n, false);
            result = pgs_CreatePipelineLayout(VK_NULL_HANDLE, &layout_info, NULL, &layouts[count]);
        } while (result == VK_SUCCESS && ++count < 64);
        pgs_alloc_fail_after(0, false);
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(fakes.alive[FAKE_LAYOUT], 1 + count);
    }
    while (count)
        pgs_DestroyPipelineLayout(VK_NULL_HANDLE, layouts[--count], NULL);
}

static void geometry_seen_once_is_possible_for_good(void **state)
{
    (void)state;
    pgs_DestroyShaderModule(VK_NULL_HANDLE, app.geometry, NULL);
    app.geometry = VK_NULL_HANDLE;
    assert_true(pgs_pipelines_possible(&device));
}

static void what_the_application_leaves_goes_with_the_device(void **state)
{
    (void)state;
    VkPipeline pipeline;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    pgs_pipeline_device_destroy(&device);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 1); /* the handle itself is the driver's affair */
    assert_int_equal(fakes.alive[FAKE_LAYOUT], 0);
    assert_int_equal(pgs_alloc_live(), 0);
    memset(&fake, 0, sizeof(fake));
    fakes_reset(4);
    assert_int_equal(pgs_pipeline_device_create(&device), VK_SUCCESS);
    app.plain = app.bad = app.geometry = VK_NULL_HANDLE;
    app.layout = VK_NULL_HANDLE;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(widens_descriptor_bindings),
        TEST(splits_pipeline_layouts),
        TEST(builds_all_variants),
        TEST(runs_two_stages_in_one_pipeline),
        TEST(captures_what_it_knows_with_one_more_pipeline),
        TEST(outlives_its_layout),
        TEST(routes_primitive_id_around_the_locations_in_use),
        TEST(draws_layers_one_by_one),
        TEST(draws_viewports_one_by_one),
        TEST(cuts_viewports),
        TEST(leaves_dynamic_vertex_input_to_the_draw),
        TEST(places_what_it_can),
        TEST(places_first_what_is_worth_it),
        TEST(makes_the_geometry_shader_that_is_missing),
        TEST(makes_none_where_the_driver_can),
        TEST(creates_mixed_batches_one_by_one),
        TEST(leaves_native_batches_alone),
        TEST(refuses_what_it_cannot_do),
        TEST(hands_on_that_a_compilation_would_be_needed),
        TEST(reports_every_driver_failure),
        TEST(reports_every_host_failure),
        TEST(objects_report_every_host_failure),
        TEST(geometry_seen_once_is_possible_for_good),
        TEST(what_the_application_leaves_goes_with_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
