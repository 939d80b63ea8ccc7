/* SPDX-License-Identifier: MIT */
#include "pipeline/vertex_needs.h"

#include "pipeline/create_state.h"
#include "pipeline/device.h"
#include "pipeline/module.h"
#include "pipeline/raster_info.h"
#include "pipeline/reflect.h"
#include "vulkan/chain.h"

#include <stdatomic.h>

static bool reads_draw_index(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    for (uint32_t i = 0; dev->splits_draws && i < info->stageCount; i++) {
        const struct pgs_module *module = pgs_stage_module(dev, &info->pStages[i]);
        if (module && module->has_draw_index)
            return true;
    }
    return false;
}

/* The state is ignored where there is no vertex shader. */
static const VkPipelineVertexInputDivisorStateCreateInfoEXT *
divisors_of(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return dev->divisors && info->pVertexInputState && !pgs_has_mesh_stages(info)
               ? pgs_chain_find(
                     info->pVertexInputState->pNext,
                     VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT)
               : NULL;
}

static bool is_foreign(const struct pgs_physical_device *physical, uint32_t divisor)
{
    return divisor == 0 ? physical->lacks_zero_divisor : divisor > 1 && physical->lacks_divisors;
}

static bool has_foreign_divisors(const struct pgs_device *dev,
                                 const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors = divisors_of(dev, info);
    for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++)
        if (is_foreign(dev->physical, divisors->pVertexBindingDivisors[i].divisor))
            return true;
    return false;
}

bool pgs_info_needs_own_vertices(const struct pgs_device *dev,
                                 const VkGraphicsPipelineCreateInfo *info)
{
    if (reads_draw_index(dev, info))
        return true;
    if (!has_foreign_divisors(dev, info))
        return false;
    atomic_store(&dev->pipelines->possible, true);
    return true;
}

bool pgs_info_has_divisors(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return dev->physical->lacks_divisors && divisors_of(dev, info);
}

void pgs_divisors_drop(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                       VkPipelineVertexInputStateCreateInfo *copy,
                       const VkPipelineVertexInputStateCreateInfo **state)
{
    if (!pgs_info_has_divisors(dev, info))
        return;
    *copy = *info->pVertexInputState;
    copy->pNext = NULL; /* nothing else can be in this chain */
    *state = copy;
}

/* The state is not there where it is dynamic; then any draw may have instanced attributes. */
static bool has_instanced_bindings(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineVertexInputStateCreateInfo *state = info->pVertexInputState;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
        return true;
    for (uint32_t i = 0; state && i < state->vertexBindingDescriptionCount; i++)
        if (state->pVertexBindingDescriptions[i].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE)
            return true;
    return false;
}

bool pgs_info_reads_instances(const struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *info)
{
    if (!dev->physical->lacks_first_instance || (!dev->first_instances && !dev->xfb) ||
        pgs_has_mesh_stages(info))
        return false;
    if (has_instanced_bindings(info))
        return true;
    const struct pgs_module *module =
        pgs_stage_module(dev, pgs_find_stage(info, VK_SHADER_STAGE_VERTEX_BIT));
    return module && module->has_instance;
}
