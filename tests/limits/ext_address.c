/* SPDX-License-Identifier: MIT */
#include "ext_address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXTENSIONS 512

/* Of the last device: the same function for all, as they are of one driver. */
static PFN_vkGetDeviceProcAddr next_device_proc;

bool ext_address_is_on(void)
{
    const char *list = getenv("PGS_TEST_LIMITS");
    return list && strstr(list, "ext_address");
}

VkResult ext_address_enumerate(PFN_vkEnumerateDeviceExtensionProperties next,
                               VkPhysicalDevice device, uint32_t *count,
                               VkExtensionProperties *properties)
{
    VkExtensionProperties list[MAX_EXTENSIONS];
    uint32_t listed = MAX_EXTENSIONS - 1, kept = 0;
    const VkResult result = next(device, NULL, &listed, list);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < listed; i++)
        if (strcmp(list[i].extensionName, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) != 0 &&
            strcmp(list[i].extensionName, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) != 0)
            list[kept++] = list[i];
    list[kept] = (VkExtensionProperties){
        .specVersion = VK_EXT_BUFFER_DEVICE_ADDRESS_SPEC_VERSION,
        .extensionName = VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
    };
    kept++;
    if (!properties) {
        *count = kept;
        return VK_SUCCESS;
    }
    const uint32_t room = *count;
    *count = room < kept ? room : kept;
    memcpy(properties, list, *count * sizeof(*properties));
    return room < kept ? VK_INCOMPLETE : VK_SUCCESS;
}

void ext_address_get_features2(PFN_vkGetPhysicalDeviceFeatures2 next, VkPhysicalDevice device,
                               VkPhysicalDeviceFeatures2 *features)
{
    VkPhysicalDeviceBufferDeviceAddressFeatures own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &own};
    next(device, &query);
    next(device, features);
    for (VkBaseOutStructure *node = features->pNext; node; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            VkPhysicalDeviceVulkan12Features *core = (VkPhysicalDeviceVulkan12Features *)node;
            core->bufferDeviceAddress = core->bufferDeviceAddressCaptureReplay =
                core->bufferDeviceAddressMultiDevice = VK_FALSE;
        }
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES ||
            node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT) {
            VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *address =
                (VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *)node; /* both are alike */
            address->bufferDeviceAddressCaptureReplay = address->bufferDeviceAddressMultiDevice =
                VK_FALSE;
            address->bufferDeviceAddress =
                node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT
                    ? own.bufferDeviceAddress
                    : VK_FALSE;
        }
    }
}

static VkBaseOutStructure *find(const void *chain, VkStructureType type)
{
    VkBaseOutStructure *node = (VkBaseOutStructure *)chain;
    while (node && node->sType != type)
        node = node->pNext;
    return node;
}

/* Leaves the extension out and passes its feature in a struct that the driver knows. What is above
 * gets its structs back as they were. */
static VkResult create(PFN_vkCreateDevice next, VkPhysicalDevice physical,
                       const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator,
                       VkDevice *device)
{
    const char *names[MAX_EXTENSIONS];
    uint32_t count = 0;
    bool enabled = false;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        if (strcmp(name, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) == 0)
            return VK_ERROR_EXTENSION_NOT_PRESENT;
        if (strcmp(name, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) == 0)
            enabled = true;
        else
            names[count++] = name;
    }
    const VkPhysicalDeviceVulkan12Features *core = (const VkPhysicalDeviceVulkan12Features *)find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *ext =
        (VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *)find(
            info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT);
    const VkPhysicalDeviceBufferDeviceAddressFeatures *khr =
        (const VkPhysicalDeviceBufferDeviceAddressFeatures *)find(
            info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    if ((core && core->bufferDeviceAddress) || (khr && khr->bufferDeviceAddress) ||
        (ext && ext->bufferDeviceAddress && !enabled))
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkDeviceCreateInfo without = *info;
    without.enabledExtensionCount = count;
    without.ppEnabledExtensionNames = names;
    if (ext)
        ext->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
    const VkResult result = next(physical, &without, allocator, device);
    if (ext)
        ext->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT;
    return result;
}

VkResult ext_address_create_device(VkInstance instance, VkPhysicalDevice physical,
                                   const VkDeviceCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkDevice *device)
{
    const VkLayerDeviceCreateInfo *link = info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    VkLayerDeviceLink *next = link->u.pLayerInfo;
    next_device_proc = next->pfnNextGetDeviceProcAddr;
    ((VkLayerDeviceCreateInfo *)link)->u.pLayerInfo = next->pNext;
    return create((PFN_vkCreateDevice)next->pfnNextGetInstanceProcAddr(instance, "vkCreateDevice"),
                  physical, info, allocator, device);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ext_address_device_proc(VkDevice device, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)ext_address_device_proc;
    if (strcmp(name, "vkGetBufferDeviceAddress") == 0 ||
        strcmp(name, "vkGetBufferDeviceAddressKHR") == 0)
        return NULL;
    if (strcmp(name, "vkGetBufferDeviceAddressEXT") == 0)
        return next_device_proc(device, "vkGetBufferDeviceAddress");
    return next_device_proc(device, name);
}
