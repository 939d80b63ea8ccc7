/* SPDX-License-Identifier: MIT
 *
 * Submission: the layer's compute work must wait for the semaphores that stages before the
 * rasterizer wait for, and queues take turns where they share memory (queue_order.h).
 */
#include "base/arena.h"
#include "command/state/buffer.h"
#include "command/state/queue_order.h"
#include "memory/memory.h"
#include "vulkan/device.h"
#include "vulkan/hooks.h"

static bool wait_masks_change(struct pgs_native_stages native, const VkSubmitInfo *info)
{
    for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
        if (pgs_widen_stages(info->pWaitDstStageMask[i], native) != info->pWaitDstStageMask[i])
            return true;
    return false;
}

static bool widen_waits(struct pgs_native_stages native, VkSubmitInfo *info,
                        struct pgs_arena *arena)
{
    if (!wait_masks_change(native, info))
        return true;
    VkPipelineStageFlags *masks =
        pgs_arena_copy(arena, info->pWaitDstStageMask, info->waitSemaphoreCount, sizeof(*masks),
                       _Alignof(VkPipelineStageFlags));
    if (!masks)
        return false;
    for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
        masks[i] = (VkPipelineStageFlags)pgs_widen_stages(masks[i], native);
    info->pWaitDstStageMask = masks;
    return true;
}

static bool orders_queues(const struct pgs_device *dev)
{
    return dev->active && dev->commands->order;
}

static VkResult submit(struct pgs_device *dev, VkQueue queue, uint32_t count,
                       const VkSubmitInfo *infos, VkFence fence)
{
    if (!orders_queues(dev))
        return dev->vk.QueueSubmit(queue, count, infos, fence);
    return pgs_queue_order_submit(dev, queue, &(struct pgs_submits){infos, NULL, count}, fence);
}

static VkResult submit2(struct pgs_device *dev, VkQueue queue, uint32_t count,
                        const VkSubmitInfo2 *infos, VkFence fence)
{
    if (!orders_queues(dev))
        return dev->vk.QueueSubmit2(queue, count, infos, fence);
    return pgs_queue_order_submit(dev, queue, &(struct pgs_submits){NULL, infos, count}, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_QueueSubmit(VkQueue queue, uint32_t submitCount,
                                               const VkSubmitInfo *pSubmits, VkFence fence)
{
    struct pgs_device *dev = pgs_device_from_handle(queue);
    bool change = false;
    if (dev->active)
        pgs_heap_note_submit(dev);
    for (uint32_t i = 0; dev->active && i < submitCount; i++)
        change |= wait_masks_change(dev->native, &pSubmits[i]);
    if (!change)
        return submit(dev, queue, submitCount, pSubmits, fence);

    struct pgs_arena arena;
    pgs_arena_init(&arena);
    VkSubmitInfo *submits =
        pgs_arena_copy(&arena, pSubmits, submitCount, sizeof(*submits), _Alignof(VkSubmitInfo));
    bool ready = submits != NULL;
    for (uint32_t i = 0; ready && i < submitCount; i++)
        ready = widen_waits(dev->native, &submits[i], &arena);
    const VkResult result =
        ready ? submit(dev, queue, submitCount, submits, fence) : VK_ERROR_OUT_OF_HOST_MEMORY;
    pgs_arena_finish(&arena);
    return result;
}

static const VkSemaphoreSubmitInfo *widen_semaphores(struct pgs_native_stages native,
                                                     const VkSemaphoreSubmitInfo *infos,
                                                     uint32_t count, struct pgs_arena *arena)
{
    VkSemaphoreSubmitInfo *copy =
        pgs_arena_copy(arena, infos, count, sizeof(*copy), _Alignof(VkSemaphoreSubmitInfo));
    for (uint32_t i = 0; copy && i < count; i++)
        copy[i].stageMask = pgs_widen_stages(copy[i].stageMask, native);
    return copy;
}

static bool semaphores_change(struct pgs_native_stages native, const VkSemaphoreSubmitInfo *infos,
                              uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (pgs_widen_stages(infos[i].stageMask, native) != infos[i].stageMask)
            return true;
    return false;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_QueueSubmit2(VkQueue queue, uint32_t submitCount,
                                                const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    struct pgs_device *dev = pgs_device_from_handle(queue);
    bool change = false;
    if (dev->active)
        pgs_heap_note_submit(dev);
    for (uint32_t i = 0; dev->active && i < submitCount; i++)
        change |= semaphores_change(dev->native, pSubmits[i].pWaitSemaphoreInfos,
                                    pSubmits[i].waitSemaphoreInfoCount) ||
                  semaphores_change(dev->native, pSubmits[i].pSignalSemaphoreInfos,
                                    pSubmits[i].signalSemaphoreInfoCount);
    if (!change)
        return submit2(dev, queue, submitCount, pSubmits, fence);

    struct pgs_arena arena;
    pgs_arena_init(&arena);
    VkSubmitInfo2 *submits =
        pgs_arena_copy(&arena, pSubmits, submitCount, sizeof(*submits), _Alignof(VkSubmitInfo2));
    bool ready = submits != NULL;
    for (uint32_t i = 0; ready && i < submitCount; i++) {
        VkSubmitInfo2 *s = &submits[i];
        s->pWaitSemaphoreInfos = widen_semaphores(dev->native, s->pWaitSemaphoreInfos,
                                                  s->waitSemaphoreInfoCount, &arena);
        s->pSignalSemaphoreInfos = widen_semaphores(dev->native, s->pSignalSemaphoreInfos,
                                                    s->signalSemaphoreInfoCount, &arena);
        ready = s->pWaitSemaphoreInfos && s->pSignalSemaphoreInfos;
    }
    const VkResult result =
        ready ? submit2(dev, queue, submitCount, submits, fence) : VK_ERROR_OUT_OF_HOST_MEMORY;
    pgs_arena_finish(&arena);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_QueueBindSparse(VkQueue queue, uint32_t bindInfoCount,
                                                   const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    struct pgs_device *dev = pgs_device_from_handle(queue);
    const VkResult result = dev->vk.QueueBindSparse(queue, bindInfoCount, pBindInfo, fence);
    return result == VK_SUCCESS && orders_queues(dev)
               ? pgs_queue_order_note_sparse(dev, queue, bindInfoCount, pBindInfo)
               : result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateSemaphore(VkDevice device,
                                                   const VkSemaphoreCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkSemaphore *pSemaphore)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkResult result = dev->vk.CreateSemaphore(device, pCreateInfo, pAllocator, pSemaphore);
    if (result != VK_SUCCESS || !orders_queues(dev))
        return result;
    result = pgs_queue_order_note_semaphore(dev->commands->order, pCreateInfo, *pSemaphore);
    if (result != VK_SUCCESS) {
        dev->vk.DestroySemaphore(device, *pSemaphore, pAllocator);
        *pSemaphore = VK_NULL_HANDLE;
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroySemaphore(VkDevice device, VkSemaphore semaphore,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (semaphore && orders_queues(dev))
        pgs_queue_order_forget_semaphore(dev->commands->order, semaphore);
    dev->vk.DestroySemaphore(device, semaphore, pAllocator);
}
