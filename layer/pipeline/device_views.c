/* SPDX-License-Identifier: MIT */
#include "pipeline/device_views.h"

#include "pipeline/module.h"
#include "pipeline/shader.h"
#include "vulkan/hooks.h"

#define FLAG ((VkPipelineCreateFlags)VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT)

VkResult pgs_device_views_clone(struct pgs_device *dev, VkShaderModule handle,
                                VkShaderModule *clone)
{
    struct pgs_module *module = pgs_module_acquire(dev, handle);
    struct pgs_spv_blob blob = {0};
    *clone = VK_NULL_HANDLE;
    VkResult result =
        module ? pgs_result_from_spv(pgs_spv_device_views(module->words, module->word_count, &blob),
                                     "shader")
               : VK_ERROR_UNKNOWN;
    pgs_module_release(module);
    if (result != VK_SUCCESS)
        return result;
    if (!blob.words)
        return pgs_module_clone(dev, handle, clone);
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = blob.word_count * sizeof(*blob.words),
        .pCode = blob.words,
    };
    result = pgs_CreateShaderModule(dev->handle, &info, NULL, clone);
    if (result != VK_SUCCESS)
        *clone = VK_NULL_HANDLE;
    pgs_spv_blob_free(&blob);
    return result;
}

bool pgs_device_views_concern(const VkGraphicsPipelineCreateInfo *info)
{
    return info->flags & FLAG;
}

VkResult pgs_device_views_init(struct pgs_device_views *views, struct pgs_device *dev,
                               const VkGraphicsPipelineCreateInfo *from)
{
    VkResult result = VK_SUCCESS;
    views->info = *from;
    views->info.flags &= ~FLAG;
    views->info.pStages = views->stages;
    views->info.stageCount = 0;
    for (uint32_t i = 0; i < from->stageCount && i < PGS_MAX_STAGES && result == VK_SUCCESS; i++) {
        VkPipelineShaderStageCreateInfo *stage = &views->stages[i];
        *stage = from->pStages[i];
        result = pgs_device_views_clone(dev, stage->module, &views->modules[i]);
        stage->module = views->modules[i];
        views->info.stageCount = i + 1;
    }
    return result;
}

void pgs_device_views_finish(struct pgs_device_views *views, struct pgs_device *dev)
{
    for (uint32_t i = 0; i < views->info.stageCount; i++)
        pgs_DestroyShaderModule(dev->handle, views->modules[i], NULL);
}
