/* SPDX-License-Identifier: MIT */
#include "gpu/shader_object_state.h"

#ifdef VK_EXT_shader_object
VkShaderCreateInfoEXT shader_object_info(VkShaderStageFlagBits stage, VkShaderStageFlags next,
                                         struct vkt_code code, const VkDescriptorSetLayout *layout,
                                         const VkPushConstantRange *range)
{
    return (VkShaderCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .stage = stage,
        .nextStage = next,
        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
        .codeSize = code.size_B,
        .pCode = code.words,
        .pName = "main",
        .setLayoutCount = 1,
        .pSetLayouts = layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = range,
    };
}

/* VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR, which older headers lack. */
#define INDEPENDENT_SETS ((VkShaderCreateFlagsEXT)0x00040000)

void shader_object_separate(VkShaderCreateInfoEXT *info, bool has_set)
{
    static const VkDescriptorSetLayout none = VK_NULL_HANDLE;
    info->flags |= INDEPENDENT_SETS;
    if (!has_set)
        info->pSetLayouts = &none;
}

static void destroy_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyPipelineLayout(t->device, (VkPipelineLayout)handle, NULL);
}

VkPipelineLayout shader_object_layout(struct vkt *t, VkDescriptorSetLayout set,
                                      const VkPushConstantRange *range, bool independent)
{
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .flags = independent ? VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT : 0,
        .setLayoutCount = 1,
        .pSetLayouts = &set,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = range,
    };
    VkPipelineLayout layout;
    VKT_CALL(vkCreatePipelineLayout(t->device, &info, NULL, &layout));
    vkt_defer(t, destroy_layout, (uint64_t)layout);
    return layout;
}

static void destroy_shader(struct vkt *t, uint64_t handle)
{
    vkDestroyShaderEXT(t->device, (VkShaderEXT)handle, NULL);
}

void shader_object_make(struct vkt *t, uint32_t count, const VkShaderCreateInfoEXT *infos,
                        VkShaderEXT *objects)
{
    VKT_CALL(vkCreateShadersEXT(t->device, count, infos, NULL, objects));
    for (uint32_t i = 0; i < count; i++)
        vkt_defer(t, destroy_shader, (uint64_t)objects[i]);
}
#endif

#if defined(VK_EXT_shader_object) && defined(VK_KHR_dynamic_rendering_local_read)
void shader_object_init(struct vkt *t, struct vkt_options *options, bool independent)
{
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .shaderObject = VK_TRUE};
    VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_read = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
        .dynamicRenderingLocalRead = VK_TRUE};
    struct vkt_extension extensions[4] = {
        {VK_EXT_SHADER_OBJECT_EXTENSION_NAME, &objects, 1},
        {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME, &local_read, 1}};
#ifdef VK_KHR_maintenance11
    VkPhysicalDeviceMaintenance11FeaturesKHR eleven = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_11_FEATURES_KHR,
        .maintenance11 = VK_TRUE};
    if (independent)
        extensions[2] = (struct vkt_extension){VK_KHR_MAINTENANCE_11_EXTENSION_NAME, &eleven, 1};
#else
    if (independent)
        vkt_skip("the Vulkan headers are older than VK_KHR_maintenance11");
#endif
    options->extensions = extensions;
    options->xfb = options->tessellation = true;
    vkt_init(t, options);
    options->extensions = t->options.extensions = NULL;
}
#endif

void shader_object_set_input(VkCommandBuffer cmd, uint32_t stride_B)
{
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .stride = stride_B,
        .inputRate = VK_VERTEX_INPUT_RATE_VERTEX,
        .divisor = 1,
    };
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .format = VK_FORMAT_R32G32_SFLOAT,
    };
    vkCmdSetVertexInputEXT(cmd, 1, &binding, 1, &attribute);
}

void shader_object_check_commands(struct vkt *t)
{
    static const char *const names[] = {
        "vkCmdSetViewportWScalingEnableNV",        "vkCmdSetViewportSwizzleNV",
        "vkCmdSetCoverageToColorEnableNV",         "vkCmdSetCoverageToColorLocationNV",
        "vkCmdSetCoverageModulationModeNV",        "vkCmdSetCoverageModulationTableNV",
        "vkCmdSetCoverageModulationTableEnableNV", "vkCmdSetCoverageReductionModeNV",
        "vkCmdSetShadingRateImageEnableNV",        "vkCmdSetRepresentativeFragmentTestEnableNV",
    };
    for (uint32_t i = 0; i < VKT_COUNT(names); i++)
        VKT_EXPECT(t, vkGetDeviceProcAddr(t->device, names[i]) != NULL, "there is no %s", names[i]);
}

static void set_raster(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px)
{
    const VkViewport viewport = {0, 0, (float)side_px, (float)side_px, 0, 1};
    const VkRect2D scissor = {{0, 0}, {side_px, side_px}};
    const VkSampleMask mask = 0xFFFFFFFF;
    vkCmdSetViewportWithCount(cmd, 1, &viewport);
    vkCmdSetScissorWithCount(cmd, 1, &scissor);
    vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    vkCmdSetPatchControlPointsEXT(cmd, 3);
    vkCmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
    vkCmdSetRasterizationSamplesEXT(cmd, shader_object_samples(t));
    vkCmdSetSampleMaskEXT(cmd, shader_object_samples(t), &mask);
    vkCmdSetAlphaToCoverageEnableEXT(cmd, VK_FALSE);
    if (t->features.core.alphaToOne)
        vkCmdSetAlphaToOneEnableEXT(cmd, VK_FALSE);
    vkCmdSetPolygonModeEXT(cmd, VK_POLYGON_MODE_FILL);
    vkCmdSetCullMode(cmd, VK_CULL_MODE_NONE);
    vkCmdSetFrontFace(cmd, VK_FRONT_FACE_CLOCKWISE);
    vkCmdSetLineWidth(cmd, 1.0f);
    if (t->features.xfb)
        vkCmdSetRasterizationStreamEXT(cmd, 0);
    if (t->features.provoking_last)
        vkCmdSetProvokingVertexModeEXT(cmd, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
    if (t->features.bresenham_lines) {
        vkCmdSetLineRasterizationModeEXT(cmd, VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT);
        vkCmdSetLineStippleEnableEXT(cmd, VK_FALSE);
        vkCmdSetLineStippleEXT(cmd, 1, 0xFFFF);
    }
}

static void set_tests(VkCommandBuffer cmd)
{
    const VkStencilFaceFlags both = VK_STENCIL_FACE_FRONT_AND_BACK;
    vkCmdSetDepthTestEnable(cmd, VK_FALSE);
    vkCmdSetDepthWriteEnable(cmd, VK_FALSE);
    vkCmdSetDepthCompareOp(cmd, VK_COMPARE_OP_ALWAYS);
    vkCmdSetDepthBoundsTestEnable(cmd, VK_FALSE);
    vkCmdSetDepthBounds(cmd, 0, 1);
    vkCmdSetDepthBiasEnable(cmd, VK_FALSE);
    vkCmdSetDepthBias(cmd, 0, 0, 0);
    vkCmdSetDepthClampEnableEXT(cmd, VK_FALSE);
    vkCmdSetStencilTestEnable(cmd, VK_FALSE);
    vkCmdSetStencilOp(cmd, both, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
                      VK_COMPARE_OP_ALWAYS);
    vkCmdSetStencilCompareMask(cmd, both, 0);
    vkCmdSetStencilWriteMask(cmd, both, 0);
    vkCmdSetStencilReference(cmd, both, 0);
}

static void set_output(VkCommandBuffer cmd)
{
    const VkBool32 off = VK_FALSE;
    const VkColorBlendEquationEXT equation = {0};
    const VkColorComponentFlags all = 0xF;
    const float constants[4] = {0};
    vkCmdSetLogicOpEnableEXT(cmd, VK_FALSE);
    vkCmdSetLogicOpEXT(cmd, VK_LOGIC_OP_COPY);
    vkCmdSetColorBlendEnableEXT(cmd, 0, 1, &off);
    vkCmdSetColorBlendEquationEXT(cmd, 0, 1, &equation);
    vkCmdSetColorWriteMaskEXT(cmd, 0, 1, &all);
    vkCmdSetBlendConstants(cmd, constants);
}

void shader_object_set_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px)
{
    set_raster(t, cmd, side_px);
    set_tests(cmd);
    set_output(cmd);
}

void shader_object_set_least_state(const struct vkt *t, VkCommandBuffer cmd, uint32_t side_px)
{
    const VkViewport viewport = {0, 0, (float)side_px, (float)side_px, 0, 1};
    const VkRect2D scissor = {{0, 0}, {side_px, side_px}};
    const VkSampleMask mask = 0xFFFFFFFF;
    const VkBool32 off = VK_FALSE;
    const VkColorComponentFlags all = 0xF;
    vkCmdSetViewportWithCount(cmd, 1, &viewport);
    vkCmdSetScissorWithCount(cmd, 1, &scissor);
    vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    vkCmdSetPatchControlPointsEXT(cmd, 3);
    vkCmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
    vkCmdSetRasterizationSamplesEXT(cmd, shader_object_samples(t));
    vkCmdSetSampleMaskEXT(cmd, shader_object_samples(t), &mask);
    vkCmdSetAlphaToCoverageEnableEXT(cmd, VK_FALSE);
    if (t->features.core.alphaToOne)
        vkCmdSetAlphaToOneEnableEXT(cmd, VK_FALSE);
    vkCmdSetPolygonModeEXT(cmd, VK_POLYGON_MODE_FILL);
    vkCmdSetCullMode(cmd, VK_CULL_MODE_NONE);
    vkCmdSetFrontFace(cmd, VK_FRONT_FACE_CLOCKWISE);
    vkCmdSetDepthTestEnable(cmd, VK_FALSE);
    vkCmdSetDepthWriteEnable(cmd, VK_FALSE);
    vkCmdSetDepthBiasEnable(cmd, VK_FALSE);
    vkCmdSetDepthBoundsTestEnable(cmd, VK_FALSE);
    vkCmdSetDepthClampEnableEXT(cmd, VK_FALSE);
    vkCmdSetStencilTestEnable(cmd, VK_FALSE);
    vkCmdSetLogicOpEnableEXT(cmd, VK_FALSE);
    vkCmdSetColorBlendEnableEXT(cmd, 0, 1, &off);
    vkCmdSetColorWriteMaskEXT(cmd, 0, 1, &all);
    if (t->features.xfb)
        vkCmdSetRasterizationStreamEXT(cmd, 0);
    if (t->features.provoking_last)
        vkCmdSetProvokingVertexModeEXT(cmd, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
}

VkSampleCountFlagBits shader_object_samples(const struct vkt *t)
{
    return vkt_flag(&t->options, "--multisampled") ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
}

struct vkt_image shader_object_multisampled(struct vkt *t, VkFormat format, uint32_t side_px)
{
    struct vkt_image made = {.format = format, .width_px = side_px, .height_px = side_px};
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {side_px, side_px, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = shader_object_samples(t),
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    VkMemoryRequirements needs;
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &made.image));
    vkGetImageMemoryRequirements(t->device, made.image, &needs);
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = needs.size};
    while (!(needs.memoryTypeBits >> memory.memoryTypeIndex & 1))
        memory.memoryTypeIndex++;
    VKT_CALL(vkAllocateMemory(t->device, &memory, NULL, &made.memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)made.memory);
    vkt_defer(t, vkt_destroy_image, (uint64_t)made.image);
    VKT_CALL(vkBindImageMemory(t->device, made.image, made.memory, 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = made.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VKT_CALL(vkCreateImageView(t->device, &view, NULL, &made.view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)made.view);
    return made;
}

VkQueryPool shader_object_pool(struct vkt *t, VkQueryType type, uint32_t count,
                               VkQueryPipelineStatisticFlags what)
{
    VkQueryPool pool;
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = type,
                                        .queryCount = count,
                                        .pipelineStatistics = what};
    VKT_CALL(vkCreateQueryPool(t->device, &info, NULL, &pool));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)pool);
    return pool;
}
