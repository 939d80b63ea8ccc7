/* SPDX-License-Identifier: MIT */
#include "pipeline/create_info.h"

#include "base/alloc.h"
#include "pipeline/create_state.h"
#include "pipeline/info_view.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

static const VkStructureType module_type = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;

static bool lacks_module(const VkPipelineShaderStageCreateInfo *stage)
{
    return !stage->module && pgs_chain_find(stage->pNext, module_type);
}

/* As the application would do it; the layer knows such modules. */
static VkResult make_module(VkDevice device, VkPipelineShaderStageCreateInfo *stage, void **block)
{
    VkShaderModuleCreateInfo info =
        *(const VkShaderModuleCreateInfo *)pgs_chain_find(stage->pNext, module_type);
    VkResult result = pgs_chain_copy_prefix(stage->pNext, &module_type, 1, &stage->pNext, block);
    if (result != VK_SUCCESS)
        return result;
    pgs_chain_remove(&stage->pNext, &module_type, 1);
    info.pNext = NULL;
    return pgs_CreateShaderModule(device, &info, NULL, &stage->module);
}

VkResult pgs_stages_init(struct pgs_stages *stages, VkDevice device,
                         const VkPipelineShaderStageCreateInfo *infos, uint32_t count)
{
    bool lacks = false;
    *stages = (struct pgs_stages){.stages = infos, .count = count};
    for (uint32_t i = 0; i < count; i++)
        lacks |= lacks_module(&infos[i]);
    if (!lacks)
        return VK_SUCCESS;
    stages->own = pgs_calloc(count, sizeof(*stages->own));
    stages->modules = pgs_calloc(count, sizeof(*stages->modules));
    stages->blocks = pgs_calloc(count, sizeof(*stages->blocks));
    VkResult result =
        stages->own && stages->modules && stages->blocks ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        stages->own[i] = infos[i];
        if (!lacks_module(&infos[i]))
            continue;
        result = make_module(device, &stages->own[i], &stages->blocks[i]);
        stages->modules[i] = result == VK_SUCCESS ? stages->own[i].module : VK_NULL_HANDLE;
    }
    stages->stages = stages->own;
    if (result != VK_SUCCESS)
        pgs_stages_finish(stages, device);
    return result;
}

void pgs_stages_finish(struct pgs_stages *stages, VkDevice device)
{
    for (uint32_t i = 0; stages->modules && i < stages->count; i++)
        pgs_DestroyShaderModule(device, stages->modules[i], NULL);
    for (uint32_t i = 0; stages->blocks && i < stages->count; i++)
        pgs_free(stages->blocks[i]);
    pgs_free(stages->own);
    pgs_free(stages->modules);
    pgs_free(stages->blocks);
    *stages = (struct pgs_stages){.stages = NULL};
}

/* -- flags -- */

#ifdef VK_KHR_maintenance5
static const VkStructureType flags_type = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR;

bool pgs_has_flags_in_chain(const void *chain)
{
    return pgs_chain_find(chain, flags_type);
}

static VkResult take_flags(struct pgs_plain_info *plain)
{
    VkGraphicsPipelineCreateInfo *info = &plain->info;
    const VkResult result =
        pgs_chain_copy_prefix(info->pNext, &flags_type, 1, &info->pNext, &plain->block);
    VkPipelineCreateFlags2CreateInfoKHR *flags = pgs_chain_find(info->pNext, flags_type);
    if (result != VK_SUCCESS || !flags)
        return result;
    info->flags = (VkPipelineCreateFlags)flags->flags;
    if (flags->flags <= UINT32_MAX)
        pgs_chain_remove(&info->pNext, &flags_type, 1);
    else /* the base may be another after this */
        flags->flags &= ~(VkPipelineCreateFlags2KHR)VK_PIPELINE_CREATE_DERIVATIVE_BIT;
    return VK_SUCCESS;
}
#else
bool pgs_has_flags_in_chain(const void *chain)
{
    (void)chain;
    return false;
}

static VkResult take_flags(struct pgs_plain_info *plain)
{
    (void)plain;
    return VK_SUCCESS;
}
#endif

uint64_t pgs_high_flags(const void *chain)
{
    const pgs_flags_info *flags = pgs_chain_find(chain, PGS_FLAGS_TYPE);
    return flags ? flags->flags & ~(uint64_t)UINT32_MAX : 0;
}

/* -- both -- */

/* Pipelines with mesh shaders may have anything there, too. */
static bool has_ignored_input(const VkGraphicsPipelineCreateInfo *info)
{
    VkGraphicsPipelineCreateInfo stages = {.stageCount = pgs_info_stage_count(info),
                                           .pStages = info->pStages};
    return pgs_has_mesh_stages(&stages) && (info->pVertexInputState || info->pInputAssemblyState);
}

bool pgs_is_plain_info(const VkGraphicsPipelineCreateInfo *info)
{
    for (uint32_t i = 0, count = pgs_info_stage_count(info); i < count; i++) {
        if (lacks_module(&info->pStages[i]))
            return false;
    }
    return !pgs_has_flags_in_chain(info->pNext) && !has_ignored_input(info);
}

VkResult pgs_plain_info_init(struct pgs_plain_info *plain, VkDevice device,
                             const VkGraphicsPipelineCreateInfo *info)
{
    *plain = (struct pgs_plain_info){.info = *info};
    VkResult result = take_flags(plain);
    if (result == VK_SUCCESS)
        result = pgs_stages_init(&plain->stages, device, info->pStages,
                                 pgs_info_stage_count(&plain->info));
    plain->info.pStages = plain->stages.stages;
    plain->info.stageCount = plain->stages.count;
    if (result == VK_SUCCESS && has_ignored_input(&plain->info)) {
        plain->info.pVertexInputState = NULL;
        plain->info.pInputAssemblyState = NULL;
    }
    if (result != VK_SUCCESS)
        pgs_plain_info_finish(plain, device);
    return result;
}

void pgs_plain_info_finish(struct pgs_plain_info *plain, VkDevice device)
{
    pgs_stages_finish(&plain->stages, device);
    pgs_free(plain->block);
    plain->block = NULL;
}
