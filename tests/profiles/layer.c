/* SPDX-License-Identifier: MIT
 *
 * A layer for tests: the driver below seems to be another one, which has less. PGS_TEST_PROFILE
 * names it (profiles.c). Without, the layer does nothing.
 */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_INSTANCES 64

/* The instances, by the loader's dispatch table. */
static struct instance {
    void *key;
    VkInstance handle;
    PFN_vkGetInstanceProcAddr next;
    PFN_vkDestroyInstance destroy;
    struct report_driver driver;
} instances[MAX_INSTANCES];

static struct instance *find(const void *dispatchable)
{
    void *key;
    memcpy(&key, dispatchable, sizeof(key));
    for (int i = 0; i < MAX_INSTANCES; i++)
        if (instances[i].key == key)
            return &instances[i];
    fprintf(stderr, "profiles: an instance that was not created\n");
    abort();
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device,
                                                 VkPhysicalDeviceProperties *properties)
{
    find(device)->driver.properties(device, properties);
    report_properties(profile_chosen(), properties);
}

static VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice device,
                                                  VkPhysicalDeviceProperties2 *properties)
{
    report_properties2(profile_chosen(), &find(device)->driver, device, properties);
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device,
                                               VkPhysicalDeviceFeatures *features)
{
    find(device)->driver.features(device, features);
    report_features(profile_chosen(), features);
}

static VKAPI_ATTR void VKAPI_CALL get_features2(VkPhysicalDevice device,
                                                VkPhysicalDeviceFeatures2 *features)
{
    report_features2(profile_chosen(), &find(device)->driver, device, features);
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice device,
                                                           const char *layer, uint32_t *count,
                                                           VkExtensionProperties *properties)
{
    if (layer && *layer)
        return find(device)->driver.extensions(device, layer, count, properties);
    return report_extensions(profile_chosen(), &find(device)->driver, device, count, properties);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    const struct instance *of = find(physical);
    return profile_create_device(profile_chosen(), &of->driver, of->handle, physical, info,
                                 allocator, device);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result =
        ((PFN_vkCreateInstance)next(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    report_check_tables();
    for (int i = 0; i < MAX_INSTANCES; i++) {
        struct instance *free_one = &instances[i];
        if (free_one->key)
            continue;
        memcpy(&free_one->key, *instance, sizeof(free_one->key));
        free_one->next = next;
        free_one->handle = *instance;
#define GET(name) (PFN_vk##name) next(*instance, "vk" #name)
        free_one->destroy = GET(DestroyInstance);
        free_one->driver = (struct report_driver){
            .properties = GET(GetPhysicalDeviceProperties),
            .properties2 = GET(GetPhysicalDeviceProperties2),
            .features = GET(GetPhysicalDeviceFeatures),
            .features2 = GET(GetPhysicalDeviceFeatures2),
            .extensions = GET(EnumerateDeviceExtensionProperties),
        };
#undef GET
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
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
        bool with_profile;
    } own[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc_addr, false},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance, false},
        {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance, false},
        {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)get_properties, true},
        {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)get_properties2, true},
        {"vkGetPhysicalDeviceProperties2KHR", (PFN_vkVoidFunction)get_properties2, true},
        {"vkGetPhysicalDeviceFeatures", (PFN_vkVoidFunction)get_features, true},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)get_features2, true},
        {"vkGetPhysicalDeviceFeatures2KHR", (PFN_vkVoidFunction)get_features2, true},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)enumerate_extensions, true},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device, true},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)profile_device_proc, true},
    };
    const bool chosen = profile_chosen() != NULL;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(name, own[i].name) == 0 && (chosen || !own[i].with_profile))
            return own[i].function;
    return instance ? find(instance)->next(instance, name) : NULL;
}

EXPORT VkResult pgs_test_profiles_negotiate(VkNegotiateLayerInterface *interface);

EXPORT VkResult pgs_test_profiles_negotiate(VkNegotiateLayerInterface *interface)
{
    if (interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = get_instance_proc_addr;
    /* Otherwise device commands go straight to the driver. */
    interface->pfnGetDeviceProcAddr = profile_chosen() ? profile_device_proc : NULL;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
