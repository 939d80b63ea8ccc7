/* SPDX-License-Identifier: MIT */
#include "reports.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXTENSIONS 512
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static uint64_t read_number(const void *at, uint32_t size_B)
{
    return size_B == 8 ? *(const uint64_t *)at : *(const uint32_t *)at;
}

static void write_number(void *at, uint32_t size_B, uint64_t value)
{
    if (size_B == 8)
        *(uint64_t *)at = value;
    else
        *(uint32_t *)at = (uint32_t)value;
}

/* *value of NAME=VALUE in the list; false: it is not there. */
static bool find_limit(const char *list, const char *name, uint64_t *value)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)) != NULL; at += length) {
        if ((at == list || at[-1] == ' ') && at[length] == '=') {
            *value = strtoull(at + length + 1, NULL, 10);
            return true;
        }
    }
    return false;
}

static bool is_member(const struct profile_member *table, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return true;
    return false;
}

static void check_words(const char *list, const char *what, const struct profile_member *table,
                        unsigned count)
{
    char *copy = strdup(list ? list : ""), *rest = copy;
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        word[strcspn(word, "=")] = '\0';
        if (*word && !is_member(table, count, word)) {
            fprintf(stderr, "profiles: %s is no %s of this registry\n", word, what);
            abort();
        }
    }
    free(copy);
}

void report_check_tables(void)
{
    for (unsigned i = 0; i < profile_count; i++) {
        check_words(profiles[i].without_features, "feature", profile_features,
                    profile_features_count);
        check_words(profiles[i].limits, "limit", profile_limits, profile_limits_count);
    }
}

/* -- properties -- */

/* base: of the structure of this type. */
static void lower(const struct profile *profile, VkStructureType stype, void *base)
{
    for (unsigned i = 0; i < profile_limits_count; i++) {
        const struct profile_member *limit = &profile_limits[i];
        uint64_t value;
        if (limit->stype != stype || !find_limit(profile->limits, limit->name, &value))
            continue;
        for (uint32_t k = 0; k < limit->count; k++) {
            char *at = (char *)base + limit->offset_B + (size_t)k * limit->size_B;
            const uint64_t has = read_number(at, limit->size_B);
            write_number(at, limit->size_B,
                         strncmp(limit->name, "min", 3) == 0 ? MAX(has, value) : MIN(has, value));
        }
    }
}

static uint32_t version_of(const struct profile *profile, uint32_t driver)
{
    return profile->api_version ? MIN(profile->api_version, driver) : driver;
}

void report_properties(const struct profile *profile, VkPhysicalDeviceProperties *properties)
{
    properties->apiVersion = version_of(profile, properties->apiVersion);
    if (profile->device_name) {
        properties->vendorID = profile->vendor;
        properties->deviceID = profile->device;
        snprintf(properties->deviceName, sizeof(properties->deviceName), "%s",
                 profile->device_name);
    }
    lower(profile, 0, &properties->limits);
}

static void clip_points(VkBaseOutStructure *node)
{
    const VkPointClippingBehavior behavior = VK_POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY;
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES)
        ((VkPhysicalDevicePointClippingProperties *)node)->pointClippingBehavior = behavior;
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
        ((VkPhysicalDeviceVulkan11Properties *)node)->pointClippingBehavior = behavior;
}

void report_properties2(const struct profile *profile, const struct report_driver *driver,
                        VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties)
{
    driver->properties2(device, properties);
    report_properties(profile, &properties->properties);
    for (VkBaseOutStructure *node = properties->pNext; node; node = node->pNext) {
        lower(profile, node->sType, node);
        if (profile->points_beside)
            clip_points(node);
        if (!profile->driver_name)
            continue;
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES) {
            VkPhysicalDeviceDriverProperties *of = (VkPhysicalDeviceDriverProperties *)node;
            of->driverID = profile->driver;
            snprintf(of->driverName, sizeof(of->driverName), "%s", profile->driver_name);
        } else if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES) {
            VkPhysicalDeviceVulkan12Properties *of = (VkPhysicalDeviceVulkan12Properties *)node;
            of->driverID = profile->driver;
            snprintf(of->driverName, sizeof(of->driverName), "%s", profile->driver_name);
        }
    }
}

/* -- extensions -- */

static bool is_visible(const struct profile *profile, const char *name)
{
    if (profile->ext_address && (strcmp(name, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) == 0 ||
                                 strcmp(name, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) == 0))
        return false; /* the latter is added */
    if (profile_gives(profile, name))
        return true;
    return (!profile->only_extensions || profile_lists(profile->only_extensions, name)) &&
           !profile_lists(profile->without_extensions, name);
}

/* list has MAX_EXTENSIONS elements. */
static VkResult visible_extensions(const struct profile *profile,
                                   const struct report_driver *driver, VkPhysicalDevice device,
                                   VkExtensionProperties *list, uint32_t *count)
{
    uint32_t listed = MAX_EXTENSIONS - 1, kept = 0;
    const VkResult result = driver->extensions(device, NULL, &listed, list);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < listed; i++)
        if (is_visible(profile, list[i].extensionName))
            list[kept++] = list[i];
    if (profile->ext_address)
        list[kept++] = (VkExtensionProperties){
            .specVersion = VK_EXT_BUFFER_DEVICE_ADDRESS_SPEC_VERSION,
            .extensionName = VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
        };
    *count = kept;
    return VK_SUCCESS;
}

VkResult report_extensions(const struct profile *profile, const struct report_driver *driver,
                           VkPhysicalDevice device, uint32_t *count,
                           VkExtensionProperties *properties)
{
    VkExtensionProperties list[MAX_EXTENSIONS];
    uint32_t kept;
    const VkResult result = visible_extensions(profile, driver, device, list, &kept);
    if (result != VK_SUCCESS)
        return result;
    if (!properties) {
        *count = kept;
        return VK_SUCCESS;
    }
    const uint32_t room = *count;
    *count = MIN(room, kept);
    memcpy(properties, list, *count * sizeof(*properties));
    return room < kept ? VK_INCOMPLETE : VK_SUCCESS;
}

/* -- features -- */

/* What structures are judged by. */
struct shown {
    uint32_t version;
    uint32_t count;
    VkExtensionProperties list[MAX_EXTENSIONS];
};

static bool show(const struct profile *profile, const struct report_driver *driver,
                 VkPhysicalDevice device, struct shown *shown)
{
    VkPhysicalDeviceProperties properties;
    driver->properties(device, &properties);
    shown->version = version_of(profile, properties.apiVersion);
    return visible_extensions(profile, driver, device, shown->list, &shown->count) == VK_SUCCESS;
}

static bool has_extension(const struct shown *shown, const char *name)
{
    for (uint32_t i = 0; i < shown->count; i++)
        if (strcmp(shown->list[i].extensionName, name) == 0)
            return true;
    return false;
}

/* Is one of the owners of a structure there? */
static bool has_owner(const struct shown *shown, const char *owners)
{
    char *copy = strdup(owners), *rest = copy;
    bool found = !*owners;
    for (char *word; !found && (word = strsep(&rest, " ")) != NULL;) {
        unsigned major, minor;
        if (sscanf(word, "VK_VERSION_%u_%u", &major, &minor) == 2)
            found = shown->version >= VK_MAKE_API_VERSION(0, major, minor, 0);
        else
            found = has_extension(shown, word);
    }
    free(copy);
    return found;
}

static bool is_without(const struct profile *profile, const struct profile_member *feature)
{
    if (profile_lists(profile->without_features, feature->name))
        return true;
    return profile->ext_address && strcmp(feature->name, "bufferDeviceAddress") == 0 &&
           feature->stype != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT;
}

/* The one feature whose structure the driver below does not know. */
static bool has_addresses(const struct report_driver *driver, VkPhysicalDevice device)
{
    VkPhysicalDeviceBufferDeviceAddressFeatures own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &own};
    driver->features2(device, &query);
    return own.bufferDeviceAddress;
}

/* shown: NULL for the structure of Vulkan 1.0, which is always there. */
static void clear(const struct profile *profile, const struct shown *shown, VkStructureType stype,
                  void *base)
{
    for (unsigned i = 0; i < profile_features_count; i++) {
        const struct profile_member *feature = &profile_features[i];
        if (feature->stype == stype &&
            ((shown && !has_owner(shown, feature->owners)) || is_without(profile, feature)))
            *(VkBool32 *)((char *)base + feature->offset_B) = VK_FALSE;
    }
}

void report_features(const struct profile *profile, VkPhysicalDeviceFeatures *features)
{
    clear(profile, NULL, 0, features);
}

void report_features2(const struct profile *profile, const struct report_driver *driver,
                      VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features)
{
    struct shown shown;
    driver->features2(device, features);
    report_features(profile, &features->features);
    if (!show(profile, driver, device, &shown))
        return;
    for (VkBaseOutStructure *node = features->pNext; node; node = node->pNext) {
        if (profile->ext_address &&
            node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT)
            *(VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *)node =
                (VkPhysicalDeviceBufferDeviceAddressFeaturesEXT){
                    .sType = node->sType,
                    .pNext = node->pNext,
                    .bufferDeviceAddress = has_addresses(driver, device),
                };
        else
            clear(profile, &shown, node->sType, node);
    }
}

/* -- devices -- */

/* Calls `judge` for each feature that the create info enables; stops where it returns false. */
static bool for_enabled(const VkDeviceCreateInfo *info,
                        bool (*judge)(void *user, const struct profile_member *feature), void *user)
{
    if (info->pEnabledFeatures)
        for (unsigned i = 0; i < profile_features_count && profile_features[i].stype == 0; i++)
            if (*(const VkBool32 *)((const char *)info->pEnabledFeatures +
                                    profile_features[i].offset_B) &&
                !judge(user, &profile_features[i]))
                return false;
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext) {
        const bool core = node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        const char *base = core ? (const char *)&((const VkPhysicalDeviceFeatures2 *)node)->features
                                : (const char *)node;
        for (unsigned i = 0; i < profile_features_count; i++)
            if (profile_features[i].stype == (core ? 0 : node->sType) &&
                *(const VkBool32 *)(base + profile_features[i].offset_B) &&
                !judge(user, &profile_features[i]))
                return false;
    }
    return true;
}

static bool is_other(void *name, const struct profile_member *feature)
{
    return strcmp(feature->name, name) != 0;
}

bool report_enables(const VkDeviceCreateInfo *info, const char *feature)
{
    return !for_enabled(info, is_other, (void *)feature);
}

struct judging {
    const struct profile *profile;
    const struct shown *shown;
};

static bool is_there(void *user, const struct profile_member *feature)
{
    const struct judging *judging = user;
    if (has_owner(judging->shown, feature->owners) && !is_without(judging->profile, feature))
        return true;
    fprintf(stderr, "profile %s: a device with %s, which is hidden\n", judging->profile->name,
            feature->name);
    return false;
}

VkResult report_judge_device(const struct profile *profile, const struct report_driver *driver,
                             VkPhysicalDevice device, const VkDeviceCreateInfo *info)
{
    struct shown shown;
    if (!show(profile, driver, device, &shown))
        return VK_ERROR_INITIALIZATION_FAILED;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (has_extension(&shown, info->ppEnabledExtensionNames[i]))
            continue;
        fprintf(stderr, "profile %s: a device with %s, which is hidden\n", profile->name,
                info->ppEnabledExtensionNames[i]);
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    struct judging judging = {profile, &shown};
    return for_enabled(info, is_there, &judging) ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT;
}
