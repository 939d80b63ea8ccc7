/* SPDX-License-Identifier: MIT
 *
 * UUIDs of what depends on the layer, too: binaries that it writes, words that the driver
 * identifies, and what programs keep of a driver with these features.
 */
#ifndef PGS_VULKAN_OWN_UUID_H
#define PGS_VULKAN_OWN_UUID_H

#include <vulkan/vulkan.h>

struct pgs_physical_device;

/* Makes the driver's UUID that of this build of the layer on the driver, and that the driver's
 * again. Thread-safe. */
void pgs_own_uuid(uint8_t uuid[VK_UUID_SIZE]);

/* The same for what also depends on the features and extensions that the layer reports, which
 * settings change. Thread-safe. */
void pgs_reported_uuid(const struct pgs_physical_device *physical, uint8_t uuid[VK_UUID_SIZE]);

#endif
