/* SPDX-License-Identifier: MIT */
#include "pipeline/kept_info.h"

#include "base/alloc.h"
#include "pipeline/create_info.h"
#include "pipeline/info_view.h"
#include "vulkan/chain.h"
#include "vulkan/create_copy.h"

/* Fits a usual create info; larger ones get larger blocks. */
#define BLOCK_B 2048

/* True if the chain has what only dynamic rendering reads. */
static bool has_rendering(const void *chain)
{
    if (pgs_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO) ||
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD))
        return true;
#ifdef VK_KHR_dynamic_rendering_local_read
    return pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR) ||
           pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR);
#else
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
        *uses = pgs_rendering_uses(rendering);
        return true;
    }
    if (has_rendering(info->pNext) || !pass || info->subpass >= pass->subpass_count)
        return false;
    *uses = pass->subpasses[info->subpass];
    return true;
}

/* Leaves the fragment shader alone, without its module. */
static void leave_out_stages(struct pgs_info_view *view)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->info.stageCount; i++)
        if (view->stages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT) {
            view->stages[count] = view->stages[i];
            view->stages[count++].module = VK_NULL_HANDLE;
        }
    view->info.stageCount = count;
}

/* Of what counts, raster variants make some themselves. */
static void leave_out_what_is_ours(struct pgs_info_view *view, bool keeps_input)
{
    view->info.flags &=
        ~(VkPipelineCreateFlags)(VK_PIPELINE_CREATE_DERIVATIVE_BIT |
                                 VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |
                                 VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    view->info.basePipelineHandle = VK_NULL_HANDLE;
    view->info.basePipelineIndex = -1;
    view->info.layout = VK_NULL_HANDLE;
    if (!keeps_input)
        view->info.pVertexInputState = NULL;
    view->info.pInputAssemblyState = NULL;
    view->info.pTessellationState = NULL;
    leave_out_stages(view);
}

static VkResult copy_view(struct pgs_kept_info *kept, struct pgs_copy *copy,
                          const VkGraphicsPipelineCreateInfo *info, struct pgs_subpass_uses uses,
                          bool keeps_input)
{
    struct pgs_info_view view;
    const VkResult result = pgs_info_view_init(&view, info, PGS_ALL_PARTS, uses);
    if (result == VK_SUCCESS) {
        leave_out_what_is_ours(&view, keeps_input);
        kept->info = pgs_copy_VkGraphicsPipelineCreateInfo(copy, &view.info, 1);
    } else {
        copy->misses = true;
    }
    pgs_info_view_finish(&view);
    return result == VK_ERROR_OUT_OF_HOST_MEMORY || copy->failed ? VK_ERROR_OUT_OF_HOST_MEMORY
                                                                 : VK_SUCCESS;
}

VkResult pgs_kept_info_create(const struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *info, bool keeps_input,
                              struct pgs_kept_info **out)
{
    struct pgs_subpass_uses uses;
    struct pgs_kept_info *kept = pgs_calloc(1, sizeof(*kept));
    *out = NULL;
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = VK_SUCCESS;
    kept->arena.block_B = BLOCK_B;
    kept->pass = info->renderPass ? pgs_kept_render_pass_acquire(dev, info->renderPass) : NULL;
    struct pgs_copy copy = {.arena = &kept->arena, .exact = true, .misses = true};
    /* Flags in the chain are for this call only. */
    if (!pgs_has_flags_in_chain(info->pNext) && find_uses(info, kept->pass, &uses)) {
        copy.misses = false;
        result = copy_view(kept, &copy, info, uses, keeps_input);
    }
    for (uint32_t i = 0; i < info->stageCount; i++)
        kept->had_fragment_module |=
            info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && info->pStages[i].module;
    if (result == VK_SUCCESS && !copy.misses)
        *out = kept;
    else
        pgs_kept_info_destroy(dev, kept);
    return result;
}

void pgs_kept_info_destroy(const struct pgs_device *dev, struct pgs_kept_info *kept)
{
    if (!kept)
        return;
    pgs_kept_render_pass_release(dev, kept->pass);
    pgs_arena_finish(&kept->arena);
    pgs_free(kept);
}
