/* SPDX-License-Identifier: MIT
 *
 * What a physical device can do, and what the layer reports of it. Internal to entry/.
 */
#ifndef PGS_ENTRY_PHYSICAL_DEVICE_H
#define PGS_ENTRY_PHYSICAL_DEVICE_H

#include "entry/physical_entry.h"

static inline bool pgs_is_out_of_memory(VkResult result)
{
    return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* Examines a new handle of inst. Errors: out of host memory only. */
VkResult pgs_physical_entry_create(struct pgs_instance *inst, VkPhysicalDevice handle,
                                   struct pgs_physical_entry **entry);
void pgs_physical_entry_destroy(struct pgs_physical_entry *entry);

static inline struct pgs_physical_entry *pgs_physical_entry(VkPhysicalDevice handle)
{
    return (struct pgs_physical_entry *)pgs_physical_device_from_handle(handle);
}

#endif
