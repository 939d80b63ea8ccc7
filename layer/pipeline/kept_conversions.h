/* SPDX-License-Identifier: MIT
 *
 * Conversions (VkSamplerYcbcrConversion) of samplers. The driver's sampler may outlive the
 * application's handle (kept_samplers.h), and drivers look into its conversion whenever a layout
 * with it is made or compiled with. So the driver's conversions live as long as the samplers that
 * have them. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_KEPT_CONVERSIONS_H
#define PGS_PIPELINE_KEPT_CONVERSIONS_H

#include "vulkan/device.h"

/* A sampler that the driver has just made has the conversion. False: out of memory, nothing is
 * noted. Thread-safe. */
bool pgs_kept_conversions_add(struct pgs_device *dev, VkSampler sampler,
                              VkSamplerYcbcrConversion conversion);

/* Destroys the driver's sampler, and its conversion if the application has destroyed that and no
 * other sampler has it. Thread-safe. */
void pgs_kept_conversions_end(struct pgs_device *dev, VkSampler sampler);

#endif
