/* SPDX-License-Identifier: MIT
 *
 * The driver's compiler. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_COMPILE_H
#define PGS_PIPELINE_COMPILE_H

#include "vulkan/device.h"

/* vkCreateComputePipelines and vkCreateGraphicsPipelines of one pipeline. cache: the application's;
 * VK_NULL_HANDLE: the layer's own (own_cache.h), or for a compute shader what is kept on disk of
 * its words (kept_binary.h). *pipeline is VK_NULL_HANDLE unless the result is VK_SUCCESS.
 * Thread-safe, as far as `cache` is. */
VkResult pgs_compile_compute(struct pgs_device *dev, VkPipelineCache cache, const uint32_t *words,
                             size_t word_count, const VkComputePipelineCreateInfo *info,
                             VkPipeline *pipeline);
VkResult pgs_compile_graphics(struct pgs_device *dev, VkPipelineCache cache,
                              const VkGraphicsPipelineCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkPipeline *pipeline);

/* True if an error means that the shaders cannot be used, not that memory is short, which may
 * pass. */
bool pgs_refuses_shaders(VkResult result);

#endif
