/* SPDX-License-Identifier: MIT
 *
 * Devices under a profile: what exceeds a limit that it reports, or needs what it hides, is said on
 * stderr ("profile NAME: ..."), and creation fails. With PGS_TEST_PROFILE_ABORT=1 the program ends
 * there. Also says how much memory a device had at most, with PGS_TEST_PROFILE_MEMORY=1.
 */
#ifndef PROFILES_DEVICE_H
#define PROFILES_DEVICE_H

#include "reports.h"

VkResult profile_create_device(const struct profile *profile, const struct report_driver *driver,
                               VkInstance instance, VkPhysicalDevice physical,
                               const VkDeviceCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkDevice *device);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL profile_device_proc(VkDevice device, const char *name);

#endif
