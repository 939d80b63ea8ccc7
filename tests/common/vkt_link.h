/* SPDX-License-Identifier: MIT
 *
 * Pipelines that are linked from libraries (VK_EXT_graphics_pipeline_library), made of whole create
 * infos. For devices of vkt_options.pipeline_libraries.
 */
#ifndef PGS_TESTS_COMMON_VKT_LINK_H
#define PGS_TESTS_COMMON_VKT_LINK_H

#include "common/vkt.h"

/* How the four parts become a pipeline. Each number below VKT_LINK_WAYS is another way: a partition
 * of the parts, the order of the libraries, with or without link time optimization, the first two
 * libraries as one, and the last one's state in the last call. */
#define VKT_LINK_WAYS (15u * 16u)

/* Makes a library of some parts of a whole create info. flags: besides those that make a library.
 */
VkResult vkt_library(VkDevice device, VkPipelineCache cache,
                     const VkGraphicsPipelineCreateInfo *info,
                     VkGraphicsPipelineLibraryFlagsEXT parts, VkPipelineCreateFlags flags,
                     VkPipeline *library);

struct vkt_libraries {
    VkPipeline handles[8];
    uint32_t count;
};
void vkt_libraries_destroy(VkDevice device, struct vkt_libraries *libraries);

/* As vkCreateGraphicsPipelines for one pipeline. *kept gets the libraries, which the caller
 * destroys. NULL: they are destroyed at once, which not every driver survives. Stages must have
 * modules, or chains with the words. Any thread may call it. */
VkResult vkt_link(VkDevice device, VkPipelineCache cache, const VkGraphicsPipelineCreateInfo *info,
                  uint32_t way, struct vkt_libraries *kept, VkPipeline *pipeline);

#endif
