/* SPDX-License-Identifier: MIT */
#include "command/sync.h"

#include "vulkan/stages.h"

#define COMPUTE VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT

/* The driver's geometry shaders are never used, whether it has them or not. */
VkPipelineStageFlags2 pgs_stages_outside(VkPipelineStageFlags2 stages)
{
    return pgs_keep_graphics_stages(pgs_widen_stages(stages, true), false);
}

VkPipelineStageFlags2 pgs_stages_inside(VkPipelineStageFlags2 stages)
{
    return pgs_keep_graphics_stages(stages, false);
}

static bool moves(VkPipelineStageFlags2 stages)
{
    return pgs_widen_stages(stages & ~COMPUTE, true) != (stages & ~COMPUTE) ||
           (stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

bool pgs_stages_link_draws(VkPipelineStageFlags2 source, VkPipelineStageFlags2 target)
{
    return moves(source) && moves(target);
}

void pgs_pass_sync_record(const struct pgs_pass_sync *sync, const struct pgs_device *dev,
                          VkCommandBuffer cb)
{
    if (!sync->source_stages)
        return;
    if ((sync->source_stages | sync->source_access | sync->access) >> 32) {
        const VkMemoryBarrier2 barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
            .srcStageMask = sync->source_stages,
            .srcAccessMask = sync->source_access,
            .dstStageMask = COMPUTE,
            .dstAccessMask = sync->access,
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
        .srcAccessMask = (VkAccessFlags)sync->source_access,
        .dstAccessMask = (VkAccessFlags)sync->access,
    };
    dev->vk.CmdPipelineBarrier(cb, (VkPipelineStageFlags)sync->source_stages, COMPUTE, 0, 1,
                               &barrier, 0, NULL, 0, NULL);
}

static bool access_may_change(VkPipelineStageFlags2 stages)
{
    return stages & (COMPUTE | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

static VkAccessFlags widen_access(VkAccessFlags access, VkPipelineStageFlags stages)
{
    return (VkAccessFlags)pgs_widen_access(access, stages);
}

VkResult pgs_barriers_widen(struct pgs_barriers *barriers, struct pgs_arena *arena)
{
    struct pgs_barriers b = *barriers;
    b.source = (VkPipelineStageFlags)pgs_stages_outside(b.source);
    b.target = (VkPipelineStageFlags)pgs_stages_outside(b.target);
    if (access_may_change(b.source | b.target)) {
        VkMemoryBarrier *memory = pgs_arena_copy(arena, b.memory, b.memory_count, sizeof(*memory),
                                                 _Alignof(VkMemoryBarrier));
        VkBufferMemoryBarrier *buffer = pgs_arena_copy(
            arena, b.buffer, b.buffer_count, sizeof(*buffer), _Alignof(VkBufferMemoryBarrier));
        VkImageMemoryBarrier *image = pgs_arena_copy(arena, b.image, b.image_count, sizeof(*image),
                                                     _Alignof(VkImageMemoryBarrier));
        if (!memory || !buffer || !image)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        for (uint32_t i = 0; i < b.memory_count; i++) {
            memory[i].srcAccessMask = widen_access(memory[i].srcAccessMask, b.source);
            memory[i].dstAccessMask = widen_access(memory[i].dstAccessMask, b.target);
        }
        for (uint32_t i = 0; i < b.buffer_count; i++) {
            buffer[i].srcAccessMask = widen_access(buffer[i].srcAccessMask, b.source);
            buffer[i].dstAccessMask = widen_access(buffer[i].dstAccessMask, b.target);
        }
        for (uint32_t i = 0; i < b.image_count; i++) {
            image[i].srcAccessMask = widen_access(image[i].srcAccessMask, b.source);
            image[i].dstAccessMask = widen_access(image[i].dstAccessMask, b.target);
        }
        b.memory = memory;
        b.buffer = buffer;
        b.image = image;
    }
    *barriers = b;
    return VK_SUCCESS;
}

/* The four masks that all barriers of synchronization2 have. */
#define WIDEN(barrier, in_pass)                                                                    \
    widen_masks(&(barrier)->srcStageMask, &(barrier)->srcAccessMask, in_pass),                     \
        widen_masks(&(barrier)->dstStageMask, &(barrier)->dstAccessMask, in_pass)

static void widen_masks(VkPipelineStageFlags2 *stages, VkAccessFlags2 *access, bool in_pass)
{
    if (in_pass) {
        *stages = pgs_stages_inside(*stages);
        return;
    }
    *stages = pgs_stages_outside(*stages);
    *access = pgs_widen_access(*access, *stages);
}

static bool widen_info(VkDependencyInfo *info, bool in_pass, struct pgs_arena *arena)
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
        WIDEN(&memory[i], in_pass);
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
        WIDEN(&buffer[i], in_pass);
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        WIDEN(&image[i], in_pass);
    info->pMemoryBarriers = memory;
    info->pBufferMemoryBarriers = buffer;
    info->pImageMemoryBarriers = image;
    return true;
}

const VkDependencyInfo *pgs_dependencies_widen(const VkDependencyInfo *infos, uint32_t count,
                                               bool in_pass, struct pgs_arena *arena)
{
    VkDependencyInfo *copy =
        pgs_arena_copy(arena, infos, count, sizeof(*copy), _Alignof(VkDependencyInfo));
    for (uint32_t i = 0; copy && i < count; i++)
        if (!widen_info(&copy[i], in_pass, arena))
            return NULL;
    return copy;
}
