/* SPDX-License-Identifier: MIT
 *
 * Pipeline layouts. Each stage group has its own, made from the set layouts through which it sees
 * the application's sets (set_layout.h).
 */
#include "pipeline/layout.h"

#include "base/alloc.h"
#include "pipeline/device.h"
#include "pipeline/kernels.h"
#include "pipeline/set_content.h"
#include "poly_gs/abi.h"
#include "poly_gs/bound.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>
#include <string.h>

VkShaderStageFlags pgs_push_constant_stages(const struct pgs_device *dev, VkShaderStageFlags stages)
{
    return stages == VK_SHADER_STAGE_ALL ? stages : pgs_driver_stages(dev, stages);
}

VkShaderStageFlags pgs_layout_push_stages(const struct pgs_device *dev, VkPipelineLayout layout,
                                          VkShaderStageFlags stages)
{
    const VkShaderStageFlags has = pgs_push_constant_stages(dev, stages);
    const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    if (!(stages & VK_SHADER_STAGE_GEOMETRY_BIT) || (has & both)) /* the usual case */
        return has;
    const struct pgs_layout *known = pgs_map_find(&dev->pipelines->layouts, (uint64_t)layout);
    return known && known->vertices_get_all ? has | VK_SHADER_STAGE_VERTEX_BIT : has;
}

/* -- layouts of groups -- */

/* Of VK_KHR_maintenance11, which older headers do not know. */
#define NO_TASK_SHADER ((VkPipelineLayoutCreateFlags)4)

/* Without what only layouts of graphics pipelines may have
 * (VUID-VkComputePipelineCreateInfo-layout-12396). */
static VkPipelineLayoutCreateFlags flags_of_group(const struct pgs_layout *layout,
                                                  enum pgs_stage_group group)
{
    const VkPipelineLayoutCreateFlags graphics =
        VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT | NO_TASK_SHADER;
    return group == PGS_GROUP_RASTER ? layout->flags : layout->flags & ~graphics;
}

bool pgs_layout_group_fits(const struct pgs_device *dev, const struct pgs_layout *layout,
                           enum pgs_stage_group group)
{
    struct pgs_descriptor_counts counts = {{0}, {0}};
    for (uint32_t i = 0; i < layout->set_count; i++)
        if (layout->sets[i])
            pgs_set_layout_count(layout->sets[i], group, &counts);
    return pgs_descriptor_counts_fit(&counts, &dev->pipelines->descriptor_limits);
}

bool pgs_layout_needs_raster_group(const struct pgs_layout *layout)
{
    for (uint32_t i = 0; i < layout->set_count; i++)
        if (pgs_layout_source(layout, PGS_GROUP_RASTER, i) == PGS_SET_MIRROR)
            return true;
    return false;
}

void pgs_layout_identify(struct pgs_device *dev, const struct pgs_layout *layout,
                         struct pgs_layout_identity *identity)
{
    identity->set_count = layout->set_count;
    identity->flags = flags_of_group(layout, PGS_GROUP_ALL);
    for (uint32_t i = 0; i < layout->set_count; i++) {
        if (layout->sets[i])
            identity->sets[i] = pgs_set_layout_content(dev, layout->sets[i]);
        else if (layout->set_handles[i]) /* a set layout that the layer has not seen */
            identity->sets[i] = layout;
    }
}

/* Only with libraries of pipelines may the driver's layouts lack sets
 * (VUID-VkPipelineLayoutCreateInfo- graphicsPipelineLibrary-06753); those of shader objects may do
 * so without. */
static VkResult fill_absent(struct pgs_device *dev, uint32_t count, VkDescriptorSetLayout *sets)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && !dev->pipeline_libraries && result == VK_SUCCESS; i++)
        if (!sets[i])
            result = pgs_set_layout_empty(dev, &sets[i]);
    return result;
}

/* behind: the layout of another set behind those of the application; VK_NULL_HANDLE: there is none.
 */
static VkResult create_of_group(struct pgs_device *dev, struct pgs_layout *layout,
                                enum pgs_stage_group group, VkDescriptorSetLayout behind,
                                VkPipelineLayout *made)
{
    const VkPushConstantRange root = {
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .size = pgs_root_push_B(dev->physical),
    };
    const bool raster = group == PGS_GROUP_RASTER;
    VkDescriptorSetLayout sets[PGS_MAX_SETS + 1];
    memcpy(sets, layout->set_handles, layout->set_count * sizeof(*sets));
    sets[layout->set_count] = behind;
    for (uint32_t i = 0; i < layout->set_count; i++) {
        const VkResult result = layout->sets[i]
                                    ? pgs_set_layout_of_group(dev, layout->sets[i], group, &sets[i])
                                    : VK_SUCCESS;
        if (result != VK_SUCCESS)
            return result;
    }
    const VkResult filled = fill_absent(dev, layout->set_count, sets);
    if (filled != VK_SUCCESS)
        return filled;
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .flags = flags_of_group(layout, group),
        .setLayoutCount = layout->set_count + (behind ? 1 : 0),
        .pSetLayouts = sets,
        .pushConstantRangeCount = raster ? layout->range_count : 1,
        .pPushConstantRanges = raster ? layout->ranges : &root,
    };
    return dev->vk.CreatePipelineLayout(dev->handle, &info, NULL, made);
}

static VkResult prepare(struct pgs_device *dev, struct pgs_layout *layout,
                        enum pgs_stage_group group, VkDescriptorSetLayout behind,
                        _Atomic(VkPipelineLayout) *at)
{
    VkPipelineLayout known = VK_NULL_HANDLE, made;
    const VkResult result = create_of_group(dev, layout, group, behind, &made);
    if (result != VK_SUCCESS)
        return result;
    /* Another thread was faster. */
    if (!atomic_compare_exchange_strong(at, &known, made))
        dev->vk.DestroyPipelineLayout(dev->handle, made, NULL);
    return VK_SUCCESS;
}

VkResult pgs_layout_prepare(struct pgs_device *dev, struct pgs_layout *layout,
                            enum pgs_stage_group group)
{
    return atomic_load_explicit(&layout->of_group[group], memory_order_acquire)
               ? VK_SUCCESS
               : prepare(dev, layout, group, VK_NULL_HANDLE, &layout->of_group[group]);
}

/* -- with a set of the layer's own -- */

bool pgs_layout_may_bind(const struct pgs_device *dev, const struct pgs_layout *layout,
                         enum pgs_stage_group group)
{
    const VkDescriptorSetLayoutCreateFlags excluded =
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR |
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    struct pgs_descriptor_counts counts = {{0}, {0}};
    if (!dev->vk.CmdPushDescriptorSetKHR ||
        layout->set_count >= dev->physical->properties.limits.maxBoundDescriptorSets)
        return false;
    for (uint32_t i = 0; i < layout->set_count; i++) {
        if (!layout->sets[i] || (layout->sets[i]->flags & excluded))
            return false;
        pgs_set_layout_count(layout->sets[i], group, &counts);
    }
    pgs_descriptor_counts_add(&counts, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, PGS_BOUND_BUFFERS, false);
    return pgs_descriptor_counts_fit(&counts, &dev->pipelines->descriptor_limits);
}

VkResult pgs_layout_prepare_bound(struct pgs_device *dev, struct pgs_layout *layout,
                                  enum pgs_stage_group group)
{
    VkDescriptorSetLayout own;
    if (atomic_load_explicit(&layout->bound[group], memory_order_acquire))
        return VK_SUCCESS;
    const VkResult result = pgs_set_layout_bound(dev, &own);
    return result == VK_SUCCESS ? prepare(dev, layout, group, own, &layout->bound[group]) : result;
}

/* -- life -- */

struct span {
    uint32_t from_B, to_B;
};

/* No stage is in two ranges. Empty: in none. */
static struct span span_of(const VkPipelineLayoutCreateInfo *info, VkShaderStageFlagBits stage)
{
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        if (range->stageFlags & stage)
            return (struct span){range->offset, range->offset + range->size};
    }
    return (struct span){0, 0};
}

/* True if both stages may have one range: who pushes to any of it pushes to one of them. Whoever
 * pushes to other stages between their ranges does not know that these must be named, too. */
static bool may_join(const VkPipelineLayoutCreateInfo *info, struct span a, struct span b)
{
    const struct span gap =
        a.to_B < b.from_B ? (struct span){a.to_B, b.from_B} : (struct span){b.to_B, a.from_B};
    for (uint32_t i = 0; i < info->pushConstantRangeCount && gap.from_B < gap.to_B; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        if (range->offset < gap.to_B && gap.from_B < range->offset + range->size)
            return false;
    }
    return true;
}

/* Their layouts have ranges and stages of their own. */
static bool generates_commands(const struct pgs_device *dev)
{
#ifdef VK_EXT_device_generated_commands
    return dev->vk.CreateIndirectCommandsLayoutEXT;
#else
    (void)dev;
    return false;
#endif
}

/* Lets vertex shaders have what geometry shaders have, so that they can do their work. */
static void give_to_vertices(const struct pgs_device *dev, const VkPipelineLayoutCreateInfo *info,
                             struct pgs_layout *layout)
{
    const struct span vertex = span_of(info, VK_SHADER_STAGE_VERTEX_BIT);
    const struct span geometry = span_of(info, VK_SHADER_STAGE_GEOMETRY_BIT);
    const bool alone = vertex.from_B == vertex.to_B;
    struct span all = geometry;
    uint32_t kept = 0;
    layout->vertices_get_all = geometry.from_B == geometry.to_B ||
                               (vertex.from_B <= geometry.from_B && geometry.to_B <= vertex.to_B);
    if (layout->vertices_get_all || dev->native.geometry || generates_commands(dev) ||
        (!alone && !may_join(info, vertex, geometry)))
        return;
    if (!alone) {
        all.from_B = vertex.from_B < all.from_B ? vertex.from_B : all.from_B;
        all.to_B = vertex.to_B > all.to_B ? vertex.to_B : all.to_B;
    }
    for (uint32_t i = 0; i < layout->range_count; i++) {
        layout->ranges[kept] = layout->ranges[i];
        layout->ranges[kept].stageFlags &= ~(VkShaderStageFlags)VK_SHADER_STAGE_VERTEX_BIT;
        kept += layout->ranges[kept].stageFlags != 0;
    }
    layout->ranges[kept++] =
        (VkPushConstantRange){VK_SHADER_STAGE_VERTEX_BIT, all.from_B, all.to_B - all.from_B};
    layout->range_count = kept;
    layout->vertices_get_all = true;
}

/* Copies the ranges without stages that the driver lacks. */
static void copy_ranges(const struct pgs_device *dev, const VkPipelineLayoutCreateInfo *info,
                        struct pgs_layout *layout)
{
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        VkPushConstantRange range = info->pPushConstantRanges[i];
        if (layout->push_B < range.offset + range.size)
            layout->push_B = range.offset + range.size;
        range.stageFlags = pgs_push_constant_stages(dev, range.stageFlags);
        if (range.stageFlags)
            layout->ranges[layout->range_count++] = range;
    }
    give_to_vertices(dev, info, layout);
}

static bool fragments_see(const struct pgs_layout *layout)
{
    for (uint32_t i = 0; i < layout->set_count; i++) {
        const struct pgs_set_layout *set = layout->sets[i];
        if (!set && layout->set_handles[i])
            return true;
        for (uint32_t b = 0; set && b < set->binding_count; b++)
            if (set->bindings[b].stages & VK_SHADER_STAGE_FRAGMENT_BIT)
                return true;
    }
    return false;
}

/* NULL: out of memory. */
static struct pgs_layout *layout_new(struct pgs_device *dev, const VkPipelineLayoutCreateInfo *info)
{
    struct pgs_layout *layout = pgs_calloc(1, sizeof(*layout) + (info->pushConstantRangeCount + 1) *
                                                                    sizeof(*layout->ranges));
    if (!layout)
        return NULL;
    atomic_init(&layout->refs, 1);
    layout->flags = info->flags;
    layout->set_count = info->setLayoutCount < PGS_MAX_SETS ? info->setLayoutCount : PGS_MAX_SETS;
    for (uint32_t i = 0; i < layout->set_count; i++) {
        layout->set_handles[i] = info->pSetLayouts[i];
        layout->sets[i] = pgs_set_layout_acquire(dev, info->pSetLayouts[i]);
    }
    layout->fragments_see = fragments_see(layout);
    layout->one_group = pgs_layout_group_fits(dev, layout, PGS_GROUP_ALL);
    copy_ranges(dev, info, layout);
    return layout;
}

/* Makes the driver's object, and publishes the layout under its handle. Takes the reference over,
 * also on failure. The driver's object may outlive the application's handle, so the application's
 * allocator is not used. */
static VkResult publish(struct pgs_device *dev, struct pgs_layout *layout,
                        VkPipelineLayoutCreateInfo info, VkPipelineLayout *handle)
{
    VkDescriptorSetLayout sets[PGS_MAX_SETS];
    info.pushConstantRangeCount = layout->range_count;
    info.pPushConstantRanges = layout->ranges;
    VkResult result = VK_SUCCESS;
    if (info.setLayoutCount <= PGS_MAX_SETS) {
        memcpy(sets, layout->set_handles, layout->set_count * sizeof(*sets));
        result = fill_absent(dev, layout->set_count, sets);
        info.pSetLayouts = sets;
    }
    if (result == VK_SUCCESS)
        result = dev->vk.CreatePipelineLayout(dev->handle, &info, NULL, &layout->handle);
    if (result != VK_SUCCESS)
        layout->handle = VK_NULL_HANDLE;
    if (result == VK_SUCCESS &&
        !pgs_map_insert(&dev->pipelines->layouts, (uint64_t)layout->handle, layout))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        *handle = layout->handle;
    else
        pgs_layout_release(dev, layout);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *pCreateInfo,
                         const VkAllocationCallbacks *pAllocator, VkPipelineLayout *pPipelineLayout)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreatePipelineLayout(device, pCreateInfo, pAllocator, pPipelineLayout);
    struct pgs_layout *layout = layout_new(dev, pCreateInfo);
    *pPipelineLayout = VK_NULL_HANDLE;
    if (!layout)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    return publish(dev, layout, *pCreateInfo, pPipelineLayout);
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyPipelineLayout(VkDevice device,
                                                     VkPipelineLayout pipelineLayout,
                                                     const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        dev->vk.DestroyPipelineLayout(device, pipelineLayout, pAllocator);
    else if (pipelineLayout)
        pgs_layout_release(dev, pgs_map_remove(&dev->pipelines->layouts, (uint64_t)pipelineLayout));
}

struct pgs_layout *pgs_layout_acquire(const struct pgs_device *dev, VkPipelineLayout handle)
{
    struct pgs_layout *layout = pgs_map_find(&dev->pipelines->layouts, (uint64_t)handle);
    return layout ? pgs_layout_refer(layout) : NULL;
}

struct pgs_layout *pgs_layout_refer(struct pgs_layout *layout)
{
    atomic_fetch_add(&layout->refs, 1);
    return layout;
}

void pgs_layout_release(struct pgs_device *dev, struct pgs_layout *layout)
{
    if (!layout || atomic_fetch_sub(&layout->refs, 1) != 1)
        return;
    for (int group = 0; group < PGS_GROUP_COUNT; group++) {
        if (layout->of_group[group])
            dev->vk.DestroyPipelineLayout(dev->handle, layout->of_group[group], NULL);
        if (layout->bound[group])
            dev->vk.DestroyPipelineLayout(dev->handle, layout->bound[group], NULL);
    }
    if (layout->handle)
        dev->vk.DestroyPipelineLayout(dev->handle, layout->handle, NULL);
    for (uint32_t i = 0; i < layout->set_count; i++)
        pgs_set_layout_release(dev, layout->sets[i]);
    pgs_free(layout);
}

const struct pgs_set_layout *pgs_layout_set(const struct pgs_device *dev, VkPipelineLayout layout,
                                            uint32_t index)
{
    const struct pgs_layout *known = pgs_map_find(&dev->pipelines->layouts, (uint64_t)layout);
    return known && index < known->set_count ? known->sets[index] : NULL;
}

bool pgs_layouts_share_set(const struct pgs_device *dev, VkPipelineLayout a, VkPipelineLayout b,
                           uint32_t index)
{
    if (a == b)
        return true;
    const struct pgs_set_layout *left = pgs_layout_set(dev, a, index);
    const struct pgs_set_layout *right = pgs_layout_set(dev, b, index);
    return left && right && pgs_set_layouts_match(left, right);
}

uint32_t pgs_layout_dynamic_count(const struct pgs_device *dev, VkPipelineLayout layout,
                                  uint32_t set)
{
    const struct pgs_set_layout *of = pgs_layout_set(dev, layout, set);
    return of ? of->dynamic_count : 0;
}

/* -- layouts of several libraries -- */

static bool has_range(const struct pgs_layout *layout, const VkPushConstantRange *range)
{
    for (uint32_t i = 0; i < layout->range_count; i++) {
        const VkPushConstantRange *own = &layout->ranges[i];
        if (own->offset == range->offset && own->size == range->size &&
            !(range->stageFlags & ~own->stageFlags))
            return true;
    }
    return false;
}

bool pgs_layout_includes(const struct pgs_layout *layout, const struct pgs_layout *part)
{
    for (uint32_t i = 0; i < part->set_count; i++)
        if (part->set_handles[i] && (i >= layout->set_count || !layout->set_handles[i]))
            return false;
    for (uint32_t i = 0; i < part->range_count; i++)
        if (!has_range(layout, &part->ranges[i]))
            return false;
    return true;
}

/* A stage may be in one range only. */
static void add_ranges(struct pgs_layout *layout, const struct pgs_layout *part)
{
    for (uint32_t i = 0; i < part->range_count; i++) {
        VkPushConstantRange range = part->ranges[i];
        for (uint32_t k = 0; k < layout->range_count; k++)
            range.stageFlags &= ~layout->ranges[k].stageFlags;
        if (range.stageFlags)
            layout->ranges[layout->range_count++] = range;
    }
}

static void add_sets(struct pgs_layout *layout, const struct pgs_layout *part)
{
    layout->flags |= part->flags;
    if (layout->set_count < part->set_count)
        layout->set_count = part->set_count;
    for (uint32_t i = 0; i < part->set_count; i++) {
        if (layout->set_handles[i] || !part->set_handles[i])
            continue;
        layout->set_handles[i] = part->set_handles[i];
        layout->sets[i] = part->sets[i] ? pgs_set_layout_refer(part->sets[i]) : NULL;
    }
}

VkResult pgs_layout_merge(struct pgs_device *dev, struct pgs_layout *const *parts, uint32_t count,
                          VkPipelineLayout *handle)
{
    size_t range_count = 0;
    for (uint32_t i = 0; i < count; i++)
        range_count += parts[i] ? parts[i]->range_count : 0;
    struct pgs_layout *layout =
        pgs_calloc(1, sizeof(*layout) + range_count * sizeof(*layout->ranges));
    *handle = VK_NULL_HANDLE;
    if (!layout)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&layout->refs, 1);
    for (uint32_t i = 0; i < count; i++) {
        if (!parts[i])
            continue;
        add_sets(layout, parts[i]);
        add_ranges(layout, parts[i]);
        if (layout->push_B < parts[i]->push_B)
            layout->push_B = parts[i]->push_B;
    }
    layout->one_group = pgs_layout_group_fits(dev, layout, PGS_GROUP_ALL);
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .flags = layout->flags,
        .setLayoutCount = layout->set_count,
        .pSetLayouts = layout->set_handles,
    };
    return publish(dev, layout, info, handle);
}
