/* SPDX-License-Identifier: MIT
 *
 * Device extensions and features that the layer brings where the driver lacks them, in front of the
 * rasterizer. The driver then never hears of them. Internal to entry/.
 */
#ifndef PGS_ENTRY_BROUGHT_H
#define PGS_ENTRY_BROUGHT_H

#include "entry/physical_entry.h"

/* What the driver has of these features, and what the layer makes of it: fills emulates_views,
 * splits_draws, counts_draws, lacks_first_instance, lacks_divisors, lacks_zero_divisor,
 * keeps_pushes, brings_depth_clip, brings_line_modes and brought. Call it when
 * pgs_replaces_geometry and the other features that the layer emulates are known. list: the
 * driver's extensions. */
void pgs_brought_decide(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                        uint32_t count);

/* What the device creation asks of them: splits_draws, counts_draws, first_instances, divisors,
 * keeps_pushes, depth_clip, line_modes, layer_output and viewport_output of pgs_device. */
struct pgs_brought_asked {
    bool views; /* multiviewGeometryShader */
    bool splits_draws, counts_draws, first_instances, divisors, keeps_pushes, depth_clip;
    bool line_modes, layer_output, viewport_output;
    bool native_too; /* the driver has all that is asked */
};
struct pgs_brought_asked pgs_brought_find_asked(const struct pgs_physical_entry *entry,
                                                const VkDeviceCreateInfo *info,
                                                const VkPhysicalDeviceFeatures *features);

/* Reports the features, and the limits, in a node of a chain that the driver has filled. */
void pgs_brought_patch_features(const struct pgs_physical_device *phys, VkBaseOutStructure *node);
void pgs_brought_patch_properties(const struct pgs_physical_device *phys, VkBaseOutStructure *node);

/* Clears what the driver lacks in a copied chain of vkCreateDevice. */
void pgs_brought_patch_request(const struct pgs_physical_device *phys, const void **chain);

#endif
