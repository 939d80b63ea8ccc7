/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_pipeline_robustness: what accesses out of bounds may do, for stages that the layer runs
 * elsewhere. Internal to pipeline/.
 *
 * Of vertex inputs the layer's own fetch always checks at least what robustBufferAccess demands.
 */
#ifndef PGS_PIPELINE_ROBUSTNESS_H
#define PGS_PIPELINE_ROBUSTNESS_H

#include "vulkan/device.h"

#include <stdbool.h>

/* Of one shader. Zero: as the device does it. */
struct pgs_robustness {
    VkPipelineRobustnessBufferBehaviorEXT storage_buffers, uniform_buffers;
    VkPipelineRobustnessImageBehaviorEXT images;
};

/* What the device does by itself: the behaviour of shaders that ask for none, and of vertex inputs.
 * No member is DEVICE_DEFAULT. */
struct pgs_device_robustness {
    struct pgs_robustness shaders;
    VkPipelineRobustnessBufferBehaviorEXT vertex_inputs;
};

/* Asks the driver, so devices keep the answer (dev->pipelines). */
void pgs_robustness_of_device(const struct pgs_device *dev, struct pgs_device_robustness *defaults);

/* What the create info says of a stage that it has. False: nothing; *robustness is then zero. */
bool pgs_robustness_of_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlagBits stage,
                             struct pgs_robustness *robustness);

/* True if each vertex attribute out of bounds is so by itself (robustBufferAccess2); else all of
 * its binding may be. Only a vertex stage that the create info has tells. */
bool pgs_robustness_counts_attributes(const struct pgs_device_robustness *defaults,
                                      const VkGraphicsPipelineCreateInfo *info);

/* Of a shader that does the work of both: the stricter behaviour, which the looser one permits
 * (Vulkan 1.4, "Robustness"). */
struct pgs_robustness pgs_robustness_join(const struct pgs_robustness *defaults,
                                          const struct pgs_robustness *a,
                                          const struct pgs_robustness *b);

/* The structure for the driver, in front of `next`. */
VkPipelineRobustnessCreateInfoEXT pgs_robustness_info(const struct pgs_robustness *robustness,
                                                      const void *next);

#endif
