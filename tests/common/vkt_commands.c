/* SPDX-License-Identifier: MIT */
#include "common/vkt.h"

VkCommandBuffer vkt_commands(struct vkt *t)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = t->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cmd;
    VKT_CALL(vkAllocateCommandBuffers(t->device, &info, &cmd));
    return cmd;
}

void vkt_begin(VkCommandBuffer cmd, VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
    };
    VKT_CALL(vkBeginCommandBuffer(cmd, &info));
}

void vkt_submit(struct vkt *t, VkCommandBuffer cmd)
{
    VKT_CALL(vkEndCommandBuffer(cmd));
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    VKT_CALL(vkQueueSubmit(t->queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(t->queue));
}

void vkt_barrier_all(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    const VkPipelineStageFlags host = VK_PIPELINE_STAGE_HOST_BIT;
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | host, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
}
