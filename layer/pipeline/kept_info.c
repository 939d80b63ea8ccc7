/* SPDX-License-Identifier: MIT
 *
 * Pointers to ignored state may be invalid by the specification, so ignored state is removed before
 * the copy.
 */
#include "pipeline/kept_info.h"

#include "base/alloc.h"
#include "pipeline/create_info.h"
#include "pipeline/raster_info.h"
#include "vulkan/chain.h"
#include "vulkan/create_copy.h"

/* Fits a usual create info; larger ones get larger blocks. */
#define BLOCK_B 2048

/* A view of the application's info, to be copied. */
struct view {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineShaderStageCreateInfo fragment;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineColorBlendStateCreateInfo blend;
};

static struct pgs_subpass_uses rendering_uses(const VkPipelineRenderingCreateInfo *rendering)
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

static bool has_local_read(const void *chain)
{
#ifdef VK_KHR_dynamic_rendering_local_read
    return pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR) ||
           pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR);
#else
    (void)chain;
    return false;
#endif
}

/* False: the subpass is not known, or the chain holds what is ignored with one. */
static bool find_uses(const VkGraphicsPipelineCreateInfo *info,
                      const struct pgs_kept_render_pass *pass, struct pgs_subpass_uses *uses)
{
    const VkPipelineRenderingCreateInfo *rendering =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    if (!info->renderPass) {
        *uses = rendering_uses(rendering);
        return true;
    }
    if (rendering || has_local_read(info->pNext) || !pass || info->subpass >= pass->subpass_count)
        return false;
    *uses = pass->subpasses[info->subpass];
    return true;
}

static void take_stages(const VkGraphicsPipelineCreateInfo *info, struct view *view)
{
    view->info.stageCount = 0;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT) {
            view->fragment = info->pStages[i];
            view->fragment.module = VK_NULL_HANDLE;
            view->info.stageCount = 1;
        }
    view->info.pStages = &view->fragment;
}

static void take_viewport(const VkGraphicsPipelineCreateInfo *info, struct view *view)
{
    if (!view->info.pViewportState)
        return;
    view->viewport = *info->pViewportState;
    view->info.pViewportState = &view->viewport;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_VIEWPORT) ||
        pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT))
        view->viewport.pViewports = NULL;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_SCISSOR) ||
        pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
        view->viewport.pScissors = NULL;
}

static void take_multisample(const VkGraphicsPipelineCreateInfo *info, struct view *view)
{
    if (!view->info.pMultisampleState)
        return;
    view->multisample = *info->pMultisampleState;
    view->info.pMultisampleState = &view->multisample;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT))
        view->multisample.pSampleMask = NULL;
}

static void take_blend(const VkGraphicsPipelineCreateInfo *info, struct view *view)
{
    if (!view->info.pColorBlendState)
        return;
    view->blend = *info->pColorBlendState;
    view->info.pColorBlendState = &view->blend;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) &&
        pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) &&
        (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) ||
         pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT)))
        view->blend.pAttachments = NULL;
}

static void take_out_what_is_ignored(const VkGraphicsPipelineCreateInfo *info,
                                     struct pgs_subpass_uses uses, struct view *view)
{
    const bool discards = info->pRasterizationState &&
                          info->pRasterizationState->rasterizerDiscardEnable &&
                          !pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    view->info = *info;
    view->info.flags &=
        ~(VkPipelineCreateFlags)(VK_PIPELINE_CREATE_DERIVATIVE_BIT |
                                 VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |
                                 VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    view->info.basePipelineHandle = VK_NULL_HANDLE;
    view->info.basePipelineIndex = -1;
    view->info.layout = VK_NULL_HANDLE;
    view->info.pVertexInputState = NULL;
    view->info.pInputAssemblyState = NULL;
    view->info.pTessellationState = NULL;
    if (discards) {
        view->info.pViewportState = NULL;
        view->info.pMultisampleState = NULL;
    }
    if (discards || !uses.depth_stencil)
        view->info.pDepthStencilState = NULL;
    if (discards || !uses.color)
        view->info.pColorBlendState = NULL;
    take_stages(info, view);
    take_viewport(info, view);
    take_multisample(info, view);
    take_blend(info, view);
}

VkResult pgs_kept_info_create(const struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *info, struct pgs_kept_info **out)
{
    struct view view;
    struct pgs_subpass_uses uses;
    struct pgs_kept_info *kept = pgs_calloc(1, sizeof(*kept));
    *out = NULL;
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    kept->arena.block_B = BLOCK_B;
    kept->pass = info->renderPass ? pgs_kept_render_pass_acquire(dev, info->renderPass) : NULL;
    struct pgs_copy copy = {.arena = &kept->arena, .exact = true};
    /* Flags in the chain are for this call only. */
    if (!pgs_has_flags_in_chain(info->pNext) && find_uses(info, kept->pass, &uses)) {
        take_out_what_is_ignored(info, uses, &view);
        kept->info = pgs_copy_VkGraphicsPipelineCreateInfo(&copy, &view.info, 1);
        for (uint32_t i = 0; i < info->stageCount; i++)
            kept->had_fragment_module |=
                info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && info->pStages[i].module;
    } else {
        copy.misses = true;
    }
    if (!copy.failed && !copy.misses) {
        *out = kept;
        return VK_SUCCESS;
    }
    pgs_kept_info_destroy(dev, kept);
    return copy.failed ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

void pgs_kept_info_destroy(const struct pgs_device *dev, struct pgs_kept_info *kept)
{
    if (!kept)
        return;
    pgs_kept_render_pass_release(dev, kept->pass);
    pgs_arena_finish(&kept->arena);
    pgs_free(kept);
}
