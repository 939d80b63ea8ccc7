/* SPDX-License-Identifier: MIT
 *
 * Queries of the layer, and those of the driver below. To be included, after cmocka.h, by one file
 * of a program.
 */
#ifndef FAKE_QUERIES_H
#define FAKE_QUERIES_H

#include "draw/query_pool.h"
#include "fake_device.h"
#include "fake_memory.h"

static VkResult fence_status;
static VkQueryType created_type;
static VkQueryPipelineStatisticFlags created_statistics;
static uint64_t native_results[4]; /* of any query: values, and whether they are available */

static VkResult create_query_pool(VkDevice d, const VkQueryPoolCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkQueryPool *made)
{
    created_type = info->queryType;
    created_statistics = info->pipelineStatistics;
    return fake_CreateQueryPool(d, info, allocator, made);
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

static VkResult get_fence_status(VkDevice d, VkFence fence)
{
    (void)d, (void)fence;
    return fence_status;
}

/* The entries of a dispatch table for queries and memory. */
#define FAKE_QUERY_DISPATCH                                                                        \
    FAKE_MEMORY_DISPATCH, .CreateQueryPool = create_query_pool,                                    \
                          .DestroyQueryPool = fake_DestroyQueryPool,                               \
                          .GetQueryPoolResults = get_results, .CreateFence = fake_CreateFence,     \
                          .DestroyFence = fake_DestroyFence, .GetFenceStatus = get_fence_status

/* Before `dev` is filled in. */
static inline void prepare_memory(void)
{
    fakes_reset(32);
    physical = (struct pgs_physical_device){
        .emulates = true, .emulates_xfb = true, .memory = FAKE_MEMORY_TYPES};
}

/* Of a device that is open; and to be closed when nothing uses them. */
static inline int open_memory(void)
{
    return pgs_heap_create(&dev) == VK_SUCCESS && pgs_query_device_create(&dev) == VK_SUCCESS ? 0
                                                                                              : -1;
}

/* 0: nothing is left but query pools of the driver. */
static inline int close_memory(void)
{
    pgs_query_device_destroy(&dev);
    pgs_heap_destroy(&dev);
    return fakes.alive[FAKE_BUFFER] || fakes.alive[FAKE_MEMORY] || fakes.alive[FAKE_FENCE];
}

#endif
