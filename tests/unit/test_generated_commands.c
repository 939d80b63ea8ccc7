/* SPDX-License-Identifier: MIT
 *
 * What generated commands are drawn from (VK_EXT_device_generated_commands), on a fake driver: the
 * layouts that it gets, and the execution sets that it must not get.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/layout.h"
#include "pipeline/pipeline.h"
#include "pipeline/topologies.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

#ifdef VK_EXT_device_generated_commands

#define PLACES 70u /* of a set */

static struct {
    VkIndirectCommandsLayoutUsageFlagsEXT flags;
    VkShaderStageFlags push_stages, range_stages;
    uint32_t range_count;
    VkPipeline places[PLACES];
    uint32_t sets;
} got;

static VkResult make_layout(VkDevice handle, const VkIndirectCommandsLayoutCreateInfoEXT *info,
                            const VkAllocationCallbacks *allocator,
                            VkIndirectCommandsLayoutEXT *layout)
{
    const VkPipelineLayoutCreateInfo *pipeline =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    (void)handle, (void)allocator;
    got.flags = info->flags;
    got.push_stages = info->pTokens[0].data.pPushConstant->updateRange.stageFlags;
    got.range_count = pipeline ? pipeline->pushConstantRangeCount : 0;
    got.range_stages = pipeline ? pipeline->pPushConstantRanges[0].stageFlags : 0;
    *layout = (VkIndirectCommandsLayoutEXT)(uintptr_t)1;
    return VK_SUCCESS;
}

static VkResult make_set(VkDevice handle, const VkIndirectExecutionSetCreateInfoEXT *info,
                         const VkAllocationCallbacks *allocator, VkIndirectExecutionSetEXT *set)
{
    (void)handle, (void)info, (void)allocator;
    got.sets++;
    *set = (VkIndirectExecutionSetEXT)(uintptr_t)2;
    return VK_SUCCESS;
}

static void write_set(VkDevice handle, VkIndirectExecutionSetEXT set, uint32_t count,
                      const VkWriteIndirectExecutionSetPipelineEXT *writes)
{
    (void)handle, (void)set;
    for (uint32_t i = 0; i < count; i++)
        got.places[writes[i].index] = writes[i].pipeline;
}

static int set_up_generated(void **state)
{
    device.vk.CreateIndirectCommandsLayoutEXT = make_layout;
    device.vk.CreateIndirectExecutionSetEXT = make_set;
    device.vk.UpdateIndirectExecutionSetPipelineEXT = write_set;
    memset(&got, 0, sizeof(got));
    return set_up(state);
}

static VkResult try_layout(void)
{
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    const VkPushConstantRange ranges[2] = {{VK_SHADER_STAGE_GEOMETRY_BIT, 16, 4}, {stages, 0, 8}};
    const VkPipelineLayoutCreateInfo pipeline = {.sType =
                                                     VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .pushConstantRangeCount = 2,
                                                 .pPushConstantRanges = ranges};
    const VkIndirectCommandsPushConstantTokenEXT push = {{stages, 0, 8}};
    const VkIndirectCommandsLayoutTokenEXT tokens[2] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
         .data.pPushConstant = &push},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT,
         .offset = 8}};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .pNext = &pipeline,
        .flags = VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT |
                 VK_INDIRECT_COMMANDS_LAYOUT_USAGE_UNORDERED_SEQUENCES_BIT_EXT,
        .shaderStages = VK_SHADER_STAGE_VERTEX_BIT,
        .tokenCount = 2,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT layout;
    const VkResult result =
        pgs_CreateIndirectCommandsLayoutEXT(VK_NULL_HANDLE, &info, NULL, &layout);
    assert_int_equal(push.updateRange.stageFlags, stages); /* the application's */
    assert_ptr_equal(pipeline.pPushConstantRanges, ranges);
    return result;
}

/* Never preprocessed ahead, and without stages that the driver lacks. */
static void layouts_fit_the_driver(void **state)
{
    (void)state;
    assert_int_equal(try_layout(), VK_SUCCESS);
    assert_int_equal(got.flags, VK_INDIRECT_COMMANDS_LAYOUT_USAGE_UNORDERED_SEQUENCES_BIT_EXT);
    assert_int_equal(got.push_stages, VK_SHADER_STAGE_VERTEX_BIT);
    assert_int_equal(got.range_count, 1);
    assert_int_equal(got.range_stages, VK_SHADER_STAGE_VERTEX_BIT);
    const int64_t live = pgs_alloc_live();
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n < 10);
        pgs_alloc_fail_after(n, false);
        result = try_layout();
        pgs_alloc_fail_after(0, false);
        assert_int_equal(result, n > 4 ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(pgs_alloc_live(), live);
    }
}

static VkResult try_set(VkPipeline first, VkIndirectExecutionSetEXT *set)
{
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = first,
        .maxPipelineCount = PLACES};
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .info.pPipelineInfo = &pipelines};
    return pgs_CreateIndirectExecutionSetEXT(VK_NULL_HANDLE, &info, NULL, set);
}

/* With a geometry shader it is drawn by nobody. */
static void sets_refuse_emulated_pipelines(void **state)
{
    VkPipeline emulated, native;
    VkIndirectExecutionSetEXT set;
    (void)state;
    assert_int_equal(create(1, &app.info, &emulated), VK_SUCCESS);
    assert_non_null(pgs_emulated_pipeline_find(&device, emulated));
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    assert_int_equal(create(1, &app.info, &native), VK_SUCCESS);
    assert_int_equal(try_set(emulated, &set), VK_ERROR_UNKNOWN);
    assert_true(!set && !got.sets);
    assert_int_equal(try_set(native, &set), VK_SUCCESS);
    for (uint32_t i = 0; i < PLACES; i++)
        assert_ptr_equal(got.places[i], native);
    memset(got.places, 0, sizeof(got.places));
    const VkStructureType type = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT;
    const VkWriteIndirectExecutionSetPipelineEXT writes[3] = {
        {type, NULL, 3, native}, {type, NULL, 4, emulated}, {type, NULL, 5, native}};
    pgs_UpdateIndirectExecutionSetPipelineEXT(VK_NULL_HANDLE, set, 3, writes);
    assert_true(got.places[3] == native && !got.places[4] && got.places[5] == native);
    destroy(native);
    destroy(emulated);
}

static const VkPipelineCreateFlags2CreateInfoKHR bindable = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
    .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};

/* A pipeline of a vertex and a fragment shader that could be in a set. */
static void be_bindable(void)
{
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    app.info.pNext = &bindable;
    app.dynamic.dynamicStateCount = 0;
}

/* The properties do not tell what else the layer emulates, so creation fails for it. */
static void pipelines_for_sets_are_the_drivers(void **state)
{
    static const VkPrimitiveTopology topologies[2] = {
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY};
    VkPipeline pipeline;
    (void)state;
    be_bindable();
    for (int i = 0; i < 4; i++) {
        app.input_assembly.topology = topologies[i % 2];
        app.info.pNext = i < 2 ? &bindable : NULL;
        assert_int_equal(create(1, &app.info, &pipeline), i == 1 ? VK_ERROR_UNKNOWN : VK_SUCCESS);
        assert_int_equal(pipeline == VK_NULL_HANDLE, i == 1);
        assert_int_equal(pgs_emulated_pipeline_find(&device, pipeline) != NULL, i == 3);
        destroy(pipeline);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    }
    /* No set can have it, as the properties say; draws can. */
    app.info.pNext = &bindable;
    app.info.stageCount = 3;
    set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_non_null(pgs_emulated_pipeline_find(&device, pipeline));
    destroy(pipeline);
}

/* What draws another topology in place of a pipeline is in no set. */
static void draws_of_pipelines_for_sets_have_any_topology(void **state)
{
    VkPipeline pipeline, other;
    (void)state;
    be_bindable();
    app.dynamic.dynamicStateCount = 1;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    device.geometry = true;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    struct pgs_topologies *all = pgs_topologies_find(&device, pipeline);
    assert_non_null(all);
    const VkResult result = pgs_topologies_get(
        &device, all, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, &other);
    device.geometry = false;
    assert_int_equal(result, VK_SUCCESS);
    assert_non_null(pgs_emulated_pipeline_find(&device, other));
    device.geometry = true; /* as when it was made */
    destroy(pipeline);
    device.geometry = false;
}

/* Its geometry shader stores something, so it would run once more to be counted. */
static void the_driver_draws_what_it_can_from_sets(void **state)
{
    VkPipeline pipeline;
    (void)state;
    app.info.pNext = &bindable;
    app.stages[1].module = app.plain;
    geometry_info.has_side_effects = true;
    physical.emulates_geometry = false;
    device.xfb = physical.emulates_xfb = true;
    for (int sets = 0; sets < 2; sets++) {
        app.info.pNext = sets ? &bindable : NULL;
        assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
        const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
        assert_int_equal(p->native_raster, sets);
        assert_int_equal(pgs_pipeline_is_uncounted(p), sets);
        destroy(pipeline);
    }
    physical.emulates_geometry = true;
    device.xfb = physical.emulates_xfb = false;
}

/* Their handles may stand for objects that the driver does not have. */
static void sets_of_shader_objects_are_refused(void **state)
{
    const VkIndirectExecutionSetShaderInfoEXT shaders = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT};
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT,
        .info.pShaderInfo = &shaders};
    VkIndirectExecutionSetEXT set;
    (void)state;
    for (int active = 0; active < 2; active++) {
        device.active = active;
        assert_int_equal(pgs_CreateIndirectExecutionSetEXT(VK_NULL_HANDLE, &info, NULL, &set),
                         active ? VK_ERROR_UNKNOWN : VK_SUCCESS);
        assert_int_equal(got.sets, 1);
        assert_int_equal(set == VK_NULL_HANDLE, active);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_generated, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(layouts_fit_the_driver),
        TEST(sets_refuse_emulated_pipelines),
        TEST(pipelines_for_sets_are_the_drivers),
        TEST(draws_of_pipelines_for_sets_have_any_topology),
        TEST(the_driver_draws_what_it_can_from_sets),
        TEST(sets_of_shader_objects_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    (void)set_up, (void)tear_down, (void)create, (void)destroy;
    return 77;
}
#endif
