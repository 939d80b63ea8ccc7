/* SPDX-License-Identifier: MIT
 *
 * Create infos of pipelines in one form. VK_KHR_maintenance5 lets stages bring their SPIR-V without
 * a module, and flags stand in a structure of their own. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_CREATE_INFO_H
#define PGS_PIPELINE_CREATE_INFO_H

#include "vulkan/device.h"

#include <stdbool.h>

/* Stages that all have modules. */
struct pgs_stages {
    const VkPipelineShaderStageCreateInfo *stages; /* the application's, or `own` */
    VkPipelineShaderStageCreateInfo *own;
    VkShaderModule *modules; /* the layer's; VK_NULL_HANDLE: the application's */
    void **blocks;           /* of chains without the structure that the module was made from */
    uint32_t count;
};

/* Makes modules for stages that have only the words. Stages with module identifiers stay as they
 * are. Errors: those of vkCreateShaderModule; there is then nothing to finish. Finish it after the
 * pipeline is created. */
VkResult pgs_stages_init(struct pgs_stages *stages, VkDevice device,
                         const VkPipelineShaderStageCreateInfo *infos, uint32_t count);
void pgs_stages_finish(struct pgs_stages *stages, VkDevice device);

/* A graphics pipeline whose stages have modules, and whose flags stand in `info`. With mesh shaders
 * it has no vertex input and no input assembly. */
struct pgs_plain_info {
    VkGraphicsPipelineCreateInfo info;
    struct pgs_stages stages;
    void *block; /* of the chain without the flags */
};

/* True if the application's info needs no other form. */
bool pgs_is_plain_info(const VkGraphicsPipelineCreateInfo *info);

/* Finish it after the pipeline is created. Errors: those of pgs_stages_init; there is then nothing
 * to finish. If the driver needs flags that do not fit into info.flags, they stay in the chain as
 * well. */
VkResult pgs_plain_info_init(struct pgs_plain_info *plain, VkDevice device,
                             const VkGraphicsPipelineCreateInfo *info);
void pgs_plain_info_finish(struct pgs_plain_info *plain, VkDevice device);

/* True if the driver takes the flags from the chain. */
bool pgs_has_flags_in_chain(const void *chain);

/* Flags in the chain that do not fit into info.flags. */
uint64_t pgs_high_flags(const void *chain);

/* The structure with the flags; absent in older registries. */
#ifdef VK_KHR_maintenance5
#define PGS_FLAGS_TYPE VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR
typedef VkPipelineCreateFlags2CreateInfoKHR pgs_flags_info;
#else
#define PGS_FLAGS_TYPE VK_STRUCTURE_TYPE_MAX_ENUM
typedef struct {
    VkStructureType sType;
    const void *pNext;
    uint64_t flags;
} pgs_flags_info;
#endif

#endif
