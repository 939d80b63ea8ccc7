/* SPDX-License-Identifier: MIT
 *
 * 16-bit varyings. storageInputOutput16 lets stages hand each other values of 16 bits without any
 * arithmetic of that size. Kernels keep them in variables of their own, whose types need
 * shaderInt16 and shaderFloat16. Internal to entry/.
 */
#ifndef PGS_ENTRY_NARROW_VARYINGS_H
#define PGS_ENTRY_NARROW_VARYINGS_H

#include "entry/physical_entry.h"

/* Can devices of the driver, with that list of extensions, have what kernels need? */
bool pgs_narrow_varyings_fit(const struct pgs_physical_device *phys,
                             const VkExtensionProperties *list, uint32_t count);

/* Clears storageInputOutput16 in a struct that the driver has filled, if it does not fit. */
void pgs_narrow_varyings_patch(const struct pgs_physical_device *phys, VkBaseOutStructure *node);

/* Does the application enable storageInputOutput16? */
bool pgs_narrow_varyings_asked(const VkDeviceCreateInfo *info);

/* The extension that devices have to enable for it; NULL: none. */
const char *pgs_narrow_varyings_extension(const struct pgs_physical_device *phys);

/* Enables in a chain that may be changed what kernels need: in the structs that it has, else in
 * `plain`, which the driver gets if there is no VkPhysicalDeviceFeatures2, and in `floats`, which
 * then becomes part of the chain. */
void pgs_narrow_varyings_enable(const void **chain, VkPhysicalDeviceFeatures *plain,
                                VkPhysicalDeviceShaderFloat16Int8Features *floats);

#endif
