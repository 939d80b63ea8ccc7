/* SPDX-License-Identifier: MIT
 *
 * Pipelines that the driver draws, without what it refuses in them. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_PATCHED_H
#define PGS_PIPELINE_PATCHED_H

#include "pipeline/emulated.h"

/* What the driver draws with a pipeline. */
struct pgs_patched_choice {
    uint32_t stream; /* of the geometry shader's outputs */
    bool nothing;
    const VkAllocationCallbacks *allocator; /* for the driver's pipeline */
};

/* The words of a stage's entry point, without the capabilities that the driver refuses.
 * behind_mesh: a mesh shader is in front of it. The caller frees *blob. Errors: those of
 * vkCreate*Pipelines. */
VkResult pgs_patch_words(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                         uint32_t raster_stream, bool behind_mesh, struct pgs_spv_blob *blob);

/* Replaces a placeholder by a real module with the stage's entry point, without the capabilities
 * that the driver refuses. behind_mesh: likewise. The caller destroys
 * *module; VK_NULL_HANDLE: the stage did not change. Errors: those of vkCreate*Pipelines. */
VkResult pgs_patch_stage(struct pgs_device *dev, VkPipelineShaderStageCreateInfo *stage,
                         uint32_t raster_stream, bool behind_mesh, VkShaderModule *module);

/* Creates the driver's pipeline, or library, whose modules and state the driver may not accept
 * unchanged. On failure *pipeline is VK_NULL_HANDLE. Errors: those of vkCreateGraphicsPipelines. */
VkResult pgs_patched_create(const struct pgs_create_call *call,
                            const struct pgs_patched_choice *choice, VkPipeline *pipeline);

#endif
