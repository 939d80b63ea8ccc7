/* SPDX-License-Identifier: MIT */
#include "pipeline/kept_pushes.h"

#include "pipeline/layout.h"
#include "pipeline/set_layout.h"
#include "vulkan/hooks.h"

#define POOL_SETS 64
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Types that can be pushed. */
static const VkDescriptorType types[] = {
    VK_DESCRIPTOR_TYPE_SAMPLER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
};
enum { TYPE_COUNT = sizeof(types) / sizeof(types[0]) };

/* For many sets of this layout, and some of others. */
static VkResult add_pool(struct pgs_kept_pushes *kept, struct pgs_device *dev,
                         const struct pgs_set_layout *layout)
{
    VkDescriptorPoolSize sizes[TYPE_COUNT + PGS_MAX_PUSHED];
    uint32_t count = 0;
    for (; count < TYPE_COUNT; count++)
        sizes[count] = (VkDescriptorPoolSize){types[count], POOL_SETS};
    for (uint32_t i = 0; i < MIN(layout->binding_count, PGS_MAX_PUSHED); i++)
        if (layout->bindings[i].count)
            sizes[count++] = (VkDescriptorPoolSize){layout->bindings[i].type,
                                                    layout->bindings[i].count * POOL_SETS};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = POOL_SETS,
        .poolSizeCount = count,
        .pPoolSizes = sizes,
    };
    VkDescriptorPool pool;
    if (!pgs_array_reserve(&kept->pools, 1))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = pgs_CreateDescriptorPool(dev->handle, &info, NULL, &pool);
    if (result == VK_SUCCESS)
        kept->pools.items[kept->pools.count++] = pool;
    return result;
}

static VkResult allocate(struct pgs_kept_pushes *kept, struct pgs_device *dev,
                         const struct pgs_set_layout *layout, VkDescriptorSet *set)
{
    VkResult result;
    do {
        const bool added = kept->full == kept->pools.count;
        result = added ? add_pool(kept, dev, layout) : VK_SUCCESS;
        if (result != VK_SUCCESS)
            return result;
        const VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = kept->pools.items[kept->full],
            .descriptorSetCount = 1,
            .pSetLayouts = &layout->handle,
        };
        result = pgs_AllocateDescriptorSets(dev->handle, &info, set);
        if (result != VK_ERROR_OUT_OF_POOL_MEMORY && result != VK_ERROR_FRAGMENTED_POOL)
            return result;
        kept->full++;
        if (added) /* not even an empty pool has room */
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    } while (true);
}

static uint32_t number_of(VkPipelineBindPoint point)
{
    switch ((int)point) {
    case VK_PIPELINE_BIND_POINT_GRAPHICS:
        return 0;
    case VK_PIPELINE_BIND_POINT_COMPUTE:
        return 1;
    default:
        return 2;
    }
}

VkResult pgs_kept_pushes_add(struct pgs_kept_pushes *kept, struct pgs_device *dev,
                             VkPipelineBindPoint point, VkPipelineLayout layout,
                             const struct pgs_pushed_set *pushed, VkDescriptorSet *set)
{
    const struct pgs_set_layout *of = pgs_layout_set(dev, layout, pushed->index);
    const uint32_t number = number_of(point);
    struct pgs_pushed_set *all = &kept->points[number].set;
    if (!of)
        return VK_ERROR_UNKNOWN;
    if (!kept->points[number].layout || all->index != pushed->index ||
        !pgs_layouts_share_set(dev, kept->points[number].layout, layout, pushed->index)) {
        all->descriptors.count = 0;
        all->index = pushed->index;
    }
    kept->points[number].layout = layout;
    VkResult result = pgs_pushed_set_write(all, pushed);
    if (result == VK_SUCCESS)
        result = allocate(kept, dev, of, set);
    if (result == VK_SUCCESS)
        pgs_pushed_set_store(all, pgs_UpdateDescriptorSets, dev->handle, *set);
    return result;
}

void pgs_kept_pushes_reset(struct pgs_kept_pushes *kept, struct pgs_device *dev)
{
    const size_t used = MIN(kept->full + 1, kept->pools.count);
    for (size_t i = 0; i < used; i++)
        pgs_ResetDescriptorPool(dev->handle, kept->pools.items[i], 0);
    kept->full = 0;
    for (int i = 0; i < PGS_KEPT_POINTS; i++) {
        kept->points[i].layout = VK_NULL_HANDLE;
        kept->points[i].set.descriptors.count = 0;
    }
}

void pgs_kept_pushes_finish(struct pgs_kept_pushes *kept, struct pgs_device *dev)
{
    for (size_t i = 0; i < kept->pools.count; i++)
        pgs_DestroyDescriptorPool(dev->handle, kept->pools.items[i], NULL);
    pgs_array_finish(&kept->pools);
    for (int i = 0; i < PGS_KEPT_POINTS; i++)
        pgs_pushed_set_finish(&kept->points[i].set);
}
