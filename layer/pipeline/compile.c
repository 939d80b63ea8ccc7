/* SPDX-License-Identifier: MIT */
#include "pipeline/compile.h"

#include "pipeline/device.h"
#include "pipeline/kept_binary.h"
#include "vulkan/chain.h"

/* A pipeline that goes through the layer's own cache, of which the driver says whether it was
 * there. */
struct lookup {
    VkPipelineCreationFeedbackCreateInfo info;
    VkPipelineCreationFeedback whole;
    const VkPipelineCreationFeedback *said; /* by the driver; NULL: nothing */
};

/* Puts the question in front of the chain of a create info, where the driver knows it and the
 * application does not ask. */
static void ask(const struct pgs_device *dev, struct lookup *lookup, const void **next)
{
    const VkPipelineCreationFeedbackCreateInfo *asked =
        pgs_chain_find(*next, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    *lookup = (struct lookup){.said = asked ? asked->pPipelineCreationFeedback : NULL};
    if (asked || dev->physical->api_version < VK_API_VERSION_1_3)
        return;
    lookup->info = (VkPipelineCreationFeedbackCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pNext = *next,
        .pPipelineCreationFeedback = &lookup->whole,
    };
    lookup->said = &lookup->whole;
    *next = &lookup->info;
}

static VkPipelineCache begin_lookup(const struct pgs_device *dev, struct lookup *lookup,
                                    const void **next)
{
    ask(dev, lookup, next);
    return pgs_own_cache_begin(dev, &dev->pipelines->own_cache);
}

static void end_lookup(const struct pgs_device *dev, const struct lookup *lookup)
{
    const VkPipelineCreationFeedbackFlags found =
        VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
        VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
    const VkPipelineCreationFeedbackFlags said = lookup->said ? lookup->said->flags : 0;
    pgs_own_cache_end(&dev->pipelines->own_cache, (said & found) == found);
}

static VkResult compute_of_own(struct pgs_device *dev, const VkComputePipelineCreateInfo *info,
                               VkPipeline *pipeline)
{
    VkComputePipelineCreateInfo asking = *info;
    struct lookup lookup;
    const VkPipelineCache cache = begin_lookup(dev, &lookup, &asking.pNext);
    const VkResult result =
        dev->vk.CreateComputePipelines(dev->handle, cache, 1, &asking, NULL, pipeline);
    end_lookup(dev, &lookup);
    return result;
}

static VkResult graphics_of_own(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkPipeline *pipeline)
{
    VkGraphicsPipelineCreateInfo asking = *info;
    struct lookup lookup;
    const VkPipelineCache cache = begin_lookup(dev, &lookup, &asking.pNext);
    const VkResult result =
        dev->vk.CreateGraphicsPipelines(dev->handle, cache, 1, &asking, allocator, pipeline);
    end_lookup(dev, &lookup);
    return result;
}

static VkResult compute_kept(struct pgs_device *dev, struct pgs_kept_binary *kept,
                             const VkComputePipelineCreateInfo *info, VkPipeline *pipeline)
{
    const VkResult result =
        dev->vk.CreateComputePipelines(dev->handle, kept->cache, 1, info, NULL, pipeline);
    pgs_kept_binary_end(dev, kept, result == VK_SUCCESS);
    return result;
}

VkResult pgs_compile_compute(struct pgs_device *dev, VkPipelineCache cache, const uint32_t *words,
                             size_t word_count, const VkComputePipelineCreateInfo *info,
                             VkPipeline *pipeline)
{
    struct pgs_kept_binary kept;
    VkResult result;
    if (cache)
        result = dev->vk.CreateComputePipelines(dev->handle, cache, 1, info, NULL, pipeline);
    else if (pgs_kept_binary_begin(dev, words, word_count, &kept))
        result = compute_kept(dev, &kept, info, pipeline);
    else
        result = compute_of_own(dev, info, pipeline);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

VkResult pgs_compile_graphics(struct pgs_device *dev, VkPipelineCache cache,
                              const VkGraphicsPipelineCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkPipeline *pipeline)
{
    const VkResult result =
        cache ? dev->vk.CreateGraphicsPipelines(dev->handle, cache, 1, info, allocator, pipeline)
              : graphics_of_own(dev, info, allocator, pipeline);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

bool pgs_refuses_shaders(VkResult result)
{
    return result == VK_ERROR_UNKNOWN || result == VK_ERROR_INVALID_SHADER_NV ||
           result == VK_ERROR_INITIALIZATION_FAILED;
}
