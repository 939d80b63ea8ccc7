/* SPDX-License-Identifier: MIT
 *
 * An application with a pipeline, for the tests of the pipeline module, which include it once,
 * after fake_pipeline_driver.h.
 */
#ifndef PGS_TEST_PIPELINE_APP_H
#define PGS_TEST_PIPELINE_APP_H

#include "pipeline/device.h"
#include "pipeline/pipeline_device.h"
#include "pipeline/possible.h"
#include "vulkan/hooks.h"

static struct {
    VkShaderModule plain, geometry, bad;
    VkPipelineLayout layout;
    VkPipelineShaderStageCreateInfo stages[5];
    VkSpecializationMapEntry spec_entry;
    VkSpecializationInfo spec;
    uint32_t spec_value;
    VkVertexInputBindingDescription binding;
    VkVertexInputAttributeDescription attributes[2];
    VkVertexInputBindingDivisorDescriptionEXT divisor;
    VkPipelineVertexInputDivisorStateCreateInfoEXT divisors;
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo input_assembly;
    VkPipelineRasterizationStateCreateInfo rasterization;
    VkDynamicState dynamic_states[4];
    VkPipelineDynamicStateCreateInfo dynamic;
    VkPipelineCreationFeedback xfb_of_stages[3];
    VkPipelineCreationFeedbackCreateInfo xfb;
    VkGraphicsPipelineCreateInfo info;
    VkPipelineCache cache; /* for all that is created */
    const VkAllocationCallbacks *allocator;
} app;

/* The driver's pipeline of a variant; VK_NULL_HANDLE: it is not made. */
static inline VkPipeline made(const struct pgs_emulated_pipeline *p, enum pgs_variant variant)
{
    return pgs_variant_handle(p, variant);
}

static VkShaderModule module_of(uint32_t word)
{
    VkShaderModule module;
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 4, .pCode = &word};
    assert_int_equal(pgs_CreateShaderModule(VK_NULL_HANDLE, &info, NULL, &module), VK_SUCCESS);
    return module;
}

static void set_stage(int i, VkShaderStageFlagBits stage, VkShaderModule module)
{
    app.stages[i] = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "entry"};
}

static void fill_app(void)
{
    app.spec_value = 5;
    app.spec_entry = (VkSpecializationMapEntry){.constantID = 8, .size = 4};
    app.spec = (VkSpecializationInfo){.mapEntryCount = 1,
                                      .pMapEntries = &app.spec_entry,
                                      .dataSize = 4,
                                      .pData = &app.spec_value};
    set_stage(0, VK_SHADER_STAGE_VERTEX_BIT, app.plain);
    set_stage(1, VK_SHADER_STAGE_GEOMETRY_BIT, app.geometry);
    set_stage(2, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.stages[0].pSpecializationInfo = &app.spec;
    app.binding = (VkVertexInputBindingDescription){
        .binding = 4, .stride = 24, .inputRate = VK_VERTEX_INPUT_RATE_INSTANCE};
    app.attributes[0] = (VkVertexInputAttributeDescription){
        .location = 5, .binding = 4, .format = VK_FORMAT_R8_UNORM};
    app.attributes[1] = (VkVertexInputAttributeDescription){
        .location = 2, .binding = 4, .format = VK_FORMAT_R32G32_SFLOAT, .offset = 8};
    app.divisor = (VkVertexInputBindingDivisorDescriptionEXT){.binding = 4, .divisor = 0};
    app.divisors = (VkPipelineVertexInputDivisorStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
        .vertexBindingDivisorCount = 1,
        .pVertexBindingDivisors = &app.divisor};
    app.vertex_input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .pNext = &app.divisors,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &app.binding,
        .vertexAttributeDescriptionCount = 2,
        .pVertexAttributeDescriptions = app.attributes};
    app.input_assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN};
    app.rasterization = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_SCISSOR,
                                     VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
                                     VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE};
    memcpy(app.dynamic_states, states, sizeof(states));
    app.dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 4,
        .pDynamicStates = app.dynamic_states};
    app.xfb = (VkPipelineCreationFeedbackCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pipelineStageCreationFeedbackCount = 3,
        .pPipelineStageCreationFeedbacks = app.xfb_of_stages};
    app.xfb_of_stages[2].duration = 77;
    app.info =
        (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                       .pNext = &app.xfb,
                                       .stageCount = 3,
                                       .pStages = app.stages,
                                       .pVertexInputState = &app.vertex_input,
                                       .pInputAssemblyState = &app.input_assembly,
                                       .pRasterizationState = &app.rasterization,
                                       .pDynamicState = &app.dynamic,
                                       .layout = app.layout,
                                       .basePipelineIndex = -1};
}

static int set_up(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof(fake));
    memset(&fake_cache, 0, sizeof(fake_cache));
    fakes_reset(4);
    physical.traits.costs = pgs_costs_usual;
    instance.settings.compile = PGS_COMPILE_ALL;
    reads_primitive_id = vertex_captures = places_geometry = false;
    pass_through_vertices = 0;
    raster_streams = kept_streams = 0;
    vertex_info = (struct pgs_spv_vertex_info){
        .attribute_mask = 1 << 2, .reads_push_constants = true, .steps = UINT32_MAX};
    geometry_info = (struct pgs_spv_geometry_info){
        .input_vertices = 3, .output_kind = 2, .max_vertices = 4, .invocations = 1};
    memset(geometry_info.out[0].location_w, 0xFF, sizeof(geometry_info.out[0].location_w));
    geometry_info.out[0].location_w[2][3] = 4;
    if (pgs_pipeline_device_create(&device) != VK_SUCCESS)
        return -1;
    /* What the fake spirv module says of a shader changes, so none may be remembered. */
    device.pipelines->shared.unused_limit = 0;
    assert_false(pgs_pipelines_possible(&device));
    app.plain = module_of(WORD_PLAIN);
    app.bad = module_of(WORD_BAD);
    assert_false(pgs_pipelines_possible(&device));
    app.geometry = module_of(WORD_GEOMETRY);
    assert_true(pgs_pipelines_possible(&device));
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &layout, NULL, &app.layout),
                     VK_SUCCESS);
    fill_app();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_DestroyShaderModule(VK_NULL_HANDLE, app.plain, NULL);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, app.bad, NULL);
    pgs_DestroyShaderModule(VK_NULL_HANDLE, app.geometry, NULL);
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, app.layout, NULL);
    pgs_pipeline_device_destroy(&device);
    assert_int_equal(fakes.alive[FAKE_MODULE], 0);
    assert_int_equal(fakes.alive[FAKE_LAYOUT], 0);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    assert_int_equal(fake_cache.alive, 0);
    return pgs_alloc_live() != 0;
}

static VkResult create(uint32_t count, const VkGraphicsPipelineCreateInfo *infos,
                       VkPipeline *pipelines)
{
    return pgs_CreateGraphicsPipelines(VK_NULL_HANDLE, app.cache, count, infos, app.allocator,
                                       pipelines);
}

static void destroy(VkPipeline pipeline)
{
    pgs_DestroyPipeline(VK_NULL_HANDLE, pipeline, app.allocator);
}

#endif
