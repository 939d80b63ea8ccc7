/* SPDX-License-Identifier: MIT
 *
 * Create infos as VK_KHR_maintenance5 allows them, on a fake driver: shaders without modules, flags
 * in the chain. They make the same pipelines, and the application's structures stay as they are.
 */
#include "base/alloc.h"
#include "pipeline/create_state.h"
#include "pipeline/find.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "poly_gs/abi.h"
#include "vulkan/chain.h"
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

#define NO_MEMORY PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY)
#define MAX_FAILURES 200

/* The chains of the stages: another structure, the words, and one more behind them. */
static struct {
    uint32_t words[3];
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo before[3], behind[3];
    VkShaderModuleCreateInfo modules[3];
} chains;

/* What the driver got, looked at while the chains are there. */
static struct {
    uint32_t with_module, with_words, with_size;
    bool flags_in_chain, with_input;
} got;

static VkResult look_at_graphics(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                 const VkGraphicsPipelineCreateInfo *infos,
                                 const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    memset(&got, 0, sizeof(got));
    for (uint32_t i = 0; i < infos[0].stageCount; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &infos[0].pStages[i];
        got.with_module += stage->module != VK_NULL_HANDLE;
        got.with_words +=
            pgs_chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) != NULL;
        got.with_size += pgs_chain_find(stage->pNext, chains.before[0].sType) != NULL;
    }
#ifdef VK_KHR_maintenance5
    got.flags_in_chain =
        pgs_chain_find(infos[0].pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
#endif
    VkGraphicsPipelineCreateInfo info = infos[0];
    got.with_input = info.pVertexInputState || info.pInputAssemblyState;
    if (!got.with_input) { /* the fake driver looks at them */
        info.pVertexInputState = &app.vertex_input;
        info.pInputAssemblyState = &app.input_assembly;
        infos = &info;
    }
    return create_graphics(handle, cache, count, infos, allocator, pipelines);
}

static int set_up_looking(void **state)
{
    device.vk.CreateGraphicsPipelines = look_at_graphics;
    return set_up(state);
}

static void take_modules(void)
{
    const uint32_t words[3] = {WORD_PLAIN, WORD_GEOMETRY, WORD_PLAIN};
    for (int i = 0; i < 3; i++) {
        const VkStructureType size =
            VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
        chains.words[i] = words[i];
        chains.behind[i] = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){.sType = size};
        chains.modules[i] =
            (VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .pNext = &chains.behind[i],
                                       .codeSize = 4,
                                       .pCode = &chains.words[i]};
        chains.before[i] = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){
            .sType = size, .pNext = &chains.modules[i]};
        app.stages[i].pNext = i == 1 ? (void *)&chains.modules[i] : (void *)&chains.before[i];
        app.stages[i].module = VK_NULL_HANDLE;
    }
}

static void makes_pipelines_without_modules(void **state)
{
    VkPipeline pipeline;
    bool lost;
    (void)state;
    instance.settings.compile = PGS_COMPILE_LAZY;
    const int modules = fakes.alive[FAKE_MODULE];
    take_modules();
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_int_equal(fake.graphics.stageCount, 2);
    assert_null(app.stages[1].module);
    assert_ptr_equal(app.stages[0].pNext, &chains.before[0]);
    assert_ptr_equal(chains.before[0].pNext, &chains.modules[0]);
    memset(chains.words, 0, sizeof(chains.words)); /* the application's again */
    const struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_find(&device, pipeline);
    assert_int_equal(pgs_variants_make(p, NO_MEMORY, &lost), VK_SUCCESS);
    assert_false(lost);
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_MODULE], modules);
}

/* With mesh shaders the driver gets them as NULL, and nobody looks at what they point to. */
static void mesh_pipelines_ignore_vertex_input(void **state)
{
    VkPipeline pipeline;
    (void)state;
    app.stages[0].stage = VK_SHADER_STAGE_MESH_BIT_EXT;
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    app.info.pVertexInputState = (const void *)(uintptr_t)8;
    app.info.pInputAssemblyState = (const void *)(uintptr_t)8;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_null(pgs_emulated_pipeline_find(&device, pipeline));
    assert_false(got.with_input);
    destroy(pipeline);
}

static void native_pipelines_get_modules(void **state)
{
    VkPipeline pipeline;
    (void)state;
    take_modules();
    app.stages[1] = app.stages[2];
    app.info.stageCount = 2;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    assert_int_equal(create(1, &app.info, &pipeline), VK_SUCCESS);
    assert_null(pgs_emulated_pipeline_find(&device, pipeline));
    assert_int_equal(fake.module_words[1], WORD_PLAIN);
    assert_true(got.with_module == 2 && got.with_words == 0 && got.with_size == 2);
    destroy(pipeline);
}

static void compute_pipelines_get_modules(void **state)
{
    VkPipeline pipeline;
    (void)state;
    take_modules();
    app.stages[1].pName = "main";
    app.stages[1].stage = VK_SHADER_STAGE_COMPUTE_BIT; /* a module that the driver would refuse */
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = app.stages[1]};
    const int modules = fakes.alive[FAKE_MODULE];
    assert_int_equal(
        pgs_CreateComputePipelines(VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
        VK_SUCCESS);
    assert_int_equal(fakes.alive[FAKE_MODULE], modules);
    destroy(pipeline);
}

static void reports_every_failure(void **state)
{
    (void)state;
    for (int all_after = 0; all_after < 2; all_after++) {
        VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
        for (int64_t n = 1; result != VK_SUCCESS && n < MAX_FAILURES; n++) {
            VkPipeline pipeline = VK_NULL_HANDLE;
            take_modules();
            const int64_t live = pgs_alloc_live();
            const int modules = fakes.alive[FAKE_MODULE];
            pgs_alloc_fail_after(n, all_after);
            result = create(1, &app.info, &pipeline);
            pgs_alloc_fail_after(0, false);
            assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
            assert_int_equal(!pipeline, result != VK_SUCCESS);
            if (pipeline)
                destroy(pipeline);
            assert_int_equal(pgs_alloc_live(), live);
            assert_int_equal(fakes.alive[FAKE_MODULE], modules);
        }
        assert_int_equal(result, VK_SUCCESS);
    }
}

#ifdef VK_KHR_maintenance5
static void reads_flags_of_the_chain(void **state)
{
    VkPipeline pipelines[2];
    VkPipelineCreateFlags2CreateInfoKHR flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
        .flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT | VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT};
    VkGraphicsPipelineCreateInfo infos[2] = {app.info, app.info};
    (void)state;
    infos[1].pNext = &flags;
    infos[1].flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR; /* ignored */
    infos[1].basePipelineIndex = 0;
    assert_int_equal(create(2, infos, pipelines), VK_SUCCESS);
    assert_int_equal(fake.graphics.flags, flags.flags);
    assert_false(got.flags_in_chain);
    assert_ptr_equal(fake.base, pipelines[0]);
    destroy(pipelines[1]);
    infos[1].basePipelineIndex = -1;
    flags.flags |= VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT; /* fits nowhere else */
    assert_int_equal(create(1, &infos[1], &pipelines[1]), VK_SUCCESS);
    assert_true(got.flags_in_chain);
    assert_true(flags.flags & VK_PIPELINE_CREATE_DERIVATIVE_BIT); /* the application's */
    destroy(pipelines[0]);
    destroy(pipelines[1]);
}
#endif

/* Draws look at each binding once, so the attributes of one must follow each other. */
static void attributes_follow_those_of_their_binding(void **state)
{
    (void)state;
    enum { COUNT = 12 };
    VkVertexInputAttributeDescription from[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        from[i] = (VkVertexInputAttributeDescription){.location = COUNT - i,
                                                      .binding = i * 7 % 5 * 6,
                                                      .format = VK_FORMAT_R32_UINT,
                                                      .offset = i};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexAttributeDescriptionCount = COUNT,
        .pVertexAttributeDescriptions = from,
    };
    const VkGraphicsPipelineCreateInfo info = {.pVertexInputState = &input};
    const uint32_t left_out = 1u << 5;
    struct pgs_emulated_pipeline made = {0};
    assert_int_equal(pgs_record_vertex_input(&made, &info, ~left_out), VK_SUCCESS);
    assert_int_equal(made.attribute_count, COUNT - 1);
    uint32_t locations = 0;
    for (uint32_t i = 0; i < made.attribute_count; i++) {
        const struct pgs_vertex_attribute *a = &made.attributes[i];
        const VkVertexInputAttributeDescription *of = &from[COUNT - a->location];
        assert_true(!i || made.attributes[i - 1].binding <= a->binding);
        assert_int_equal(a->binding, of->binding);
        assert_int_equal(a->offset_B, of->offset);
        locations |= 1u << a->location;
    }
    assert_int_equal(locations, ((1u << COUNT) - 1) << 1 & ~left_out);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_looking, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(mesh_pipelines_ignore_vertex_input), TEST(attributes_follow_those_of_their_binding),
        TEST(makes_pipelines_without_modules),    TEST(native_pipelines_get_modules),
        TEST(compute_pipelines_get_modules),      TEST(reports_every_failure),
#ifdef VK_KHR_maintenance5
        TEST(reads_flags_of_the_chain),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
