/* SPDX-License-Identifier: MIT */
#include "command/pass/sync.h"

#define COMPUTE VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT

bool pgs_stages_move(VkPipelineStageFlags2 stages)
{
    const struct pgs_native_stages all = {true, true};
    return pgs_widen_stages(stages & ~COMPUTE, all) != (stages & ~COMPUTE) ||
           (stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

bool pgs_stages_link_draws(VkPipelineStageFlags2 source, VkPipelineStageFlags2 target)
{
    return pgs_stages_move(source) && pgs_stages_move(target);
}

void pgs_dependency_record(const struct pgs_dependency *d, const struct pgs_device *dev,
                           VkCommandBuffer cb)
{
    if (!d->source || !d->target)
        return;
    if ((d->source | d->source_access | d->target | d->target_access) >> 32) {
        const VkMemoryBarrier2 barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
            .srcStageMask = d->source,
            .srcAccessMask = d->source_access,
            .dstStageMask = d->target,
            .dstAccessMask = d->target_access,
        };
        const VkDependencyInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
            .memoryBarrierCount = 1,
            .pMemoryBarriers = &barrier,
        };
        dev->vk.CmdPipelineBarrier2(cb, &info);
        return;
    }
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = (VkAccessFlags)d->source_access,
        .dstAccessMask = (VkAccessFlags)d->target_access,
    };
    dev->vk.CmdPipelineBarrier(cb, (VkPipelineStageFlags)d->source, (VkPipelineStageFlags)d->target,
                               0, 1, &barrier, 0, NULL, 0, NULL);
}

/* One side of a Vulkan 1.0 barrier. */
struct side {
    VkPipelineStageFlags asked, stages; /* the application's, and the driver's */
    bool in_pass;
};

static struct side side_of(const struct pgs_device *dev, VkPipelineStageFlags stages, bool in_pass)
{
    const struct pgs_native_stages native = dev->native;
    return (struct side){
        .asked = stages,
        .stages = (VkPipelineStageFlags)(in_pass ? pgs_keep_graphics_stages(stages, native)
                                                 : pgs_widen_stages(stages, native)),
        .in_pass = in_pass,
    };
}

static bool access_may_change(const struct side *side)
{
    return side->in_pass ? pgs_accesses_may_go(side->asked)
                         : side->stages & (COMPUTE | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

static VkAccessFlags access_of(const struct side *side, VkAccessFlags access)
{
    return (VkAccessFlags)(side->in_pass ? pgs_keep_graphics_access(access, side->asked)
                                         : pgs_widen_access(access, side->stages));
}

VkResult pgs_barriers_widen(const struct pgs_device *dev, struct pgs_barriers *barriers,
                            bool in_pass, struct pgs_arena *arena)
{
    struct pgs_barriers b = *barriers;
    const struct side source = side_of(dev, b.source, in_pass);
    const struct side target = side_of(dev, b.target, in_pass);
    b.source = source.stages;
    b.target = target.stages;
    if (access_may_change(&source) || access_may_change(&target)) {
        VkMemoryBarrier *memory = pgs_arena_copy(arena, b.memory, b.memory_count, sizeof(*memory),
                                                 _Alignof(VkMemoryBarrier));
        VkBufferMemoryBarrier *buffer = pgs_arena_copy(
            arena, b.buffer, b.buffer_count, sizeof(*buffer), _Alignof(VkBufferMemoryBarrier));
        VkImageMemoryBarrier *image = pgs_arena_copy(arena, b.image, b.image_count, sizeof(*image),
                                                     _Alignof(VkImageMemoryBarrier));
        if (!memory || !buffer || !image)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        for (uint32_t i = 0; i < b.memory_count; i++) {
            memory[i].srcAccessMask = access_of(&source, memory[i].srcAccessMask);
            memory[i].dstAccessMask = access_of(&target, memory[i].dstAccessMask);
        }
        for (uint32_t i = 0; i < b.buffer_count; i++) {
            buffer[i].srcAccessMask = access_of(&source, buffer[i].srcAccessMask);
            buffer[i].dstAccessMask = access_of(&target, buffer[i].dstAccessMask);
        }
        for (uint32_t i = 0; i < b.image_count; i++) {
            image[i].srcAccessMask = access_of(&source, image[i].srcAccessMask);
            image[i].dstAccessMask = access_of(&target, image[i].dstAccessMask);
        }
        b.memory = memory;
        b.buffer = buffer;
        b.image = image;
    }
    *barriers = b;
    return VK_SUCCESS;
}

/* The four masks of synchronization2 barriers. */
#define WIDEN(place, barrier)                                                                      \
    widen_masks(place, &(barrier)->srcStageMask, &(barrier)->srcAccessMask),                       \
        widen_masks(place, &(barrier)->dstStageMask, &(barrier)->dstAccessMask)

struct place {
    const struct pgs_device *dev;
    bool in_pass;
};

static void widen_masks(const struct place *place, VkPipelineStageFlags2 *stages,
                        VkAccessFlags2 *access)
{
    if (place->in_pass) {
        *access = pgs_keep_graphics_access(*access, *stages);
        *stages = pgs_keep_graphics_stages(*stages, place->dev->native);
        return;
    }
    *stages = pgs_widen_stages(*stages, place->dev->native);
    *access = pgs_widen_access(*access, *stages);
}

static bool widen_info(const struct place *place, VkDependencyInfo *info, struct pgs_arena *arena)
{
    VkMemoryBarrier2 *memory =
        pgs_arena_copy(arena, info->pMemoryBarriers, info->memoryBarrierCount, sizeof(*memory),
                       _Alignof(VkMemoryBarrier2));
    VkBufferMemoryBarrier2 *buffer =
        pgs_arena_copy(arena, info->pBufferMemoryBarriers, info->bufferMemoryBarrierCount,
                       sizeof(*buffer), _Alignof(VkBufferMemoryBarrier2));
    VkImageMemoryBarrier2 *image =
        pgs_arena_copy(arena, info->pImageMemoryBarriers, info->imageMemoryBarrierCount,
                       sizeof(*image), _Alignof(VkImageMemoryBarrier2));
    if (!memory || !buffer || !image)
        return false;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        WIDEN(place, &memory[i]);
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
        WIDEN(place, &buffer[i]);
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        WIDEN(place, &image[i]);
    info->pMemoryBarriers = memory;
    info->pBufferMemoryBarriers = buffer;
    info->pImageMemoryBarriers = image;
    return true;
}

const VkDependencyInfo *pgs_dependencies_widen(const struct pgs_device *dev,
                                               const VkDependencyInfo *infos, uint32_t count,
                                               bool in_pass, struct pgs_arena *arena)
{
    const struct place place = {dev, in_pass};
    VkDependencyInfo *copy =
        pgs_arena_copy(arena, infos, count, sizeof(*copy), _Alignof(VkDependencyInfo));
    for (uint32_t i = 0; copy && i < count; i++)
        if (!widen_info(&place, &copy[i], arena))
            return NULL;
    return copy;
}
