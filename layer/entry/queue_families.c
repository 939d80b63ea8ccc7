/* SPDX-License-Identifier: MIT
 *
 * Reports no protected queues, as the layer's memory is not protected; and where there are no
 * timeline semaphores, one queue of each family that draws. Compute work and draws of a command
 * buffer share memory, and barriers order its executions on one queue only. On two queues,
 * executions may overlap (SIMULTANEOUS_USE), and semaphores order them.
 */
#include "entry/queue_families.h"

#include "base/alloc.h"
#include "vulkan/hooks.h"

VkResult pgs_queue_families(const struct pgs_physical_device *phys,
                            VkQueueFamilyProperties **families, uint32_t *count)
{
    const struct pgs_instance_dispatch *vk = &phys->instance->vk;
    *count = 0;
    vk->GetPhysicalDeviceQueueFamilyProperties(phys->handle, count, NULL);
    *families = pgs_calloc(*count, sizeof(**families));
    if (!*families)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    vk->GetPhysicalDeviceQueueFamilyProperties(phys->handle, count, *families);
    return VK_SUCCESS;
}

static void patch_family(const struct pgs_physical_device *phys, VkQueueFamilyProperties *family)
{
    family->queueFlags &= ~(VkQueueFlags)VK_QUEUE_PROTECTED_BIT;
    if ((family->queueFlags & VK_QUEUE_GRAPHICS_BIT) && family->queueCount > 1 &&
        !phys->has_timeline_semaphores)
        family->queueCount = 1;
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice physicalDevice, uint32_t *pQueueFamilyPropertyCount,
    VkQueueFamilyProperties *pQueueFamilyProperties)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    phys->instance->vk.GetPhysicalDeviceQueueFamilyProperties(
        physicalDevice, pQueueFamilyPropertyCount, pQueueFamilyProperties);
    for (uint32_t i = 0; phys->emulates && pQueueFamilyProperties && i < *pQueueFamilyPropertyCount;
         i++)
        patch_family(phys, &pQueueFamilyProperties[i]);
}

VKAPI_ATTR void VKAPI_CALL pgs_GetPhysicalDeviceQueueFamilyProperties2(
    VkPhysicalDevice physicalDevice, uint32_t *pQueueFamilyPropertyCount,
    VkQueueFamilyProperties2 *pQueueFamilyProperties)
{
    const struct pgs_physical_device *phys = pgs_physical_device_from_handle(physicalDevice);
    phys->instance->vk.GetPhysicalDeviceQueueFamilyProperties2(
        physicalDevice, pQueueFamilyPropertyCount, pQueueFamilyProperties);
    for (uint32_t i = 0; phys->emulates && pQueueFamilyProperties && i < *pQueueFamilyPropertyCount;
         i++)
        patch_family(phys, &pQueueFamilyProperties[i].queueFamilyProperties);
}
