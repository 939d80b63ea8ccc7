/* SPDX-License-Identifier: MIT */
#include "pipeline/info_view.h"

#include "base/alloc.h"
#include "vulkan/chain.h"

#include <assert.h>

#define VERTEX_INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define BEFORE_RASTER VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define FRAGMENT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define OUTPUT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT

VkGraphicsPipelineLibraryFlagsEXT pgs_info_parts(const VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *own =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    const VkPipelineLibraryCreateInfoKHR *linked =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    if (own)
        return own->flags & PGS_ALL_PARTS;
    return (info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) || (linked && linked->libraryCount)
               ? 0
               : PGS_ALL_PARTS;
}

uint32_t pgs_info_stage_count(const VkGraphicsPipelineCreateInfo *info)
{
    return pgs_info_parts(info) & (BEFORE_RASTER | FRAGMENT) ? info->stageCount : 0;
}

/* -- dynamic states -- */

/* The parts that a dynamic state belongs to. With other parts alone it is ignored: their libraries
 * may list it, and the state may be static nevertheless. States that are not known count. */
static VkGraphicsPipelineLibraryFlagsEXT parts_of_state(VkDynamicState state)
{
    switch ((int)state) {
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
        return VERTEX_INPUT;
    case VK_DYNAMIC_STATE_VIEWPORT:
    case VK_DYNAMIC_STATE_SCISSOR:
    case VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT:
    case VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT:
    case VK_DYNAMIC_STATE_LINE_WIDTH:
    case VK_DYNAMIC_STATE_DEPTH_BIAS:
    case VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE:
    case VK_DYNAMIC_STATE_CULL_MODE:
    case VK_DYNAMIC_STATE_FRONT_FACE:
    case VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE:
    case VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT:
    case VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT:
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT:
    case VK_DYNAMIC_STATE_POLYGON_MODE_EXT:
    case VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT:
    case VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT:
    case VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT:
    case VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_LINE_STIPPLE_EXT:
    case VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT:
    case VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT:
    case VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT:
    case VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV:
    case VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV:
    case VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV:
    case VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV:
        return BEFORE_RASTER;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS:
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
    case VK_DYNAMIC_STATE_STENCIL_OP:
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
        return FRAGMENT;
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
        return OUTPUT;
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_MODE_NV:
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV:
    case VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV:
    case VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV:
        return FRAGMENT | OUTPUT;
    default:
        return PGS_ALL_PARTS;
    }
}

static VkResult take_dynamic(struct pgs_info_view *view, VkGraphicsPipelineLibraryFlagsEXT parts)
{
    const VkPipelineDynamicStateCreateInfo *from = view->info.pDynamicState;
    if (!from || parts == PGS_ALL_PARTS)
        return VK_SUCCESS;
    view->dynamic.info = *from;
    view->dynamic.info.dynamicStateCount = 0;
    view->dynamic.info.pDynamicStates = view->dynamic.states;
    for (uint32_t i = 0; i < from->dynamicStateCount; i++) {
        if (!(parts_of_state(from->pDynamicStates[i]) & parts))
            continue;
        const VkResult result =
            pgs_dynamic_states_add(&view->dynamic, from->pDynamicStates[i], "a pipeline library");
        if (result != VK_SUCCESS)
            return result;
    }
    view->info.pDynamicState = &view->dynamic.info;
    return VK_SUCCESS;
}

/* -- state -- */

struct pgs_subpass_uses pgs_rendering_uses(const VkPipelineRenderingCreateInfo *rendering)
{
    struct pgs_subpass_uses uses = {0};
    if (!rendering)
        return uses;
    uses.depth_stencil = rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                         rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED;
    for (uint32_t i = 0; i < rendering->colorAttachmentCount; i++)
        uses.color |= rendering->pColorAttachmentFormats[i] != VK_FORMAT_UNDEFINED;
    return uses;
}

static void take_stages(struct pgs_info_view *view, VkGraphicsPipelineLibraryFlagsEXT parts)
{
    const VkGraphicsPipelineCreateInfo from = view->info;
    view->info.stageCount = 0;
    view->info.pStages = view->stages;
    if (!(parts & (BEFORE_RASTER | FRAGMENT)))
        return;
    for (uint32_t i = 0; i < from.stageCount && view->info.stageCount < PGS_MAX_STAGES; i++)
        if (parts &
            (from.pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT ? FRAGMENT : BEFORE_RASTER))
            view->stages[view->info.stageCount++] = from.pStages[i];
}

/* Whatever it points to. */
static void take_vertex_input(struct pgs_info_view *view)
{
    if (pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
        view->info.pVertexInputState = NULL;
}

static void take_viewport(struct pgs_info_view *view)
{
    VkGraphicsPipelineCreateInfo *info = &view->info;
    if (!info->pViewportState)
        return;
    view->viewport = *info->pViewportState;
    info->pViewportState = &view->viewport;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_VIEWPORT) ||
        pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT))
        view->viewport.pViewports = NULL;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_SCISSOR) ||
        pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
        view->viewport.pScissors = NULL;
}

static void take_multisample(struct pgs_info_view *view)
{
    VkGraphicsPipelineCreateInfo *info = &view->info;
    if (!info->pMultisampleState)
        return;
    view->multisample = *info->pMultisampleState;
    info->pMultisampleState = &view->multisample;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT))
        view->multisample.pSampleMask = NULL;
}

/* Stand where the application's attachments are ignored: the validation layer of Vulkan 1.4.309
 * looks at them nevertheless. */
#define IGNORED 16
static const VkPipelineColorBlendAttachmentState ignored[IGNORED];

static void take_blend(struct pgs_info_view *view)
{
    VkGraphicsPipelineCreateInfo *info = &view->info;
    if (!info->pColorBlendState)
        return;
    view->blend = *info->pColorBlendState;
    info->pColorBlendState = &view->blend;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) &&
        pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) &&
        (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) ||
         pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT)))
        view->blend.pAttachments = view->blend.attachmentCount <= IGNORED ? ignored : NULL;
}

static void leave_out_other_parts(VkGraphicsPipelineCreateInfo *info,
                                  VkGraphicsPipelineLibraryFlagsEXT parts)
{
    if (!(parts & VERTEX_INPUT)) {
        info->pVertexInputState = NULL;
        info->pInputAssemblyState = NULL;
    }
    if (!(parts & BEFORE_RASTER)) {
        info->pTessellationState = NULL;
        info->pViewportState = NULL;
        info->pRasterizationState = NULL;
    }
    if (!(parts & (FRAGMENT | OUTPUT)))
        info->pMultisampleState = NULL;
    if (!(parts & FRAGMENT))
        info->pDepthStencilState = NULL;
    if (!(parts & OUTPUT))
        info->pColorBlendState = NULL;
    if (!(parts & (BEFORE_RASTER | FRAGMENT)))
        info->layout = VK_NULL_HANDLE;
    if (!(parts & (BEFORE_RASTER | FRAGMENT | OUTPUT)))
        info->renderPass = VK_NULL_HANDLE;
}

static void leave_out_ignored(VkGraphicsPipelineCreateInfo *info, struct pgs_subpass_uses uses)
{
    const bool discards = info->pRasterizationState &&
                          info->pRasterizationState->rasterizerDiscardEnable &&
                          !pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    if (discards) {
        info->pViewportState = NULL;
        info->pMultisampleState = NULL;
    }
    if (discards || !uses.depth_stencil)
        info->pDepthStencilState = NULL;
    if (discards || !uses.color)
        info->pColorBlendState = NULL;
    if (!pgs_has_stage(info, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                 VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
        info->pTessellationState = NULL;
}

/* -- arrays in chains -- */

/* Finds the node with an array that is ignored, in a copy; NULL: there is none. */
static VkResult open_node(const void **chain, VkStructureType type, void **block, void **node)
{
    *node = NULL;
    if (!pgs_chain_find(*chain, type))
        return VK_SUCCESS;
    const VkResult result = pgs_chain_copy_prefix(*chain, &type, 1, chain, block);
    if (result == VK_SUCCESS)
        *node = pgs_chain_find(*chain, type);
    return result;
}

/* Numbers of the blocks of nodes. */
enum {
    DISCARD_RECTANGLES,
    COLOR_WRITES,
    DEPTH_CLAMP_RANGE,
    W_SCALING,
    SWIZZLE,
    EXCLUSIVE_SCISSOR,
    COVERAGE_MODULATION,
    SAMPLE_LOCATIONS,
    NODE_COUNT
};
static_assert(NODE_COUNT == sizeof(((struct pgs_info_view *)0)->blocks) / sizeof(void *),
              "a view has room for all nodes");

static VkResult hide_discard_rectangles(struct pgs_info_view *view)
{
    void *node = NULL;
    VkResult result = VK_SUCCESS;
    if (pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT))
        result = open_node(&view->info.pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
                           &view->blocks[DISCARD_RECTANGLES], &node);
    if (node)
        ((VkPipelineDiscardRectangleStateCreateInfoEXT *)node)->pDiscardRectangles = NULL;
    return result;
}

static VkResult hide_color_writes(struct pgs_info_view *view)
{
    void *node = NULL;
    VkResult result = VK_SUCCESS;
    if (view->info.pColorBlendState &&
        pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT))
        result =
            open_node(&view->blend.pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
                      &view->blocks[COLOR_WRITES], &node);
    if (node)
        ((VkPipelineColorWriteCreateInfoEXT *)node)->pColorWriteEnables = NULL;
    return result;
}

/* Arrays of the viewport state, of which only dynamic state says that they are ignored. */
static VkResult hide_viewport_arrays(struct pgs_info_view *view)
{
    void *scaling = NULL, *swizzle = NULL, *scissor = NULL;
    VkResult result = VK_SUCCESS;
    if (!view->info.pViewportState)
        return VK_SUCCESS;
    if (pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV))
        result = open_node(&view->viewport.pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV,
                           &view->blocks[W_SCALING], &scaling);
    if (scaling)
        ((VkPipelineViewportWScalingStateCreateInfoNV *)scaling)->pViewportWScalings = NULL;
    if (result == VK_SUCCESS &&
        pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV))
        result = open_node(&view->viewport.pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
                           &view->blocks[SWIZZLE], &swizzle);
    if (swizzle)
        ((VkPipelineViewportSwizzleStateCreateInfoNV *)swizzle)->pViewportSwizzles = NULL;
    if (result == VK_SUCCESS &&
        pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV))
        result =
            open_node(&view->viewport.pNext,
                      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV,
                      &view->blocks[EXCLUSIVE_SCISSOR], &scissor);
    if (scissor)
        ((VkPipelineViewportExclusiveScissorStateCreateInfoNV *)scissor)->pExclusiveScissors = NULL;
    return result;
}

static VkResult hide_coverage_table(struct pgs_info_view *view)
{
    void *node = NULL;
    VkResult result = VK_SUCCESS;
    if (view->info.pMultisampleState)
        result = open_node(&view->multisample.pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV,
                           &view->blocks[COVERAGE_MODULATION], &node);
    VkPipelineCoverageModulationStateCreateInfoNV *coverage = node;
    if (!coverage)
        return result;
    const bool counts =
        coverage->coverageModulationTableEnable ||
        pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV);
    if (!counts ||
        pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV)) {
        coverage->coverageModulationTableCount = 0;
        coverage->pCoverageModulationTable = NULL;
    }
    return result;
}

/* The locations lie within the node, with a chain of their own. */
static VkResult hide_sample_locations(struct pgs_info_view *view)
{
    void *node = NULL;
    VkResult result = VK_SUCCESS;
    if (view->info.pMultisampleState)
        result = open_node(&view->multisample.pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
                           &view->blocks[SAMPLE_LOCATIONS], &node);
    VkPipelineSampleLocationsStateCreateInfoEXT *samples = node;
    if (!samples)
        return result;
    const bool counts =
        samples->sampleLocationsEnable ||
        pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT);
    if (!counts || pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT))
        samples->sampleLocationsInfo =
            (VkSampleLocationsInfoEXT){.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT};
    return result;
}

#ifdef VK_EXT_depth_clamp_control
static VkResult hide_depth_clamp_range(struct pgs_info_view *view)
{
    void *node = NULL;
    VkResult result = VK_SUCCESS;
    if (view->info.pViewportState)
        result = open_node(&view->viewport.pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT,
                           &view->blocks[DEPTH_CLAMP_RANGE], &node);
    VkPipelineViewportDepthClampControlCreateInfoEXT *clamp = node;
    if (clamp && (clamp->depthClampMode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT ||
                  pgs_has_dynamic_state(&view->info, VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT)))
        clamp->pDepthClampRange = NULL;
    return result;
}
#else
static VkResult hide_depth_clamp_range(struct pgs_info_view *view)
{
    (void)view;
    return VK_SUCCESS;
}
#endif

/* -- all -- */

VkResult pgs_info_view_init(struct pgs_info_view *view, const VkGraphicsPipelineCreateInfo *info,
                            VkGraphicsPipelineLibraryFlagsEXT parts, struct pgs_subpass_uses uses)
{
    view->info = *info;
    for (size_t i = 0; i < sizeof(view->blocks) / sizeof(*view->blocks); i++)
        view->blocks[i] = NULL;
    leave_out_other_parts(&view->info, parts);
    take_stages(view, parts);
    VkResult result = take_dynamic(view, parts);
    if (result != VK_SUCCESS)
        return result;
    leave_out_ignored(&view->info, uses);
    take_vertex_input(view);
    take_viewport(view);
    take_multisample(view);
    take_blend(view);
    result = hide_discard_rectangles(view);
    if (result == VK_SUCCESS)
        result = hide_color_writes(view);
    if (result == VK_SUCCESS)
        result = hide_viewport_arrays(view);
    if (result == VK_SUCCESS)
        result = hide_coverage_table(view);
    if (result == VK_SUCCESS)
        result = hide_sample_locations(view);
    return result == VK_SUCCESS ? hide_depth_clamp_range(view) : result;
}

void pgs_info_view_finish(struct pgs_info_view *view)
{
    for (size_t i = 0; i < sizeof(view->blocks) / sizeof(*view->blocks); i++)
        pgs_free(view->blocks[i]);
}
