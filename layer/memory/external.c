/* SPDX-License-Identifier: MIT */
#include "memory/external.h"

#include "memory/usage.h"
#include "vulkan/chain.h"

/* A buffer as vkGetPhysicalDeviceExternalBufferProperties sees it. */
struct question {
    VkPhysicalDeviceExternalBufferInfo info; /* without a chain; the application's usage */
    uint64_t more; /* usages beyond the 32 of VkBufferUsageFlags, which the layer leaves alone */
};

static VkExternalMemoryProperties ask(const struct pgs_physical_device *physical,
                                      const struct question *question, VkBufferUsageFlags usage)
{
    VkPhysicalDeviceExternalBufferInfo info = question->info;
    info.usage = usage;
#ifdef VK_KHR_maintenance5
    const VkBufferUsageFlags2CreateInfoKHR all = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR,
        .usage = question->more | usage,
    };
    if (question->more)
        info.pNext = &all;
#endif
    VkExternalBufferProperties answer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    if (physical->instance->vk.GetPhysicalDeviceExternalBufferProperties)
        physical->instance->vk.GetPhysicalDeviceExternalBufferProperties(physical->handle, &info,
                                                                         &answer);
    return answer.externalMemoryProperties;
}

/* What works, and with whom, is not less than with the application's usage. */
static bool is_as_good(const VkExternalMemoryProperties *widened,
                       const VkExternalMemoryProperties *asked)
{
    const VkExternalMemoryFeatureFlags dedicated = VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT;
    return !((asked->externalMemoryFeatures & ~widened->externalMemoryFeatures) & ~dedicated) &&
           !(widened->externalMemoryFeatures & ~asked->externalMemoryFeatures & dedicated) &&
           !(asked->exportFromImportedHandleTypes & ~widened->exportFromImportedHandleTypes) &&
           !(asked->compatibleHandleTypes & ~widened->compatibleHandleTypes);
}

/* Fills *properties as pgs_external_properties does; returns whether the layer's usage will do. */
static bool find(const struct pgs_physical_device *physical, const struct question *question,
                 VkExternalMemoryProperties *properties)
{
    const VkBufferUsageFlags usage = question->info.usage;
    const VkBufferUsageFlags plain = pgs_buffer_usage(usage, false, false);
    const VkBufferUsageFlags widened = pgs_buffer_usage(usage, true, physical->emulates_xfb);
    *properties = ask(physical, question, widened);
    if (widened == usage)
        return true;
    const VkExternalMemoryProperties asked = ask(physical, question, plain);
    if (is_as_good(properties, &asked))
        return true;
    *properties = usage & PGS_XFB_USAGE ? (VkExternalMemoryProperties){0} : asked;
    return false;
}

void pgs_external_properties(const struct pgs_physical_device *physical,
                             const VkPhysicalDeviceExternalBufferInfo *info,
                             VkExternalBufferProperties *properties)
{
    struct question question = {.info = *info};
    question.info.pNext = NULL;
#ifdef VK_KHR_maintenance5
    const VkBufferUsageFlags2CreateInfoKHR *usage =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
    if (usage) {
        question.info.usage = (VkBufferUsageFlags)usage->usage;
        question.more = usage->usage & ~(VkBufferUsageFlags2KHR)UINT32_MAX;
    }
#endif
    find(physical, &question, &properties->externalMemoryProperties);
}

bool pgs_external_takes_usage(const struct pgs_physical_device *physical, VkBufferCreateFlags flags,
                              VkBufferUsageFlags usage, VkExternalMemoryHandleTypeFlags types)
{
    for (uint32_t rest = types; rest; rest &= rest - 1) {
        const struct question question = {
            .info = {
                .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
                .flags = flags,
                .usage = usage,
                .handleType = (VkExternalMemoryHandleTypeFlagBits)(rest & (~rest + 1)),
            }};
        VkExternalMemoryProperties properties;
        if (!find(physical, &question, &properties))
            return false;
    }
    return true;
}
