/* SPDX-License-Identifier: MIT
 *
 * A mirror is filled by copies from the application's set, which works for every descriptor type.
 * Descriptors that cannot change while a set is in use are copied when the set is next recorded,
 * the others at once.
 */
#include "pipeline/mirror.h"

#include "base/alloc.h"
#include "pipeline/device.h"

#include <stdatomic.h>

#define FIRST_BLOCK_SETS 8
#define MAX_BLOCK_SETS 256

static uint32_t descriptor_count(const struct pgs_descriptor_set *set, uint32_t i)
{
    const struct pgs_set_layout *layout = set->layout;
    const bool last = i + 1 == layout->binding_count;
    return layout->variable && last ? set->variable_count : layout->bindings[i].count;
}

/* -- allocation -- */

struct pool_sizes {
    VkDescriptorPoolSize *sizes; /* by binding */
    uint32_t count, inline_bindings;
};

static void measure(const struct pgs_descriptor_set *set, enum pgs_stage_group group, uint32_t sets,
                    struct pool_sizes *sizes)
{
    for (uint32_t i = 0; i < set->layout->binding_count; i++) {
        const struct pgs_set_binding *binding = &set->layout->bindings[i];
        const uint32_t count = descriptor_count(set, i);
        if (!binding->count || !pgs_group_sees(group, binding))
            continue;
        sizes->inline_bindings +=
            binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? sets : 0;
        /* Validation warns if a pool lacks a type of the layout, though the set's list is empty.
         * Four, as that may be bytes of an inline uniform block. */
        sizes->sizes[sizes->count++] = (VkDescriptorPoolSize){
            .type = binding->type, .descriptorCount = (count ? count : 4) * sets};
    }
}

static VkResult create_pool(struct pgs_device *dev, const struct pgs_descriptor_set *set,
                            enum pgs_stage_group group, uint32_t sets, VkDescriptorPool *pool)
{
    const bool after_bind =
        set->layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    struct pool_sizes sizes = {.sizes =
                                   pgs_calloc(set->layout->binding_count, sizeof(*sizes.sizes))};
    if (!sizes.sizes)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    measure(set, group, sets, &sizes);
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = sizes.inline_bindings,
    };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .pNext = sizes.inline_bindings ? &blocks : NULL,
        .flags = after_bind ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
        .maxSets = sets,
        .poolSizeCount = sizes.count,
        .pPoolSizes = sizes.sizes,
    };
    const VkResult result = dev->vk.CreateDescriptorPool(dev->handle, &info, NULL, pool);
    pgs_free(sizes.sizes);
    return result;
}

static VkResult allocate_set(struct pgs_device *dev, const struct pgs_descriptor_set *set,
                             enum pgs_stage_group group, VkDescriptorPool pool,
                             VkDescriptorSet *mirror)
{
    const struct pgs_set_layout *layout = set->layout;
    const bool variable =
        layout->variable && pgs_group_sees(group, &layout->bindings[layout->binding_count - 1]);
    const VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &set->variable_count,
    };
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .pNext = variable ? &counts : NULL,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout->pools[group].layout,
    };
    return dev->vk.AllocateDescriptorSets(dev->handle, &info, mirror);
}

/* Sets of variable size are allocated one by one, and their mirrors are never reused. */
static uint32_t next_block_sets(const struct pgs_set_layout *layout,
                                const struct pgs_mirror_pool *pool)
{
    uint32_t sets = FIRST_BLOCK_SETS;
    if (layout->variable)
        return 1;
    for (size_t i = 0; i < pool->blocks.count && sets < MAX_BLOCK_SETS; i++)
        sets *= 2;
    return sets;
}

static VkResult fill_block(struct pgs_device *dev, const struct pgs_descriptor_set *set,
                           enum pgs_stage_group group, struct pgs_mirror_block *block,
                           uint32_t sets)
{
    VkResult result = create_pool(dev, set, group, sets, &block->pool);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < sets && result == VK_SUCCESS; i++)
        result = allocate_set(dev, set, group, block->pool, &block->mirrors[i].set);
    if (result != VK_SUCCESS)
        dev->vk.DestroyDescriptorPool(dev->handle, block->pool, NULL);
    return result;
}

static VkResult add_block_locked(struct pgs_device *dev, const struct pgs_descriptor_set *set,
                                 enum pgs_stage_group group)
{
    struct pgs_mirror_pool *pool = &set->layout->pools[group];
    const uint32_t sets = next_block_sets(set->layout, pool);
    struct pgs_mirror_block *block =
        pgs_calloc(1, sizeof(*block) + sets * sizeof(block->mirrors[0]));
    if (!block || !pgs_array_reserve(&pool->blocks, 1)) {
        pgs_free(block);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkResult result = fill_block(dev, set, group, block, sets);
    if (result != VK_SUCCESS) {
        pgs_free(block);
        return result;
    }
    pool->blocks.items[pool->blocks.count++] = block;
    for (uint32_t i = 0; i < sets; i++) {
        block->mirrors[i].next = pool->free;
        pool->free = &block->mirrors[i];
    }
    return VK_SUCCESS;
}

/* -- contents -- */

/* Immutable samplers are part of the layout. */
static bool is_written(const struct pgs_set_binding *binding)
{
    return !binding->samplers || binding->type != VK_DESCRIPTOR_TYPE_SAMPLER;
}

static VkCopyDescriptorSet copy_of(const struct pgs_descriptor_set *set,
                                   const struct pgs_mirror *mirror, uint32_t binding,
                                   uint32_t element, uint32_t count)
{
    return (VkCopyDescriptorSet){
        .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
        .srcSet = set->handle,
        .srcBinding = binding,
        .srcArrayElement = element,
        .dstSet = mirror->set,
        .dstBinding = binding,
        .dstArrayElement = element,
        .descriptorCount = count,
    };
}

/* Copies the bindings that the group sees; for a mirror that may be in use, only those that may be
 * written then. */
static VkResult fill_locked(struct pgs_device *dev, const struct pgs_descriptor_set *set,
                            enum pgs_stage_group group, const struct pgs_mirror *mirror, bool fresh)
{
    const struct pgs_set_layout *layout = set->layout;
    uint32_t copy_count = 0;
    VkCopyDescriptorSet *copies = pgs_calloc(layout->binding_count, sizeof(*copies));
    if (!copies)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct pgs_set_binding *binding = &layout->bindings[i];
        const uint32_t count = descriptor_count(set, i);
        if (count && pgs_group_sees(group, binding) && is_written(binding) &&
            (fresh || !pgs_binding_is_immediate(binding)))
            copies[copy_count++] = copy_of(set, mirror, binding->binding, 0, count);
    }
    if (copy_count)
        dev->vk.UpdateDescriptorSets(dev->handle, 0, NULL, copy_count, copies);
    pgs_free(copies);
    return VK_SUCCESS;
}

static VkResult make_locked(struct pgs_device *dev, struct pgs_descriptor_set *set,
                            enum pgs_stage_group group, struct pgs_mirror **made)
{
    struct pgs_mirror_pool *pool = &set->layout->pools[group];
    VkResult result = pgs_set_layout_mirror_locked(dev, set->layout, group);
    if (result == VK_SUCCESS && !pool->free)
        result = add_block_locked(dev, set, group);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_mirror *mirror = pool->free;
    result = fill_locked(dev, set, group, mirror, true);
    if (result != VK_SUCCESS)
        return result;
    pool->free = mirror->next;
    atomic_store(&mirror->version, atomic_load(&set->version));
    atomic_store_explicit(&set->mirrors[group], mirror, memory_order_release);
    *made = mirror;
    return VK_SUCCESS;
}

static VkResult get_locked(struct pgs_device *dev, struct pgs_descriptor_set *set,
                           enum pgs_stage_group group, struct pgs_mirror **found)
{
    struct pgs_mirror *mirror = atomic_load(&set->mirrors[group]);
    const uint32_t version = atomic_load(&set->version);
    if (!mirror)
        return make_locked(dev, set, group, found);
    *found = mirror;
    if (atomic_load(&mirror->version) == version) /* another thread was faster */
        return VK_SUCCESS;
    const VkResult result = fill_locked(dev, set, group, mirror, false);
    if (result == VK_SUCCESS)
        atomic_store(&mirror->version, version);
    return result;
}

VkResult pgs_mirror_get(struct pgs_device *dev, struct pgs_descriptor_set *set,
                        enum pgs_stage_group group, VkDescriptorSet *mirror)
{
    struct pgs_mirror *found = atomic_load_explicit(&set->mirrors[group], memory_order_acquire);
    VkResult result = VK_SUCCESS;
    if (!found || atomic_load(&found->version) != atomic_load(&set->version)) {
        pthread_mutex_lock(&dev->pipelines->mirror_lock);
        result = get_locked(dev, set, group, &found);
        pthread_mutex_unlock(&dev->pipelines->mirror_lock);
    }
    *mirror = result == VK_SUCCESS ? found->set : VK_NULL_HANDLE;
    return result;
}

/* Destroys the block of a mirror that nothing else can use. */
static void drop_block(struct pgs_device *dev, struct pgs_mirror_pool *pool,
                       const struct pgs_mirror *mirror)
{
    for (size_t i = 0; i < pool->blocks.count; i++) {
        struct pgs_mirror_block *block = pool->blocks.items[i];
        if (&block->mirrors[0] != mirror)
            continue;
        pool->blocks.items[i] = pool->blocks.items[--pool->blocks.count];
        pgs_mirror_block_destroy(dev, block);
        return;
    }
}

void pgs_mirrors_give_back(struct pgs_device *dev, struct pgs_descriptor_set *set)
{
    pthread_mutex_lock(&dev->pipelines->mirror_lock);
    for (int group = 0; group < PGS_GROUP_COUNT; group++) {
        struct pgs_mirror *mirror = atomic_load(&set->mirrors[group]);
        struct pgs_mirror_pool *pool = &set->layout->pools[group];
        if (!mirror)
            continue;
        atomic_store(&set->mirrors[group], NULL);
        if (set->layout->variable) {
            drop_block(dev, pool, mirror);
            continue;
        }
        mirror->next = pool->free;
        pool->free = mirror;
    }
    pthread_mutex_unlock(&dev->pipelines->mirror_lock);
}

static void copy_range(struct pgs_device *dev, const struct pgs_descriptor_set *set, uint32_t i,
                       uint32_t element, uint32_t count)
{
    const struct pgs_set_binding *binding = &set->layout->bindings[i];
    if (!is_written(binding))
        return;
    for (int group = 0; group < PGS_GROUP_COUNT; group++) {
        const struct pgs_mirror *mirror = atomic_load(&set->mirrors[group]);
        if (!mirror || !pgs_group_sees((enum pgs_stage_group)group, binding))
            continue;
        const VkCopyDescriptorSet copy = copy_of(set, mirror, binding->binding, element, count);
        dev->vk.UpdateDescriptorSets(dev->handle, 0, NULL, 1, &copy);
    }
}

void pgs_mirrors_note_write_locked(struct pgs_device *dev, struct pgs_descriptor_set *set,
                                   uint32_t binding, uint32_t element, uint32_t count)
{
    const struct pgs_set_layout *layout = set->layout;
    uint32_t i = 0;
    while (i < layout->binding_count && layout->bindings[i].binding < binding)
        i++;
    for (; i < layout->binding_count && count; i++) {
        const uint32_t size = descriptor_count(set, i);
        if (element >= size) {
            element -= size;
            continue;
        }
        const uint32_t here = count < size - element ? count : size - element;
        if (pgs_binding_is_immediate(&layout->bindings[i]))
            copy_range(dev, set, i, element, here);
        else
            atomic_fetch_add(&set->version, 1);
        count -= here;
        element = 0;
    }
}
