/* SPDX-License-Identifier: MIT
 *
 * Prints what the first device reports, a line each: its version, its extensions, and every feature
 * and limit of the registry, in whichever structure it is. The layers are the loader's affair. What
 * of it clients demand, clients.py knows.
 */
#include "tables.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STRUCT_B 65536 /* more than any structure has */

/* A structure of any type, to be chained. */
union any {
    VkBaseOutStructure base;
    alignas(max_align_t) unsigned char bytes[MAX_STRUCT_B];
};

static _Noreturn void fail(const char *what, VkResult result)
{
    fprintf(stderr, "profiles-report: %s: %d\n", what, (int)result);
    exit(EXIT_FAILURE);
}

static VkInstance create_instance(void)
{
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "profiles-report",
        .apiVersion = VK_HEADER_VERSION_COMPLETE,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    VkInstance instance;
    const VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result != VK_SUCCESS)
        fail("vkCreateInstance", result);
    return instance;
}

static VkPhysicalDevice first_device(VkInstance instance)
{
    VkPhysicalDevice device;
    uint32_t count = 1;
    const VkResult result = vkEnumeratePhysicalDevices(instance, &count, &device);
    if (count == 0 || (result != VK_SUCCESS && result != VK_INCOMPLETE))
        fail("there is no device", result);
    return device;
}

static void print_extensions(VkPhysicalDevice device)
{
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, NULL, &count, NULL);
    VkExtensionProperties *list = calloc(count + 1, sizeof(*list));
    if (!list)
        fail("out of memory", VK_ERROR_OUT_OF_HOST_MEMORY);
    vkEnumerateDeviceExtensionProperties(device, NULL, &count, list);
    for (uint32_t i = 0; i < count; i++)
        printf("extension %s %u\n", list[i].extensionName, list[i].specVersion);
    free(list);
}

/* base: of the structure that has the member. Of arrays the first element. */
static void print_member(const char *kind, const struct profile_member *member,
                         const unsigned char *base)
{
    uint64_t value = 0;
    memcpy(&value, base + member->offset_B, member->size_B); /* little-endian, as all hosts of it */
    printf("%s %s %llu\n", kind, member->name, (unsigned long long)value);
}

/* Members of a table from `first` on that share a structure; returns the first of the next one.
 * Those of Vulkan 1.0 have no type. */
static unsigned print_struct(const char *kind, const struct profile_member *table, unsigned first,
                             unsigned count, VkPhysicalDevice device)
{
    static union any chained;
    const VkStructureType stype = table[first].stype;
    const unsigned char *base = chained.bytes;
    memset(&chained, 0, sizeof(chained));
    chained.base.sType = stype;
    static VkPhysicalDeviceFeatures2 features;
    static VkPhysicalDeviceProperties2 properties;
    features = (VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                           .pNext = stype ? &chained : NULL};
    properties = (VkPhysicalDeviceProperties2){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = stype ? &chained : NULL};
    if (table == profile_features) {
        vkGetPhysicalDeviceFeatures2(device, &features);
        base = stype ? base : (const unsigned char *)&features.features;
    } else {
        vkGetPhysicalDeviceProperties2(device, &properties);
        base = stype ? base : (const unsigned char *)&properties.properties.limits;
    }
    unsigned i = first;
    for (; i < count && table[i].stype == stype; i++)
        print_member(kind, &table[i], base);
    return i;
}

static void print_table(const char *kind, const struct profile_member *table, unsigned count,
                        VkPhysicalDevice device)
{
    for (unsigned i = 0; i < count;)
        i = print_struct(kind, table, i, count, device);
}

int main(void)
{
    const VkInstance instance = create_instance();
    const VkPhysicalDevice device = first_device(instance);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    printf("device %s\n", properties.deviceName);
    printf("version %u.%u\n", VK_API_VERSION_MAJOR(properties.apiVersion),
           VK_API_VERSION_MINOR(properties.apiVersion));
    print_extensions(device);
    print_table("feature", profile_features, profile_features_count, device);
    print_table("limit", profile_limits, profile_limits_count, device);
    vkDestroyInstance(instance, NULL);
    return EXIT_SUCCESS;
}
