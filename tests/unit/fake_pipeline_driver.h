/* SPDX-License-Identifier: MIT
 *
 * A fake driver for the tests of the pipeline module, which include it once, after fake_spirv.h.
 */
#ifndef PGS_TEST_FAKE_PIPELINE_DRIVER_H
#define PGS_TEST_FAKE_PIPELINE_DRIVER_H

#include "fake_commands.h"
#include "fake_objects.h"
#include "fake_pipeline_cache.h"
#include "pipeline/pipeline.h"
#include "vulkan/chain.h"

#include <pthread.h>

static struct {
    VkPipelineLayoutCreateInfo layout_infos[2];
    VkPushConstantRange ranges[2][4];
    int layout_count;
    VkDescriptorSetLayoutBinding bindings[8];
    VkGraphicsPipelineCreateInfo graphics;
    VkPipelineShaderStageCreateInfo stages[5];
    uint32_t module_words[5]; /* first word of the stages' modules */
    VkDynamicState dynamic[8];
    uint32_t dynamic_count;
    VkPipelineInputAssemblyStateCreateInfo input_assembly;
    VkVertexInputBindingDescription vertex_bindings[2];
    VkVertexInputAttributeDescription vertex_attributes[2];
    VkPipelineViewportStateCreateInfo viewport; /* zeroed: none */
    uint32_t vertex_binding_count;
    uint32_t xfb_stages;
    uint32_t rasterization_nodes;
    VkPipelineRasterizationStateCreateInfo rasterization; /* as it was last */
    VkPipelineRasterizationLineStateCreateInfoEXT line;
    VkPipeline base;
    int graphics_calls, discarding_calls;
    _Atomic int compute_calls;
    _Atomic VkResult graphics_result, compute_result; /* kernels are made in threads, too */
    VkPipelineCache graphics_cache, compute_cache;    /* of the last call */
} fake;

static bool driver_lacks_tessellation;
static pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER; /* of `fake`, for creations */

/* --- The driver. --- */

static VkResult create_module(VkDevice device, const VkShaderModuleCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkShaderModule *module)
{
    (void)device;
    (void)allocator;
    assert_int_not_equal(info->pCode[0], WORD_GEOMETRY);
    if (driver_lacks_tessellation)
        assert_int_not_equal(info->pCode[0], WORD_TESSELLATION);
    if (FAKE_MAKE(FAKE_MODULE, module) != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    *module = (VkShaderModule)((uintptr_t)*module | (info->pCode[0] & 15));
    return VK_SUCCESS;
}

/* The driver's identifiers are the first words. */
static void identify_words(VkDevice device, const VkShaderModuleCreateInfo *info,
                           VkShaderModuleIdentifierEXT *identifier)
{
    (void)device;
    identifier->identifierSize = 4;
    memcpy(identifier->identifier, info->pCode, 4);
}

static void identify_module(VkDevice device, VkShaderModule module,
                            VkShaderModuleIdentifierEXT *identifier)
{
    const uint32_t word = (uintptr_t)module & 15; /* as create_module has it */
    identify_words(device, &(VkShaderModuleCreateInfo){.pCode = &word}, identifier);
}

static VkResult create_layout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkPipelineLayout *layout)
{
    (void)device;
    (void)allocator;
    if (FAKE_MAKE(FAKE_LAYOUT, layout) != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    pthread_mutex_lock(&fake_lock);
    const int i = fake.layout_count++ % 2;
    fake.layout_infos[i] = *info;
    for (uint32_t r = 0; r < info->pushConstantRangeCount; r++)
        fake.ranges[i][r] = info->pPushConstantRanges[r];
    pthread_mutex_unlock(&fake_lock);
    return VK_SUCCESS;
}

static VkResult create_set_layout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                                  const VkAllocationCallbacks *allocator,
                                  VkDescriptorSetLayout *layout)
{
    (void)device;
    (void)allocator;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        fake.bindings[i] = info->pBindings[i];
    *layout = (VkDescriptorSetLayout)(uintptr_t)fake_new_handle(FAKE_SET_LAYOUT);
    return VK_SUCCESS;
}

static void make_pipelines(uint32_t count, VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        pipelines[i] = (VkPipeline)(uintptr_t)fake_new_handle(FAKE_PIPELINE);
}

static VkResult create_compute(VkDevice device, VkPipelineCache cache, uint32_t count,
                               const VkComputePipelineCreateInfo *infos,
                               const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    (void)device;
    (void)allocator;
    pthread_mutex_lock(&fake_lock);
    fake.compute_cache = cache;
    pthread_mutex_unlock(&fake_lock);
    fake.compute_calls++;
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(infos[i].stage.pName, "main");
        pipelines[i] = VK_NULL_HANDLE;
    }
    if (fake_result() != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (fake.compute_result != VK_SUCCESS)
        return fake.compute_result;
    answer_creation(infos[0].pNext);
    make_pipelines(count, pipelines);
    return VK_SUCCESS;
}

static VkResult note_graphics(uint32_t count, const VkGraphicsPipelineCreateInfo *infos,
                              VkPipeline *pipelines)
{
    fake.graphics_calls++;
    for (uint32_t i = 0; i < count; i++)
        pipelines[i] = VK_NULL_HANDLE;
    if (fake_result() != VK_SUCCESS)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (fake.graphics_result != VK_SUCCESS)
        return fake.graphics_result;
    fake.graphics = infos[0];
    const VkPipelineRasterizationStateCreateInfo *rasterization = infos[0].pRasterizationState;
    fake.discarding_calls += rasterization && rasterization->rasterizerDiscardEnable;
    for (uint32_t i = 0; i < infos[0].stageCount; i++) {
        fake.stages[i] = infos[0].pStages[i];
        fake.module_words[i] = (uint32_t)(uintptr_t)fake.stages[i].module & 15;
    }
    if (infos[0].pInputAssemblyState)
        fake.input_assembly = *infos[0].pInputAssemblyState;
    const VkPipelineVertexInputStateCreateInfo *input = infos[0].pVertexInputState;
    fake.vertex_binding_count = input->vertexBindingDescriptionCount;
    for (uint32_t i = 0; i < input->vertexBindingDescriptionCount && i < 2; i++)
        fake.vertex_bindings[i] = input->pVertexBindingDescriptions[i];
    for (uint32_t i = 0; i < input->vertexAttributeDescriptionCount && i < 2; i++)
        fake.vertex_attributes[i] = input->pVertexAttributeDescriptions[i];
    fake.viewport = (VkPipelineViewportStateCreateInfo){0};
    if (infos[0].pViewportState && !(rasterization && rasterization->rasterizerDiscardEnable))
        fake.viewport = *infos[0].pViewportState;
    if (rasterization)
        fake.rasterization = *rasterization;
    fake.rasterization_nodes = 0;
    for (const VkBaseInStructure *node = rasterization ? rasterization->pNext : NULL; node;
         node = node->pNext) {
        fake.rasterization_nodes++;
        if (node->sType == VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT)
            memcpy(&fake.line, node, sizeof(fake.line));
    }
    fake.base = infos[0].basePipelineHandle;
    const VkPipelineCreationFeedbackCreateInfo *xfb =
        pgs_chain_find(infos[0].pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    fake.xfb_stages = xfb ? xfb->pipelineStageCreationFeedbackCount : 0;
    fake.dynamic_count = infos[0].pDynamicState ? infos[0].pDynamicState->dynamicStateCount : 0;
    for (uint32_t i = 0; i < fake.dynamic_count; i++)
        fake.dynamic[i] = infos[0].pDynamicState->pDynamicStates[i];
    answer_creation(infos[0].pNext);
    make_pipelines(count, pipelines);
    return VK_SUCCESS;
}

static VkResult create_graphics(VkDevice device, VkPipelineCache cache, uint32_t count,
                                const VkGraphicsPipelineCreateInfo *infos,
                                const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    (void)device;
    (void)allocator;
    pthread_mutex_lock(&fake_lock);
    fake.graphics_cache = cache;
    const VkResult result = note_graphics(count, infos, pipelines);
    pthread_mutex_unlock(&fake_lock);
    return result;
}

static struct pgs_instance instance = {.settings = {.descriptors = PGS_DESCRIPTORS_WIDEN}};
static struct pgs_physical_device physical = {
    .emulates = true,
    .emulates_geometry = true,
    .has_shader_output_layer = true,
    .instance = &instance,
    .properties = {.limits = {.maxFragmentInputComponents = 64}},
};
static struct pgs_device device = {
    .physical = &physical,
    .active = true,
    .vk = {.CreateShaderModule = create_module,
           .DestroyShaderModule = fake_DestroyShaderModule,
           .GetShaderModuleIdentifierEXT = identify_module,
           .GetShaderModuleCreateInfoIdentifierEXT = identify_words,
           .CreatePipelineLayout = create_layout,
           .DestroyPipelineLayout = fake_DestroyPipelineLayout,
           .CreateDescriptorSetLayout = create_set_layout,
           .DestroyDescriptorSetLayout = fake_DestroyDescriptorSetLayout,
           .CreatePipelineCache = create_cache,
           .DestroyPipelineCache = destroy_cache,
           .CreateComputePipelines = create_compute,
           .CreateGraphicsPipelines = create_graphics,
           .DestroyPipeline = fake_DestroyPipeline,
           .DestroyRenderPass = fake_DestroyRenderPass},
};

struct pgs_device *pgs_device_from_handle(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

#endif
