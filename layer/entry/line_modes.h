/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_line_rasterization, and the same of VK_KHR and Vulkan 1.4: what the layer reports of it
 * and hides, and where it brings it to drivers without. Internal to entry/.
 */
#ifndef PGS_ENTRY_LINE_MODES_H
#define PGS_ENTRY_LINE_MODES_H

#include "entry/physical_entry.h"

/* Sets brings_line_modes. Where the driver lacks the extension the layer brings it, if gaps of
 * stipples can be samples, and nothing else would have to be hidden for it; or a setting demands
 * it. list: the driver's extensions. Call it when emulates_fill, emulates_lines and
 * emulates_points are known. */
void pgs_line_modes_decide(struct pgs_physical_device *phys, const VkExtensionProperties *list,
                           uint32_t count);

/* Patches a node of a chain of features, or of properties, that the driver has filled. */
void pgs_line_modes_patch_features(const struct pgs_physical_device *phys,
                                   VkBaseOutStructure *node);
void pgs_line_modes_patch_properties(const struct pgs_physical_device *phys,
                                     VkBaseOutStructure *node);

/* True if the chain of vkCreateDevice asks for a way to draw lines; for one that is hidden. */
bool pgs_line_modes_asked(const void *chain);
bool pgs_hidden_line_mode_asked(const struct pgs_physical_device *phys, const void *chain);

/* Clears what the driver lacks in a copied chain of vkCreateDevice. */
void pgs_line_modes_patch_request(const struct pgs_physical_device *phys, const void **chain);

#endif
