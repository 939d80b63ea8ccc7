/* SPDX-License-Identifier: MIT
 *
 * VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT, which libraries may have for some stages
 * alone, while a pipeline of the layer has one create info. So the layer writes into the shaders
 * what the flag says of them. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_DEVICE_VIEWS_H
#define PGS_PIPELINE_DEVICE_VIEWS_H

#include "pipeline/info_view.h"
#include "vulkan/device.h"

/* Makes another handle of a known module, in which gl_ViewIndex is gl_DeviceIndex. The caller
 * destroys it with pgs_DestroyShaderModule. VK_NULL_HANDLE on failure. Errors: out of memory;
 * VK_ERROR_UNKNOWN if the module is not known or broken. Thread-safe. */
VkResult pgs_device_views_clone(struct pgs_device *dev, VkShaderModule handle,
                                VkShaderModule *clone);

/* The create info of a whole pipeline, without the flag. Points to itself. */
struct pgs_device_views {
    VkGraphicsPipelineCreateInfo info;
    VkPipelineShaderStageCreateInfo stages[PGS_MAX_STAGES];
    VkShaderModule modules[PGS_MAX_STAGES];
};

bool pgs_device_views_concern(const VkGraphicsPipelineCreateInfo *info);

/* `from` must have the flag, and outlive the other. The caller finishes it, also after an error.
 * Errors: those of pgs_device_views_clone. */
VkResult pgs_device_views_init(struct pgs_device_views *views, struct pgs_device *dev,
                               const VkGraphicsPipelineCreateInfo *from);
void pgs_device_views_finish(struct pgs_device_views *views, struct pgs_device *dev);

#endif
