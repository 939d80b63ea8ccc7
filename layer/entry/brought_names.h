/* SPDX-License-Identifier: MIT
 *
 * The names of the device extensions that brought.h is about. Internal to entry/.
 */
#ifndef PGS_ENTRY_BROUGHT_NAMES_H
#define PGS_ENTRY_BROUGHT_NAMES_H

#include "vulkan/device.h"

/* Older headers do not know it. It has the structures of the other one, but for properties. */
#define PGS_KHR_DIVISOR_NAME "VK_KHR_vertex_attribute_divisor"

/* Likewise; it has all structures of the other one. */
#define PGS_KHR_LINES_NAME "VK_KHR_line_rasterization"

/* Bits of pgs_physical_device.brought. */
enum pgs_brought {
    PGS_BROUGHT_COUNT = 1,
    PGS_BROUGHT_DIVISOR = 2,
    PGS_BROUGHT_PUSH = 8,
    PGS_BROUGHT_DEPTH_CLIP = 16,
    PGS_BROUGHT_LINE_MODES = 32, /* both extensions */
    PGS_BROUGHT_OUTPUTS = 64,    /* VK_EXT_shader_viewport_index_layer */
    PGS_BROUGHT_KHR_DIVISOR = 4, /* only in place of the driver's */
};

/* The bit of an extension; 0: not one of them. */
uint32_t pgs_brought_extension(const char *name);

/* One that the device brings, whether or not the driver has it, too; NULL: there are no more. *next
 * begins with 0. */
const VkExtensionProperties *pgs_brought_next(const struct pgs_physical_device *phys,
                                              uint32_t *next);

#endif
