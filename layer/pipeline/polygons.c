/* SPDX-License-Identifier: MIT */
#include "pipeline/polygons.h"

#include "base/log.h"
#include "pipeline/kept_render_pass.h"
#include "pipeline/line_modes.h"
#include "pipeline/raster_info.h"
#include "vulkan/chain.h"

#define STAGES_OF_TRIANGLES                                                                        \
    (VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)

static enum pgs_spv_polygons polygons_of_mode(const VkPipelineRasterizationStateCreateInfo *state)
{
    if (!state)
        return PGS_SPV_POLYGONS_FILLED;
    switch ((int)state->polygonMode) {
    case VK_POLYGON_MODE_LINE:
        return PGS_SPV_POLYGONS_LINES;
    case VK_POLYGON_MODE_POINT:
        return PGS_SPV_POLYGONS_POINTS;
    default:
        return PGS_SPV_POLYGONS_FILLED;
    }
}

static bool may_have_triangles(const VkGraphicsPipelineCreateInfo *info)
{
    if (pgs_has_stage(info, STAGES_OF_TRIANGLES) || !info->pInputAssemblyState)
        return true;
    switch ((int)info->pInputAssemblyState->topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return false;
    default:
        return true;
    }
}

bool pgs_polygons_may_be_unfilled(const VkGraphicsPipelineCreateInfo *info)
{
    return !pgs_discards_always(info) && may_have_triangles(info) &&
           polygons_of_mode(info->pRasterizationState) != PGS_SPV_POLYGONS_FILLED;
}

enum pgs_spv_polygons pgs_polygons_of(const struct pgs_device *dev,
                                      const VkGraphicsPipelineCreateInfo *info)
{
    return dev->physical->emulates_fill && pgs_polygons_may_be_unfilled(info)
               ? polygons_of_mode(info->pRasterizationState)
               : PGS_SPV_POLYGONS_FILLED;
}

static bool has_dynamic_width(const VkGraphicsPipelineCreateInfo *info)
{
    return pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_LINE_WIDTH);
}

/* True if the create info asks for a width that the driver's device does not have. */
static bool has_other_width(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return dev->lines && info->pRasterizationState && !has_dynamic_width(info) &&
           info->pRasterizationState->lineWidth != 1;
}

static bool may_have_lines(const VkGraphicsPipelineCreateInfo *info)
{
    if (pgs_discards_always(info) || !info->pRasterizationState)
        return false;
    if (info->pRasterizationState->polygonMode == VK_POLYGON_MODE_LINE ||
        pgs_has_stage(info, STAGES_OF_TRIANGLES) || !info->pInputAssemblyState)
        return true;
    return !may_have_triangles(info) &&
           info->pInputAssemblyState->topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
}

bool pgs_lines_are_ours(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return dev->line_modes && may_have_lines(info) && pgs_line_modes_need_layer(dev, info);
}

bool pgs_lines_may_be_wide(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    if (pgs_lines_are_ours(dev, info))
        return true;
    return dev->lines && may_have_lines(info) &&
           (has_dynamic_width(info) || pgs_line_width(info->pRasterizationState->lineWidth) > 1);
}

enum pgs_spv_polygons pgs_wide_of(const struct pgs_device *dev,
                                  const VkGraphicsPipelineCreateInfo *info,
                                  uint32_t vertices_per_primitive, bool *rectangles)
{
    const VkPipelineRasterizationStateCreateInfo *state = info->pRasterizationState;
    const VkPipelineRasterizationLineStateCreateInfoEXT *lines = pgs_line_state(info);
    const VkLineRasterizationModeEXT mode =
        lines ? lines->lineRasterizationMode : VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
    const bool bresenham = mode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
    const bool copies = bresenham && pgs_thin_lines_are_bresenham(dev, info);
    *rectangles = mode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT ||
                  (dev->physical->properties.limits.strictLines && !bresenham);
    if (vertices_per_primitive == 2)
        return copies ? PGS_SPV_COPIED_LINES : PGS_SPV_WIDE_LINES;
    if (vertices_per_primitive == 3 && state->polygonMode == VK_POLYGON_MODE_LINE)
        return copies ? PGS_SPV_COPIED_EDGES : PGS_SPV_WIDE_EDGES;
    return PGS_SPV_POLYGONS_FILLED;
}

void pgs_polygons_widen(VkPipelineRasterizationStateCreateInfo *copy,
                        const VkPipelineRasterizationStateCreateInfo **state)
{
    *copy = **state;
    copy->polygonMode = VK_POLYGON_MODE_FILL;
    copy->cullMode = VK_CULL_MODE_NONE;
    copy->depthBiasEnable = VK_FALSE;
    copy->lineWidth = 1;
    *state = copy;
}

bool pgs_polygons_are_native(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return !has_other_width(dev, info) && !pgs_lines_may_be_wide(dev, info) &&
           !pgs_line_modes_stated(dev, info) &&
           (!dev->physical->emulates_fill ||
            polygons_of_mode(info->pRasterizationState) == PGS_SPV_POLYGONS_FILLED);
}

void pgs_polygons_fill(const struct pgs_device *dev, VkPipelineRasterizationStateCreateInfo *copy,
                       const VkPipelineRasterizationStateCreateInfo **state)
{
    const bool fills =
        dev->physical->emulates_fill && polygons_of_mode(*state) != PGS_SPV_POLYGONS_FILLED;
    if (!*state || (!fills && !dev->lines))
        return;
    *copy = **state;
    if (fills)
        copy->polygonMode = VK_POLYGON_MODE_FILL;
    if (dev->lines)
        copy->lineWidth = 1;
    *state = copy;
}

/* The smallest difference of depths, as the specification has it; 0 for floats. */
static float unit_of(VkFormat format)
{
    switch ((int)format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_D16_UNORM_S8_UINT:
        return 1.0f / (1 << 16);
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D24_UNORM_S8_UINT:
        return 1.0f / (1 << 24);
    default:
        return 0;
    }
}

static VkFormat depth_format_of(const struct pgs_device *dev,
                                const VkGraphicsPipelineCreateInfo *info)
{
    if (info->renderPass)
        return pgs_render_pass_depth_format(dev, info->renderPass, info->subpass);
    const VkPipelineRenderingCreateInfo *rendering =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    return rendering ? rendering->depthAttachmentFormat : VK_FORMAT_UNDEFINED;
}

static bool same_stencil(const VkStencilOpState *a, const VkStencilOpState *b)
{
    return a->failOp == b->failOp && a->passOp == b->passOp && a->depthFailOp == b->depthFailOp &&
           a->compareOp == b->compareOp && a->compareMask == b->compareMask &&
           a->writeMask == b->writeMask && a->reference == b->reference;
}

/* Lines and points are front-facing to the driver. Without an attachment the pointer is ignored. */
static void warn_of_stencil(const VkGraphicsPipelineCreateInfo *info, VkFormat depth)
{
    const VkPipelineDepthStencilStateCreateInfo *state = info->pDepthStencilState;
    if (depth != VK_FORMAT_UNDEFINED && state && state->stencilTestEnable &&
        !same_stencil(&state->front, &state->back))
        pgs_log_once(PGS_LOG_WARN,
                     "a pipeline draws polygons as lines or points and has a stencil test that "
                     "depends on facing: back-facing polygons get that of front-facing ones");
}

void pgs_record_polygons(const struct pgs_device *dev, struct pgs_emulated_pipeline *p,
                         const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationStateCreateInfo *state = info->pRasterizationState;
    p->polygon_state = (struct pgs_polygon_state){
        .cull_mode = state->cullMode,
        .front_face = state->frontFace,
        .bias_enable = state->depthBiasEnable,
        .bias = state->depthBiasConstantFactor,
        .bias_clamp = state->depthBiasClamp,
        .bias_slope = state->depthBiasSlopeFactor,
    };
    const VkFormat depth = depth_format_of(dev, info);
    p->depth_unit = unit_of(depth);
    if (pgs_spv_loses_facing(p->polygons)) {
        warn_of_stencil(info, depth);
        pgs_log_once(PGS_LOG_WARN,
                     "a pipeline draws polygons as lines or points, which the driver cannot: where "
                     "they reach beyond the view volume, they have none along its planes, and a "
                     "depth bias stays within the depth range of their viewport");
    }
}
