/* SPDX-License-Identifier: MIT
 *
 * Command pools, and the making and freeing of command buffers.
 */
#include "base/alloc.h"
#include "command/command.h"
#include "command/fb_layers/fb_layer_slices.h"
#include "command/pass/segments.h"
#include "command/state/buffer.h"
#include "vulkan/hooks.h"

static uint64_t pool_key(VkCommandPool pool)
{
    return (uint64_t)(uintptr_t)pool;
}

static struct pgs_command_pool *find_pool(const struct pgs_device *dev, VkCommandPool pool)
{
    return pgs_map_find(&dev->commands->pools, pool_key(pool));
}

static void destroy_buffer(struct pgs_command_buffer *cb)
{
    if (!cb)
        return;
    for (size_t i = 0; i < cb->batches.count; i++)
        pgs_batch_destroy(cb->batches.items[i]);
    pgs_array_finish(&cb->batches);
    pgs_command_buffer_drop_layouts(cb);
    pgs_array_finish(&cb->layouts);
    pgs_parts_reset(cb);
    pgs_array_finish(&cb->parts);
    pgs_array_finish(&cb->pass.batches);
    pgs_array_finish(&cb->pass.reads);
    pgs_array_finish(&cb->pass.captures);
    pgs_linear_destroy(cb->queries.memory);
    pgs_saved_finish(&cb->saved);
    pgs_queue_finish(&cb->queue);
    pgs_queue_finish(&cb->before);
    pgs_arena_finish(&cb->scratch);
    pgs_layer_state_destroy(cb->layers);
    pgs_arena_finish(&cb->begun);
    pgs_free(cb);
}

/* Before the handle goes down: another thread may get the same one as soon as the driver has it. */
static void remove_buffer(struct pgs_command_buffer *cb)
{
    pgs_recorder_unregister(cb->handle);
    if (cb->prev)
        cb->prev->next = cb->next;
    else
        cb->pool->buffers = cb->next;
    if (cb->next)
        cb->next->prev = cb->prev;
    destroy_buffer(cb);
}

static VkResult add_buffer(struct pgs_command_pool *pool, VkCommandBufferLevel level,
                           VkCommandBuffer handle)
{
    struct pgs_command_buffer *cb = pgs_calloc(1, sizeof(*cb));
    if (!cb)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const struct pgs_layer_room *layers = pool->dev->commands->layers;
    cb->recorder.vk = layers ? &layers->noting_vk : &pool->dev->vk;
    cb->dev = pool->dev;
    cb->pool = pool;
    cb->handle = handle;
    cb->level = level;
    cb->possible = pgs_pipelines_possible_flag(pool->dev);
    cb->saved.graphics_push = cb->graphics.push;
    pgs_queue_init(&cb->queue);
    pgs_queue_init(&cb->before);
    pgs_arena_init(&cb->scratch);
    pgs_arena_init(&cb->begun);
    if (pgs_layer_state_create(pool->dev, &cb->layers) != VK_SUCCESS ||
        !pgs_recorder_register(handle, &cb->recorder)) {
        destroy_buffer(cb);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    cb->next = pool->buffers;
    if (cb->next)
        cb->next->prev = cb;
    pool->buffers = cb;
    return VK_SUCCESS;
}

static void destroy_pool(struct pgs_command_pool *pool)
{
    if (!pool)
        return;
    while (pool->buffers)
        remove_buffer(pool->buffers);
    pgs_free(pool);
}

static void visit_left_pool(uint64_t key, void *value, void *context)
{
    (void)key, (void)context;
    destroy_pool(value);
}

static void visit_left_render_pass(uint64_t key, void *value, void *context)
{
    struct pgs_device *dev = context;
    struct pgs_render_pass *pass = value;
    (void)key;
    pgs_render_pass_finish(dev, pass);
    pgs_free(pass);
}

VkResult pgs_command_room_create(struct pgs_device *dev)
{
    struct pgs_command_room *room = pgs_calloc(1, sizeof(*room));
    if (!room)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!pgs_map_init(&room->pools))
        goto fail_pools;
    if (!pgs_map_init(&room->render_passes))
        goto fail_render_passes;
    if (pgs_layer_room_create(dev, &room->layers) != VK_SUCCESS)
        goto fail_layers;
    pgs_inline_dispatch_init(&room->inline_vk, room->layers ? &room->layers->noting_vk : &dev->vk);
    dev->commands = room;
    return VK_SUCCESS;
fail_layers:
    pgs_map_finish(&room->render_passes, NULL, NULL);
fail_render_passes:
    pgs_map_finish(&room->pools, NULL, NULL);
fail_pools:
    pgs_free(room);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_command_room_destroy(struct pgs_device *dev)
{
    if (!dev->commands)
        return;
    pgs_map_finish(&dev->commands->pools, visit_left_pool, NULL);
    pgs_map_finish(&dev->commands->render_passes, visit_left_render_pass, dev);
    pgs_layer_room_destroy(dev, dev->commands->layers);
    pgs_free(dev->commands);
    dev->commands = NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateCommandPool(VkDevice device,
                                                     const VkCommandPoolCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkCommandPool *pCommandPool)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateCommandPool(device, pCreateInfo, pAllocator, pCommandPool);
    struct pgs_command_pool *pool = pgs_calloc(1, sizeof(*pool));
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pool->dev = dev;
    const VkResult result =
        dev->vk.CreateCommandPool(device, pCreateInfo, pAllocator, pCommandPool);
    if (result != VK_SUCCESS) {
        pgs_free(pool);
        return result;
    }
    if (!pgs_map_insert(&dev->commands->pools, pool_key(*pCommandPool), pool)) {
        dev->vk.DestroyCommandPool(device, *pCommandPool, pAllocator);
        *pCommandPool = VK_NULL_HANDLE;
        pgs_free(pool);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyCommandPool(VkDevice device, VkCommandPool commandPool,
                                                  const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && commandPool)
        destroy_pool(pgs_map_remove(&dev->commands->pools, pool_key(commandPool)));
    dev->vk.DestroyCommandPool(device, commandPool, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_ResetCommandPool(VkDevice device, VkCommandPool commandPool,
                                                    VkCommandPoolResetFlags flags)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.ResetCommandPool(device, commandPool, flags);
    const struct pgs_command_pool *pool = find_pool(dev, commandPool);
    const VkResult result = dev->vk.ResetCommandPool(device, commandPool, flags);
    if (result == VK_SUCCESS && pool)
        for (struct pgs_command_buffer *cb = pool->buffers; cb; cb = cb->next)
            pgs_command_buffer_reset(cb);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_AllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *pAllocateInfo,
                           VkCommandBuffer *pCommandBuffers)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkResult result = dev->vk.AllocateCommandBuffers(device, pAllocateInfo, pCommandBuffers);
    if (!dev->active || result != VK_SUCCESS)
        return result;
    struct pgs_command_pool *pool = find_pool(dev, pAllocateInfo->commandPool);
    if (!pool)
        return result;
    const uint32_t count = pAllocateInfo->commandBufferCount;
    uint32_t added = 0;
    for (; added < count && result == VK_SUCCESS; added += result == VK_SUCCESS)
        result = add_buffer(pool, pAllocateInfo->level, pCommandBuffers[added]);
    if (result == VK_SUCCESS)
        return result;
    /* The list begins with the last one that was added. */
    while (added--)
        remove_buffer(pool->buffers);
    dev->vk.FreeCommandBuffers(device, pAllocateInfo->commandPool, count, pCommandBuffers);
    for (uint32_t i = 0; i < count; i++)
        pCommandBuffers[i] = NULL;
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_FreeCommandBuffers(VkDevice device, VkCommandPool commandPool,
                                                  uint32_t commandBufferCount,
                                                  const VkCommandBuffer *pCommandBuffers)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    for (uint32_t i = 0; dev->active && i < commandBufferCount; i++) {
        struct pgs_command_buffer *cb =
            pCommandBuffers[i] ? pgs_command_buffer_find(pCommandBuffers[i]) : NULL;
        if (cb)
            remove_buffer(cb);
    }
    dev->vk.FreeCommandBuffers(device, commandPool, commandBufferCount, pCommandBuffers);
}
