/* SPDX-License-Identifier: MIT
 *
 * Command pools and command buffers of a driver that the tests of the command room call without a
 * loader. To be included by one file of a program.
 */
#ifndef FAKE_POOLS_H
#define FAKE_POOLS_H

#include "fake_ignored.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define HANDLE(type, n) ((type)(uintptr_t)(n))

static int fake_dispatch_key;
struct fake_object {
    const void *key;
};

static VkResult fake_create_pool(VkDevice d, const VkCommandPoolCreateInfo *info,
                                 const VkAllocationCallbacks *allocator, VkCommandPool *pool)
{
    static _Atomic uint64_t next = 0x1000;
    (void)d, (void)info, (void)allocator;
    *pool = HANDLE(VkCommandPool, atomic_fetch_add(&next, 16));
    return VK_SUCCESS;
}

static void fake_destroy_pool(VkDevice d, VkCommandPool pool,
                              const VkAllocationCallbacks *allocator)
{
    (void)d, (void)pool, (void)allocator;
}

static VkResult fake_reset_pool(VkDevice d, VkCommandPool pool, VkCommandPoolResetFlags flags)
{
    (void)d, (void)pool, (void)flags;
    return VK_SUCCESS;
}

static VkResult fake_allocate_buffers(VkDevice d, const VkCommandBufferAllocateInfo *info,
                                      VkCommandBuffer *buffers)
{
    (void)d;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        struct fake_object *object = malloc(sizeof(*object));
        if (!object)
            abort();
        object->key = &fake_dispatch_key;
        buffers[i] = (VkCommandBuffer)object;
    }
    return VK_SUCCESS;
}

static void fake_free_buffers(VkDevice d, VkCommandPool pool, uint32_t count,
                              const VkCommandBuffer *buffers)
{
    (void)d, (void)pool;
    for (uint32_t i = 0; i < count; i++)
        free((void *)buffers[i]);
}

static VkResult fake_begin_buffer(VkCommandBuffer cb, const VkCommandBufferBeginInfo *info)
{
    (void)cb, (void)info;
    return VK_SUCCESS;
}

static VkResult fake_end_buffer(VkCommandBuffer cb)
{
    (void)cb;
    return VK_SUCCESS;
}

/* The entries of a dispatch table for the above. */
#define FAKE_POOL_DISPATCH                                                                         \
    .CreateCommandPool = fake_create_pool, .DestroyCommandPool = fake_destroy_pool,                \
    .ResetCommandPool = fake_reset_pool, .AllocateCommandBuffers = fake_allocate_buffers,          \
    .FreeCommandBuffers = fake_free_buffers, .BeginCommandBuffer = fake_begin_buffer,              \
    .EndCommandBuffer = fake_end_buffer

#endif
