/* SPDX-License-Identifier: MIT
 *
 * Makes instances, physical devices and devices known to the lookups of vulkan/device.h. Called by
 * entry/ only.
 */
#ifndef PGS_VULKAN_REGISTRY_H
#define PGS_VULKAN_REGISTRY_H

#include "vulkan/device.h"

/* By the `handle` member. VK_SUCCESS or VK_ERROR_OUT_OF_HOST_MEMORY. The object must stay where it
 * is until it is removed. */
VkResult pgs_registry_add_instance(struct pgs_instance *instance);
VkResult pgs_registry_add_physical_device(struct pgs_physical_device *physical);
VkResult pgs_registry_add_device(struct pgs_device *dev);

/* Before the handle goes down to be destroyed, since another thread may then get the same one.
 * Unknown objects are ignored. */
void pgs_registry_remove_instance(const struct pgs_instance *instance);
void pgs_registry_remove_physical_device(const struct pgs_physical_device *physical);
void pgs_registry_remove_device(const struct pgs_device *dev);

#endif
