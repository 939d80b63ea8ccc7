/* SPDX-License-Identifier: MIT */
#include "common/vkt.h"

#define MAX_STAGES 5
#define MAX_COLORS 4

static void destroy_pipeline(struct vkt *t, uint64_t handle)
{
    vkDestroyPipeline(t->device, (VkPipeline)handle, NULL);
}

static void destroy_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyPipelineLayout(t->device, (VkPipelineLayout)handle, NULL);
}

static void destroy_set_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorSetLayout(t->device, (VkDescriptorSetLayout)handle, NULL);
}

static void destroy_descriptor_pool(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorPool(t->device, (VkDescriptorPool)handle, NULL);
}

static VkShaderModuleCreateInfo module_info(struct vkt_code code, const void *next)
{
    return (VkShaderModuleCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .pNext = next,
        .codeSize = code.size_B,
        .pCode = code.words,
    };
}

static VkResult create_module(struct vkt *t, struct vkt_code code, VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = module_info(code, NULL);
    return vkCreateShaderModule(t->device, &info, NULL, module);
}

static VkPipelineColorBlendAttachmentState blend_state(enum vkt_blend blend)
{
    const bool over = blend == VKT_BLEND_OVER;
    return (VkPipelineColorBlendAttachmentState){
        .blendEnable = blend == VKT_BLEND_ADD || over,
        .srcColorBlendFactor = over ? VK_BLEND_FACTOR_SRC_ALPHA : VK_BLEND_FACTOR_ONE,
        .dstColorBlendFactor = over ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE,
        .colorBlendOp = VK_BLEND_OP_ADD,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = over ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE,
        .alphaBlendOp = VK_BLEND_OP_ADD,
        .colorWriteMask = blend == VKT_BLEND_MASKED ? 0 : 0xf,
    };
}

struct tessellation {
    VkPipelineTessellationDomainOriginStateCreateInfo origin;
    VkPipelineTessellationStateCreateInfo state;
};

static void fill_tessellation(struct tessellation *out, const struct vkt_pipeline_info *in)
{
    out->origin = (VkPipelineTessellationDomainOriginStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
        .domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT,
    };
    out->state = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .pNext = in->lower_left ? &out->origin : NULL,
        .patchControlPoints = in->patch_points,
    };
}

struct colors {
    VkFormat formats[MAX_COLORS];
    VkPipelineRenderingCreateInfo rendering;
    VkPipelineColorBlendAttachmentState blends[MAX_COLORS];
    VkPipelineColorBlendStateCreateInfo blend;
};

static void fill_colors(struct colors *out, const struct vkt_pipeline_info *in)
{
    const uint32_t count = in->no_colors ? 0 : in->dynamic_colors ? in->dynamic_colors : 1;
    if (count > MAX_COLORS)
        vkt_die("too many attachments");
    for (uint32_t i = 0; i < count; i++) {
        out->formats[i] = in->dynamic_format;
        out->blends[i] = blend_state(in->blend);
    }
    out->rendering = (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .pNext = in->next,
        .viewMask = in->dynamic_views,
        .colorAttachmentCount = count,
        .pColorAttachmentFormats = out->formats,
        .depthAttachmentFormat = in->dynamic_depth_format,
    };
    out->blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = count,
        .pAttachments = out->blends,
    };
}

static bool has_own_input(const struct vkt_pipeline_info *in)
{
    for (uint32_t i = 0; i < in->dynamic_count; i++)
        if (in->dynamic[i] == VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)
            return false;
    return true;
}

VkResult vkt_pipeline_stages(struct vkt *t, const struct vkt_pipeline_info *in,
                             const VkPipelineShaderStageCreateInfo *stages, uint32_t stage_count,
                             VkPipeline *pipeline)
{
    const VkPipelineVertexInputStateCreateInfo vertex_input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .pNext = in->vertex_input_next,
        .vertexBindingDescriptionCount = in->binding_count,
        .pVertexBindingDescriptions = in->bindings,
        .vertexAttributeDescriptionCount = in->attribute_count,
        .pVertexAttributeDescriptions = in->attributes,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = in->topology,
        .primitiveRestartEnable = in->restart,
    };
    struct tessellation tess;
    struct colors colors;
    fill_tessellation(&tess, in);
    fill_colors(&colors, in);
    const VkViewport viewport = {0, 0, (float)in->width_px, (float)in->height_px, 0, 1};
    const VkRect2D scissor = {{0, 0}, {in->width_px, in->height_px}};
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor,
    };
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = in->rasterization_next,
        .rasterizerDiscardEnable = in->discard,
        .polygonMode = in->polygon_mode,
        .depthClampEnable = in->depth_clamp,
        .depthBiasEnable = in->depth_bias != NULL,
        .depthBiasConstantFactor = in->depth_bias ? in->depth_bias[0] : 0,
        .depthBiasClamp = in->depth_bias ? in->depth_bias[1] : 0,
        .depthBiasSlopeFactor = in->depth_bias ? in->depth_bias[2] : 0,
        .cullMode = in->cull,
        .frontFace = in->front,
        .lineWidth = in->line_width_px != 0 ? in->line_width_px : 1.0f,
    };
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .pNext = in->multisample_next,
        .rasterizationSamples =
            in->samples ? (VkSampleCountFlagBits)in->samples : VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = in->depth_test,
        .depthWriteEnable = in->depth_write,
        .depthCompareOp = in->depth_compare ? in->depth_compare : VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = in->dynamic_count,
        .pDynamicStates = in->dynamic,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = in->pass ? in->next : &colors.rendering,
        .flags = in->flags,
        .stageCount = stage_count,
        .pStages = stages,
        .pVertexInputState = has_own_input(in) ? &vertex_input : NULL,
        .pInputAssemblyState = in->topology == VK_PRIMITIVE_TOPOLOGY_MAX_ENUM ? NULL : &assembly,
        .pTessellationState = in->tes.words ? &tess.state : NULL,
        .pViewportState = in->viewports ? in->viewports : &viewports,
        .pRasterizationState = &rasterization,
        .pMultisampleState = &multisample,
        .pDepthStencilState = &depth,
        .pColorBlendState = &colors.blend,
        .pDynamicState = in->dynamic_count ? &dynamic : NULL,
        .layout = in->layout,
        .renderPass = in->pass,
        .subpass = in->subpass,
    };
    return vkCreateGraphicsPipelines(t->device, in->cache, 1, &info, NULL, pipeline);
}

/* Whether no draw can have fragments; a pipeline may have no fragment shader then. */
static bool never_rasterizes(const struct vkt_pipeline_info *in)
{
    for (uint32_t i = 0; i < in->dynamic_count; i++) {
        if (in->dynamic[i] == VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE)
            return false;
    }
    return in->discard;
}

VkResult vkt_pipeline_try(struct vkt *t, const struct vkt_pipeline_info *in, VkPipeline *pipeline)
{
    const struct {
        struct vkt_code code;
        const VkSpecializationInfo *constants;
        VkShaderStageFlagBits stage;
        const void *next;
    } wanted[MAX_STAGES] = {
        {in->vs, in->vs_constants, VK_SHADER_STAGE_VERTEX_BIT, in->vs_next},
        {in->tcs, in->tcs_constants, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, NULL},
        {in->tes, in->tes_constants, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, NULL},
        {in->gs, in->gs_constants, VK_SHADER_STAGE_GEOMETRY_BIT, in->gs_next},
        {in->fs, in->fs_constants, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    };
    VkShaderModuleCreateInfo codes[MAX_STAGES];
    VkPipelineShaderStageCreateInfo stages[MAX_STAGES];
    uint32_t count = 0;
    VkResult result = VK_SUCCESS;
    *pipeline = VK_NULL_HANDLE;
    for (uint32_t k = 0; k < MAX_STAGES && result == VK_SUCCESS; k++) {
        const uint32_t i = in->fs_first ? (k + MAX_STAGES - 1) % MAX_STAGES : k;
        if (!wanted[i].code.words ||
            (wanted[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && never_rasterizes(in)))
            continue;
        VkShaderModule module = VK_NULL_HANDLE;
        if (!in->without_modules)
            result = create_module(t, wanted[i].code, &module);
        if (result != VK_SUCCESS)
            break;
        codes[count] = module_info(wanted[i].code, wanted[i].next);
        stages[count] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = in->without_modules ? &codes[count] : wanted[i].next,
            .stage = wanted[i].stage,
            .module = module,
            .pName = "main",
            .pSpecializationInfo = wanted[i].constants,
        };
        count++;
    }
    if (result == VK_SUCCESS)
        result = vkt_pipeline_stages(t, in, stages, count, pipeline);
    while (count)
        vkDestroyShaderModule(t->device, stages[--count].module, NULL);
    return result;
}

VkPipeline vkt_pipeline(struct vkt *t, const struct vkt_pipeline_info *info)
{
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_try(t, info, &pipeline));
    vkt_defer(t, destroy_pipeline, (uint64_t)pipeline);
    return pipeline;
}

VkPipeline vkt_compute_pipeline(struct vkt *t, struct vkt_code code, VkPipelineLayout layout)
{
    VkShaderModule module;
    VKT_CALL(create_module(t, code, &module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
            },
        .layout = layout,
    };
    VkPipeline pipeline;
    VKT_CALL(vkCreateComputePipelines(t->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(t->device, module, NULL);
    vkt_defer(t, destroy_pipeline, (uint64_t)pipeline);
    return pipeline;
}

VkDescriptorSetLayout vkt_set_layout(struct vkt *t, const VkDescriptorSetLayoutBinding *bindings,
                                     uint32_t count)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings,
    };
    VkDescriptorSetLayout layout;
    VKT_CALL(vkCreateDescriptorSetLayout(t->device, &info, NULL, &layout));
    vkt_defer(t, destroy_set_layout, (uint64_t)layout);
    return layout;
}

VkDescriptorSet vkt_set(struct vkt *t, VkDescriptorSetLayout layout,
                        const VkDescriptorSetLayoutBinding *bindings, uint32_t count)
{
    VkDescriptorPoolSize sizes[32];
    if (count > VKT_COUNT(sizes))
        vkt_die("too many bindings");
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = (VkDescriptorPoolSize){bindings[i].descriptorType, bindings[i].descriptorCount};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = count,
        .pPoolSizes = sizes,
    };
    VkDescriptorPool pool;
    VKT_CALL(vkCreateDescriptorPool(t->device, &pool_info, NULL, &pool));
    vkt_defer(t, destroy_descriptor_pool, (uint64_t)pool);
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    VkDescriptorSet set;
    VKT_CALL(vkAllocateDescriptorSets(t->device, &info, &set));
    return set;
}

/* What the descriptor is, one of the pointers of `write` says. */
static void write_one(const struct vkt *t, VkDescriptorSet set, uint32_t binding, uint32_t element,
                      VkDescriptorType type, VkWriteDescriptorSet write)
{
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstBinding = binding;
    write.dstArrayElement = element;
    write.descriptorCount = 1;
    write.descriptorType = type;
    vkUpdateDescriptorSets(t->device, 1, &write, 0, NULL);
}

void vkt_write_buffer(struct vkt *t, VkDescriptorSet set, uint32_t binding, uint32_t element,
                      VkDescriptorType type, VkBuffer buffer, VkDeviceSize offset_B,
                      VkDeviceSize range_B)
{
    const VkDescriptorBufferInfo info = {buffer, offset_B, range_B};
    write_one(t, set, binding, element, type, (VkWriteDescriptorSet){.pBufferInfo = &info});
}

void vkt_write_image(struct vkt *t, VkDescriptorSet set, uint32_t binding, uint32_t element,
                     VkDescriptorType type, VkImageView view, VkImageLayout layout,
                     VkSampler sampler)
{
    const VkDescriptorImageInfo info = {sampler, view, layout};
    write_one(t, set, binding, element, type, (VkWriteDescriptorSet){.pImageInfo = &info});
}

void vkt_write_texel(struct vkt *t, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                     VkBufferView view)
{
    write_one(t, set, binding, 0, type, (VkWriteDescriptorSet){.pTexelBufferView = &view});
}

VkPipelineLayout vkt_layout(struct vkt *t, const VkDescriptorSetLayout *sets, uint32_t set_count,
                            const VkPushConstantRange *ranges, uint32_t range_count)
{
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = set_count,
        .pSetLayouts = sets,
        .pushConstantRangeCount = range_count,
        .pPushConstantRanges = ranges,
    };
    VkPipelineLayout layout;
    VKT_CALL(vkCreatePipelineLayout(t->device, &info, NULL, &layout));
    vkt_defer(t, destroy_layout, (uint64_t)layout);
    return layout;
}
