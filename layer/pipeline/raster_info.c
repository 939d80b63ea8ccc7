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
#include <string.h>

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

static VkPrimitiveTopology raster_topology(enum pgs_spv_polygons polygons, uint32_t output_kind)
{
    switch (polygons) {
    case PGS_SPV_POLYGONS_LINES:
    case PGS_SPV_COPIED_LINES:
    case PGS_SPV_COPIED_EDGES:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case PGS_SPV_POLYGONS_POINTS:
        return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case PGS_SPV_WIDE_LINES:
    case PGS_SPV_WIDE_EDGES:
    case PGS_SPV_LARGE_POINTS:
    case PGS_SPV_LARGE_CORNERS:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case PGS_SPV_POLYGONS_FILLED:
        break;
    }
    return output_topology(output_kind);
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

static bool is_vertex_state(VkDynamicState state)
{
    return state == VK_DYNAMIC_STATE_VERTEX_INPUT_EXT ||
           state == VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
}

static void add_binding(struct pgs_raster_info *raster, uint32_t *count, uint32_t binding,
                        uint32_t stride_B, VkFormat format)
{
    raster->bindings[*count] = (VkVertexInputBindingDescription){
        .binding = binding,
        .stride = stride_B,
        .inputRate = VK_VERTEX_INPUT_RATE_INSTANCE,
    };
    raster->attributes[(*count)++] = (VkVertexInputAttributeDescription){
        .location = binding,
        .binding = binding,
        .format = format,
        .offset = 0,
    };
}

/* Bindings for the vertices and, with by_layer, by_view and by_viewport, what is drawn of them. All
 * instances are drawn to the same viewports. */
static void init_vertex_input(struct pgs_raster_info *raster,
                              const struct pgs_emulated_pipeline *pipeline)
{
    const uint32_t output_kind = pipeline->gs.output_kind;
    uint32_t count = 0;
    add_binding(raster, &count, 0, 8, VK_FORMAT_R32G32_UINT);
    if (pipeline->by_layer || pipeline->by_view)
        add_binding(raster, &count, 1, 8, VK_FORMAT_R32G32_UINT);
    if (pipeline->by_viewport)
        add_binding(raster, &count, 2, 0, VK_FORMAT_R32G32B32A32_UINT);
    raster->vertex_input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = count,
        .pVertexBindingDescriptions = raster->bindings,
        .vertexAttributeDescriptionCount = count,
        .pVertexAttributeDescriptions = raster->attributes,
    };
    raster->input_assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = raster_topology(pipeline->polygons, output_kind),
        .primitiveRestartEnable = output_kind > 1 && pipeline->polygons == PGS_SPV_POLYGONS_FILLED,
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
    if (fragment && count == 1)
        raster->stages[count++] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
            .module = fragment,
            .pName = "main",
        };
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

bool pgs_has_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlags stages)
{
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage & stages)
            return true;
    return false;
}

const VkPipelineRasterizationLineStateCreateInfoEXT *
pgs_line_state(const VkGraphicsPipelineCreateInfo *info)
{
    return info->pRasterizationState
               ? pgs_chain_find(info->pRasterizationState->pNext,
                                VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT)
               : NULL;
}

bool pgs_may_stipple(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT *line = pgs_line_state(info);
    return pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT) ||
           (line && line->stippledLineEnable);
}

bool pgs_depths_are_symmetric(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineViewportDepthClipControlCreateInfoEXT *control =
        pgs_has_viewport_state(info)
            ? pgs_chain_find(info->pViewportState->pNext,
                             VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT)
            : NULL;
    return control && control->negativeOneToOne;
}

bool pgs_discards_always(const VkGraphicsPipelineCreateInfo *info)
{
    return info->pRasterizationState && info->pRasterizationState->rasterizerDiscardEnable &&
           !pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
}

bool pgs_is_tessellation_state(VkDynamicState state)
{
    return state == VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT ||
           state == VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT;
}

VkResult pgs_dynamic_states_add(struct pgs_dynamic_states *dynamic, VkDynamicState state,
                                const char *whose)
{
    if (dynamic->info.dynamicStateCount == PGS_MAX_DYNAMIC_STATES) {
        pgs_log(PGS_LOG_ERROR, "%s with more than %d dynamic states", whose,
                PGS_MAX_DYNAMIC_STATES);
        return VK_ERROR_UNKNOWN;
    }
    dynamic->states[dynamic->info.dynamicStateCount++] = state;
    return VK_SUCCESS;
}

VkResult pgs_dynamic_states_init(struct pgs_dynamic_states *dynamic, bool ours_input,
                                 bool ours_tessellation, bool ours_stipple,
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
            (ours_tessellation && pgs_is_tessellation_state(state)) ||
            (ours_stipple && state == VK_DYNAMIC_STATE_LINE_STIPPLE_EXT))
            continue;
        const VkResult result = pgs_dynamic_states_add(dynamic, state, "a pipeline");
        if (result != VK_SUCCESS)
            return result;
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
                                const struct pgs_depth_clip *clip, bool drops_lines,
                                const VkPipelineRasterizationStateCreateInfo **state)
{
    rasterization->block = NULL;
    if (!*state)
        return VK_SUCCESS;
    VkStructureType types[3] = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT};
    size_t count = 1;
    if (clip->stated)
        types[count++] = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT;
    if (drops_lines)
        types[count++] = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT;
    const void *chain;
    const VkResult result =
        pgs_chain_copy_prefix((*state)->pNext, types, count, &chain, &rasterization->block);
    if (result != VK_SUCCESS || !rasterization->block)
        return result;
    pgs_chain_remove(&chain, types, count);
    rasterization->state = **state;
    if (clip->stated)
        rasterization->state.depthClampEnable = clip->clamps;
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

void pgs_raster_info_draw_strip(struct pgs_raster_info *raster)
{
    pgs_raster_info_draw_lists(raster, 3);
    raster->input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
}

/* A dynamic topology may have any class in the info. That of the pipeline is the shader's. */
static void take_assembly(struct pgs_raster_info *raster,
                          const VkPipelineInputAssemblyStateCreateInfo *from,
                          const struct pgs_emulated_pipeline *pipeline)
{
    static const VkPrimitiveTopology strips[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    const uint32_t vertices = pipeline->gs.input_vertices;
    const bool fits = from && pgs_instanced_vertices(from->topology, false) == vertices;
    raster->info.pInputAssemblyState = fits ? from : &raster->input_assembly;
    raster->input_assembly.topology = strips[vertices - 1];
    raster->input_assembly.primitiveRestartEnable =
        from && from->primitiveRestartEnable && vertices > 1;
}

/* assembles: with what is dynamic in the input assembly. */
static VkResult take_vertices(struct pgs_raster_info *raster,
                              const VkGraphicsPipelineCreateInfo *info,
                              const struct pgs_emulated_pipeline *pipeline, bool assembles)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    VkResult result = VK_SUCCESS;
    raster->info.pVertexInputState =
        pipeline->dynamic & PGS_DYNAMIC_VERTEX_INPUT ? NULL : info->pVertexInputState;
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount && result == VK_SUCCESS; i++)
        if (is_input_state(dynamic->pDynamicStates[i]) &&
            (assembles || is_vertex_state(dynamic->pDynamicStates[i])))
            result =
                pgs_dynamic_states_add(&raster->dynamic, dynamic->pDynamicStates[i], "a pipeline");
    return result;
}

VkResult pgs_raster_info_take_input(struct pgs_raster_info *raster,
                                    const VkGraphicsPipelineCreateInfo *info,
                                    const struct pgs_emulated_pipeline *pipeline)
{
    take_assembly(raster, info->pInputAssemblyState, pipeline);
    return take_vertices(raster, info, pipeline, true);
}

VkResult pgs_raster_info_take_vertices(struct pgs_raster_info *raster,
                                       const VkGraphicsPipelineCreateInfo *info,
                                       const struct pgs_emulated_pipeline *pipeline)
{
    return take_vertices(raster, info, pipeline, false);
}

void pgs_raster_info_take_record(struct pgs_raster_info *raster,
                                 const struct pgs_emulated_pipeline *pipeline)
{
    raster->bindings[0].stride = pgs_record_size(pipeline);
    raster->vertex_input.vertexAttributeDescriptionCount =
        1 + pgs_record_inputs(pipeline, raster->attributes + 1);
}

void pgs_raster_info_stride_records(struct pgs_raster_info *raster, uint32_t record_stride_B)
{
    for (uint32_t i = 0; i < raster->vertex_input.vertexBindingDescriptionCount; i++)
        raster->bindings[i].stride = 0;
    raster->bindings[0].stride = record_stride_B;
}

void pgs_raster_info_split_vertices(struct pgs_raster_info *raster, uint32_t record_stride_B)
{
    pgs_raster_info_stride_records(raster, record_stride_B);
    raster->attributes[0].format = VK_FORMAT_R32G32B32A32_UINT;
}

_Static_assert(PGS_SPV_MAX_FETCHED_QUADS + 2 <= 1 + PGS_MAX_RECORD_INPUTS, "attributes");

void pgs_raster_info_fetch_vertices(struct pgs_raster_info *raster,
                                    const struct pgs_emulated_pipeline *pipeline, uint32_t stream)
{
    VkPipelineVertexInputStateCreateInfo *input = &raster->vertex_input;
    VkVertexInputAttributeDescription others[2];
    const uint32_t kept = input->vertexAttributeDescriptionCount - 1; /* all but the address */
    memcpy(others, raster->attributes + 1, kept * sizeof(*others));
    uint32_t stride_B;
    const uint32_t count = pgs_fetched_inputs(pipeline, stream, raster->attributes, &stride_B);
    pgs_raster_info_stride_records(raster, stride_B); /* the others are the same for all records */
    memcpy(raster->attributes + count, others, kept * sizeof(*others));
    input->vertexAttributeDescriptionCount = count + kept;
    raster->bindings[0].inputRate = VK_VERTEX_INPUT_RATE_VERTEX;
}

void pgs_raster_info_take_robustness(struct pgs_raster_info *raster,
                                     const struct pgs_robustness *robustness)
{
    raster->robustness = pgs_robustness_info(robustness, raster->stages[0].pNext);
    raster->stages[0].pNext = &raster->robustness;
}

bool pgs_has_viewport_state(const VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *library =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    return info->pViewportState && !pgs_discards_always(info) &&
           (!library ||
            (library->flags & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT));
}

void pgs_keep_one_viewport(VkPipelineViewportStateCreateInfo *copy,
                           const VkPipelineViewportStateCreateInfo **state)
{
    if (!*state || ((*state)->viewportCount <= 1 && (*state)->scissorCount <= 1))
        return;
    *copy = **state;
    if (copy->viewportCount > 1)
        copy->viewportCount = 1;
    if (copy->scissorCount > 1)
        copy->scissorCount = 1;
    *state = copy;
}

/* Adds a dynamic state unless it is there. */
static VkResult add_dynamic(struct pgs_dynamic_states *dynamic, VkDynamicState state)
{
    for (uint32_t i = 0; i < dynamic->info.dynamicStateCount; i++)
        if (dynamic->states[i] == state)
            return VK_SUCCESS;
    if (dynamic->info.dynamicStateCount == PGS_MAX_DYNAMIC_STATES)
        return VK_ERROR_UNKNOWN;
    dynamic->states[dynamic->info.dynamicStateCount++] = state;
    return VK_SUCCESS;
}

/* With by_viewport there is one of each, which draws set. The application's commands with counts
 * need pipelines with dynamic counts. */
static VkResult init_viewport(struct pgs_raster_info *raster,
                              const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_dynamic_states *dynamic = &raster->dynamic;
    const bool viewport_count = pipeline->dynamic & PGS_DYNAMIC_VIEWPORT_COUNT;
    const bool scissor_count = pipeline->dynamic & PGS_DYNAMIC_SCISSOR_COUNT;
    if (pipeline->one_viewport && pgs_has_viewport_state(&raster->info))
        pgs_keep_one_viewport(&raster->viewport, &raster->info.pViewportState);
    if (!pipeline->by_viewport)
        return VK_SUCCESS;
    if (!raster->info.pDynamicState)
        dynamic->info = (VkPipelineDynamicStateCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
            .pDynamicStates = dynamic->states,
        };
    raster->info.pDynamicState = &dynamic->info;
    raster->viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .pNext = pgs_has_viewport_state(&raster->info) ? raster->info.pViewportState->pNext : NULL,
        .viewportCount = !viewport_count,
        .scissorCount = !scissor_count,
    };
    raster->info.pViewportState = &raster->viewport;
    const VkResult result = add_dynamic(
        dynamic, viewport_count ? VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT : VK_DYNAMIC_STATE_VIEWPORT);
    return result != VK_SUCCESS
               ? result
               : add_dynamic(dynamic, scissor_count ? VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT
                                                    : VK_DYNAMIC_STATE_SCISSOR);
}

VkResult pgs_raster_info_init(struct pgs_raster_info *raster,
                              const VkGraphicsPipelineCreateInfo *info,
                              const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_depth_clip *clip, bool drops_lines,
                              VkShaderModule vertex, VkShaderModule fragment)
{
    raster->info = *info;
    const VkResult result = pgs_rasterization_init(&raster->rasterization, clip, drops_lines,
                                                   &raster->info.pRasterizationState);
    if (result != VK_SUCCESS)
        return result;
    init_stages(raster, info, vertex, fragment);
    init_vertex_input(raster, pipeline);
    raster->info.pVertexInputState = &raster->vertex_input;
    raster->info.pInputAssemblyState = &raster->input_assembly;
    raster->info.pTessellationState = NULL;
    const VkResult states = pgs_dynamic_states_init(&raster->dynamic, true, true, drops_lines,
                                                    &raster->info.pDynamicState);
    return states == VK_SUCCESS ? init_viewport(raster, pipeline) : states;
}
