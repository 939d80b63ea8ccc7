/* SPDX-License-Identifier: MIT
 *
 * Which device extensions are visible while the layer emulates. The tables are generated from
 * scripts/extensions.txt. Internal to entry/.
 */
#ifndef PGS_ENTRY_EXTENSIONS_H
#define PGS_ENTRY_EXTENSIONS_H

#include "vulkan/device.h"

#include <stddef.h>

extern const char *const pgs_visible_extensions[]; /* sorted */
extern const size_t pgs_visible_extension_count;

/* Feature structs of hidden extensions only: a header and VkBool32 members. */
struct pgs_hidden_features {
    VkStructureType type;
    uint32_t count;
};
extern const struct pgs_hidden_features pgs_hidden_features[];
extern const size_t pgs_hidden_features_count;

bool pgs_extension_is_visible(const char *name);

/* Likewise, and the layer can do it with what the driver has. */
bool pgs_extension_is_reported(const struct pgs_physical_device *phys, const char *name);

/* The bit (enum pgs_emulated) of an extension that the layer brings where transform feedback is
 * emulated; 0: not one of them. */
uint32_t pgs_emulated_extension(const char *name);

/* All extensions of the driver. Free *extensions with pgs_free. Errors: the driver's, or out of
 * host memory. */
VkResult pgs_driver_extensions(const struct pgs_instance *inst, VkPhysicalDevice handle,
                               VkExtensionProperties **list, uint32_t *count);

bool pgs_extension_in(const char *name, const VkExtensionProperties *list, uint32_t count);

#endif
