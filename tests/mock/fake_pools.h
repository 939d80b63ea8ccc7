/* SPDX-License-Identifier: MIT
 *
 * Command pools and command buffers of a driver that the tests of the command module call without a
 * loader. To be included by one file of a program.
 */
#ifndef FAKE_POOLS_H
#define FAKE_POOLS_H

#include "fake_commands.h"
#include "fake_objects.h"

#include <stdint.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define HANDLE(type, n) ((type)(uintptr_t)(n))

static int fake_dispatch_key;
struct fake_object {
    const void *key;
};

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

/* The entries of a dispatch table for the above. */
#define FAKE_POOL_DISPATCH                                                                         \
    .CreateCommandPool = fake_CreateCommandPool, .DestroyCommandPool = fake_DestroyCommandPool,    \
    .ResetCommandPool = fake_ResetCommandPool, .AllocateCommandBuffers = fake_allocate_buffers,    \
    .FreeCommandBuffers = fake_free_buffers, .BeginCommandBuffer = fake_BeginCommandBuffer,        \
    .EndCommandBuffer = fake_EndCommandBuffer

#endif
