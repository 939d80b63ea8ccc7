/* SPDX-License-Identifier: MIT
 *
 * The queue families of a physical device.
 */
#ifndef PGS_ENTRY_QUEUE_FAMILIES_H
#define PGS_ENTRY_QUEUE_FAMILIES_H

#include "vulkan/device.h"

/* Those of the driver; *families goes to pgs_free. Fails for want of memory
 * only. */
VkResult pgs_queue_families(const struct pgs_physical_device *phys,
                            VkQueueFamilyProperties **families, uint32_t *count);

#endif
