/* SPDX-License-Identifier: MIT
 *
 * The queue families of a physical device. Internal to entry/.
 */
#ifndef PGS_ENTRY_QUEUE_FAMILIES_H
#define PGS_ENTRY_QUEUE_FAMILIES_H

#include "vulkan/device.h"

/* The driver's families. Free *families with pgs_free. Errors: out of host memory only. */
VkResult pgs_queue_families(const struct pgs_physical_device *phys,
                            VkQueueFamilyProperties **families, uint32_t *count);

#endif
