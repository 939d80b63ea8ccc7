/* SPDX-License-Identifier: MIT */
#include "pipeline/descriptor_limits.h"

#define AMPLE (UINT64_C(1) << 16)

static uint64_t or_none(uint32_t limit)
{
    return limit ? limit : UINT64_MAX;
}

static void fill_plain(const struct pgs_device *dev, uint64_t of[PGS_DESCRIPTOR_KIND_COUNT])
{
    const VkPhysicalDeviceLimits *limits = &dev->physical->properties.limits;
    of[PGS_DESCRIPTOR_SAMPLER] = limits->maxPerStageDescriptorSamplers;
    of[PGS_DESCRIPTOR_UNIFORM_BUFFER] = limits->maxPerStageDescriptorUniformBuffers;
    of[PGS_DESCRIPTOR_STORAGE_BUFFER] = limits->maxPerStageDescriptorStorageBuffers;
    of[PGS_DESCRIPTOR_SAMPLED_IMAGE] = limits->maxPerStageDescriptorSampledImages;
    of[PGS_DESCRIPTOR_STORAGE_IMAGE] = limits->maxPerStageDescriptorStorageImages;
    of[PGS_DESCRIPTOR_RESOURCE] = limits->maxPerStageResources;
}

/* Drivers without the extensions leave zeros, and have no layouts to which these limits apply. */
void pgs_descriptor_limits_init(const struct pgs_device *dev, struct pgs_descriptor_counts *limits)
{
    const struct pgs_physical_device *physical = dev->physical;
    VkPhysicalDeviceAccelerationStructurePropertiesKHR structures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR};
    VkPhysicalDeviceInlineUniformBlockProperties blocks = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES,
        .pNext = &structures};
    VkPhysicalDeviceDescriptorIndexingProperties indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES,
        .pNext = &blocks};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &indexing};
    if (physical->instance->vk.GetPhysicalDeviceProperties2)
        physical->instance->vk.GetPhysicalDeviceProperties2(physical->handle, &properties);
    fill_plain(dev, limits->plain);
    limits->plain[PGS_DESCRIPTOR_INLINE_BLOCK] =
        or_none(blocks.maxPerStageDescriptorInlineUniformBlocks);
    limits->plain[PGS_DESCRIPTOR_ACCELERATION_STRUCTURE] =
        or_none(structures.maxPerStageDescriptorAccelerationStructures);
    uint64_t *all = limits->all;
    all[PGS_DESCRIPTOR_SAMPLER] = or_none(indexing.maxPerStageDescriptorUpdateAfterBindSamplers);
    all[PGS_DESCRIPTOR_UNIFORM_BUFFER] =
        or_none(indexing.maxPerStageDescriptorUpdateAfterBindUniformBuffers);
    all[PGS_DESCRIPTOR_STORAGE_BUFFER] =
        or_none(indexing.maxPerStageDescriptorUpdateAfterBindStorageBuffers);
    all[PGS_DESCRIPTOR_SAMPLED_IMAGE] =
        or_none(indexing.maxPerStageDescriptorUpdateAfterBindSampledImages);
    all[PGS_DESCRIPTOR_STORAGE_IMAGE] =
        or_none(indexing.maxPerStageDescriptorUpdateAfterBindStorageImages);
    all[PGS_DESCRIPTOR_INLINE_BLOCK] =
        or_none(blocks.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks);
    all[PGS_DESCRIPTOR_ACCELERATION_STRUCTURE] =
        or_none(structures.maxPerStageDescriptorUpdateAfterBindAccelerationStructures);
    all[PGS_DESCRIPTOR_RESOURCE] = or_none(indexing.maxPerStageUpdateAfterBindResources);
}

bool pgs_descriptor_limits_are_ample(const struct pgs_descriptor_counts *limits)
{
    for (int i = 0; i < PGS_DESCRIPTOR_KIND_COUNT; i++)
        if (i != PGS_DESCRIPTOR_INLINE_BLOCK &&
            (limits->plain[i] < AMPLE || limits->all[i] < AMPLE))
            return false;
    return true;
}

static void add(uint64_t of[PGS_DESCRIPTOR_KIND_COUNT], VkDescriptorType type, uint32_t count)
{
    switch ((int)type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        of[PGS_DESCRIPTOR_SAMPLER] += count;
        return; /* not a resource */
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        of[PGS_DESCRIPTOR_SAMPLER] += count;
        of[PGS_DESCRIPTOR_SAMPLED_IMAGE] += count;
        break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        of[PGS_DESCRIPTOR_SAMPLED_IMAGE] += count;
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        of[PGS_DESCRIPTOR_STORAGE_IMAGE] += count;
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        of[PGS_DESCRIPTOR_UNIFORM_BUFFER] += count;
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        of[PGS_DESCRIPTOR_STORAGE_BUFFER] += count;
        break;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        of[PGS_DESCRIPTOR_ACCELERATION_STRUCTURE] += count;
        break;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
        of[PGS_DESCRIPTOR_INLINE_BLOCK] += 1;
        count = 1;
        break;
    case VK_DESCRIPTOR_TYPE_MUTABLE_EXT: /* counts as each of its possible types */
        of[PGS_DESCRIPTOR_UNIFORM_BUFFER] += count;
        of[PGS_DESCRIPTOR_STORAGE_BUFFER] += count;
        of[PGS_DESCRIPTOR_SAMPLED_IMAGE] += count;
        of[PGS_DESCRIPTOR_STORAGE_IMAGE] += count;
        break;
    default:
        break;
    }
    of[PGS_DESCRIPTOR_RESOURCE] += count;
}

void pgs_descriptor_counts_add(struct pgs_descriptor_counts *counts, VkDescriptorType type,
                               uint32_t count, bool update_after_bind_pool)
{
    if (!update_after_bind_pool)
        add(counts->plain, type, count);
    add(counts->all, type, count);
}

bool pgs_descriptor_counts_fit(const struct pgs_descriptor_counts *counts,
                               const struct pgs_descriptor_counts *limits)
{
    for (int i = 0; i < PGS_DESCRIPTOR_KIND_COUNT; i++)
        if (counts->plain[i] > limits->plain[i] || counts->all[i] > limits->all[i])
            return false;
    return true;
}
