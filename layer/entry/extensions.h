/* SPDX-License-Identifier: MIT
 *
 * Which device extensions are visible while a device emulates. The tables are generated from
 * scripts/extensions.txt.
 */
#ifndef PGS_ENTRY_EXTENSIONS_H
#define PGS_ENTRY_EXTENSIONS_H

#include "vulkan/device.h"

#include <stddef.h>

extern const char *const pgs_visible_extensions[]; /* sorted */
extern const size_t pgs_visible_extension_count;

/* Feature structs that only hidden extensions bring: nothing but VkBool32 after the header. */
struct pgs_hidden_features {
    VkStructureType type;
    uint32_t count;
};
extern const struct pgs_hidden_features pgs_hidden_features[];
extern const size_t pgs_hidden_features_count;

bool pgs_extension_is_visible(const char *name);

/* The bit (enum pgs_emulated) of an extension that we bring where feedback is emulated; 0 for all
 * others. */
uint32_t pgs_emulated_extension(const char *name);

/* All extensions of the driver, to be freed with pgs_free. */
VkResult pgs_driver_extensions(const struct pgs_instance *inst, VkPhysicalDevice handle,
                               VkExtensionProperties **list, uint32_t *count);

bool pgs_extension_in(const char *name, const VkExtensionProperties *list, uint32_t count);

#endif
