/* SPDX-License-Identifier: MIT */
#include "pipeline/create_state.h"

#include "base/log.h"
#include "pipeline/format.h"
#include "pipeline/raster_info.h"
#include "pipeline/unsupported.h"
#include "poly_gs/abi.h"
#include "poly_gs/format.h"
#include "vulkan/chain.h"

bool pgs_has_mesh_stages(const VkGraphicsPipelineCreateInfo *info)
{
    return pgs_has_stage(info, VK_SHADER_STAGE_TASK_BIT_NV | VK_SHADER_STAGE_MESH_BIT_NV);
}

static void record_locations(struct pgs_emulated_pipeline *p, uint32_t locations)
{
    for (uint32_t location = 0; location < PGS_MAX_ATTRIBUTES; location++)
        if (locations >> location & 1)
            p->attributes[p->attribute_count++] =
                (struct pgs_vertex_attribute){.location = location, .format = PGS_FORMAT_DYNAMIC};
}

/* Behind those of its binding. */
static void add_attribute(struct pgs_emulated_pipeline *p,
                          const struct pgs_vertex_attribute *attribute)
{
    uint32_t at = p->attribute_count++;
    for (; at && p->attributes[at - 1].binding > attribute->binding; at--)
        p->attributes[at] = p->attributes[at - 1];
    p->attributes[at] = *attribute;
}

VkResult pgs_record_vertex_input(struct pgs_emulated_pipeline *p,
                                 const VkGraphicsPipelineCreateInfo *info, uint32_t locations)
{
    const VkPipelineVertexInputStateCreateInfo *input = info->pVertexInputState;
    if (p->dynamic & PGS_DYNAMIC_VERTEX_INPUT) { /* the pointer is ignored */
        record_locations(p, locations);
        return VK_SUCCESS;
    }
    if (!input)
        return VK_SUCCESS;
    for (uint32_t i = 0; i < input->vertexBindingDescriptionCount; i++) {
        const VkVertexInputBindingDescription *from = &input->pVertexBindingDescriptions[i];
        if (from->binding >= PGS_MAX_VERTEX_BINDINGS)
            return pgs_unsupported("with more than 32 vertex bindings");
        p->bindings[from->binding] = (struct pgs_vertex_binding_state){
            .stride_B = from->stride,
            .divisor = 1,
            .instance_rate = from->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE,
        };
    }
    const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors = pgs_chain_find(
        input->pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
    for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++) {
        const VkVertexInputBindingDivisorDescriptionEXT *from =
            &divisors->pVertexBindingDivisors[i];
        if (from->binding < PGS_MAX_VERTEX_BINDINGS)
            p->bindings[from->binding].divisor = from->divisor;
    }
    for (uint32_t i = 0; i < input->vertexAttributeDescriptionCount; i++) {
        const VkVertexInputAttributeDescription *from = &input->pVertexAttributeDescriptions[i];
        if (from->location >= PGS_MAX_ATTRIBUTES || from->binding >= PGS_MAX_VERTEX_BINDINGS)
            return pgs_unsupported("with more than 32 vertex attributes");
        if (!(locations >> from->location & 1))
            continue;
        struct pgs_vertex_attribute attribute = {
            .location = from->location,
            .binding = from->binding,
            .offset_B = from->offset,
        };
        attribute.format = pgs_format_from_vk(from->format, &attribute.size_B);
        attribute.leader = attribute.location;
        if (!attribute.format) {
            pgs_log(PGS_LOG_ERROR, "vertex format %d cannot be fetched", (int)from->format);
            return VK_ERROR_UNKNOWN;
        }
        add_attribute(p, &attribute);
        if (p->attribute_count == PGS_MAX_ATTRIBUTES)
            break;
    }
    return VK_SUCCESS;
}

uint32_t pgs_raster_primitive_vertices(const struct pgs_emulated_pipeline *pipeline)
{
    switch ((int)pipeline->topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return 1;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return 2;
    default:
        return 3;
    }
}

/* The bit of a dynamic state; 0 if only the driver must know it. */
static uint32_t dynamic_bit(VkDynamicState state)
{
    switch ((int)state) {
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
        return PGS_DYNAMIC_TOPOLOGY;
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
        return PGS_DYNAMIC_RESTART;
    case VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE:
        return PGS_DYNAMIC_DISCARD;
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
        return PGS_DYNAMIC_STRIDE;
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
        return PGS_DYNAMIC_VERTEX_INPUT;
    case VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT:
        return PGS_DYNAMIC_PROVOKING;
    case VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT:
        return PGS_DYNAMIC_STREAM;
    case VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT:
        return PGS_DYNAMIC_PATCH_CONTROL_POINTS;
    case VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT:
        return PGS_DYNAMIC_DOMAIN_ORIGIN;
    case VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT:
        return PGS_DYNAMIC_DEPTH_BEGIN;
    case VK_DYNAMIC_STATE_CULL_MODE:
        return PGS_DYNAMIC_CULL_MODE;
    case VK_DYNAMIC_STATE_FRONT_FACE:
        return PGS_DYNAMIC_FRONT_FACE;
    case VK_DYNAMIC_STATE_DEPTH_BIAS:
        return PGS_DYNAMIC_DEPTH_BIAS;
    case VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE:
        return PGS_DYNAMIC_DEPTH_BIAS_ENABLE;
    case VK_DYNAMIC_STATE_LINE_WIDTH:
        return PGS_DYNAMIC_LINE_WIDTH;
    case VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT:
        return PGS_DYNAMIC_LINE_STIPPLE;
    case VK_DYNAMIC_STATE_LINE_STIPPLE_EXT:
        return PGS_DYNAMIC_STIPPLE_PATTERN;
    case VK_DYNAMIC_STATE_VIEWPORT:
        return PGS_DYNAMIC_VIEWPORT;
    case VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT:
        return PGS_DYNAMIC_VIEWPORT | PGS_DYNAMIC_VIEWPORT_COUNT;
    case VK_DYNAMIC_STATE_SCISSOR:
        return PGS_DYNAMIC_SCISSOR;
    case VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT:
        return PGS_DYNAMIC_SCISSOR | PGS_DYNAMIC_SCISSOR_COUNT;
    default:
        return 0;
    }
}

VkResult pgs_record_state(struct pgs_emulated_pipeline *p, const VkGraphicsPipelineCreateInfo *info)
{
    if (info->pInputAssemblyState) {
        p->topology = info->pInputAssemblyState->topology;
        p->primitive_restart = info->pInputAssemblyState->primitiveRestartEnable;
    }
    if (info->pRasterizationState) {
        const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking = pgs_chain_find(
            info->pRasterizationState->pNext,
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
        p->raster_stream = pgs_rasterization_stream(info);
        p->rasterizer_discard = info->pRasterizationState->rasterizerDiscardEnable;
        p->provoking_last =
            provoking && provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
    }
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++)
        p->dynamic |= dynamic_bit(dynamic->pDynamicStates[i]);
    return VK_SUCCESS;
}

static uint32_t clamp_count(uint32_t count)
{
    return count < PGS_MAX_VIEWPORTS ? count : PGS_MAX_VIEWPORTS;
}

void pgs_record_viewports(struct pgs_emulated_pipeline *p, const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineViewportStateCreateInfo *from = info->pViewportState;
    struct pgs_viewports *to = &p->viewports;
    p->fills = info->pRasterizationState &&
               info->pRasterizationState->polygonMode == VK_POLYGON_MODE_FILL &&
               !pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_POLYGON_MODE_EXT);
    p->multisampled = pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT) ||
                      (info->pMultisampleState && !pgs_discards_always(info) &&
                       info->pMultisampleState->rasterizationSamples != VK_SAMPLE_COUNT_1_BIT);
    p->line_width = info->pRasterizationState ? info->pRasterizationState->lineWidth : 1;
    if (!from || pgs_discards_always(info))
        return;
    const VkPipelineViewportDepthClipControlCreateInfoEXT *clip = pgs_chain_find(
        from->pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
    p->negative_one_to_one = clip && clip->negativeOneToOne;
    if (!(p->dynamic & PGS_DYNAMIC_VIEWPORT_COUNT))
        to->viewport_count = clamp_count(from->viewportCount);
    if (!(p->dynamic & PGS_DYNAMIC_SCISSOR_COUNT))
        to->scissor_count = clamp_count(from->scissorCount);
    for (uint32_t i = 0; !(p->dynamic & PGS_DYNAMIC_VIEWPORT) && i < to->viewport_count; i++)
        to->viewports[i] = from->pViewports[i];
    for (uint32_t i = 0; !(p->dynamic & PGS_DYNAMIC_SCISSOR) && i < to->scissor_count; i++)
        to->scissors[i] = from->pScissors[i];
}
