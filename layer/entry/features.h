/* SPDX-License-Identifier: MIT
 *
 * The features that the layer reports where it emulates. Internal to entry/.
 */
#ifndef PGS_ENTRY_FEATURES_H
#define PGS_ENTRY_FEATURES_H

#include "vulkan/device.h"

#include <stddef.h>

/* Feature structs of emulated extensions. The driver never sees them. */
extern const VkStructureType pgs_emulated_features[];
extern const size_t pgs_emulated_features_count;

/* Name of a feature that info asks for although the layer hides it; NULL: none. `features` are
 * those of info, in whichever struct. */
const char *pgs_hidden_feature_asked(const struct pgs_physical_device *phys,
                                     const VkDeviceCreateInfo *info,
                                     const VkPhysicalDeviceFeatures *features);

/* Features of phys->gaps that info asks for: bits of enum pgs_feature. `features` as above. */
uint32_t pgs_gaps_asked(const struct pgs_physical_device *phys, const VkDeviceCreateInfo *info,
                        const VkPhysicalDeviceFeatures *features);

/* True if info asks for a feature of pgs_emulated_features, or one that depends on them. */
bool pgs_emulated_feature_asked(const VkDeviceCreateInfo *info);

#endif
