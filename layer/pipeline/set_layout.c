/* SPDX-License-Identifier: MIT
 *
 * Generated shaders run in another stage and must see the same descriptors there. If the driver has
 * plenty, its set layout shows them to that stage, too. Otherwise the sum over the stages may
 * exceed the limit of one stage: then the application's layout is passed on as it is, and mirrors
 * show each compute shader what its stages see.
 */
#include "pipeline/set_layout.h"

#include "base/alloc.h"
#include "pipeline/descriptor_buffers.h"
#include "pipeline/device.h"
#include "pipeline/kept_samplers.h"
#include "poly_gs/bound.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TESSELLATION                                                                               \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
#define BEFORE_RASTER (VK_SHADER_STAGE_VERTEX_BIT | TESSELLATION | VK_SHADER_STAGE_GEOMETRY_BIT)
/* Stages whose shaders may run as vertex shader. */
#define MOVABLE (VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)

static bool is_pushed(VkDescriptorSetLayoutCreateFlags flags)
{
    return flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
}

VkShaderStageFlags pgs_driver_stages(const struct pgs_device *dev, VkShaderStageFlags stages)
{
    if (dev->physical->emulates_geometry)
        stages &= ~(VkShaderStageFlags)VK_SHADER_STAGE_GEOMETRY_BIT;
    if (dev->physical->emulates_tessellation)
        stages &= ~(VkShaderStageFlags)TESSELLATION;
    return stages;
}

VkShaderStageFlags pgs_group_stages(enum pgs_stage_group group)
{
    switch (group) {
    case PGS_GROUP_VERTEX:
        return VK_SHADER_STAGE_VERTEX_BIT;
    case PGS_GROUP_CONTROL:
        return VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case PGS_GROUP_EVALUATION:
        return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case PGS_GROUP_GEOMETRY:
        return VK_SHADER_STAGE_GEOMETRY_BIT;
    case PGS_GROUP_VERTEX_GEOMETRY:
        return VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    case PGS_GROUP_EVALUATION_GEOMETRY:
        return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    case PGS_GROUP_VERTEX_CONTROL:
        return VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case PGS_GROUP_ALL:
        return BEFORE_RASTER;
    case PGS_GROUP_RASTER:
        return VK_SHADER_STAGE_VERTEX_BIT | MOVABLE | VK_SHADER_STAGE_FRAGMENT_BIT;
    case PGS_GROUP_COUNT:
        break;
    }
    return 0;
}

bool pgs_group_sees(enum pgs_stage_group group, const struct pgs_set_binding *binding)
{
    return binding->stages & pgs_group_stages(group);
}

/* The stages of the driver that see the binding in a mirror. */
static VkShaderStageFlags mirror_stages(enum pgs_stage_group group, VkShaderStageFlags stages)
{
    if (group != PGS_GROUP_RASTER)
        return VK_SHADER_STAGE_COMPUTE_BIT;
    const VkShaderStageFlags kept =
        stages & (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
    return stages & MOVABLE ? kept | VK_SHADER_STAGE_VERTEX_BIT : kept;
}

static enum pgs_set_source choose_source(const struct pgs_set_layout *layout,
                                         enum pgs_stage_group group)
{
    bool any = false, shown = true;
    if (layout->widened)
        return PGS_SET_APPLICATION;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct pgs_set_binding *binding = &layout->bindings[i];
        if (!pgs_group_sees(group, binding) || !binding->count)
            continue;
        const VkShaderStageFlags wanted = mirror_stages(group, binding->stages);
        any = true;
        shown &= (binding->stages & wanted) == wanted;
    }
    /* Sets that the raster shaders do not see stay bound, as native draws may follow. */
    if (group == PGS_GROUP_RASTER)
        return shown ? PGS_SET_APPLICATION : PGS_SET_MIRROR;
    /* Only a mirror ensures that a single stage stays within its limits: other bindings of the
     * application's set are for compute shaders. */
    if (any && shown && group == PGS_GROUP_ALL && !is_pushed(layout->flags))
        return PGS_SET_APPLICATION;
    /* All sets of a pipeline layout are for descriptor buffers, or none is. */
    return any || pgs_is_buffered(layout->flags) ? PGS_SET_MIRROR : PGS_SET_NONE;
}

void pgs_set_layout_count(const struct pgs_set_layout *layout, enum pgs_stage_group group,
                          struct pgs_descriptor_counts *counts)
{
    const enum pgs_set_source source = layout->sources[group];
    const bool raster = group == PGS_GROUP_RASTER;
    const VkShaderStageFlags moved = raster ? MOVABLE : BEFORE_RASTER;
    const VkShaderStageFlags stage =
        raster ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_COMPUTE_BIT;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct pgs_set_binding *binding = &layout->bindings[i];
        VkShaderStageFlags seen_by = binding->stages;
        if (source == PGS_SET_MIRROR)
            seen_by = pgs_group_sees(group, binding) ? mirror_stages(group, binding->stages) : 0;
        else if (source == PGS_SET_NONE)
            seen_by = 0;
        else if (layout->widened && (seen_by & moved))
            seen_by |= stage;
        if (seen_by & stage)
            pgs_descriptor_counts_add(
                counts, binding->type, binding->count,
                layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT);
    }
}

/* -- from a create info -- */

struct sizes {
    size_t samplers, types;
};

static bool takes_samplers(const VkDescriptorSetLayoutBinding *binding)
{
    return binding->pImmutableSamplers &&
           (binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
            binding->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
}

static const VkMutableDescriptorTypeListEXT *
types_of(const VkMutableDescriptorTypeCreateInfoEXT *lists, uint32_t i)
{
    return lists && i < lists->mutableDescriptorTypeListCount
               ? &lists->pMutableDescriptorTypeLists[i]
               : NULL;
}

static struct sizes measure(const VkDescriptorSetLayoutCreateInfo *info,
                            const VkMutableDescriptorTypeCreateInfoEXT *lists)
{
    struct sizes sizes = {0};
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkMutableDescriptorTypeListEXT *types = types_of(lists, i);
        sizes.samplers +=
            takes_samplers(&info->pBindings[i]) ? info->pBindings[i].descriptorCount : 0;
        sizes.types += types ? types->descriptorTypeCount : 0;
    }
    return sizes;
}

static int by_number(const void *a, const void *b)
{
    const struct pgs_set_binding *left = a, *right = b;
    return left->binding < right->binding ? -1 : left->binding > right->binding;
}

static void fill_bindings(struct pgs_set_layout *layout,
                          const VkDescriptorSetLayoutCreateInfo *info, VkSampler *samplers,
                          VkDescriptorType *types,
                          const VkMutableDescriptorTypeCreateInfoEXT *lists)
{
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    bool is_sorted = true;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
        is_sorted &= i == 0 || from[-1].binding < from->binding;
        const VkMutableDescriptorTypeListEXT *list = types_of(lists, i);
        struct pgs_set_binding *to = &layout->bindings[i];
        *to = (struct pgs_set_binding){
            .binding = from->binding,
            .count = from->descriptorCount,
            .type = from->descriptorType,
            .stages = from->stageFlags,
            .flags = flags && i < flags->bindingCount ? flags->pBindingFlags[i] : 0,
        };
        if (takes_samplers(from)) {
            memcpy(samplers, from->pImmutableSamplers, from->descriptorCount * sizeof(*samplers));
            to->samplers = samplers;
            samplers += from->descriptorCount;
        }
        if (list && list->descriptorTypeCount) {
            memcpy(types, list->pDescriptorTypes, list->descriptorTypeCount * sizeof(*types));
            to->types = types;
            to->type_count = list->descriptorTypeCount;
            types += list->descriptorTypeCount;
        }
    }
    if (!is_sorted)
        qsort(layout->bindings, info->bindingCount, sizeof(*layout->bindings), by_number);
}

static void summarize(struct pgs_set_layout *layout)
{
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct pgs_set_binding *binding = &layout->bindings[i];
        layout->dynamic_count += pgs_binding_is_dynamic(binding) ? binding->count : 0;
        layout->immediate |= pgs_binding_is_immediate(binding);
        layout->variable |=
            (binding->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0;
    }
    /* Sets of host-only layouts cannot be bound, and push descriptors have no set: those that a
     * group sees are pushed for it. */
    const bool bindable =
        !(layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT) &&
        !is_pushed(layout->flags);
    for (int group = 0; group < PGS_GROUP_COUNT; group++) {
        layout->sources[group] = choose_source(layout, (enum pgs_stage_group)group);
        layout->mirrored |= bindable && layout->sources[group] == PGS_SET_MIRROR;
    }
}

/* Inline uniform blocks are scarce everywhere, so they are never shown to further stages. Push
 * descriptors are pushed for each group anyway, only those that it sees, and Mesa 22.3's lavapipe
 * has one set for both bind points where a binding is visible to compute and to graphics. Sets in
 * descriptor buffers have no other way; where there are such, limits are high. */
static bool may_widen(const struct pgs_device *dev, const VkDescriptorSetLayoutCreateInfo *info)
{
    if (pgs_is_buffered(info->flags))
        return !is_pushed(info->flags);
    for (uint32_t i = 0; i < info->bindingCount; i++)
        if (info->pBindings[i].descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
            return false;
    return dev->pipelines->widens_set_layouts && !is_pushed(info->flags);
}

/* Handles of immutable samplers may be those of others when the samplers are gone. */
static bool is_comparable(const VkDescriptorSetLayoutCreateInfo *info, const struct sizes *sizes)
{
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext)
        if (node->sType != VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT &&
            node->sType != VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO)
            return false;
    return sizes->samplers == 0;
}

static struct pgs_set_layout *set_layout_new(const struct pgs_device *dev,
                                             const VkDescriptorSetLayoutCreateInfo *info)
{
    const VkMutableDescriptorTypeCreateInfoEXT *lists =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
    const struct sizes sizes = measure(info, lists);
    const size_t bindings_B = info->bindingCount * sizeof(struct pgs_set_binding);
    const size_t samplers_B = sizes.samplers * sizeof(VkSampler);
    struct pgs_set_layout *layout = pgs_calloc(1, sizeof(*layout) + bindings_B + samplers_B +
                                                      sizes.types * sizeof(VkDescriptorType));
    if (!layout)
        return NULL;
    unsigned char *rest = (unsigned char *)(layout + 1);
    atomic_init(&layout->refs, 1);
    layout->flags = info->flags;
    layout->widened = may_widen(dev, info);
    layout->comparable = is_comparable(info, &sizes);
    layout->binding_count = info->bindingCount;
    layout->bindings = (struct pgs_set_binding *)rest;
    layout->samplers = (const VkSampler *)(rest + bindings_B);
    layout->sampler_count = sizes.samplers;
    fill_bindings(layout, info, (VkSampler *)(rest + bindings_B),
                  (VkDescriptorType *)(rest + bindings_B + samplers_B), lists);
    summarize(layout);
    return layout;
}

/* -- widened layouts -- */

static bool stages_need_change(VkShaderStageFlags stages)
{
    return stages != VK_SHADER_STAGE_ALL && (stages & BEFORE_RASTER);
}

static VkShaderStageFlags widen(const struct pgs_device *dev, VkShaderStageFlags stages)
{
    const VkShaderStageFlags movable =
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
        (pgs_replaces_geometry(dev->physical) || dev->gaps ? VK_SHADER_STAGE_GEOMETRY_BIT : 0);
    const VkShaderStageFlags moved = stages & movable ? VK_SHADER_STAGE_VERTEX_BIT : 0;
    return stages_need_change(stages)
               ? pgs_driver_stages(dev, stages) | VK_SHADER_STAGE_COMPUTE_BIT | moved
               : stages;
}

/* Copies the bindings with wider stages. *bindings stays NULL if nothing changes. */
static VkResult widen_bindings(const struct pgs_device *dev,
                               const VkDescriptorSetLayoutCreateInfo *info,
                               VkDescriptorSetLayoutBinding **bindings)
{
    *bindings = NULL;
    bool change = false;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        change |= stages_need_change(info->pBindings[i].stageFlags);
    if (!change || !may_widen(dev, info))
        return VK_SUCCESS;
    VkDescriptorSetLayoutBinding *copy = pgs_calloc(info->bindingCount, sizeof(*copy));
    if (!copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        copy[i] = info->pBindings[i];
        copy[i].stageFlags = widen(dev, copy[i].stageFlags);
    }
    *bindings = copy;
    return VK_SUCCESS;
}

/* -- layouts of mirrors -- */

struct mirror_infos {
    VkDescriptorSetLayoutBinding *bindings;
    VkDescriptorBindingFlags *flags;
    VkMutableDescriptorTypeListEXT *types;
    uint32_t count;
    bool mutable;
};

static void add_binding(struct mirror_infos *infos, enum pgs_stage_group group,
                        const struct pgs_set_binding *binding)
{
    infos->bindings[infos->count] = (VkDescriptorSetLayoutBinding){
        .binding = binding->binding,
        .descriptorType = binding->type,
        .descriptorCount = binding->count,
        .stageFlags = mirror_stages(group, binding->stages),
        .pImmutableSamplers = binding->samplers,
    };
    infos->flags[infos->count] = binding->flags;
    infos->types[infos->count] = (VkMutableDescriptorTypeListEXT){
        .descriptorTypeCount = binding->type_count, .pDescriptorTypes = binding->types};
    infos->mutable |= binding->type_count != 0;
    infos->count++;
}

static VkResult create_mirror_layout(struct pgs_device *dev, const struct pgs_set_layout *layout,
                                     const struct mirror_infos *infos,
                                     VkDescriptorSetLayout *handle)
{
    const VkMutableDescriptorTypeCreateInfoEXT types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = infos->count,
        .pMutableDescriptorTypeLists = infos->types,
    };
    VkDescriptorBindingFlags any = 0;
    for (uint32_t i = 0; i < infos->count; i++)
        any |= infos->flags[i];
    const void *chain = infos->mutable ? &types : NULL;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .pNext = chain,
        .bindingCount = infos->count,
        .pBindingFlags = infos->flags,
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = any ? &flags : chain,
        .flags = layout->flags,
        .bindingCount = infos->count,
        .pBindings = infos->bindings,
    };
    return dev->vk.CreateDescriptorSetLayout(dev->handle, &info, NULL, handle);
}

VkResult pgs_set_layout_mirror_locked(struct pgs_device *dev, struct pgs_set_layout *layout,
                                      enum pgs_stage_group group)
{
    struct pgs_mirror_pool *pool = &layout->pools[group];
    if (pool->layout)
        return VK_SUCCESS;
    struct mirror_infos infos = {
        .bindings = pgs_calloc(layout->binding_count, sizeof(*infos.bindings)),
        .flags = pgs_calloc(layout->binding_count, sizeof(*infos.flags)),
        .types = pgs_calloc(layout->binding_count, sizeof(*infos.types)),
    };
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (infos.bindings && infos.flags && infos.types) {
        for (uint32_t i = 0; i < layout->binding_count; i++)
            if (pgs_group_sees(group, &layout->bindings[i]))
                add_binding(&infos, group, &layout->bindings[i]);
        result = create_mirror_layout(dev, layout, &infos, &pool->layout);
    }
    if (result != VK_SUCCESS)
        pool->layout = VK_NULL_HANDLE;
    pgs_free(infos.bindings);
    pgs_free(infos.flags);
    pgs_free(infos.types);
    return result;
}

static VkResult empty_layout_locked(struct pgs_device *dev, VkDescriptorSetLayout *handle)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    VkResult result = VK_SUCCESS;
    if (!objects->empty_set_layout)
        result =
            dev->vk.CreateDescriptorSetLayout(dev->handle, &info, NULL, &objects->empty_set_layout);
    if (result != VK_SUCCESS)
        objects->empty_set_layout = VK_NULL_HANDLE;
    *handle = objects->empty_set_layout;
    return result;
}

VkResult pgs_set_layout_empty(struct pgs_device *dev, VkDescriptorSetLayout *handle)
{
    pthread_mutex_lock(&dev->pipelines->mirror_lock);
    const VkResult result = empty_layout_locked(dev, handle);
    pthread_mutex_unlock(&dev->pipelines->mirror_lock);
    return result;
}

VkResult pgs_set_layout_bound(struct pgs_device *dev, VkDescriptorSetLayout *handle)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    VkDescriptorSetLayoutBinding bindings[PGS_BOUND_BUFFERS];
    for (uint32_t i = 0; i < PGS_BOUND_BUFFERS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = PGS_BOUND_BUFFERS,
        .pBindings = bindings,
    };
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&objects->mirror_lock);
    if (!objects->bound_set_layout)
        result =
            dev->vk.CreateDescriptorSetLayout(dev->handle, &info, NULL, &objects->bound_set_layout);
    if (result != VK_SUCCESS)
        objects->bound_set_layout = VK_NULL_HANDLE;
    *handle = objects->bound_set_layout;
    pthread_mutex_unlock(&objects->mirror_lock);
    return result;
}

VkResult pgs_set_layout_of_group(struct pgs_device *dev, struct pgs_set_layout *layout,
                                 enum pgs_stage_group group, VkDescriptorSetLayout *handle)
{
    const enum pgs_set_source source = layout->sources[group];
    VkResult result = VK_SUCCESS;
    if (source == PGS_SET_APPLICATION) {
        *handle = layout->handle;
        return VK_SUCCESS;
    }
    pthread_mutex_lock(&dev->pipelines->mirror_lock);
    if (source == PGS_SET_NONE) {
        result = empty_layout_locked(dev, handle);
    } else {
        result = pgs_set_layout_mirror_locked(dev, layout, group);
        *handle = layout->pools[group].layout;
    }
    pthread_mutex_unlock(&dev->pipelines->mirror_lock);
    return result;
}

static bool bindings_match(const struct pgs_set_binding *a, const struct pgs_set_binding *b)
{
    return a->binding == b->binding && a->count == b->count && a->type == b->type &&
           a->stages == b->stages && a->flags == b->flags && a->type_count == b->type_count &&
           !a->samplers == !b->samplers &&
           (!a->samplers || !memcmp(a->samplers, b->samplers, a->count * sizeof(*a->samplers))) &&
           (!a->type_count || !memcmp(a->types, b->types, a->type_count * sizeof(*a->types)));
}

bool pgs_set_layouts_match(const struct pgs_set_layout *a, const struct pgs_set_layout *b)
{
    if (a == b)
        return true;
    if (a->flags != b->flags || a->binding_count != b->binding_count)
        return false;
    for (uint32_t i = 0; i < a->binding_count; i++)
        if (!bindings_match(&a->bindings[i], &b->bindings[i]))
            return false;
    return true;
}

/* -- life -- */

void pgs_mirror_block_destroy(const struct pgs_device *dev, struct pgs_mirror_block *block)
{
    dev->vk.DestroyDescriptorPool(dev->handle, block->pool, NULL);
    pgs_free(block);
}

static void finish_mirrors(const struct pgs_device *dev, struct pgs_mirror_pool *pool)
{
    for (size_t i = 0; i < pool->blocks.count; i++)
        pgs_mirror_block_destroy(dev, pool->blocks.items[i]);
    pgs_array_finish(&pool->blocks);
    if (pool->layout)
        dev->vk.DestroyDescriptorSetLayout(dev->handle, pool->layout, NULL);
}

struct pgs_set_layout *pgs_set_layout_acquire(const struct pgs_device *dev,
                                              VkDescriptorSetLayout handle)
{
    struct pgs_set_layout *layout = pgs_map_find(&dev->pipelines->set_layouts, (uint64_t)handle);
    if (layout)
        atomic_fetch_add(&layout->refs, 1);
    return layout;
}

struct pgs_set_layout *pgs_set_layout_refer(struct pgs_set_layout *layout)
{
    atomic_fetch_add(&layout->refs, 1);
    return layout;
}

void pgs_set_layout_release(struct pgs_device *dev, struct pgs_set_layout *layout)
{
    if (!layout || atomic_fetch_sub(&layout->refs, 1) != 1)
        return;
    for (int group = 0; group < PGS_GROUP_COUNT; group++)
        finish_mirrors(dev, &layout->pools[group]);
    dev->vk.DestroyDescriptorSetLayout(dev->handle, layout->handle, NULL);
    pgs_kept_samplers_drop(dev, layout->samplers, layout->sampler_count);
    pgs_shared_release(atomic_load(&layout->content));
    pgs_free(layout);
}

/* True if shaders may read memory of which descriptors do not tell before the set is used. */
static bool is_late(const struct pgs_set_layout *layout)
{
    bool late = pgs_is_buffered(layout->flags);
    for (uint32_t i = 0; i < layout->binding_count; i++)
        late |= (layout->bindings[i].flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) &&
                layout->bindings[i].type != VK_DESCRIPTOR_TYPE_SAMPLER;
    return late;
}

/* A driver without push descriptors has ordinary sets for them. */
static VkDescriptorSetLayoutCreateInfo without_push(const struct pgs_device *dev,
                                                    const VkDescriptorSetLayoutCreateInfo *info)
{
    VkDescriptorSetLayoutCreateInfo changed = *info;
    if (dev->keeps_pushes)
        changed.flags &= ~(VkDescriptorSetLayoutCreateFlags)
                             VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    return changed;
}

/* The driver's object may outlive the application's handle, so the application's allocator is not
 * used. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateDescriptorSetLayout(
    VkDevice device, const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkDescriptorSetLayout *pSetLayout)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateDescriptorSetLayout(device, pCreateInfo, pAllocator, pSetLayout);
    VkDescriptorSetLayoutCreateInfo info = without_push(dev, pCreateInfo);
    VkDescriptorSetLayoutBinding *bindings;
    VkResult result = widen_bindings(dev, &info, &bindings);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_set_layout *layout = set_layout_new(dev, &info);
    if (bindings)
        info.pBindings = bindings;
    const bool kept = layout && pgs_kept_samplers_add(dev, layout->samplers, layout->sampler_count);
    result = kept ? dev->vk.CreateDescriptorSetLayout(device, &info, NULL, &layout->handle)
                  : VK_ERROR_OUT_OF_HOST_MEMORY;
    pgs_free(bindings);
    if (result != VK_SUCCESS) {
        if (kept)
            pgs_kept_samplers_drop(dev, layout->samplers, layout->sampler_count);
        pgs_free(layout);
        return result;
    }
    *pSetLayout = layout->handle;
    if (layout->mirrored)
        atomic_store(&dev->pipelines->tracks_sets, true);
    if (is_late(layout))
        atomic_store(&dev->late_sets, true);
    if (is_pushed(layout->flags))
        atomic_store(&dev->pushed_sets, true);
    if (pgs_map_insert(&dev->pipelines->set_layouts, (uint64_t)layout->handle, layout))
        return VK_SUCCESS;
    pgs_set_layout_release(dev, layout);
    *pSetLayout = VK_NULL_HANDLE;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyDescriptorSetLayout(VkDevice device,
                                                          VkDescriptorSetLayout descriptorSetLayout,
                                                          const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        dev->vk.DestroyDescriptorSetLayout(device, descriptorSetLayout, pAllocator);
    else if (descriptorSetLayout)
        pgs_set_layout_release(
            dev, pgs_map_remove(&dev->pipelines->set_layouts, (uint64_t)descriptorSetLayout));
}

VKAPI_ATTR void VKAPI_CALL pgs_GetDescriptorSetLayoutSupport(
    VkDevice device, const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
    VkDescriptorSetLayoutSupport *pSupport)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const VkDescriptorSetLayoutCreateInfo changed = without_push(dev, pCreateInfo);
    VkDescriptorSetLayoutBinding *bindings = NULL;
    /* Without memory for the copy, answer for the narrower layout; the command cannot fail. */
    if (!dev->active || widen_bindings(dev, &changed, &bindings) != VK_SUCCESS) {
        dev->vk.GetDescriptorSetLayoutSupport(device, &changed, pSupport);
        return;
    }
    VkDescriptorSetLayoutCreateInfo info = changed;
    if (bindings)
        info.pBindings = bindings;
    dev->vk.GetDescriptorSetLayoutSupport(device, &info, pSupport);
    pgs_free(bindings);
}
