/* SPDX-License-Identifier: MIT */
#include "driver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One instance and one device at a time have their own; what counts is that they differ. */
static const char instance_data, device_data;

static struct {
    PFN_vkGetInstanceProcAddr get;
    PFN_vkGetDeviceProcAddr get_device;
    VkInstance instance;
} icd;

void loader_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("android loader: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void set_data(void *object, const void *data)
{
    *(const void **)object = data;
}

VkResult driver_set_data(const void *parent, void *object)
{
    set_data(object, *(const void *const *)parent);
    return VK_SUCCESS;
}

/* The value of "library_path" in a manifest. */
static void read_library(const char *manifest, char *library, size_t size_B)
{
    char text[4096];
    FILE *file = fopen(manifest, "r");
    if (!file)
        loader_die("cannot open %s", manifest);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    const char *key = strstr(text, "\"library_path\""), *colon = key ? strchr(key, ':') : NULL;
    const char *start = colon ? strchr(colon, '"') : NULL;
    const char *end = start ? strchr(start + 1, '"') : NULL;
    const char *slash = strrchr(manifest, '/');
    if (!end || !slash)
        loader_die("no library in %s", manifest);
    const bool beside = start[1] == '.';
    snprintf(library, size_B, "%.*s%.*s", beside ? (int)(slash + 1 - manifest) : 0, manifest,
             (int)(end - start - 1), start + 1);
}

void driver_open(void)
{
    char library[4096];
    const char *manifest = getenv("VK_ICD_FILENAMES");
    if (icd.get)
        return;
    if (!manifest)
        loader_die("VK_ICD_FILENAMES is not set");
    read_library(manifest, library, sizeof(library));
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        loader_die("%s", dlerror());
    typedef VkResult(VKAPI_PTR * Negotiate)(uint32_t *);
    const Negotiate negotiate =
        (Negotiate)dlsym(handle, "vk_icdNegotiateLoaderICDInterfaceVersion");
    uint32_t version = 5;
    if (negotiate && negotiate(&version) != VK_SUCCESS)
        loader_die("%s does not negotiate", library);
    icd.get = (PFN_vkGetInstanceProcAddr)dlsym(handle, "vk_icdGetInstanceProcAddr");
    if (!icd.get)
        loader_die("%s is no driver", library);
}

/* -- what the loader does around the driver -- */

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)icd.get(NULL, "vkCreateInstance");
    VkInstanceCreateInfo without = *info; /* the driver has no layers */
    without.enabledLayerCount = 0;
    const VkResult result = create(&without, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    set_data(*instance, &instance_data);
    icd.instance = *instance;
    icd.get_device = (PFN_vkGetDeviceProcAddr)icd.get(*instance, "vkGetDeviceProcAddr");
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_physical_devices(VkInstance instance,
                                                                 uint32_t *count,
                                                                 VkPhysicalDevice *devices)
{
    const PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)icd.get(instance, "vkEnumeratePhysicalDevices");
    const VkResult result = enumerate(instance, count, devices);
    for (uint32_t i = 0; result >= 0 && devices && i < *count; i++)
        set_data(devices[i], &instance_data);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice)icd.get(icd.instance, "vkCreateDevice");
    const VkResult result = create(physical, info, allocator, device);
    if (result == VK_SUCCESS)
        set_data(*device, &device_data);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL get_device_queue(VkDevice device, uint32_t family, uint32_t index,
                                                   VkQueue *queue)
{
    ((PFN_vkGetDeviceQueue)icd.get_device(device, "vkGetDeviceQueue"))(device, family, index,
                                                                       queue);
    set_data(*queue, &device_data);
}

static VKAPI_ATTR void VKAPI_CALL get_device_queue2(VkDevice device, const VkDeviceQueueInfo2 *info,
                                                    VkQueue *queue)
{
    ((PFN_vkGetDeviceQueue2)icd.get_device(device, "vkGetDeviceQueue2"))(device, info, queue);
    if (*queue)
        set_data(*queue, &device_data);
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_command_buffers(
    VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers)
{
    const PFN_vkAllocateCommandBuffers allocate =
        (PFN_vkAllocateCommandBuffers)icd.get_device(device, "vkAllocateCommandBuffers");
    const VkResult result = allocate(device, info, buffers);
    for (uint32_t i = 0; result == VK_SUCCESS && i < info->commandBufferCount; i++)
        set_data(buffers[i], &device_data);
    return result;
}

/* -- look-up -- */

struct hook {
    const char *name;
    PFN_vkVoidFunction fn;
};

static PFN_vkVoidFunction find(const struct hook *hooks, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(hooks[i].name, name) == 0)
            return hooks[i].fn;
    }
    return NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_GetDeviceProcAddr(VkDevice device, const char *name)
{
    static const struct hook hooks[] = {
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)driver_GetDeviceProcAddr},
        {"vkGetDeviceQueue", (PFN_vkVoidFunction)get_device_queue},
        {"vkGetDeviceQueue2", (PFN_vkVoidFunction)get_device_queue2},
        {"vkAllocateCommandBuffers", (PFN_vkVoidFunction)allocate_command_buffers},
    };
    const PFN_vkVoidFunction hook = find(hooks, sizeof(hooks) / sizeof(hooks[0]), name);
    return hook ? hook : icd.get_device(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL driver_GetInstanceProcAddr(VkInstance instance,
                                                                    const char *name)
{
    static const struct hook hooks[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)driver_GetInstanceProcAddr},
        {"vkEnumeratePhysicalDevices", (PFN_vkVoidFunction)enumerate_physical_devices},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)driver_GetDeviceProcAddr},
        {"vkGetDeviceQueue", (PFN_vkVoidFunction)get_device_queue},
        {"vkGetDeviceQueue2", (PFN_vkVoidFunction)get_device_queue2},
        {"vkAllocateCommandBuffers", (PFN_vkVoidFunction)allocate_command_buffers},
    };
    const PFN_vkVoidFunction hook = find(hooks, sizeof(hooks) / sizeof(hooks[0]), name);
    return hook ? hook : icd.get(instance, name);
}
