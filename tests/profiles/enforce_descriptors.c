/* SPDX-License-Identifier: MIT */
#include "device_internal.h"

#include <stdlib.h>
#include <string.h>

#define STAGES 6 /* from VK_SHADER_STAGE_VERTEX_BIT to VK_SHADER_STAGE_COMPUTE_BIT */

enum kind { SAMPLERS, SAMPLED, STORAGE_IMAGES, UNIFORM, STORAGE, INPUTS, KINDS };

struct counts {
    uint32_t stage[STAGES][KINDS], resources[STAGES], all[KINDS], dynamic_uniform, dynamic_storage;
};

struct set_layout {
    struct counts counts; /* zero where it may be updated while it is bound */
    struct counts all;    /* whatever it is */
};

static void add(struct counts *counts, VkShaderStageFlags stages, enum kind kind, uint32_t count)
{
    counts->all[kind] += count;
    for (uint32_t s = 0; s < STAGES; s++)
        if (stages & (1u << s))
            counts->stage[s][kind] += count;
}

static void count_binding(struct counts *counts, const VkDescriptorSetLayoutBinding *binding)
{
    const uint32_t count = binding->descriptorCount;
    const VkShaderStageFlags stages = binding->stageFlags;
    for (uint32_t s = 0; s < STAGES; s++)
        if (stages & (1u << s))
            counts->resources[s] +=
                binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ? 0 : count;
    switch (binding->descriptorType) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        add(counts, stages, SAMPLERS, count);
        break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        add(counts, stages, SAMPLERS, count);
        add(counts, stages, SAMPLED, count);
        break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        add(counts, stages, SAMPLED, count);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        add(counts, stages, STORAGE_IMAGES, count);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        counts->dynamic_uniform += count; /* and */
        add(counts, stages, UNIFORM, count);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        add(counts, stages, UNIFORM, count);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        counts->dynamic_storage += count; /* and */
        add(counts, stages, STORAGE, count);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        add(counts, stages, STORAGE, count);
        break;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        add(counts, stages, INPUTS, count);
        break;
    default:
        break; /* inline blocks and acceleration structures have limits of their own */
    }
}

VKAPI_ATTR VkResult VKAPI_CALL profile_CreateDescriptorSetLayout(
    VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDescriptorSetLayout *layout)
{
    struct profile_device *d = profile_device_of(device);
    const VkResult result = d->vk.CreateDescriptorSetLayout(device, info, allocator, layout);
    if (result != VK_SUCCESS)
        return result;
    struct set_layout *set = calloc(1, sizeof(*set));
    for (uint32_t i = 0; set && i < info->bindingCount; i++)
        count_binding(&set->all, &info->pBindings[i]);
    /* Those that may be updated while they are bound have limits of their own. */
    if (set && !(info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT))
        set->counts = set->all;
    objects_add(&d->objects, HANDLE(*layout), set);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL profile_DestroyDescriptorSetLayout(
    VkDevice device, VkDescriptorSetLayout layout, const VkAllocationCallbacks *allocator)
{
    struct profile_device *d = profile_device_of(device);
    objects_remove(&d->objects, HANDLE(layout));
    d->vk.DestroyDescriptorSetLayout(device, layout, allocator);
}

static void sum(struct counts *to, const struct counts *from)
{
    for (uint32_t s = 0; s < STAGES; s++) {
        for (uint32_t k = 0; k < KINDS; k++)
            to->stage[s][k] += from->stage[s][k];
        to->resources[s] += from->resources[s];
    }
    for (uint32_t k = 0; k < KINDS; k++)
        to->all[k] += from->all[k];
    to->dynamic_uniform += from->dynamic_uniform;
    to->dynamic_storage += from->dynamic_storage;
}

/* What counts are held against. */
struct most {
    const char *which;
    uint32_t stage[KINDS], all[KINDS], resources, dynamic_uniform, dynamic_storage;
};

static struct most most_of_limits(const VkPhysicalDeviceLimits *l)
{
    return (struct most){
        .which = "",
        .stage = {l->maxPerStageDescriptorSamplers, l->maxPerStageDescriptorSampledImages,
                  l->maxPerStageDescriptorStorageImages, l->maxPerStageDescriptorUniformBuffers,
                  l->maxPerStageDescriptorStorageBuffers, l->maxPerStageDescriptorInputAttachments},
        .all = {l->maxDescriptorSetSamplers, l->maxDescriptorSetSampledImages,
                l->maxDescriptorSetStorageImages, l->maxDescriptorSetUniformBuffers,
                l->maxDescriptorSetStorageBuffers, l->maxDescriptorSetInputAttachments},
        .resources = l->maxPerStageResources,
        .dynamic_uniform = l->maxDescriptorSetUniformBuffersDynamic,
        .dynamic_storage = l->maxDescriptorSetStorageBuffersDynamic,
    };
}

static struct most most_after_bind(const VkPhysicalDeviceDescriptorIndexingProperties *l)
{
    return (struct most){
        .which = " with those updated after they are bound",
        .stage = {l->maxPerStageDescriptorUpdateAfterBindSamplers,
                  l->maxPerStageDescriptorUpdateAfterBindSampledImages,
                  l->maxPerStageDescriptorUpdateAfterBindStorageImages,
                  l->maxPerStageDescriptorUpdateAfterBindUniformBuffers,
                  l->maxPerStageDescriptorUpdateAfterBindStorageBuffers,
                  l->maxPerStageDescriptorUpdateAfterBindInputAttachments},
        .all = {l->maxDescriptorSetUpdateAfterBindSamplers,
                l->maxDescriptorSetUpdateAfterBindSampledImages,
                l->maxDescriptorSetUpdateAfterBindStorageImages,
                l->maxDescriptorSetUpdateAfterBindUniformBuffers,
                l->maxDescriptorSetUpdateAfterBindStorageBuffers,
                l->maxDescriptorSetUpdateAfterBindInputAttachments},
        .resources = l->maxPerStageUpdateAfterBindResources,
        .dynamic_uniform = l->maxDescriptorSetUpdateAfterBindUniformBuffersDynamic,
        .dynamic_storage = l->maxDescriptorSetUpdateAfterBindStorageBuffersDynamic,
    };
}

static VkResult check_counts(const struct profile_device *d, const struct counts *counts,
                             const struct most *most)
{
    static const char *const names[KINDS] = {"samplers",        "sampled images",  "storage images",
                                             "uniform buffers", "storage buffers", "attachments"};
    for (uint32_t k = 0; k < KINDS; k++) {
        if (counts->all[k] > most->all[k])
            return profile_exceeded(d, "%u %s in all%s, of %u", counts->all[k], names[k],
                                    most->which, most->all[k]);
        for (uint32_t s = 0; s < STAGES; s++)
            if (counts->stage[s][k] > most->stage[k])
                return profile_exceeded(d, "%u %s of stage 0x%x%s, of %u", counts->stage[s][k],
                                        names[k], 1u << s, most->which, most->stage[k]);
    }
    for (uint32_t s = 0; s < STAGES; s++)
        if (counts->resources[s] > most->resources)
            return profile_exceeded(d, "%u resources of stage 0x%x%s, of %u", counts->resources[s],
                                    1u << s, most->which, most->resources);
    if (counts->dynamic_uniform > most->dynamic_uniform)
        return profile_exceeded(d, "%u dynamic uniform buffers%s, of %u", counts->dynamic_uniform,
                                most->which, most->dynamic_uniform);
    if (counts->dynamic_storage > most->dynamic_storage)
        return profile_exceeded(d, "%u dynamic storage buffers%s, of %u", counts->dynamic_storage,
                                most->which, most->dynamic_storage);
    return VK_SUCCESS;
}

static VkResult check_sets(struct profile_device *d, const VkPipelineLayoutCreateInfo *info)
{
    struct counts counts = {0}, all = {0};
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        const struct set_layout *set = objects_find(&d->objects, HANDLE(info->pSetLayouts[i]));
        if (!set)
            continue;
        sum(&counts, &set->counts);
        sum(&all, &set->all);
    }
    const struct most most = most_of_limits(&d->limits), after = most_after_bind(&d->indexing);
    const VkResult result = check_counts(d, &counts, &most);
    return result == VK_SUCCESS && after.resources ? check_counts(d, &all, &after) : result;
}

VKAPI_ATTR VkResult VKAPI_CALL profile_CreatePipelineLayout(VkDevice device,
                                                            const VkPipelineLayoutCreateInfo *info,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkPipelineLayout *layout)
{
    struct profile_device *d = profile_device_of(device);
    if (info->setLayoutCount > d->limits.maxBoundDescriptorSets)
        return profile_exceeded(d, "a pipeline layout with %u sets, of %u", info->setLayoutCount,
                                d->limits.maxBoundDescriptorSets);
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        if (range->offset + range->size > d->limits.maxPushConstantsSize)
            return profile_exceeded(d, "a pipeline layout with push constants of %u B, of %u",
                                    range->offset + range->size, d->limits.maxPushConstantsSize);
    }
    const VkResult result = check_sets(d, info);
    return result != VK_SUCCESS ? result
                                : d->vk.CreatePipelineLayout(device, info, allocator, layout);
}

VKAPI_ATTR VkResult VKAPI_CALL profile_CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkBuffer *buffer)
{
    struct profile_device *d = profile_device_of(device);
    const VkResult result = d->vk.CreateBuffer(device, info, allocator, buffer);
    if (result != VK_SUCCESS)
        return result;
    uint64_t *size_B = malloc(sizeof(*size_B));
    if (size_B)
        *size_B = info->size;
    objects_add(&d->objects, HANDLE(*buffer), size_B);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL profile_DestroyBuffer(VkDevice device, VkBuffer buffer,
                                                 const VkAllocationCallbacks *allocator)
{
    struct profile_device *d = profile_device_of(device);
    objects_remove(&d->objects, HANDLE(buffer));
    d->vk.DestroyBuffer(device, buffer, allocator);
}

static void check_buffer(struct profile_device *d, VkDescriptorType type,
                         const VkDescriptorBufferInfo *info)
{
    const bool storage = type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    const VkPhysicalDeviceLimits *l = &d->limits;
    const uint64_t most_B = storage ? l->maxStorageBufferRange : l->maxUniformBufferRange;
    const uint64_t alignment_B =
        storage ? l->minStorageBufferOffsetAlignment : l->minUniformBufferOffsetAlignment;
    const uint64_t *size_B = objects_find(&d->objects, HANDLE(info->buffer));
    const uint64_t range_B = info->range != VK_WHOLE_SIZE ? info->range
                             : size_B                     ? *size_B - info->offset
                                                          : 0;
    if (range_B > most_B)
        profile_exceeded(d, "a descriptor of %llu B, of %llu", (unsigned long long)range_B,
                         (unsigned long long)most_B);
    if (alignment_B && info->offset % alignment_B)
        profile_exceeded(d, "a descriptor at byte %llu, which %llu does not divide",
                         (unsigned long long)info->offset, (unsigned long long)alignment_B);
}

static bool is_buffer(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

static void check_writes(struct profile_device *d, uint32_t count,
                         const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; is_buffer(writes[i].descriptorType) && k < writes[i].descriptorCount;
             k++)
            check_buffer(d, writes[i].descriptorType, &writes[i].pBufferInfo[k]);
}

VKAPI_ATTR void VKAPI_CALL profile_UpdateDescriptorSets(VkDevice device, uint32_t write_count,
                                                        const VkWriteDescriptorSet *writes,
                                                        uint32_t copy_count,
                                                        const VkCopyDescriptorSet *copies)
{
    struct profile_device *d = profile_device_of(device);
    check_writes(d, write_count, writes);
    d->vk.UpdateDescriptorSets(device, write_count, writes, copy_count, copies);
}

VKAPI_ATTR void VKAPI_CALL profile_CmdPushDescriptorSetKHR(VkCommandBuffer cmd,
                                                           VkPipelineBindPoint point,
                                                           VkPipelineLayout layout, uint32_t set,
                                                           uint32_t count,
                                                           const VkWriteDescriptorSet *writes)
{
    struct profile_device *d = profile_device_of(cmd);
    check_writes(d, count, writes);
    d->vk.CmdPushDescriptorSetKHR(cmd, point, layout, set, count, writes);
}

/* -- templates -- */

struct update_template {
    uint32_t count;
    VkDescriptorUpdateTemplateEntry entries[];
};

VKAPI_ATTR VkResult VKAPI_CALL profile_CreateDescriptorUpdateTemplate(
    VkDevice device, const VkDescriptorUpdateTemplateCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDescriptorUpdateTemplate *made)
{
    struct profile_device *d = profile_device_of(device);
    const VkResult result = d->vk.CreateDescriptorUpdateTemplate(device, info, allocator, made);
    if (result != VK_SUCCESS)
        return result;
    const size_t entries_B =
        info->descriptorUpdateEntryCount * sizeof(*info->pDescriptorUpdateEntries);
    struct update_template *copy = malloc(sizeof(*copy) + entries_B);
    if (copy) {
        copy->count = info->descriptorUpdateEntryCount;
        memcpy(copy->entries, info->pDescriptorUpdateEntries, entries_B);
    }
    objects_add(&d->objects, HANDLE(*made), copy);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL profile_DestroyDescriptorUpdateTemplate(
    VkDevice device, VkDescriptorUpdateTemplate old, const VkAllocationCallbacks *allocator)
{
    struct profile_device *d = profile_device_of(device);
    objects_remove(&d->objects, HANDLE(old));
    d->vk.DestroyDescriptorUpdateTemplate(device, old, allocator);
}

static void check_template(struct profile_device *d, VkDescriptorUpdateTemplate by,
                           const void *data)
{
    const struct update_template *kept = objects_find(&d->objects, HANDLE(by));
    for (uint32_t i = 0; kept && i < kept->count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &kept->entries[i];
        for (uint32_t k = 0; is_buffer(entry->descriptorType) && k < entry->descriptorCount; k++) {
            VkDescriptorBufferInfo info;
            memcpy(&info, (const char *)data + entry->offset + k * entry->stride, sizeof(info));
            check_buffer(d, entry->descriptorType, &info);
        }
    }
}

VKAPI_ATTR void VKAPI_CALL profile_UpdateDescriptorSetWithTemplate(VkDevice device,
                                                                   VkDescriptorSet set,
                                                                   VkDescriptorUpdateTemplate by,
                                                                   const void *data)
{
    struct profile_device *d = profile_device_of(device);
    check_template(d, by, data);
    d->vk.UpdateDescriptorSetWithTemplate(device, set, by, data);
}

VKAPI_ATTR void VKAPI_CALL
profile_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer cmd, VkDescriptorUpdateTemplate by,
                                            VkPipelineLayout layout, uint32_t set, const void *data)
{
    struct profile_device *d = profile_device_of(cmd);
    check_template(d, by, data);
    d->vk.CmdPushDescriptorSetWithTemplateKHR(cmd, by, layout, set, data);
}
