/* SPDX-License-Identifier: MIT
 *
 * What the two sources of the layer share.
 */
#ifndef STARVE_INTERNAL_H
#define STARVE_INTERNAL_H

#include "starve.h"

#include <vulkan/vk_layer.h>

/* What a command may return. */
enum { MAY_HOST = 1, MAY_DEVICE = 2, MAY_MEMORY = MAY_HOST | MAY_DEVICE, MAY_LOST = 4 };

/* Does this call fail? Then *result is what it returns. */
bool starve_fails(const char *command, unsigned may, VkResult *result);
bool starve_is_lost(void);
void starve_find_again(void);

uint64_t starve_memory_limit_B(void);
uint32_t starve_allocation_limit(void);

/* device.c */
VkResult starve_create_device(PFN_vkCreateDevice next, VkPhysicalDevice physical,
                              const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDevice *device);
PFN_vkVoidFunction VKAPI_CALL starve_device_proc(VkDevice device, const char *name);
void starve_forget_peaks(void);

/* The loader's dispatch table, which all objects of an instance or device share. */
static inline void *starve_key(const void *dispatchable)
{
    return *(void *const *)dispatchable;
}

/* The node of a chain that carries the next layer's functions. */
static inline void *starve_link(const void *chain, VkStructureType type)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)chain;
    while (link && (link->sType != type || link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    return link;
}

#endif
