/* SPDX-License-Identifier: MIT
 *
 * The scene of test_starvation: objects and one frame, which says at once what went wrong. To be
 * included, after cmocka.h, by one file of a program.
 */
#ifndef STARVED_SCENE_H
#define STARVED_SCENE_H

#include "amplify_frag.h"
#include "driver_test.h"
#include "emits_geom.h"
#include "emits_vert.h"
#include "lazy_frag.h"
#include "lazy_geom.h"
#include "lazy_vert.h"
#include "starved_layers.h"
#include "tessellation_capture_tese.h"
#include "tessellation_levels_tesc.h"
#include "tessellation_levels_vert.h"

enum { PIPELINES = 4, PIPELINE_MODULES = 3, MODULE_COUNT = 12, BUFFER_COUNT = 3 };
enum { INPUT, CAPTURED, COUNTER };                  /* buffers */
enum { GEOMETRY, TESSELLATION, LAYERED, EMITTING }; /* pipelines */

/* What could not be made is VK_NULL_HANDLE. */
struct scene {
    VkInstance instance;
    VkDevice device;
    VkQueue queue;
    VkShaderModule modules[MODULE_COUNT];
    VkPipelineLayout layout;
    VkRenderPass pass;
    VkBuffer buffers[BUFFER_COUNT];
    VkQueryPool queries;
    VkPipeline pipelines[PIPELINES];
    VkCommandPool pool;
    VkCommandBuffer primary, secondary;
};

/* The command with its own type, through the layer. */
#define VK(name) ((PFN_vk##name)fake_device_proc(s->device, "vk" #name))
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const VkResult result = (call);                                                            \
        if (result != VK_SUCCESS)                                                                  \
            return result;                                                                         \
    } while (false)

static void scene_open(struct scene *s)
{
    static const float priority = 1.0f;
    static const char *const names[] = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .transformFeedback = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                               .tessellationShader = VK_TRUE};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &capture,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = names,
                                     .pEnabledFeatures = &features};
    s->instance = fake_open_instance(VK_API_VERSION_1_3);
    assert_int_equal(
        fake_create_device(s->instance, fake_first_physical_device(s->instance), &info, &s->device),
        VK_SUCCESS);
    VK(GetDeviceQueue)(s->device, 0, 0, &s->queue);
}

static void scene_close(struct scene *s)
{
    fake_close_device(s->device);
    fake_close_instance(s->instance);
}

static VkResult make_modules(struct scene *s)
{
    static const struct {
        const uint32_t *words;
        size_t size_B;
    } codes[MODULE_COUNT] = {
        {lazy_vert, sizeof(lazy_vert)},
        {lazy_geom, sizeof(lazy_geom)},
        {lazy_frag, sizeof(lazy_frag)},
        {tessellation_levels_vert, sizeof(tessellation_levels_vert)},
        {tessellation_levels_tesc, sizeof(tessellation_levels_tesc)},
        {tessellation_capture_tese, sizeof(tessellation_capture_tese)},
        {lazy_vert, sizeof(lazy_vert)},
        {starved_layers, sizeof(starved_layers)},
        {lazy_frag, sizeof(lazy_frag)},
        {emits_vert, sizeof(emits_vert)},
        {emits_geom, sizeof(emits_geom)},
        {amplify_frag, sizeof(amplify_frag)},
    };
    for (int i = 0; i < MODULE_COUNT; i++) {
        const VkShaderModuleCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = codes[i].size_B,
            .pCode = codes[i].words,
        };
        TRY(VK(CreateShaderModule)(s->device, &info, NULL, &s->modules[i]));
    }
    return VK_SUCCESS;
}

static VkResult make_buffers(struct scene *s)
{
    static const VkBufferUsageFlags usages[BUFFER_COUNT] = {
        [INPUT] = VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
        [CAPTURED] = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
        [COUNTER] = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
    };
    for (int i = 0; i < BUFFER_COUNT; i++) {
        const VkBufferCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 65536, .usage = usages[i]};
        TRY(VK(CreateBuffer)(s->device, &info, NULL, &s->buffers[i]));
    }
    return VK_SUCCESS;
}

static VkResult make_objects(struct scene *s)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    const VkSubpassDescription subpass = {0};
    const VkRenderPassCreateInfo pass = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
        .queryCount = 2,
    };
    TRY(make_modules(s));
    TRY(make_buffers(s));
    TRY(VK(CreatePipelineLayout)(s->device, &layout, NULL, &s->layout));
    TRY(VK(CreateRenderPass)(s->device, &pass, NULL, &s->pass));
    return VK(CreateQueryPool)(s->device, &queries, NULL, &s->queries);
}

static VkResult make_pipeline(struct scene *s, unsigned which)
{
    static const VkShaderStageFlagBits stages[2][PIPELINE_MODULES] = {
        {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT},
        {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
         VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT}};
    static const VkPrimitiveTopology topologies[PIPELINES] = {
        [GEOMETRY] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        [TESSELLATION] = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        [LAYERED] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        [EMITTING] = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    static const VkVertexInputBindingDescription binding = {0, 24, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32_SFLOAT, 16}};
    const bool patches = which == TESSELLATION;
    VkPipelineShaderStageCreateInfo infos[PIPELINE_MODULES];
    for (unsigned i = 0; i < PIPELINE_MODULES; i++)
        infos[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = stages[patches][i],
            .module = s->modules[which * PIPELINE_MODULES + i],
            .pName = "main",
        };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = patches,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = patches ? 2 : 0,
        .pVertexAttributeDescriptions = attributes,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = topologies[which],
        .primitiveRestartEnable = which == GEOMETRY,
    };
    const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = PIPELINE_MODULES,
        .pStages = infos,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pTessellationState = patches ? &tessellation : NULL,
        .pRasterizationState = &raster,
        .layout = s->layout,
        .renderPass = s->pass,
        .basePipelineIndex = -1,
    };
    return VK(CreateGraphicsPipelines)(s->device, VK_NULL_HANDLE, 1, &info, NULL,
                                       &s->pipelines[which]);
}

/* Of what there is; the rest are the NULL handles that Vulkan allows. */
static void scene_forget(struct scene *s)
{
    if (s->pool) {
        VK(FreeCommandBuffers)(s->device, s->pool, 1, &s->primary);
        VK(FreeCommandBuffers)(s->device, s->pool, 1, &s->secondary);
    }
    VK(DestroyCommandPool)(s->device, s->pool, NULL);
    for (int i = 0; i < PIPELINES; i++)
        VK(DestroyPipeline)(s->device, s->pipelines[i], NULL);
    VK(DestroyQueryPool)(s->device, s->queries, NULL);
    VK(DestroyRenderPass)(s->device, s->pass, NULL);
    VK(DestroyPipelineLayout)(s->device, s->layout, NULL);
    for (int i = 0; i < BUFFER_COUNT; i++)
        VK(DestroyBuffer)(s->device, s->buffers[i], NULL);
    for (int i = 0; i < MODULE_COUNT; i++)
        VK(DestroyShaderModule)(s->device, s->modules[i], NULL);
    *s = (struct scene){.instance = s->instance, .device = s->device, .queue = s->queue};
}

#endif
