/* SPDX-License-Identifier: MIT
 *
 * Which device extensions are visible while the layer emulates. The tables are generated from
 * the lists in scripts/ and the registry. Internal to entry/.
 */
#ifndef PGS_ENTRY_EXTENSIONS_H
#define PGS_ENTRY_EXTENSIONS_H

#include "vulkan/device.h"

#include <stddef.h>

extern const char *const pgs_visible_extensions[]; /* sorted */
extern const size_t pgs_visible_extension_count;

/* Feature structs that no core version brings: a header and VkBool32 members. */
enum { PGS_FEATURE_OWNERS = 2 };
struct pgs_extension_features {
    VkStructureType type;
    uint32_t count;
    const char *owners[PGS_FEATURE_OWNERS]; /* extensions that bring them; none: never visible */
};
extern const struct pgs_extension_features pgs_extension_features[];
extern const size_t pgs_extension_features_count;

/* By the table and what the layer does for the device, unless the settings `show` and `hide` say
 * otherwise; `hide` wins. */
bool pgs_extension_is_visible(const struct pgs_physical_device *phys, const char *name);

/* True for extensions that are hidden where the layer draws lines: they need primitives of the
 * driver, or viewports. */
bool pgs_hides_for_lines(const char *name);

/* True if none of the extensions that bring the features is visible. */
bool pgs_features_are_hidden(const struct pgs_physical_device *phys,
                             const struct pgs_extension_features *features);

/* The bit (enum pgs_emulated) of an extension that the layer brings where transform feedback is
 * emulated; 0: not one of them. */
uint32_t pgs_emulated_extension(const char *name);

/* All extensions of the driver. Free *extensions with pgs_free. Errors: the driver's, or out of
 * host memory. */
VkResult pgs_driver_extensions(const struct pgs_instance *inst, VkPhysicalDevice handle,
                               VkExtensionProperties **list, uint32_t *count);

bool pgs_extension_in(const char *name, const VkExtensionProperties *list, uint32_t count);

#endif
