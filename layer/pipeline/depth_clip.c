/* SPDX-License-Identifier: MIT */
#include "pipeline/depth_clip.h"

#include "base/log.h"
#include "pipeline/module.h"
#include "pipeline/raster_info.h"
#include "vulkan/chain.h"

static bool is_biased(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationStateCreateInfo *state = info->pRasterizationState;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE))
        return true;
    return state->depthBiasEnable &&
           (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_DEPTH_BIAS) ||
            state->depthBiasConstantFactor != 0 || state->depthBiasSlopeFactor != 0);
}

static bool replaces_depth(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    for (uint32_t i = 0; i < info->stageCount; i++) {
        const struct pgs_module *module = pgs_stage_module(dev, &info->pStages[i]);
        if (module && module->replaces_depth)
            return true;
    }
    return false;
}

struct pgs_depth_clip pgs_depth_clip_of(const struct pgs_device *dev,
                                        const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationStateCreateInfo *state = info->pRasterizationState;
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT *wanted =
        dev->physical->brings_depth_clip && state
            ? pgs_chain_find(
                  state->pNext,
                  VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT)
            : NULL;
    struct pgs_depth_clip clip = {.stated = wanted};
    if (!wanted)
        return clip;
    clip.planes = wanted->depthClipEnable && state->depthClampEnable &&
                  !pgs_discards_always(info) && (is_biased(info) || replaces_depth(dev, info));
    clip.clamps = !wanted->depthClipEnable || clip.planes;
    return clip;
}

void pgs_depth_clip_refuse(struct pgs_depth_clip *clip, struct pgs_spv_depth_planes *planes)
{
    pgs_log_once(PGS_LOG_WARN,
                 "a pipeline that clamps depths and clips them, too, leaves no room for two more "
                 "clip distances: depths that a bias or a fragment shader moves out of the "
                 "viewport's range are not clamped");
    clip->planes = clip->clamps = false;
    *planes = (struct pgs_spv_depth_planes){.wanted = false};
}

static bool fits(const struct pgs_device *dev, uint32_t clip_count, uint32_t cull_count)
{
    const VkPhysicalDeviceLimits *limits = &dev->physical->properties.limits;
    const uint32_t clips = clip_count + PGS_SPV_DEPTH_PLANES;
    return dev->physical->emulates_clip
               ? clips + cull_count <= PGS_SPV_MAX_DISTANCES
               : clips <= limits->maxClipDistances &&
                     (!cull_count || clips + cull_count <= limits->maxCombinedClipAndCullDistances);
}

void pgs_depth_clip_place(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                          uint32_t clip_count, uint32_t cull_count, struct pgs_depth_clip *clip,
                          struct pgs_spv_depth_planes *planes)
{
    *planes = (struct pgs_spv_depth_planes){.wanted = false};
    if (!clip->planes)
        return;
    if (!fits(dev, clip_count, cull_count)) {
        pgs_depth_clip_refuse(clip, planes);
        return;
    }
    planes->wanted = true;
    planes->symmetric = pgs_depths_are_symmetric(info);
    planes->first = (uint8_t)clip_count;
}
