/* SPDX-License-Identifier: MIT
 *
 * What a profile says of a physical device, and whether a device may be made of it.
 */
#ifndef PROFILES_REPORTS_H
#define PROFILES_REPORTS_H

#include "profiles.h"

#include <vulkan/vk_layer.h>

/* The commands of the driver. */
struct report_driver {
    PFN_vkGetPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties2 properties2;
    PFN_vkGetPhysicalDeviceFeatures features;
    PFN_vkGetPhysicalDeviceFeatures2 features2;
    PFN_vkEnumerateDeviceExtensionProperties extensions;
};

/* Ends the program if a profile names a feature or a limit that the registry does not know. */
void report_check_tables(void);

/* As the commands of the driver. profile may not be NULL. */
void report_properties(const struct profile *profile, VkPhysicalDeviceProperties *properties);
void report_properties2(const struct profile *profile, const struct report_driver *driver,
                        VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties);
void report_features(const struct profile *profile, VkPhysicalDeviceFeatures *features);
void report_features2(const struct profile *profile, const struct report_driver *driver,
                      VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features);
VkResult report_extensions(const struct profile *profile, const struct report_driver *driver,
                           VkPhysicalDevice device, uint32_t *count,
                           VkExtensionProperties *properties);

/* VK_SUCCESS, or what vkCreateDevice has to return for an extension or a feature that the profile
 * or the driver lacks; then a line on stderr says which. */
VkResult report_judge_device(const struct profile *profile, const struct report_driver *driver,
                             VkPhysicalDevice device, const VkDeviceCreateInfo *info);

/* Is a feature of this name among the enabled ones of the create info? */
bool report_enables(const VkDeviceCreateInfo *info, const char *feature);

#endif
