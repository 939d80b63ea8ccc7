/* SPDX-License-Identifier: MIT
 *
 * The application's descriptor update templates.
 */
#ifndef PGS_PIPELINE_SET_UPDATE_H
#define PGS_PIPELINE_SET_UPDATE_H

#include "vulkan/device.h"

struct pgs_update_template {
    VkPipelineBindPoint point; /* for those that push descriptors */
    uint32_t entry_count;
    VkDescriptorUpdateTemplateEntry entries[];
};

/* NULL: unknown. Lives as long as the handle. Thread-safe. */
const struct pgs_update_template *pgs_update_template_find(const struct pgs_device *dev,
                                                           VkDescriptorUpdateTemplate handle);

#endif
