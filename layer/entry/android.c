/* SPDX-License-Identifier: MIT
 *
 * What Android's loader looks up by name, since it reads no manifest and does not negotiate
 * (vulkan/libvulkan/layers_extensions.cpp of its frameworks/native). Other builds do not export
 * these: the export maps differ.
 */
#include "entry/entry.h"
#include "vulkan/hooks.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default"))) VKAPI_ATTR

EXPORT VkResult VKAPI_CALL vkEnumerateInstanceLayerProperties(uint32_t *pPropertyCount,
                                                              VkLayerProperties *pProperties)
{
    return pgs_EnumerateInstanceLayerProperties(pPropertyCount, pProperties);
}

EXPORT VkResult VKAPI_CALL vkEnumerateInstanceExtensionProperties(
    const char *pLayerName, uint32_t *pPropertyCount, VkExtensionProperties *pProperties)
{
    return pgs_EnumerateInstanceExtensionProperties(pLayerName, pPropertyCount, pProperties);
}

/* Devices get the layer only if this tells the same of it, byte by byte. The loader asks before
 * there is a device. */
EXPORT VkResult VKAPI_CALL vkEnumerateDeviceLayerProperties(VkPhysicalDevice physicalDevice,
                                                            uint32_t *pPropertyCount,
                                                            VkLayerProperties *pProperties)
{
    (void)physicalDevice;
    return pgs_EnumerateInstanceLayerProperties(pPropertyCount, pProperties);
}

/* Without a device there is nothing to say: which extensions the layer adds depends on the driver.
 * With one, the loader finds them in the list of the device. */
EXPORT VkResult VKAPI_CALL vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice,
                                                                const char *pLayerName,
                                                                uint32_t *pPropertyCount,
                                                                VkExtensionProperties *pProperties)
{
    if (physicalDevice)
        return pgs_EnumerateDeviceExtensionProperties(physicalDevice, pLayerName, pPropertyCount,
                                                      pProperties);
    if (!pLayerName || strcmp(pLayerName, PGS_LAYER_NAME) != 0)
        return VK_ERROR_LAYER_NOT_PRESENT;
    *pPropertyCount = 0;
    return VK_SUCCESS;
}

EXPORT PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *pName)
{
    return pgs_GetInstanceProcAddr(instance, pName);
}

EXPORT PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device, const char *pName)
{
    return pgs_GetDeviceProcAddr(device, pName);
}
