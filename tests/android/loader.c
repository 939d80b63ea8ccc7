/* SPDX-License-Identifier: MIT
 *
 * A libvulkan.so.1 that loads layers as Android does: every libVkLayer*.so of a folder is asked by
 * the names of its exported functions; there are no manifests and no negotiation. Programs find it
 * by LD_LIBRARY_PATH and run unchanged. What Android does is in vulkan/libvulkan of its
 * frameworks/native (api.cpp, layers_extensions.cpp).
 *
 *   PGS_ANDROID_LAYERS  the folder; on a phone the one of the application's libraries
 *   VK_ICD_FILENAMES    manifest of the driver
 *
 * One layer at a time: programs of this project enable no more when they run on it.
 */
#include "core_commands.h"
#include "driver.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

static struct {
    char path[4096];
    VkLayerProperties properties;
    bool found, global;
    VkExtensionProperties extensions[8];
    uint32_t extension_count;
} layer;

static VkInstance the_instance;
/* Of the instance that is there. Without a layer they are the driver's. */
static PFN_vkGetInstanceProcAddr top_instance = driver_GetInstanceProcAddr;
static PFN_vkGetDeviceProcAddr top_device = driver_GetDeviceProcAddr;

/* -- layers -- */

/* What the loader reads of a library before it closes it again. */
static void examine(void *library, const char *path)
{
    const PFN_vkEnumerateInstanceLayerProperties instance_layers =
        (PFN_vkEnumerateInstanceLayerProperties)dlsym(library,
                                                      "vkEnumerateInstanceLayerProperties");
    const PFN_vkEnumerateInstanceExtensionProperties instance_extensions =
        (PFN_vkEnumerateInstanceExtensionProperties)dlsym(library,
                                                          "vkEnumerateInstanceExtensionProperties");
    const PFN_vkEnumerateDeviceLayerProperties device_layers =
        (PFN_vkEnumerateDeviceLayerProperties)dlsym(library, "vkEnumerateDeviceLayerProperties");
    const PFN_vkEnumerateDeviceExtensionProperties device_extensions =
        (PFN_vkEnumerateDeviceExtensionProperties)dlsym(library,
                                                        "vkEnumerateDeviceExtensionProperties");
    if (!instance_layers || !instance_extensions)
        loader_die("%s lacks functions that enumerate", path);
    uint32_t count = 0, device_count = 0;
    VkLayerProperties properties[2];
    /* Bytes that a layer leaves as they are would differ. */
    memset(&properties[0], 0x55, sizeof(properties[0]));
    memset(&properties[1], 0xaa, sizeof(properties[1]));
    if (instance_layers(&count, NULL) != VK_SUCCESS || count != 1 ||
        instance_layers(&count, &properties[0]) != VK_SUCCESS)
        loader_die("%s has no layer, or several", path);
    if (device_layers &&
        (device_layers(VK_NULL_HANDLE, &device_count, NULL) != VK_SUCCESS || device_count > 1 ||
         device_layers(VK_NULL_HANDLE, &device_count, &properties[1])))
        loader_die("%s: device layers", path);
    layer.properties = properties[0];
    layer.global =
        device_count == 1 && memcmp(&properties[0], &properties[1], sizeof(properties[0])) == 0;
    const char *name = layer.properties.layerName;
    layer.extension_count = sizeof(layer.extensions) / sizeof(layer.extensions[0]);
    if (instance_extensions(name, &count, NULL) != VK_SUCCESS ||
        instance_extensions(name, &layer.extension_count, layer.extensions) != VK_SUCCESS ||
        count != layer.extension_count)
        loader_die("%s: instance extensions", path);
    if (layer.global && device_extensions) {
        VkExtensionProperties list[16];
        count = 16;
        if (device_extensions(VK_NULL_HANDLE, name, &count, NULL) != VK_SUCCESS ||
            device_extensions(VK_NULL_HANDLE, name, &count, list) != VK_SUCCESS)
            loader_die("%s: device extensions", path);
    }
    layer.found = true;
    fprintf(stderr, "android loader: added %s layer '%s'\n", layer.global ? "global" : "instance",
            name);
}

static void discover(void)
{
    static bool done;
    const char *folder = getenv("PGS_ANDROID_LAYERS");
    DIR *list = folder ? opendir(folder) : NULL;
    if (done || !list) {
        if (list)
            closedir(list);
        return;
    }
    done = true;
    for (struct dirent *entry; (entry = readdir(list));) {
        const size_t length = strlen(entry->d_name);
        if (strncmp(entry->d_name, "libVkLayer", 10) != 0 || length < 3 ||
            strcmp(entry->d_name + length - 3, ".so") != 0)
            continue;
        if ((size_t)snprintf(layer.path, sizeof(layer.path), "%s/%s", folder, entry->d_name) >=
            sizeof(layer.path))
            loader_die("the path of %s is too long", entry->d_name);
        void *library = dlopen(layer.path, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            loader_die("%s", dlerror());
        examine(library, layer.path);
        dlclose(library);
    }
    closedir(list);
}

/* First by the name of the layer, then by the plain one. */
static void *get_proc(void *library, const char *suffix)
{
    char name[VK_MAX_EXTENSION_NAME_SIZE + 32];
    snprintf(name, sizeof(name), "%s%s", layer.properties.layerName, suffix);
    void *fn = dlsym(library, name);
    snprintf(name, sizeof(name), "vk%s", suffix);
    return fn ? fn : dlsym(library, name);
}

static bool activate(const VkInstanceCreateInfo *info)
{
    if (info->enabledLayerCount == 0)
        return true;
    discover();
    if (info->enabledLayerCount > 1 || !layer.found ||
        strcmp(info->ppEnabledLayerNames[0], layer.properties.layerName) != 0)
        return false;
    void *library = dlopen(layer.path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        loader_die("%s", dlerror());
    top_instance = (PFN_vkGetInstanceProcAddr)get_proc(library, "GetInstanceProcAddr");
    if (!top_instance)
        loader_die("%s has no vkGetInstanceProcAddr", layer.path);
    if (!layer.global)
        return true;
    top_device = (PFN_vkGetDeviceProcAddr)get_proc(library, "GetDeviceProcAddr");
    if (!top_device)
        loader_die("%s has no vkGetDeviceProcAddr", layer.path);
    return true;
}

/* -- creation -- */

static VKAPI_ATTR VkResult VKAPI_CALL set_instance_data(VkInstance instance, void *object)
{
    return driver_set_data(instance, object);
}

static VKAPI_ATTR VkResult VKAPI_CALL set_device_data(VkDevice device, void *object)
{
    return driver_set_data(device, object);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    driver_open();
    if (!activate(info))
        return VK_ERROR_LAYER_NOT_PRESENT;
    /* Android's loader knows no vkGetPhysicalDeviceProcAddr. */
    VkLayerInstanceLink next = {.pfnNextGetInstanceProcAddr = driver_GetInstanceProcAddr};
    VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                      .pNext = info->pNext,
                                      .function = VK_LAYER_LINK_INFO,
                                      .u.pLayerInfo = &next};
    VkLayerInstanceCreateInfo callback = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                          .pNext = &link,
                                          .function = VK_LOADER_DATA_CALLBACK,
                                          .u.pfnSetInstanceLoaderData = set_instance_data};
    VkInstanceCreateInfo chained = *info;
    if (info->enabledLayerCount)
        chained.pNext = &callback;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)top_instance(VK_NULL_HANDLE, "vkCreateInstance");
    const VkResult result = create(&chained, allocator, instance);
    if (result == VK_SUCCESS)
        the_instance = *instance;
    return result;
}

/* Android validates names with what the chain enumerates. */
static bool has_extensions(VkPhysicalDevice physical, const VkDeviceCreateInfo *info)
{
    const PFN_vkEnumerateDeviceExtensionProperties enumerate =
        (PFN_vkEnumerateDeviceExtensionProperties)top_instance(
            the_instance, "vkEnumerateDeviceExtensionProperties");
    static VkExtensionProperties list[512];
    uint32_t count = 512;
    if (enumerate(physical, NULL, &count, list) != VK_SUCCESS)
        return false;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        bool found = false;
        for (uint32_t j = 0; j < count; j++)
            found |= strcmp(list[j].extensionName, info->ppEnabledExtensionNames[i]) == 0;
        if (!found)
            return false;
    }
    return true;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    if (!has_extensions(physical, info))
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    VkLayerDeviceLink next = {.pfnNextGetInstanceProcAddr = driver_GetInstanceProcAddr,
                              .pfnNextGetDeviceProcAddr = driver_GetDeviceProcAddr};
    VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                    .pNext = info->pNext,
                                    .function = VK_LAYER_LINK_INFO,
                                    .u.pLayerInfo = &next};
    VkLayerDeviceCreateInfo callback = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                        .pNext = &link,
                                        .function = VK_LOADER_DATA_CALLBACK,
                                        .u.pfnSetDeviceLoaderData = set_device_data};
    VkDeviceCreateInfo chained = *info;
    if (top_device != driver_GetDeviceProcAddr)
        chained.pNext = &callback;
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)top_instance(the_instance, "vkCreateDevice");
    const VkResult result = create(physical, &chained, allocator, device);
    if (result != VK_SUCCESS)
        return result;
    for (size_t i = 0; i < sizeof(core_device_commands) / sizeof(core_device_commands[0]); i++)
        if (!top_device(*device, core_device_commands[i]))
            loader_die("missing device proc: %s", core_device_commands[i]);
    return VK_SUCCESS;
}

/* -- what programs call -- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device,
                                                                     const char *name)
{
    return top_device(device, name);
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_instance_version(uint32_t *version)
{
    driver_open();
    return ((PFN_vkEnumerateInstanceVersion)driver_GetInstanceProcAddr(
        NULL, "vkEnumerateInstanceVersion"))(version);
}

static VKAPI_ATTR VkResult VKAPI_CALL
enumerate_instance_extensions(const char *name, uint32_t *count, VkExtensionProperties *properties)
{
    driver_open();
    if (!name)
        return ((PFN_vkEnumerateInstanceExtensionProperties)driver_GetInstanceProcAddr(
            NULL, "vkEnumerateInstanceExtensionProperties"))(NULL, count, properties);
    discover();
    if (!layer.found || strcmp(name, layer.properties.layerName) != 0)
        return VK_ERROR_LAYER_NOT_PRESENT;
    if (properties && *count < layer.extension_count)
        return VK_INCOMPLETE;
    *count = layer.extension_count;
    if (properties)
        memcpy(properties, layer.extensions, layer.extension_count * sizeof(*properties));
    return VK_SUCCESS;
}

__attribute__((visibility("default"))) VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetInstanceProcAddr") == 0)
        return (PFN_vkVoidFunction)vkGetInstanceProcAddr;
    if (strcmp(name, "vkCreateInstance") == 0)
        return (PFN_vkVoidFunction)create_instance;
    if (strcmp(name, "vkEnumerateInstanceVersion") == 0)
        return (PFN_vkVoidFunction)enumerate_instance_version;
    if (strcmp(name, "vkEnumerateInstanceExtensionProperties") == 0)
        return (PFN_vkVoidFunction)enumerate_instance_extensions;
    if (!instance)
        return NULL;
    if (strcmp(name, "vkCreateDevice") == 0)
        return (PFN_vkVoidFunction)create_device;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_device_proc_addr;
    return top_instance(instance, name);
}
