/* SPDX-License-Identifier: MIT
 *
 * Writes to descriptor sets that may have mirrors.
 */
#include "pipeline/descriptor_set.h"
#include "pipeline/device.h"

#include "base/alloc.h"
#include "pipeline/layout.h"
#include "pipeline/set_update.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>

/* Descriptors from an element of a binding on. */
struct pgs_set_range {
    uint32_t binding, element, count;
};

static bool tracks(const struct pgs_device *dev)
{
    return dev->active && atomic_load_explicit(&dev->pipelines->tracks_sets, memory_order_acquire);
}

/* If no one may use a set while it is written, its mirrors only become outdated. */
static void note(struct pgs_device *dev, VkDescriptorSet handle, struct pgs_set_range range,
                 bool locked)
{
    struct pgs_descriptor_set *set = pgs_descriptor_set_find(dev, handle);
    if (!set)
        return;
    if (set->layout->immediate && locked)
        pgs_mirrors_note_write_locked(dev, set, range.binding, range.element, range.count);
    else
        atomic_fetch_add(&set->version, 1);
}

static bool is_immediate(const struct pgs_device *dev, VkDescriptorSet handle)
{
    const struct pgs_descriptor_set *set = pgs_descriptor_set_find(dev, handle);
    return set && set->layout->immediate;
}

/* Another thread could be filling a mirror from a set whose descriptors may change while in use. */
static bool needs_lock(const struct pgs_device *dev, uint32_t write_count,
                       const VkWriteDescriptorSet *writes, uint32_t copy_count,
                       const VkCopyDescriptorSet *copies)
{
    for (uint32_t i = 0; i < write_count; i++)
        if (is_immediate(dev, writes[i].dstSet))
            return true;
    for (uint32_t i = 0; i < copy_count; i++)
        if (is_immediate(dev, copies[i].dstSet))
            return true;
    return false;
}

VKAPI_ATTR void VKAPI_CALL pgs_UpdateDescriptorSets(VkDevice device, uint32_t descriptorWriteCount,
                                                    const VkWriteDescriptorSet *pDescriptorWrites,
                                                    uint32_t descriptorCopyCount,
                                                    const VkCopyDescriptorSet *pDescriptorCopies)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const bool tracked = tracks(dev);
    const bool locked = tracked && needs_lock(dev, descriptorWriteCount, pDescriptorWrites,
                                              descriptorCopyCount, pDescriptorCopies);
    if (locked)
        pthread_mutex_lock(&dev->pipelines->mirror_lock);
    dev->vk.UpdateDescriptorSets(device, descriptorWriteCount, pDescriptorWrites,
                                 descriptorCopyCount, pDescriptorCopies);
    for (uint32_t i = 0; tracked && i < descriptorWriteCount; i++) {
        const VkWriteDescriptorSet *write = &pDescriptorWrites[i];
        note(dev, write->dstSet,
             (struct pgs_set_range){write->dstBinding, write->dstArrayElement,
                                    write->descriptorCount},
             locked);
    }
    for (uint32_t i = 0; tracked && i < descriptorCopyCount; i++) {
        const VkCopyDescriptorSet *copy = &pDescriptorCopies[i];
        note(dev, copy->dstSet,
             (struct pgs_set_range){copy->dstBinding, copy->dstArrayElement, copy->descriptorCount},
             locked);
    }
    if (locked)
        pthread_mutex_unlock(&dev->pipelines->mirror_lock);
}

/* -- templates -- */

static struct pgs_update_template *template_new(const VkDescriptorUpdateTemplateCreateInfo *info)
{
    struct pgs_update_template *made =
        pgs_calloc(1, sizeof(*made) + info->descriptorUpdateEntryCount * sizeof(made->entries[0]));
    if (!made)
        return NULL;
    made->point = info->pipelineBindPoint;
    made->entry_count = info->descriptorUpdateEntryCount;
    for (uint32_t i = 0; i < made->entry_count; i++)
        made->entries[i] = info->pDescriptorUpdateEntries[i];
    return made;
}

const struct pgs_update_template *pgs_update_template_find(const struct pgs_device *dev,
                                                           VkDescriptorUpdateTemplate handle)
{
    return pgs_map_find(&dev->pipelines->update_templates, (uint64_t)handle);
}

/* For a driver without push descriptors, which needs an object only for its handle. */
static void make_ordinary(const struct pgs_device *dev, VkDescriptorUpdateTemplateCreateInfo *info)
{
    const struct pgs_set_layout *layout = pgs_layout_set(dev, info->pipelineLayout, info->set);
    info->templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
    info->descriptorSetLayout = layout ? layout->handle : VK_NULL_HANDLE;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateDescriptorUpdateTemplate(
    VkDevice device, const VkDescriptorUpdateTemplateCreateInfo *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkDescriptorUpdateTemplate *pDescriptorUpdateTemplate)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkDescriptorUpdateTemplateCreateInfo info = *pCreateInfo;
    if (dev->keeps_pushes &&
        info.templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR)
        make_ordinary(dev, &info);
    VkResult result = dev->vk.CreateDescriptorUpdateTemplate(device, &info, pAllocator,
                                                             pDescriptorUpdateTemplate);
    if (!dev->active || result != VK_SUCCESS)
        return result;
    struct pgs_update_template *made = template_new(pCreateInfo);
    if (made && pgs_map_insert(&dev->pipelines->update_templates,
                               (uint64_t)*pDescriptorUpdateTemplate, made))
        return VK_SUCCESS;
    pgs_free(made);
    dev->vk.DestroyDescriptorUpdateTemplate(device, *pDescriptorUpdateTemplate, pAllocator);
    *pDescriptorUpdateTemplate = VK_NULL_HANDLE;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyDescriptorUpdateTemplate(
    VkDevice device, VkDescriptorUpdateTemplate descriptorUpdateTemplate,
    const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && descriptorUpdateTemplate)
        pgs_free(
            pgs_map_remove(&dev->pipelines->update_templates, (uint64_t)descriptorUpdateTemplate));
    dev->vk.DestroyDescriptorUpdateTemplate(device, descriptorUpdateTemplate, pAllocator);
}

VKAPI_ATTR void VKAPI_CALL pgs_UpdateDescriptorSetWithTemplate(
    VkDevice device, VkDescriptorSet descriptorSet,
    VkDescriptorUpdateTemplate descriptorUpdateTemplate, const void *pData)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const bool tracked = tracks(dev);
    const bool locked = tracked && is_immediate(dev, descriptorSet);
    if (locked)
        pthread_mutex_lock(&dev->pipelines->mirror_lock);
    dev->vk.UpdateDescriptorSetWithTemplate(device, descriptorSet, descriptorUpdateTemplate, pData);
    const struct pgs_update_template *template =
        tracked ? pgs_update_template_find(dev, descriptorUpdateTemplate) : NULL;
    for (uint32_t i = 0; template && i < template->entry_count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i];
        note(dev, descriptorSet,
             (struct pgs_set_range){entry->dstBinding, entry->dstArrayElement,
                                    entry->descriptorCount},
             locked);
    }
    if (locked)
        pthread_mutex_unlock(&dev->pipelines->mirror_lock);
}
