/* SPDX-License-Identifier: MIT
 *
 * Buffers, one block of memory, query pools and fences of a driver that the tests of queries call
 * without a loader. To be included by one file of a program, after cmocka.h.
 */
#ifndef FAKE_OBJECTS_H
#define FAKE_OBJECTS_H

#include "fake_pools.h"

#include <stdbool.h>
#include <string.h>

static uint64_t next_handle;
static unsigned char *device_memory; /* the one block that the tests need */
static int live_buffers, live_memories, live_pools, live_fences;
static VkResult fence_status;
static VkQueryType created_type;
static VkQueryPipelineStatisticFlags created_statistics;
static uint64_t native_results[4]; /* of any query: values, and whether they are available */

static VkResult create_buffer(VkDevice d, const VkBufferCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    (void)d, (void)info, (void)allocator;
    live_buffers++;
    *buffer = HANDLE(VkBuffer, 0xb00);
    return VK_SUCCESS;
}

static void destroy_buffer(VkDevice d, VkBuffer buffer, const VkAllocationCallbacks *allocator)
{
    (void)d, (void)allocator;
    live_buffers -= buffer != VK_NULL_HANDLE;
}

static void requirements(VkDevice d, VkBuffer buffer, VkMemoryRequirements *out)
{
    (void)d, (void)buffer;
    *out = (VkMemoryRequirements){.size = 1 << 20, .alignment = 256, .memoryTypeBits = 1};
}

static VkResult allocate(VkDevice d, const VkMemoryAllocateInfo *info,
                         const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    (void)d, (void)info, (void)allocator;
    live_memories++;
    *memory = HANDLE(VkDeviceMemory, 0xd00);
    return VK_SUCCESS;
}

static void free_memory(VkDevice d, VkDeviceMemory memory, const VkAllocationCallbacks *allocator)
{
    (void)d, (void)allocator;
    live_memories -= memory != VK_NULL_HANDLE;
}

static VkResult bind_memory(VkDevice d, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset)
{
    (void)d, (void)buffer, (void)memory, (void)offset;
    return VK_SUCCESS;
}

static VkResult map_memory(VkDevice d, VkDeviceMemory memory, VkDeviceSize offset,
                           VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
    (void)d, (void)memory, (void)offset, (void)size, (void)flags;
    *data = device_memory;
    return VK_SUCCESS;
}

#define ADDRESS UINT64_C(0x7000000)

static VkDeviceAddress buffer_address(VkDevice d, const VkBufferDeviceAddressInfo *info)
{
    (void)d, (void)info;
    return ADDRESS;
}

static VkResult create_query_pool(VkDevice d, const VkQueryPoolCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkQueryPool *made)
{
    (void)d, (void)allocator;
    live_pools++;
    created_type = info->queryType;
    created_statistics = info->pipelineStatistics;
    *made = HANDLE(VkQueryPool, next_handle += 16);
    return VK_SUCCESS;
}

static void destroy_query_pool(VkDevice d, VkQueryPool gone, const VkAllocationCallbacks *allocator)
{
    (void)d, (void)allocator;
    live_pools -= gone != VK_NULL_HANDLE;
}

static VkResult get_results(VkDevice d, VkQueryPool asked, uint32_t first, uint32_t count,
                            size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
    (void)d, (void)asked, (void)first, (void)stride;
    assert_int_equal(count, 1);
    assert_true(flags & VK_QUERY_RESULT_64_BIT && flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    assert_true(size <= sizeof(native_results));
    memcpy(data, native_results, size);
    return native_results[size / 8 - 1] ? VK_SUCCESS : VK_NOT_READY;
}

static VkResult create_fence(VkDevice d, const VkFenceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkFence *fence)
{
    (void)d, (void)info, (void)allocator;
    live_fences++;
    *fence = HANDLE(VkFence, 0xf0);
    return VK_SUCCESS;
}

static void destroy_fence(VkDevice d, VkFence fence, const VkAllocationCallbacks *allocator)
{
    (void)d, (void)fence, (void)allocator;
    live_fences--;
}

static VkResult get_fence_status(VkDevice d, VkFence fence)
{
    (void)d, (void)fence;
    return fence_status;
}

/* The entries of a dispatch table for the above. */
#define FAKE_OBJECT_DISPATCH                                                                       \
    .CreateBuffer = create_buffer, .DestroyBuffer = destroy_buffer,                                \
    .GetBufferMemoryRequirements = requirements, .AllocateMemory = allocate,                       \
    .FreeMemory = free_memory, .BindBufferMemory = bind_memory, .MapMemory = map_memory,           \
    .GetBufferDeviceAddress = buffer_address, .CreateQueryPool = create_query_pool,                \
    .DestroyQueryPool = destroy_query_pool, .GetQueryPoolResults = get_results,                    \
    .CreateFence = create_fence, .DestroyFence = destroy_fence, .GetFenceStatus = get_fence_status

#endif
