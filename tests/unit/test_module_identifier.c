/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_shader_module_identifier on a fake driver: who identifies a module, and which pipelines
 * the driver is asked for by identifiers.
 */
#include "base/alloc.h"
#include "pipeline/find.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_device.h"
#include "poly_gs/format.h"
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

#define WORD_NUMBERS 7u /* first word of a module that reads numbers of draws and instances */

bool pgs_spv_module_has_draw_index(const uint32_t *words, size_t word_count)
{
    return word_count && words[0] == WORD_NUMBERS;
}

bool pgs_spv_module_has_instance(const uint32_t *words, size_t word_count)
{
    return word_count && words[0] == WORD_NUMBERS;
}

static void expect_required(void)
{
    VkPipeline pipeline = (VkPipeline)(uintptr_t)1;
    assert_int_equal(create(1, &app.info, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
    assert_int_equal(pipeline, VK_NULL_HANDLE);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
}

static VkShaderModuleIdentifierEXT identifier_of(VkShaderModule module, uint32_t word)
{
    VkShaderModuleIdentifierEXT by_module = {.identifierSize = 99},
                                by_words = {.identifierSize = 9};
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 4, .pCode = &word};
    pgs_GetShaderModuleIdentifierEXT(VK_NULL_HANDLE, module, &by_module);
    pgs_GetShaderModuleCreateInfoIdentifierEXT(VK_NULL_HANDLE, &info, &by_words);
    assert_int_equal(by_module.identifierSize, by_words.identifierSize);
    assert_memory_equal(by_module.identifier, by_words.identifier, by_words.identifierSize);
    return by_module;
}

/* The application names a stage's module by an identifier. */
static void name_stage(int i, const VkShaderModuleIdentifierEXT *identifier,
                       VkPipelineShaderStageModuleIdentifierCreateInfoEXT *info)
{
    *info = (VkPipelineShaderStageModuleIdentifierCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = identifier->identifierSize,
        .pIdentifier = identifier->identifier,
    };
    app.stages[i].module = VK_NULL_HANDLE;
    app.stages[i].pNext = info;
}

static void requires_emulated_pipelines_to_be_compiled(void **state)
{
    (void)state;
    VkPipelineShaderStageModuleIdentifierCreateInfoEXT named[2];
    VkPipeline pipelines[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    const VkShaderModuleIdentifierEXT plain = identifier_of(app.plain, WORD_PLAIN),
                                      geometry = identifier_of(app.geometry, WORD_GEOMETRY);
    assert_int_equal(plain.identifierSize, 4);
    assert_int_equal(plain.identifier[0], WORD_PLAIN);
    assert_int_equal(geometry.identifierSize, 32);
    /* The driver's shader in an emulated pipeline, and the layer's in its place. */
    VkShaderModule vertex = app.stages[0].module, gs = app.stages[1].module;
    name_stage(0, &plain, &named[0]);
    expect_required();
    name_stage(1, &geometry, &named[1]);
    expect_required();
    app.stages[0].module = vertex;
    app.stages[0].pNext = NULL;
    expect_required();
    /* A vertex shader from a module with a geometry shader, without one in the pipeline. */
    name_stage(0, &geometry, &named[0]);
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    expect_required();
    assert_int_equal(fake.graphics_calls, 0);
    /* Nothing to emulate: the driver looks for it, unless another one of the batch is emulated. */
    name_stage(0, &plain, &named[0]);
    assert_int_equal(create(1, &app.info, &pipelines[0]), VK_SUCCESS);
    assert_ptr_equal(fake.stages[0].pNext, &named[0]);
    destroy(pipelines[0]);
    VkPipelineShaderStageCreateInfo stages[3] = {app.stages[0], app.stages[0], app.stages[1]};
    stages[0].module = vertex;
    stages[0].pNext = NULL;
    stages[1] = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_GEOMETRY_BIT,
        .module = gs,
        .pName = "entry"};
    VkGraphicsPipelineCreateInfo both[2] = {app.info, app.info};
    both[1].stageCount = 3;
    both[1].pStages = stages;
    assert_int_equal(create(2, both, pipelines), VK_PIPELINE_COMPILE_REQUIRED);
    assert_int_equal(pipelines[0], VK_NULL_HANDLE);
    assert_int_not_equal(pipelines[1], VK_NULL_HANDLE);
    destroy(pipelines[1]);
}

/* The driver would find such pipelines, though other ones draw some of their draws. */
static void identifies_what_it_looks_for(void **state)
{
    (void)state;
    static const struct {
        bool splits, lacks_first, first, xfb, ours;
    } cases[] = {
        {false, false, false, false, false}, {true, false, false, false, true},
        {false, true, true, false, true},    {false, true, false, true, true},
        {false, true, false, false, false},  {false, false, true, true, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        device.splits_draws = cases[i].splits;
        device.first_instances = cases[i].first;
        device.xfb = cases[i].xfb;
        physical.lacks_first_instance = cases[i].lacks_first;
        const VkShaderModule module = module_of(WORD_NUMBERS);
        assert_int_equal(identifier_of(module, WORD_NUMBERS).identifierSize,
                         cases[i].ours ? 32 : 4);
        pgs_DestroyShaderModule(VK_NULL_HANDLE, module, NULL);
    }
    device.splits_draws = device.first_instances = device.xfb = false;
    physical.lacks_first_instance = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(requires_emulated_pipelines_to_be_compiled, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(identifies_what_it_looks_for, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
