/* SPDX-License-Identifier: MIT */
#include "pipeline/compile.h"

#include "pipeline/device.h"
#include "pipeline/kept_binary.h"

VkResult pgs_compile_compute(struct pgs_device *dev, VkPipelineCache cache, const uint32_t *words,
                             size_t word_count, const VkComputePipelineCreateInfo *info,
                             VkPipeline *pipeline)
{
    struct pgs_kept_binary kept;
    struct pgs_own_cache *own = NULL;
    const bool keeps = !cache && pgs_kept_binary_begin(dev, words, word_count, &kept);
    if (keeps)
        cache = kept.cache;
    else if (!cache)
        cache = pgs_own_cache_begin(dev, own = &dev->pipelines->own_cache);
    const VkResult result =
        dev->vk.CreateComputePipelines(dev->handle, cache, 1, info, NULL, pipeline);
    if (keeps)
        pgs_kept_binary_end(dev, &kept, result == VK_SUCCESS);
    if (own)
        pgs_own_cache_end(own);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

VkResult pgs_compile_graphics(struct pgs_device *dev, VkPipelineCache cache,
                              const VkGraphicsPipelineCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkPipeline *pipeline)
{
    struct pgs_own_cache *own = cache ? NULL : &dev->pipelines->own_cache;
    const VkResult result = dev->vk.CreateGraphicsPipelines(
        dev->handle, own ? pgs_own_cache_begin(dev, own) : cache, 1, info, allocator, pipeline);
    if (own)
        pgs_own_cache_end(own);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

bool pgs_refuses_shaders(VkResult result)
{
    return result == VK_ERROR_UNKNOWN || result == VK_ERROR_INVALID_SHADER_NV ||
           result == VK_ERROR_INITIALIZATION_FAILED;
}
