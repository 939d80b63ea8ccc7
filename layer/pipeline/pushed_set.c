/* SPDX-License-Identifier: MIT */
#include "pipeline/pushed_set.h"

#include "pipeline/layout.h"
#include "vulkan/chain.h"

#include <string.h>

#define AT_ONCE PGS_MAX_PUSHED

void pgs_pushed_set_finish(struct pgs_pushed_set *set)
{
    pgs_array_finish(&set->descriptors);
}

/* -- reading -- */

enum info_kind {
    INFO_SAMPLER,
    INFO_COMBINED,
    INFO_IMAGE,
    INFO_BUFFER,
    INFO_VIEW,
    INFO_STRUCTURE, /* acceleration structure */
    INFO_NONE
};

/* Other types, such as dynamic ones and inline uniform blocks, may not be pushed. */
static enum info_kind kind_of(VkDescriptorType type)
{
    switch ((int)type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        return INFO_SAMPLER;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return INFO_COMBINED;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return INFO_IMAGE;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return INFO_BUFFER;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return INFO_VIEW;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        return INFO_STRUCTURE;
    default:
        return INFO_NONE;
    }
}

/* Where a write puts its next descriptor. */
struct place {
    const struct pgs_set_layout *layout; /* NULL: unknown; nothing goes on in the next binding */
    uint32_t at;                         /* the binding's place in the layout */
    uint32_t binding, element;
};

static struct place place_of(const struct pgs_set_layout *layout, uint32_t binding,
                             uint32_t element)
{
    struct place place = {.layout = layout, .binding = binding, .element = element};
    while (layout && place.at < layout->binding_count &&
           layout->bindings[place.at].binding < binding)
        place.at++;
    return place;
}

/* Steps over bindings that are full; some have no descriptors at all. */
static void settle(struct place *place)
{
    const struct pgs_set_layout *layout = place->layout;
    while (layout && place->at + 1 < layout->binding_count &&
           place->element >= layout->bindings[place->at].count) {
        place->element -= layout->bindings[place->at].count;
        place->binding = layout->bindings[++place->at].binding;
    }
}

static bool is_immutable(const struct place *place)
{
    return place->layout && place->at < place->layout->binding_count &&
           place->layout->bindings[place->at].samplers;
}

/* The list has room. `info` is what the type says, and may be unaligned in the data of a
 * template. */
static void append(struct pgs_pushed_set *list, struct place *place, VkDescriptorType type,
                   const void *info)
{
    struct pgs_pushed_descriptor *made = &list->descriptors.items[list->descriptors.count];
    VkDescriptorImageInfo image;
    settle(place);
    memset(made, 0, sizeof(*made)); /* padding, too, as sets are compared as bytes */
    made->binding = place->binding;
    made->element = place->element++;
    made->type = type;
    switch (kind_of(type)) {
    case INFO_SAMPLER:
        if (is_immutable(place)) /* pushed all the same, but `info` is ignored */
            break;
        memcpy(&image, info, sizeof(image));
        made->info.image.sampler = image.sampler;
        break;
    case INFO_COMBINED:
        memcpy(&image, info, sizeof(image));
        made->info.image.sampler = image.sampler;
        made->info.image.imageView = image.imageView;
        made->info.image.imageLayout = image.imageLayout;
        break;
    case INFO_IMAGE:
        memcpy(&image, info, sizeof(image));
        made->info.image.imageView = image.imageView;
        made->info.image.imageLayout = image.imageLayout;
        break;
    case INFO_BUFFER:
        memcpy(&made->info.buffer, info, sizeof(made->info.buffer));
        break;
    case INFO_VIEW:
        memcpy(&made->info.view, info, sizeof(made->info.view));
        break;
    case INFO_STRUCTURE:
        memcpy(&made->info.structure, info, sizeof(made->info.structure));
        break;
    case INFO_NONE:
        return;
    }
    list->descriptors.count++;
}

static const void *structure_of(const VkWriteDescriptorSet *write, uint32_t i)
{
    const VkWriteDescriptorSetAccelerationStructureKHR *structures = pgs_chain_find(
        write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
    return &structures->pAccelerationStructures[i];
}

static const void *info_of(const VkWriteDescriptorSet *write, uint32_t i)
{
    switch (kind_of(write->descriptorType)) {
    case INFO_SAMPLER:
    case INFO_COMBINED:
    case INFO_IMAGE:
        return write->pImageInfo ? &write->pImageInfo[i] : NULL;
    case INFO_BUFFER:
        return &write->pBufferInfo[i];
    case INFO_VIEW:
        return &write->pTexelBufferView[i];
    case INFO_STRUCTURE:
        return structure_of(write, i);
    case INFO_NONE:
        break;
    }
    return NULL;
}

VkResult pgs_pushed_set_read(const struct pgs_device *dev, VkPipelineLayout layout, uint32_t index,
                             uint32_t count, const VkWriteDescriptorSet *writes,
                             struct pgs_pushed_set *list)
{
    const struct pgs_set_layout *of = pgs_layout_set(dev, layout, index);
    size_t total = 0;
    for (uint32_t w = 0; w < count; w++)
        total += writes[w].descriptorCount;
    list->descriptors.count = 0;
    list->index = index;
    if (!pgs_array_reserve(&list->descriptors, total))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t w = 0; w < count; w++) {
        const VkWriteDescriptorSet *write = &writes[w];
        struct place place = place_of(of, write->dstBinding, write->dstArrayElement);
        for (uint32_t i = 0; i < write->descriptorCount; i++)
            append(list, &place, write->descriptorType, info_of(write, i));
    }
    return VK_SUCCESS;
}

VkResult pgs_pushed_set_read_entries(const struct pgs_device *dev, VkPipelineLayout layout,
                                     uint32_t index, uint32_t count,
                                     const VkDescriptorUpdateTemplateEntry *entries,
                                     const void *data, struct pgs_pushed_set *list)
{
    const struct pgs_set_layout *of = pgs_layout_set(dev, layout, index);
    size_t total = 0;
    for (uint32_t e = 0; e < count; e++)
        total += entries[e].descriptorCount;
    list->descriptors.count = 0;
    list->index = index;
    if (!pgs_array_reserve(&list->descriptors, total))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t e = 0; e < count; e++) {
        const VkDescriptorUpdateTemplateEntry *entry = &entries[e];
        struct place place = place_of(of, entry->dstBinding, entry->dstArrayElement);
        for (uint32_t i = 0; i < entry->descriptorCount; i++)
            append(list, &place, entry->descriptorType,
                   (const char *)data + entry->offset + i * entry->stride);
    }
    return VK_SUCCESS;
}

/* -- contents -- */

static bool is_before(const struct pgs_pushed_descriptor *a, const struct pgs_pushed_descriptor *b)
{
    return a->binding < b->binding || (a->binding == b->binding && a->element < b->element);
}

static bool is_at(const struct pgs_pushed_set *set, size_t place,
                  const struct pgs_pushed_descriptor *descriptor)
{
    return place < set->descriptors.count &&
           set->descriptors.items[place].binding == descriptor->binding &&
           set->descriptors.items[place].element == descriptor->element;
}

/* The place of the descriptor in the order; `guess` is tried first, as most pushes replace all. */
static size_t find_place(const struct pgs_pushed_set *set, size_t guess,
                         const struct pgs_pushed_descriptor *descriptor)
{
    size_t first = 0, end = set->descriptors.count;
    if (is_at(set, guess, descriptor))
        return guess;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (is_before(&set->descriptors.items[middle], descriptor))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

VkResult pgs_pushed_set_write(struct pgs_pushed_set *set, const struct pgs_pushed_set *list)
{
    if (list->descriptors.count && !pgs_array_reserve(&set->descriptors, list->descriptors.count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    size_t place = 0;
    for (size_t i = 0; i < list->descriptors.count; i++, place++) {
        const struct pgs_pushed_descriptor *from = &list->descriptors.items[i];
        place = find_place(set, place, from);
        struct pgs_pushed_descriptor *to = &set->descriptors.items[place];
        if (!is_at(set, place, from)) {
            memmove(to + 1, to, (set->descriptors.count - place) * sizeof(*to));
            set->descriptors.count++;
        }
        *to = *from;
    }
    return VK_SUCCESS;
}

VkResult pgs_pushed_set_copy(struct pgs_pushed_set *to, const struct pgs_pushed_set *from)
{
    const size_t count = from->descriptors.count;
    to->descriptors.count = 0;
    to->index = from->index;
    if (count && !pgs_array_reserve(&to->descriptors, count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (count)
        memcpy(to->descriptors.items, from->descriptors.items,
               count * sizeof(*to->descriptors.items));
    to->descriptors.count = count;
    return VK_SUCCESS;
}

struct pgs_pushed_set *pgs_pushed_set_keep(struct pgs_arena *arena,
                                           const struct pgs_pushed_set *from)
{
    const size_t count = from->descriptors.count;
    struct pgs_pushed_set *kept =
        pgs_arena_alloc(arena, sizeof(*kept), _Alignof(struct pgs_pushed_set));
    struct pgs_pushed_descriptor *items =
        pgs_arena_alloc(arena, count * sizeof(*items), _Alignof(struct pgs_pushed_descriptor));
    if (!kept || !items)
        return NULL;
    if (count)
        memcpy(items, from->descriptors.items, count * sizeof(*items));
    kept->descriptors.items = items;
    kept->descriptors.count = kept->descriptors.capacity = count;
    kept->index = from->index;
    return kept;
}

bool pgs_pushed_sets_match(const struct pgs_pushed_set *a, const struct pgs_pushed_set *b)
{
    if (a == b)
        return true;
    return a && b && a->index == b->index && a->descriptors.count == b->descriptors.count &&
           !memcmp(a->descriptors.items, b->descriptors.items,
                   a->descriptors.count * sizeof(*a->descriptors.items));
}

/* -- pushing -- */

/* Arguments of one vkCmdPushDescriptorSetKHR or vkUpdateDescriptorSets. The arrays have a place for
 * each descriptor. */
struct call {
    VkDescriptorSet to; /* VK_NULL_HANDLE: they are pushed */
    uint32_t count, write_count;
    VkWriteDescriptorSet writes[AT_ONCE];
    VkDescriptorImageInfo images[AT_ONCE];
    VkDescriptorBufferInfo buffers[AT_ONCE];
    VkBufferView views[AT_ONCE];
    VkAccelerationStructureKHR structures[AT_ONCE];
    VkWriteDescriptorSetAccelerationStructureKHR structure_writes[AT_ONCE]; /* as `writes` */
};

static void add_info(struct call *call, const struct pgs_pushed_descriptor *descriptor)
{
    switch (kind_of(descriptor->type)) {
    case INFO_SAMPLER:
    case INFO_COMBINED:
    case INFO_IMAGE:
        call->images[call->count] = descriptor->info.image;
        break;
    case INFO_BUFFER:
        call->buffers[call->count] = descriptor->info.buffer;
        break;
    case INFO_VIEW:
        call->views[call->count] = descriptor->info.view;
        break;
    case INFO_STRUCTURE:
        call->structures[call->count] = descriptor->info.structure;
        break;
    case INFO_NONE:
        break;
    }
}

/* A write of the descriptor that was added last. */
static void begin_write(struct call *call, const struct pgs_pushed_descriptor *descriptor)
{
    VkWriteDescriptorSetAccelerationStructureKHR *structures =
        &call->structure_writes[call->write_count];
    const bool has_structures = kind_of(descriptor->type) == INFO_STRUCTURE;
    if (has_structures)
        *structures = (VkWriteDescriptorSetAccelerationStructureKHR){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
            .pAccelerationStructures = &call->structures[call->count],
        };
    call->writes[call->write_count++] = (VkWriteDescriptorSet){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .pNext = has_structures ? structures : NULL,
        .dstSet = call->to,
        .dstBinding = descriptor->binding,
        .dstArrayElement = descriptor->element,
        .descriptorType = descriptor->type,
        .pImageInfo = &call->images[call->count],
        .pBufferInfo = &call->buffers[call->count],
        .pTexelBufferView = &call->views[call->count],
    };
}

/* Arrays are written at once: Mesa 22.3's lavapipe does not heed the first element of a write. */
static void add(struct call *call, const struct pgs_pushed_descriptor *descriptor)
{
    VkWriteDescriptorSet *last = call->write_count ? &call->writes[call->write_count - 1] : NULL;
    add_info(call, descriptor);
    if (!last || last->dstBinding != descriptor->binding ||
        last->descriptorType != descriptor->type ||
        last->dstArrayElement + last->descriptorCount != descriptor->element)
        begin_write(call, descriptor);
    call->writes[call->write_count - 1].descriptorCount++;
    call->structure_writes[call->write_count - 1].accelerationStructureCount =
        call->writes[call->write_count - 1].descriptorCount;
    call->count++;
}

void pgs_pushed_set_record(const struct pgs_pushed_set *set, VkPipelineBindPoint point,
                           VkPipelineLayout layout, const struct pgs_device_dispatch *vk,
                           VkCommandBuffer cb)
{
    struct call call;
    call.to = VK_NULL_HANDLE;
    call.count = call.write_count = 0;
    for (size_t i = 0; i < set->descriptors.count; i++) {
        add(&call, &set->descriptors.items[i]);
        if (call.count < AT_ONCE && i + 1 < set->descriptors.count)
            continue;
        vk->CmdPushDescriptorSetKHR(cb, point, layout, set->index, call.write_count, call.writes);
        call.count = call.write_count = 0;
    }
}

/* Immutable samplers are in the set already and may not be written. */
static bool is_immutable_sampler(const struct pgs_pushed_descriptor *descriptor)
{
    return descriptor->type == VK_DESCRIPTOR_TYPE_SAMPLER && !descriptor->info.image.sampler;
}

void pgs_pushed_set_store(const struct pgs_pushed_set *set, PFN_vkUpdateDescriptorSets update,
                          VkDevice device, VkDescriptorSet to)
{
    struct call call;
    call.to = to;
    call.count = call.write_count = 0;
    for (size_t i = 0; i < set->descriptors.count; i++) {
        if (!is_immutable_sampler(&set->descriptors.items[i]))
            add(&call, &set->descriptors.items[i]);
        if (!call.count || (call.count < AT_ONCE && i + 1 < set->descriptors.count))
            continue;
        update(device, call.write_count, call.writes, 0, NULL);
        call.count = call.write_count = 0;
    }
}
