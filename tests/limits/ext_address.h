/* SPDX-License-Identifier: MIT
 *
 * The word "ext_address" of PGS_TEST_LIMITS: a driver whose only form of buffer addresses is
 * VK_EXT_buffer_device_address. Below, the real one enables its own form.
 */
#ifndef LIMITS_EXT_ADDRESS_H
#define LIMITS_EXT_ADDRESS_H

#include <stdbool.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

bool ext_address_is_on(void);

/* As the commands of the names. next: of the instance, for what is below. */
VkResult ext_address_enumerate(PFN_vkEnumerateDeviceExtensionProperties next,
                               VkPhysicalDevice device, uint32_t *count,
                               VkExtensionProperties *properties);
void ext_address_get_features2(PFN_vkGetPhysicalDeviceFeatures2 next, VkPhysicalDevice device,
                               VkPhysicalDeviceFeatures2 *features);
VkResult ext_address_create_device(VkInstance instance, VkPhysicalDevice physical,
                                   const VkDeviceCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkDevice *device);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ext_address_device_proc(VkDevice device, const char *name);

#endif
