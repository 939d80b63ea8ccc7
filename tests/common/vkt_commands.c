/* SPDX-License-Identifier: MIT */
#include "common/vkt.h"

static VkCommandBuffer commands_from(const struct vkt *t, VkCommandPool pool,
                                     VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cmd;
    VKT_CALL(vkAllocateCommandBuffers(t->device, &info, &cmd));
    return cmd;
}

VkCommandBuffer vkt_commands(struct vkt *t)
{
    return commands_from(t, t->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

VkCommandBuffer vkt_secondary(struct vkt *t, VkCommandBufferUsageFlags flags,
                              const VkCommandBufferInheritanceInfo *inheritance)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
        .pInheritanceInfo = inheritance,
    };
    const VkCommandBuffer cmd = commands_from(t, t->pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VKT_CALL(vkBeginCommandBuffer(cmd, &info));
    return cmd;
}

VkCommandBuffer vkt_secondary_in(struct vkt *t, VkRenderPass pass, VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = pass,
    };
    return vkt_secondary(t, flags | VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance);
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

void vkt_submit_secondaries(struct vkt *t, const struct vkt_target *target,
                            const VkCommandBuffer *secondaries, uint32_t count)
{
    const VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, count, secondaries);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
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

void vkt_thread_open(struct vkt_thread *thread, struct vkt *t, pthread_mutex_t *queue_lock)
{
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = t->queue_family,
    };
    *thread = (struct vkt_thread){.t = t, .queue_lock = queue_lock};
    VKT_CALL(vkCreateFence(t->device, &fence_info, NULL, &thread->fence));
    VKT_CALL(vkCreateCommandPool(t->device, &pool_info, NULL, &thread->pool));
}

void vkt_thread_close(struct vkt_thread *thread)
{
    vkDestroyCommandPool(thread->t->device, thread->pool, NULL);
    vkDestroyFence(thread->t->device, thread->fence, NULL);
}

VkCommandBuffer vkt_thread_commands(const struct vkt_thread *thread)
{
    return commands_from(thread->t, thread->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

void vkt_thread_submit(const struct vkt_thread *thread, VkCommandBuffer cmd)
{
    const struct vkt *t = thread->t;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    pthread_mutex_lock(thread->queue_lock);
    VKT_CALL(vkQueueSubmit(t->queue, 1, &info, thread->fence));
    pthread_mutex_unlock(thread->queue_lock);
    VKT_CALL(vkWaitForFences(t->device, 1, &thread->fence, VK_TRUE, UINT64_MAX));
    VKT_CALL(vkResetFences(t->device, 1, &thread->fence));
}
