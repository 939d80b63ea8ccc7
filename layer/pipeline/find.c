/* SPDX-License-Identifier: MIT */
#include "pipeline/find.h"

#include "pipeline/device.h"

const struct pgs_emulated_pipeline *pgs_emulated_pipeline_find(const struct pgs_device *dev,
                                                               VkPipeline handle)
{
    return handle ? pgs_map_find(&dev->pipelines->pipelines, (uint64_t)handle) : NULL;
}

VkPipeline pgs_wide_pipeline_find(const struct pgs_device *dev, VkPipeline handle)
{
    const struct pgs_emulated_pipeline *wide =
        dev->lines || dev->line_modes ? pgs_map_find(&dev->pipelines->wide, (uint64_t)handle)
                                      : NULL;
    return wide ? wide->handle : VK_NULL_HANDLE;
}

VkPipeline pgs_restarting_pipeline_find(const struct pgs_device *dev, VkPipeline handle)
{
    const struct pgs_emulated_pipeline *restarting =
        dev->gaps & PGS_FEATURE_BIT(PATCH_RESTART)
            ? pgs_map_find(&dev->pipelines->restarting, (uint64_t)handle)
            : NULL;
    return restarting ? restarting->handle : VK_NULL_HANDLE;
}
