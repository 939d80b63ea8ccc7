/* SPDX-License-Identifier: MIT
 *
 * A layer for tests: a device with fewer resources than the driver has. It stands below the
 * validation layer, which then holds everybody above to the limits that this one reports.
 * PGS_TEST_LIMITS is a list of NAME=VALUE, joined by
 * ','; NAME is a member of VkPhysicalDeviceLimits, or "minimum", without a value: what the
 * specification requires at least of descriptors, shared memory and push constants. A driver's
 * lower limit stays. "ext_address": see ext_address.h.
 */
#include "ext_address.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_INSTANCES 64

struct limit {
    const char *name;
    size_t offset_B;
    uint32_t minimum; /* the specification's */
};
#define LIMIT(name, minimum)                                                                       \
    {                                                                                              \
#name, offsetof(VkPhysicalDeviceLimits, name), minimum                                     \
    }
static const struct limit limits[] = {
    LIMIT(maxPushConstantsSize, 128),
    LIMIT(maxBoundDescriptorSets, 4),
    LIMIT(maxPerStageDescriptorSamplers, 16),
    LIMIT(maxPerStageDescriptorUniformBuffers, 12),
    LIMIT(maxPerStageDescriptorStorageBuffers, 4),
    LIMIT(maxPerStageDescriptorSampledImages, 16),
    LIMIT(maxPerStageDescriptorStorageImages, 4),
    LIMIT(maxPerStageDescriptorInputAttachments, 4),
    LIMIT(maxPerStageResources, 128),
    LIMIT(maxDescriptorSetSamplers, 96),
    LIMIT(maxDescriptorSetUniformBuffers, 72),
    LIMIT(maxDescriptorSetUniformBuffersDynamic, 8),
    LIMIT(maxDescriptorSetStorageBuffers, 24),
    LIMIT(maxDescriptorSetStorageBuffersDynamic, 4),
    LIMIT(maxDescriptorSetSampledImages, 96),
    LIMIT(maxDescriptorSetStorageImages, 24),
    LIMIT(maxDescriptorSetInputAttachments, 4),
    LIMIT(maxComputeSharedMemorySize, 16384),
};
#define LIMIT_COUNT (sizeof(limits) / sizeof(limits[0]))

/* The instances, by the loader's dispatch table. */
static struct instance {
    void *key;
    VkInstance handle;
    PFN_vkGetInstanceProcAddr next;
    PFN_vkGetPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties2 properties2;
    PFN_vkGetPhysicalDeviceFeatures2 features2;
    PFN_vkEnumerateDeviceExtensionProperties extensions;
    PFN_vkDestroyInstance destroy;
} instances[MAX_INSTANCES];

static struct instance *find(const void *dispatchable)
{
    void *key;
    memcpy(&key, dispatchable, sizeof(key));
    for (int i = 0; i < MAX_INSTANCES; i++)
        if (instances[i].key == key)
            return &instances[i];
    fprintf(stderr, "limits: an instance that was not created\n");
    abort();
}

static void lower(VkPhysicalDeviceLimits *of, const struct limit *limit, uint32_t value)
{
    uint32_t *at = (uint32_t *)((char *)of + limit->offset_B);
    if (*at > value)
        *at = value;
}

static void apply(VkPhysicalDeviceLimits *of, const char *name, const char *value)
{
    const int minimum = strcmp(name, "minimum") == 0;
    int found = minimum;
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        if (minimum)
            lower(of, &limits[i], limits[i].minimum);
        else if (strcmp(name, limits[i].name) == 0)
            lower(of, &limits[i], (uint32_t)strtoul(value, NULL, 10)), found = 1;
    }
    if (!found) {
        fprintf(stderr, "limits: PGS_TEST_LIMITS names %s, which is none of this layer's\n", name);
        abort();
    }
}

static void patch(VkPhysicalDeviceLimits *of)
{
    const char *list = getenv("PGS_TEST_LIMITS");
    char *copy = strdup(list ? list : ""), *rest = copy;
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (*word && strcmp(word, "ext_address") != 0)
            apply(of, word, value ? value : "");
    }
    free(copy);
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device,
                                                 VkPhysicalDeviceProperties *properties)
{
    find(device)->properties(device, properties);
    patch(&properties->limits);
}

static VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice device,
                                                  VkPhysicalDeviceProperties2 *properties)
{
    find(device)->properties2(device, properties);
    patch(&properties->properties.limits);
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice device,
                                                           const char *layer, uint32_t *count,
                                                           VkExtensionProperties *properties)
{
    if (layer && *layer)
        return find(device)->extensions(device, layer, count, properties);
    return ext_address_enumerate(find(device)->extensions, device, count, properties);
}

static VKAPI_ATTR void VKAPI_CALL get_features2(VkPhysicalDevice device,
                                                VkPhysicalDeviceFeatures2 *features)
{
    ext_address_get_features2(find(device)->features2, device, features);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    return ext_address_create_device(find(physical)->handle, physical, info, allocator, device);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    const VkLayerInstanceCreateInfo *link = info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    ((VkLayerInstanceCreateInfo *)link)->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result =
        ((PFN_vkCreateInstance)next(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    for (int i = 0; i < MAX_INSTANCES; i++) {
        struct instance *free_one = &instances[i];
        if (free_one->key)
            continue;
        memcpy(&free_one->key, *instance, sizeof(free_one->key));
        free_one->next = next;
        free_one->handle = *instance;
        free_one->features2 =
            (PFN_vkGetPhysicalDeviceFeatures2)next(*instance, "vkGetPhysicalDeviceFeatures2");
        free_one->extensions = (PFN_vkEnumerateDeviceExtensionProperties)next(
            *instance, "vkEnumerateDeviceExtensionProperties");
        free_one->properties =
            (PFN_vkGetPhysicalDeviceProperties)next(*instance, "vkGetPhysicalDeviceProperties");
        free_one->properties2 =
            (PFN_vkGetPhysicalDeviceProperties2)next(*instance, "vkGetPhysicalDeviceProperties2");
        free_one->destroy = (PFN_vkDestroyInstance)next(*instance, "vkDestroyInstance");
        return VK_SUCCESS;
    }
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                                   const VkAllocationCallbacks *allocator)
{
    struct instance *known = instance ? find(instance) : NULL;
    if (!known)
        return;
    const PFN_vkDestroyInstance destroy = known->destroy;
    *known = (struct instance){0};
    destroy(instance, allocator);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance,
                                                                       const char *name)
{
    const bool ext_address = ext_address_is_on();
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
        bool of_ext_address;
    } own[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc_addr, false},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance, false},
        {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance, false},
        {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)get_properties, false},
        {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)get_properties2, false},
        {"vkGetPhysicalDeviceProperties2KHR", (PFN_vkVoidFunction)get_properties2, false},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)enumerate_extensions, true},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)get_features2, true},
        {"vkGetPhysicalDeviceFeatures2KHR", (PFN_vkVoidFunction)get_features2, true},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device, true},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)ext_address_device_proc, true},
    };
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(name, own[i].name) == 0 && (ext_address || !own[i].of_ext_address))
            return own[i].function;
    return instance ? find(instance)->next(instance, name) : NULL;
}

EXPORT VkResult pgs_test_limits_negotiate(VkNegotiateLayerInterface *interface);

EXPORT VkResult pgs_test_limits_negotiate(VkNegotiateLayerInterface *interface)
{
    if (interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = get_instance_proc_addr;
    /* Otherwise device commands go straight to the driver. */
    interface->pfnGetDeviceProcAddr = ext_address_is_on() ? ext_address_device_proc : NULL;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
