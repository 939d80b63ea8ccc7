/* SPDX-License-Identifier: MIT
 *
 * Instances, and the physical devices that they enumerate.
 */
#include "base/alloc.h"
#include "base/log.h"
#include "entry/entry.h"
#include "entry/physical_device.h"
#include "entry/settings.h"
#include "vulkan/hooks.h"

#include <pthread.h>
#include <string.h>

/* The layer uses what is core in 1.2, or hard to get without 1.1. A higher version takes nothing
 * from an application that asks for less. */
#define WANTED_VERSION VK_API_VERSION_1_2

struct instance {
    struct pgs_instance shared;
    pthread_mutex_t lock; /* guards the list */
    struct pgs_physical_entry *physical;
};

/* -- what goes down -- */

static VkLayerInstanceCreateInfo *find_link(const VkInstanceCreateInfo *info)
{
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext) {
        VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)node;
        if (node->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
            link->function == VK_LAYER_LINK_INFO)
            return link;
    }
    return NULL;
}

static bool has_extension(const VkInstanceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (strcmp(info->ppEnabledExtensionNames[i], name) == 0)
            return true;
    }
    return false;
}

struct request {
    VkInstanceCreateInfo info;
    VkApplicationInfo app;
    const char **extensions;
};

static uint32_t asked_version(const VkInstanceCreateInfo *info)
{
    const uint32_t version = info->pApplicationInfo ? info->pApplicationInfo->apiVersion : 0;
    return version ? version : VK_API_VERSION_1_0;
}

/* What the application wants, and what the layer needs beyond Vulkan 1.0 and 1.1. Newer versions
 * are passed on unchanged. */
static VkResult request_init(struct request *request, const VkInstanceCreateInfo *info)
{
    static const char *const needs[] = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME,
                                        VK_KHR_DEVICE_GROUP_CREATION_EXTENSION_NAME};
    const uint32_t need_count = sizeof(needs) / sizeof(needs[0]);
    *request = (struct request){
        .info = *info,
        .app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_0},
    };
    if (info->pApplicationInfo)
        request->app = *info->pApplicationInfo;
    const uint32_t version = asked_version(info);
    if (version >= WANTED_VERSION)
        return VK_SUCCESS;
    request->app.apiVersion = WANTED_VERSION;
    request->info.pApplicationInfo = &request->app;
    if (version >= VK_API_VERSION_1_1)
        return VK_SUCCESS;
    /* The loader still checks the extensions if the application asked for 1.0. */
    request->extensions =
        pgs_calloc(info->enabledExtensionCount + need_count, sizeof(*request->extensions));
    if (!request->extensions)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        request->extensions[i] = info->ppEnabledExtensionNames[i];
    for (uint32_t i = 0; i < need_count; i++) {
        if (!has_extension(info, needs[i]))
            request->extensions[request->info.enabledExtensionCount++] = needs[i];
    }
    request->info.ppEnabledExtensionNames = request->extensions;
    return VK_SUCCESS;
}

static void request_finish(struct request *request)
{
    pgs_free(request->extensions);
}

/* Creates the driver's instance. *version: the one that was passed. */
static VkResult create_below(const VkInstanceCreateInfo *info,
                             const VkAllocationCallbacks *allocator,
                             VkLayerInstanceCreateInfo *link, VkInstance *handle, uint32_t *version)
{
    VkLayerInstanceLink *next = link->u.pLayerInfo;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)next->pfnNextGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    struct request request;
    VkResult result = request_init(&request, info);
    if (result != VK_SUCCESS)
        return result;
    link->u.pLayerInfo = next->pNext;
    result = create(&request.info, allocator, handle);
    *version = request.app.apiVersion;
    if (result < 0 && !pgs_is_shortage(result) && asked_version(info) < WANTED_VERSION) {
        pgs_log(PGS_LOG_INFO,
                "no instance of Vulkan 1.2: creating one of the version that the program asks for");
        link->u.pLayerInfo = next->pNext;
        result = create(info, allocator, handle);
        *version = asked_version(info);
    }
    request_finish(&request);
    return result;
}

/* -- physical devices -- */

/* If two threads meet the same new handle, the second entry is dropped. */
static VkResult learn(struct instance *inst, VkPhysicalDevice handle)
{
    if (pgs_physical_device_from_handle(handle))
        return VK_SUCCESS;
    struct pgs_physical_entry *entry;
    VkResult result = pgs_physical_entry_create(&inst->shared, handle, &entry);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&inst->lock);
    if (!pgs_physical_device_from_handle(handle)) {
        result = pgs_registry_add_physical_device(&entry->shared);
        if (result == VK_SUCCESS) {
            entry->next = inst->physical;
            inst->physical = entry;
            entry = NULL;
        }
    }
    pthread_mutex_unlock(&inst->lock);
    pgs_physical_entry_destroy(entry);
    return result;
}

/* What fails here fails again, or not, when the application enumerates the devices. An error of
 * vkCreateInstance would not do: the layer would have to destroy the driver's instance, and the
 * loader of Debian 12 frees what belongs to it once more. */
static void learn_all(struct instance *inst)
{
    const struct pgs_instance_dispatch *vk = &inst->shared.vk;
    VkPhysicalDevice *handles = NULL;
    uint32_t count;
    VkResult result;
    do {
        pgs_free(handles);
        handles = NULL;
        count = 0;
        result = vk->EnumeratePhysicalDevices(inst->shared.handle, &count, NULL);
        handles = result == VK_SUCCESS ? pgs_calloc(count, sizeof(*handles)) : NULL;
        if (!handles)
            return;
        result = vk->EnumeratePhysicalDevices(inst->shared.handle, &count, handles);
    } while (result == VK_INCOMPLETE);
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++)
        result = learn(inst, handles[i]);
    pgs_free(handles);
}

static void forget_all(struct instance *inst)
{
    while (inst->physical) {
        struct pgs_physical_entry *entry = inst->physical;
        inst->physical = entry->next;
        pgs_registry_remove_physical_device(&entry->shared);
        pgs_physical_entry_destroy(entry);
    }
}

/* Devices may have been plugged in since. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_EnumeratePhysicalDevices(VkInstance instance,
                                                            uint32_t *pPhysicalDeviceCount,
                                                            VkPhysicalDevice *pPhysicalDevices)
{
    struct instance *inst = (struct instance *)pgs_instance_from_handle(instance);
    VkResult result =
        inst->shared.vk.EnumeratePhysicalDevices(instance, pPhysicalDeviceCount, pPhysicalDevices);
    for (uint32_t i = 0; result >= 0 && pPhysicalDevices && i < *pPhysicalDeviceCount; i++) {
        const VkResult learned = learn(inst, pPhysicalDevices[i]);
        if (learned != VK_SUCCESS)
            result = learned;
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_EnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t *pPhysicalDeviceGroupCount,
                                  VkPhysicalDeviceGroupProperties *pPhysicalDeviceGroupProperties)
{
    struct instance *inst = (struct instance *)pgs_instance_from_handle(instance);
    const VkPhysicalDeviceGroupProperties *groups = pPhysicalDeviceGroupProperties;
    VkResult result = inst->shared.vk.EnumeratePhysicalDeviceGroups(
        instance, pPhysicalDeviceGroupCount, pPhysicalDeviceGroupProperties);
    for (uint32_t i = 0; result >= 0 && groups && i < *pPhysicalDeviceGroupCount; i++) {
        for (uint32_t j = 0; result >= 0 && j < groups[i].physicalDeviceCount; j++) {
            const VkResult learned = learn(inst, groups[i].physicalDevices[j]);
            if (learned != VK_SUCCESS)
                result = learned;
        }
    }
    return result;
}

/* -- life -- */

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkInstance *pInstance)
{
    VkLayerInstanceCreateInfo *link = find_link(pCreateInfo);
    if (!link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    const VkLayerInstanceLink *next = link->u.pLayerInfo;
    struct instance *inst = pgs_calloc(1, sizeof(*inst));
    if (!inst)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = pgs_settings_init(&inst->shared.settings, pCreateInfo);
    if (result != VK_SUCCESS)
        goto fail_settings;
    VkInstance handle = VK_NULL_HANDLE;
    result = create_below(pCreateInfo, pAllocator, link, pInstance, &inst->shared.api_version);
    if (result != VK_SUCCESS)
        goto fail_create;
    handle = *pInstance;
    inst->shared.handle = handle;
    inst->shared.next_gpdpa = next->pfnNextGetPhysicalDeviceProcAddr;
    pgs_instance_dispatch_load(&inst->shared.vk, handle, next->pfnNextGetInstanceProcAddr);
    pthread_mutex_init(&inst->lock, NULL);
    result = pgs_registry_add_instance(&inst->shared);
    if (result != VK_SUCCESS)
        goto fail_register;
    learn_all(inst);
    return VK_SUCCESS;

fail_register:
    pthread_mutex_destroy(&inst->lock);
    inst->shared.vk.DestroyInstance(handle, pAllocator);
fail_create:
    pgs_settings_finish(&inst->shared.settings);
fail_settings:
    pgs_free(inst);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyInstance(VkInstance instance,
                                               const VkAllocationCallbacks *pAllocator)
{
    if (!instance)
        return;
    struct instance *inst = (struct instance *)pgs_instance_from_handle(instance);
    forget_all(inst);
    pgs_registry_remove_instance(&inst->shared); /* before another instance can get the handle */
    inst->shared.vk.DestroyInstance(instance, pAllocator);
    pthread_mutex_destroy(&inst->lock);
    pgs_settings_finish(&inst->shared.settings);
    pgs_free(inst);
}
