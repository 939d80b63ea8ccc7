/* SPDX-License-Identifier: MIT
 *
 * The create info of the raster pipeline: the application's, with the layer's vertex shader and
 * vertex input, and the topology of the geometry shader's output.
 */
#include "pipeline/raster_info.h"

#include "base/alloc.h"
#include "base/log.h"
#include "vulkan/chain.h"

#include <stddef.h>

static VkPrimitiveTopology output_topology(uint32_t output_kind)
{
    switch (output_kind) {
    case 1:
        return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case 2:
        return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    default:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    }
}

/* The layer sets the input assembly of the raster draw, so none of it may be dynamic. */
static bool is_input_state(VkDynamicState state)
{
    switch ((int)state) {
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
        return true;
    default:
        return false;
    }
}

/* Bindings for the vertices and, with by_layer or by_view, the layer numbers or the view. */
static void init_vertex_input(struct pgs_raster_info *raster, uint32_t output_kind, bool selects)
{
    const uint32_t count = selects ? 2 : 1;
    for (uint32_t i = 0; i < count; i++) {
        raster->bindings[i] = (VkVertexInputBindingDescription){
            .binding = i,
            .stride = 8,
            .inputRate = VK_VERTEX_INPUT_RATE_INSTANCE,
        };
        raster->attributes[i] = (VkVertexInputAttributeDescription){
            .location = i,
            .binding = i,
            .format = VK_FORMAT_R32G32_UINT,
            .offset = 0,
        };
    }
    raster->vertex_input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = count,
        .pVertexBindingDescriptions = raster->bindings,
        .vertexAttributeDescriptionCount = count,
        .pVertexAttributeDescriptions = raster->attributes,
    };
    raster->input_assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = output_topology(output_kind),
        .primitiveRestartEnable = output_kind > 1,
    };
}

static void init_stages(struct pgs_raster_info *raster, const VkGraphicsPipelineCreateInfo *info,
                        VkShaderModule vertex, VkShaderModule fragment)
{
    uint32_t count = 0;
    raster->stages[count++] = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = vertex,
        .pName = "main",
    };
    for (uint32_t i = 0; i < info->stageCount && count < 2; i++) {
        if (info->pStages[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT)
            continue;
        raster->stages[count] = info->pStages[i];
        if (fragment)
            raster->stages[count].module = fragment;
        count++;
    }
    raster->info.stageCount = count;
    raster->info.pStages = raster->stages;
}

bool pgs_has_dynamic_state(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++)
        if (dynamic->pDynamicStates[i] == state)
            return true;
    return false;
}

bool pgs_is_tessellation_state(VkDynamicState state)
{
    return state == VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT ||
           state == VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT;
}

VkResult pgs_dynamic_states_init(struct pgs_dynamic_states *dynamic, bool ours_input,
                                 bool ours_tessellation,
                                 const VkPipelineDynamicStateCreateInfo **info)
{
    if (!*info)
        return VK_SUCCESS;
    dynamic->info = **info;
    dynamic->info.dynamicStateCount = 0;
    dynamic->info.pDynamicStates = dynamic->states;
    for (uint32_t i = 0; i < (*info)->dynamicStateCount; i++) {
        const VkDynamicState state = (*info)->pDynamicStates[i];
        if (state == VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT ||
            (ours_input && is_input_state(state)) ||
            (ours_tessellation && pgs_is_tessellation_state(state)))
            continue;
        if (dynamic->info.dynamicStateCount == PGS_MAX_DYNAMIC_STATES) {
            pgs_log(PGS_LOG_ERROR, "a pipeline with more than %d dynamic states",
                    PGS_MAX_DYNAMIC_STATES);
            return VK_ERROR_UNKNOWN;
        }
        dynamic->states[dynamic->info.dynamicStateCount++] = state;
    }
    *info = &dynamic->info;
    return VK_SUCCESS;
}

uint32_t pgs_rasterization_stream(const VkGraphicsPipelineCreateInfo *info)
{
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT))
        return 0;
    const VkPipelineRasterizationStateStreamCreateInfoEXT *stream =
        info->pRasterizationState
            ? pgs_chain_find(info->pRasterizationState->pNext,
                             VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT)
            : NULL;
    return stream ? stream->rasterizationStream : 0;
}

VkResult pgs_rasterization_init(struct pgs_rasterization *rasterization,
                                const VkPipelineRasterizationStateCreateInfo **state)
{
    rasterization->block = NULL;
    if (!*state)
        return VK_SUCCESS;
    const VkStructureType type =
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT;
    const void *chain;
    const VkResult result =
        pgs_chain_copy_prefix((*state)->pNext, &type, 1, &chain, &rasterization->block);
    if (result != VK_SUCCESS)
        return result == VK_ERROR_OUT_OF_HOST_MEMORY ? result : VK_ERROR_UNKNOWN;
    if (!rasterization->block)
        return VK_SUCCESS;
    pgs_chain_remove(&chain, &type, 1);
    rasterization->state = **state;
    rasterization->state.pNext = chain;
    *state = &rasterization->state;
    return VK_SUCCESS;
}

void pgs_rasterization_finish(struct pgs_rasterization *rasterization)
{
    pgs_free(rasterization->block);
    rasterization->block = NULL;
}

void pgs_raster_info_finish(struct pgs_raster_info *raster)
{
    pgs_rasterization_finish(&raster->rasterization);
}

void pgs_raster_info_draw_lists(struct pgs_raster_info *raster, uint32_t vertices_per_primitive)
{
    raster->input_assembly.topology = vertices_per_primitive == 1 ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                                      : vertices_per_primitive == 2
                                          ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST
                                          : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    raster->input_assembly.primitiveRestartEnable = VK_FALSE;
    for (uint32_t i = 0; i < raster->vertex_input.vertexBindingDescriptionCount; i++)
        raster->bindings[i].stride = 0;
}

void pgs_raster_info_take_robustness(struct pgs_raster_info *raster,
                                     const struct pgs_robustness *robustness)
{
    raster->robustness = pgs_robustness_info(robustness, raster->stages[0].pNext);
    raster->stages[0].pNext = &raster->robustness;
}

VkResult pgs_raster_info_init(struct pgs_raster_info *raster,
                              const VkGraphicsPipelineCreateInfo *info,
                              const struct pgs_emulated_pipeline *pipeline, VkShaderModule vertex,
                              VkShaderModule fragment)
{
    raster->info = *info;
    const VkResult result =
        pgs_rasterization_init(&raster->rasterization, &raster->info.pRasterizationState);
    if (result != VK_SUCCESS)
        return result;
    init_stages(raster, info, vertex, fragment);
    init_vertex_input(raster, pipeline->gs.output_kind, pipeline->by_layer || pipeline->by_view);
    raster->info.pVertexInputState = &raster->vertex_input;
    raster->info.pInputAssemblyState = &raster->input_assembly;
    raster->info.pTessellationState = NULL;
    return pgs_dynamic_states_init(&raster->dynamic, true, true, &raster->info.pDynamicState);
}
