/* SPDX-License-Identifier: MIT
 *
 * Queries on the host: resets and results.
 */
#include "draw/query_result.h"

#include "draw/query_pool.h"
#include "vulkan/hooks.h"

#include <string.h>
#include <time.h>

static unsigned char *query_words(const struct pgs_query_pool *pool, uint32_t query)
{
    return (unsigned char *)pool->memory.mapped + (size_t)query * pool->stride_B;
}

/* The GPU writes this word last. */
static bool is_available(const struct pgs_query_pool *pool, uint32_t query)
{
    const uint32_t *words = (const uint32_t *)query_words(pool, query);
    return __atomic_load_n(&words[PGS_QUERY_AVAILABLE_W], __ATOMIC_ACQUIRE) != 0;
}

size_t pgs_query_pack(void *target, const uint64_t *values, uint32_t count, bool available,
                      VkQueryResultFlags flags)
{
    const size_t value_B = flags & VK_QUERY_RESULT_64_BIT ? sizeof(uint64_t) : sizeof(uint32_t);
    unsigned char *to = target;
    const bool written = available || flags & VK_QUERY_RESULT_PARTIAL_BIT;
    for (uint32_t i = 0; i < count; i++, to += value_B) {
        const uint32_t low = (uint32_t)values[i];
        if (written)
            memcpy(to, value_B == sizeof(low) ? (const void *)&low : &values[i], value_B);
    }
    if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) {
        const uint64_t word = available;
        const uint32_t low = available;
        memcpy(to, value_B == sizeof(low) ? (const void *)&low : &word, value_B);
        to += value_B;
    }
    return (size_t)(to - (unsigned char *)target);
}

/* Polls at growing intervals. An unsignalled fence reports a lost device, which would never write
 * the word. */
static VkResult wait_available(const struct pgs_device *dev, const struct pgs_query_pool *pool,
                               uint32_t query)
{
    enum { FIRST_NS = 1000, LONGEST_NS = 500000 };
    if (is_available(pool, query))
        return VK_SUCCESS;
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    VkResult result = dev->vk.CreateFence(dev->handle, &info, NULL, &fence);
    if (result != VK_SUCCESS)
        return result;
    struct timespec pause = {.tv_nsec = FIRST_NS};
    while (!is_available(pool, query)) {
        result = dev->vk.GetFenceStatus(dev->handle, fence);
        if (result < 0)
            break;
        result = VK_SUCCESS;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < LONGEST_NS)
            pause.tv_nsec += pause.tv_nsec / 4;
    }
    dev->vk.DestroyFence(dev->handle, fence, NULL);
    return result;
}

/* Reads the driver's values of a query and whether they are available. Waits if `flags` ask for
 * it. */
static VkResult read_driver(const struct pgs_device *dev, const struct pgs_query_pool *pool,
                            uint32_t query, VkQueryResultFlags flags, uint64_t *values,
                            bool *available)
{
    const size_t size_B = (pool->driver_count + 1) * sizeof(*values);
    flags &= VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_PARTIAL_BIT;
    flags |= VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
    memset(values, 0, size_B);
    const VkResult result = dev->vk.GetQueryPoolResults(dev->handle, pool->handle, query, 1, size_B,
                                                        values, size_B, flags);
    *available = values[pool->driver_count] != 0;
    return result == VK_NOT_READY ? VK_SUCCESS : result;
}

/* `values` has room for PGS_QUERY_MAX_VALUES. */
static VkResult read_query(const struct pgs_device *dev, const struct pgs_query_pool *pool,
                           uint32_t query, VkQueryResultFlags flags, uint64_t *values,
                           bool *available)
{
    uint64_t driver[PGS_QUERY_MAX_VALUES + 1] = {0};
    bool driver_available = true;
    VkResult result = VK_SUCCESS;
    if (pool->driver_count)
        result = read_driver(dev, pool, query, flags, driver, &driver_available);
    if (result == VK_SUCCESS && flags & VK_QUERY_RESULT_WAIT_BIT)
        result = wait_available(dev, pool, query);
    *available = driver_available && is_available(pool, query);
    const unsigned char *words = query_words(pool, query);
    uint64_t ours[PGS_STATISTIC_COUNT] = {0};
    memcpy(ours, words + PGS_QUERY_VALUES_B, pool->stride_B - PGS_QUERY_VALUES_B);
    for (uint32_t i = 0; i < pool->result_count; i++) {
        const uint32_t source = pool->sources[i], index = source & PGS_QUERY_SOURCE_VALUE;
        values[i] = source & PGS_QUERY_SOURCE_DRIVER ? driver[index] : ours[index];
        if (source & PGS_QUERY_SOURCE_OWN)
            values[i] -= ours[PGS_STATISTIC_OWN_DISPATCHES] + ours[PGS_STATISTIC_OWN_GRIDS];
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_GetQueryPoolResults(VkDevice device, VkQueryPool queryPool,
                                                       uint32_t firstQuery, uint32_t queryCount,
                                                       size_t dataSize, void *pData,
                                                       VkDeviceSize stride,
                                                       VkQueryResultFlags flags)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    const struct pgs_query_pool *pool = pgs_query_pool_find(dev, queryPool);
    if (!pool)
        return dev->vk.GetQueryPoolResults(device, queryPool, firstQuery, queryCount, dataSize,
                                           pData, stride, flags);
    VkResult all = VK_SUCCESS;
    for (uint32_t i = 0; i < queryCount; i++) {
        uint64_t values[PGS_QUERY_MAX_VALUES], packed[PGS_QUERY_MAX_VALUES + 1];
        bool available;
        const VkResult result = read_query(dev, pool, firstQuery + i, flags, values, &available);
        if (result != VK_SUCCESS)
            return result;
        if (!available && !(flags & VK_QUERY_RESULT_PARTIAL_BIT))
            all = VK_NOT_READY;
        const VkDeviceSize at_B = i * stride;
        const size_t size_B = pgs_query_pack(packed, values, pool->result_count, true, flags);
        if (at_B <= dataSize && size_B <= dataSize - at_B)
            pgs_query_pack((unsigned char *)pData + at_B, values, pool->result_count, available,
                           flags);
    }
    return all;
}

VKAPI_ATTR void VKAPI_CALL pgs_ResetQueryPool(VkDevice device, VkQueryPool queryPool,
                                              uint32_t firstQuery, uint32_t queryCount)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    const struct pgs_query_pool *pool = pgs_query_pool_find(dev, queryPool);
    if (pool)
        memset(query_words(pool, firstQuery), 0, (size_t)queryCount * pool->stride_B);
    if (!pool || pool->driver_count)
        dev->vk.ResetQueryPool(device, queryPool, firstQuery, queryCount);
}
