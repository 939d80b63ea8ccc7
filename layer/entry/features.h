/* SPDX-License-Identifier: MIT
 *
 * The features that the layer reports where it emulates.
 */
#ifndef PGS_ENTRY_FEATURES_H
#define PGS_ENTRY_FEATURES_H

#include "vulkan/device.h"

#include <stddef.h>

/* Feature structs of the extensions that we bring: the driver never sees them while they are ours.
 */
extern const VkStructureType pgs_emulated_features[];
extern const size_t pgs_emulated_features_count;

/* Whether info asks for a feature that is not reported while we emulate; what it is called, or
 * NULL. `features` are those of info, in whichever struct. */
const char *pgs_hidden_feature_asked(const struct pgs_physical_device *phys,
                                     const VkDeviceCreateInfo *info,
                                     const VkPhysicalDeviceFeatures *features);

/* Whether info asks for a feature of pgs_emulated_features, or for another that comes with them. */
bool pgs_emulated_feature_asked(const VkDeviceCreateInfo *info);

#endif
