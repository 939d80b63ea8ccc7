/* SPDX-License-Identifier: MIT */
#include "device.h"
#include "device_internal.h"
#include "tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 256

static struct profile_device *devices[MAX_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct profile_device *profile_device_of(const void *dispatchable)
{
    void *key;
    struct profile_device *found = NULL;
    memcpy(&key, dispatchable, sizeof(key));
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_DEVICES && !found; i++)
        if (devices[i] && devices[i]->key == key)
            found = devices[i];
    pthread_mutex_unlock(&lock);
    if (found)
        return found;
    fprintf(stderr, "profiles: a device that was not created\n");
    abort();
}

VkResult profile_exceeded(const struct profile_device *device, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    fprintf(stderr, "profile %s: %s\n", device->profile->name, line);
    const char *end = getenv("PGS_TEST_PROFILE_ABORT");
    if (end && strcmp(end, "1") == 0)
        abort();
    return VK_ERROR_UNKNOWN;
}

/* -- creation -- */

static VkBaseOutStructure *find(const void *chain, VkStructureType type)
{
    VkBaseOutStructure *node = (VkBaseOutStructure *)chain;
    while (node && node->sType != type)
        node = node->pNext;
    return node;
}

static bool is_enabled(const VkDeviceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], name) == 0)
            return true;
    return false;
}

/* The latest version of SPIR-V, with the appendix "Vulkan Environment for SPIR-V". */
static uint32_t spirv_version(uint32_t version, const VkDeviceCreateInfo *info)
{
    if (version >= VK_API_VERSION_1_3)
        return 0x10600;
    if (version >= VK_API_VERSION_1_2)
        return 0x10500;
    if (is_enabled(info, VK_KHR_SPIRV_1_4_EXTENSION_NAME))
        return 0x10400;
    return version >= VK_API_VERSION_1_1 ? 0x10300 : 0x10000;
}

/* Leaves the older extension out and passes its feature in a struct that the driver knows. What is
 * above gets its structs back as they were. */
static VkResult create_without_ext(PFN_vkCreateDevice next, VkPhysicalDevice physical,
                                   const VkDeviceCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkDevice *device)
{
    const char **names = calloc(info->enabledExtensionCount + 1, sizeof(*names));
    if (!names)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkDeviceCreateInfo without = *info;
    without.enabledExtensionCount = 0;
    without.ppEnabledExtensionNames = names;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) !=
            0)
            names[without.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    VkBaseOutStructure *ext =
        find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT);
    if (ext)
        ext->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
    const VkResult result = next(physical, &without, allocator, device);
    if (ext)
        ext->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT;
    free(names);
    return result;
}

static struct profile_device *new_device(const struct profile *profile,
                                         const struct report_driver *driver,
                                         VkPhysicalDevice physical, const VkDeviceCreateInfo *info)
{
    struct profile_device *d = calloc(1, sizeof(*d));
    if (!d)
        return NULL;
    VkPhysicalDeviceDescriptorIndexingProperties indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES};
    VkPhysicalDeviceMaintenance3Properties memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &indexing};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &memory};
    report_properties2(profile, driver, physical, &properties);
    const VkPhysicalDeviceFeatures2 *chained = (const VkPhysicalDeviceFeatures2 *)find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    d->profile = profile;
    d->limits = properties.properties.limits;
    d->features = info->pEnabledFeatures ? *info->pEnabledFeatures
                  : chained              ? chained->features
                                         : (VkPhysicalDeviceFeatures){0};
    d->version = properties.properties.apiVersion;
    d->spirv_version = spirv_version(d->version, info);
    d->indexing = indexing;
    d->max_allocation_B = memory.maxMemoryAllocationSize;
    d->extensions = calloc(info->enabledExtensionCount + 1, sizeof(*d->extensions));
    for (uint32_t i = 0; d->extensions && i < info->enabledExtensionCount; i++)
        d->extensions[d->extension_count++] = strdup(info->ppEnabledExtensionNames[i]);
    objects_init(&d->objects);
    return d;
}

static void keep(struct profile_device *d)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MAX_DEVICES && devices[i])
        i++;
    if (i == MAX_DEVICES) {
        fprintf(stderr, "profiles: too many devices\n");
        abort();
    }
    devices[i] = d;
    pthread_mutex_unlock(&lock);
}

/* Length without the name of an author, by which extensions' commands end. */
static size_t bare_length(const char *name)
{
    const size_t length = strlen(name);
    const char *end = length > 3 ? name + length - 3 : name;
    return strcmp(end, "KHR") == 0 || strcmp(end, "EXT") == 0 ? length - 3 : length;
}

/* By any of its names: which the driver knows depends on the version that the program asks for. */
static PFN_vkVoidFunction command_of_driver(const struct profile_device *d, VkDevice device,
                                            const char *name)
{
    static const char *const ends[] = {"", "KHR", "EXT"};
    PFN_vkVoidFunction found = NULL;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]) && !found; i++) {
        char other[128];
        snprintf(other, sizeof(other), "%.*s%s", (int)bare_length(name), name, ends[i]);
        found = d->next(device, other);
    }
    return found;
}

VkResult profile_create_device(const struct profile *profile, const struct report_driver *driver,
                               VkInstance instance, VkPhysicalDevice physical,
                               const VkDeviceCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    VkLayerDeviceLink *next = link->u.pLayerInfo;
    link->u.pLayerInfo = next->pNext;
    VkResult result = report_judge_device(profile, driver, physical, info);
    if (result != VK_SUCCESS)
        return result;
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)next->pfnNextGetInstanceProcAddr(instance, "vkCreateDevice");
    struct profile_device *d = new_device(profile, driver, physical, info);
    if (!d)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    result = profile->ext_address ? create_without_ext(create, physical, info, allocator, device)
                                  : create(physical, info, allocator, device);
    if (result != VK_SUCCESS) {
        objects_finish(&d->objects);
        free(d);
        return result;
    }
    d->next = next->pfnNextGetDeviceProcAddr;
    memcpy(&d->key, *device, sizeof(d->key));
#define X(name) d->vk.name = (PFN_vk##name)command_of_driver(d, *device, "vk" #name);
    PROFILE_COMMANDS(X)
#undef X
    keep(d);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL profile_DestroyDevice(VkDevice device,
                                                 const VkAllocationCallbacks *allocator)
{
    if (!device)
        return;
    struct profile_device *d = profile_device_of(device);
    const char *say = getenv("PGS_TEST_PROFILE_MEMORY");
    if (say && strcmp(say, "1") == 0)
        fprintf(stderr, "memory of the device: at most %llu B\n",
                (unsigned long long)atomic_load(&d->memory_peak_B));
    say = getenv("PGS_TEST_PROFILE_PIPELINES");
    if (say && strcmp(say, "1") == 0)
        fprintf(stderr,
                "the driver made %u pipelines, %u with geometry shaders, %u with tessellation\n",
                atomic_load(&d->pipelines), atomic_load(&d->with_geometry),
                atomic_load(&d->with_tessellation));
    d->vk.DestroyDevice(device, allocator);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_DEVICES; i++)
        if (devices[i] == d)
            devices[i] = NULL;
    pthread_mutex_unlock(&lock);
    for (uint32_t i = 0; i < d->extension_count; i++)
        free(d->extensions[i]);
    free(d->extensions);
    objects_finish(&d->objects);
    free(d);
}

/* -- commands by name -- */

static int compare(const void *name, const void *command)
{
    return strcmp(name, ((const struct profile_command *)command)->name);
}

/* Has the device a command, by its version or by an extension that it enabled? */
static bool has_command(const struct profile_device *d, const char *name)
{
    const struct profile_command *command =
        bsearch(name, profile_commands, profile_command_count, sizeof(*profile_commands), compare);
    if (!command || command->version <= d->version)
        return true;
    for (uint32_t i = 0; i < d->extension_count; i++)
        if (profile_lists(command->extensions, d->extensions[i]))
            return true;
    return false;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL profile_device_proc(VkDevice device, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } own[] = {{"vkGetDeviceProcAddr", (PFN_vkVoidFunction)profile_device_proc},
#define X(command) {"vk" #command, (PFN_vkVoidFunction)profile_##command},
               PROFILE_COMMANDS(X)
#undef X
    };
    const struct profile_device *d = profile_device_of(device);
    if (!has_command(d, name))
        return NULL;
    if (d->profile->ext_address && strcmp(name, "vkGetBufferDeviceAddressEXT") == 0)
        return d->next(device, "vkGetBufferDeviceAddress");
    if (!d->next(device, name))
        return NULL;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (bare_length(name) == bare_length(own[i].name) &&
            strncmp(name, own[i].name, bare_length(name)) == 0)
            return own[i].function;
    return d->next(device, name);
}
