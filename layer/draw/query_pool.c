/* SPDX-License-Identifier: MIT
 *
 * Creates, finds and destroys query pools.
 */
#include "draw/query_pool.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/map.h"
#include "pipeline/pipeline.h"
#include "pipeline/possible.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>
#include <string.h>

struct pgs_query_device {
    struct pgs_map pools; /* VkQueryPool -> struct pgs_query_pool */
    _Atomic bool warned;  /* of statistics that are 0 */
};

VkResult pgs_query_device_create(struct pgs_device *dev)
{
    struct pgs_query_device *queries = pgs_calloc(1, sizeof(*queries));
    if (!queries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&queries->warned, false);
    if (!pgs_map_init(&queries->pools)) {
        pgs_free(queries);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    dev->queries = queries;
    return VK_SUCCESS;
}

static void free_pool(struct pgs_query_pool *pool)
{
    if (!pool)
        return;
    pgs_linear_destroy(pool->linear);
    pgs_free(pool);
}

static void visit_left_pool(uint64_t key, void *value, void *context)
{
    (void)key, (void)context;
    free_pool(value);
}

void pgs_query_device_destroy(struct pgs_device *dev)
{
    if (!dev->queries)
        return;
    pgs_map_finish(&dev->queries->pools, visit_left_pool, NULL);
    pgs_free(dev->queries);
    dev->queries = NULL;
}

struct pgs_query_pool *pgs_query_pool_find(const struct pgs_device *dev, VkQueryPool handle)
{
    return dev->queries ? pgs_map_find(&dev->queries->pools, (uint64_t)handle) : NULL;
}

VkDeviceAddress pgs_query_address(const struct pgs_query_pool *pool, uint32_t query)
{
    return pool->memory.address + (VkDeviceSize)query * pool->stride_B;
}

static void count_plainly(struct pgs_query_pool *pool, uint32_t values)
{
    pool->stride_B = PGS_QUERY_VALUES_B + values * (uint32_t)sizeof(uint64_t);
    pool->result_count = values;
    for (uint32_t i = 0; i < values; i++)
        pool->sources[i] = (uint8_t)i;
}

/* Where the layer counts alone. What is counted behind clipping stays 0, and so do dispatches. */
static uint8_t source_without_driver(VkQueryPipelineStatisticFlags flag, uint32_t bit)
{
    if (flag & PGS_OWN_STATISTICS)
        return (uint8_t)bit; /* PGS_STATISTIC_* */
    return flag == VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT ? PGS_STATISTIC_CLIPPING
                                                                        : PGS_STATISTIC_ZERO;
}

/* Results are in the order of the statistics' bits, and so are the driver's own values. */
static void count_statistics(const struct pgs_device *dev, struct pgs_query_pool *pool,
                             VkQueryPipelineStatisticFlags bits)
{
    pool->stride_B = PGS_QUERY_VALUES_B + PGS_STATISTIC_COUNT * (uint32_t)sizeof(uint64_t);
    for (uint32_t bit = 0; bits >> bit; bit++) {
        const VkQueryPipelineStatisticFlags flag = UINT32_C(1) << bit;
        if (!(bits & flag))
            continue;
        if (dev->physical->counts_statistics) {
            pool->sources[pool->result_count++] = source_without_driver(flag, bit);
            continue;
        }
        uint32_t source = bit; /* PGS_STATISTIC_* */
        if (!(flag & PGS_OWN_STATISTICS))
            source = PGS_QUERY_SOURCE_DRIVER | pool->driver_count++;
        if (flag == VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT) {
            source |= PGS_QUERY_SOURCE_OWN;
            pool->counts_compute = true;
        }
        pool->sources[pool->result_count++] = (uint8_t)source;
    }
}

static struct pgs_query_pool *make_pool(struct pgs_device *dev, const VkQueryPoolCreateInfo *info)
{
    struct pgs_query_pool *pool = pgs_calloc(1, sizeof(*pool));
    if (!pool)
        return NULL;
    pool->type = info->queryType;
    pool->count = info->queryCount;
    if (info->queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        count_statistics(dev, pool, info->pipelineStatistics);
    else
        count_plainly(pool, info->queryType == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT ? 1 : 2);
    if (pgs_linear_create(dev, PGS_MEMORY_QUERIES, &pool->linear) != VK_SUCCESS) {
        pgs_free(pool);
        return NULL;
    }
    return pool;
}

/* Zeroed memory: no query is available before its first reset. */
static VkResult take_memory(struct pgs_query_pool *pool)
{
    const VkDeviceSize size_B = (VkDeviceSize)pool->count * pool->stride_B;
    const VkResult result =
        pgs_linear_alloc(pool->linear, size_B, PGS_QUERY_VALUES_B, &pool->memory);
    if (result == VK_SUCCESS)
        memset(pool->memory.mapped, 0, size_B);
    return result;
}

/* True if the layer counts any value of the pool. Its dispatches change the driver's count of
 * compute shader invocations. */
static bool is_ours(const struct pgs_device *dev, const VkQueryPoolCreateInfo *info)
{
    const VkQueryPipelineStatisticFlags affected =
        PGS_OWN_STATISTICS | VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
    switch ((int)info->queryType) {
    case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
    case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
        return dev->queries;
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
        return dev->queries &&
               (dev->physical->counts_statistics || (info->pipelineStatistics & affected));
    default:
        return false;
    }
}

/* Says once per device what it does not count. */
static void warn_of_zeros(struct pgs_device *dev, const VkQueryPoolCreateInfo *info)
{
    const VkQueryPipelineStatisticFlags counted =
        PGS_OWN_STATISTICS | VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT;
    if (dev->physical->counts_statistics && info->queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS &&
        (info->pipelineStatistics & ~counted) &&
        !atomic_exchange_explicit(&dev->queries->warned, true, memory_order_relaxed))
        pgs_log(PGS_LOG_WARN,
                "%s: statistics of primitives that clipping leaves, of fragment "
                "shaders and of compute shaders are 0 (poly_gs.statistics)",
                dev->physical->properties.deviceName);
}

/* The driver's pool: with what the driver counts, or a placeholder that is never read. */
static VkQueryPoolCreateInfo driver_info(const struct pgs_query_pool *pool,
                                         const VkQueryPoolCreateInfo *info)
{
    VkQueryPoolCreateInfo below = *info;
    below.pipelineStatistics &= ~(VkQueryPipelineStatisticFlags)PGS_OWN_STATISTICS;
    if (!pool->driver_count) {
        below.queryType = VK_QUERY_TYPE_OCCLUSION;
        below.pipelineStatistics = 0;
    }
    return below;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateQueryPool(VkDevice device,
                                                   const VkQueryPoolCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkQueryPool *pQueryPool)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!is_ours(dev, pCreateInfo))
        return dev->vk.CreateQueryPool(device, pCreateInfo, pAllocator, pQueryPool);
    *pQueryPool = VK_NULL_HANDLE;
    warn_of_zeros(dev, pCreateInfo);
    struct pgs_query_pool *pool = make_pool(dev, pCreateInfo);
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = take_memory(pool);
    if (result != VK_SUCCESS)
        goto fail_pool;
    const VkQueryPoolCreateInfo info = driver_info(pool, pCreateInfo);
    result = dev->vk.CreateQueryPool(device, &info, pAllocator, &pool->handle);
    if (result != VK_SUCCESS)
        goto fail_pool;
    if (!pgs_map_insert(&dev->queries->pools, (uint64_t)pool->handle, pool)) {
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
        goto fail_handle;
    }
    pgs_pipelines_note_possible(dev);
    *pQueryPool = pool->handle;
    return VK_SUCCESS;
fail_handle:
    dev->vk.DestroyQueryPool(device, pool->handle, pAllocator);
fail_pool:
    free_pool(pool);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyQueryPool(VkDevice device, VkQueryPool queryPool,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    /* Forget the handle before the driver frees it, since another thread may get the same one at
     * once. */
    if (dev->queries && queryPool)
        free_pool(pgs_map_remove(&dev->queries->pools, (uint64_t)queryPool));
    dev->vk.DestroyQueryPool(device, queryPool, pAllocator);
}
