/* SPDX-License-Identifier: MIT */
#include "common/vkt_query.h"

VkQueryPool vkt_query_pool(struct vkt *t, VkQueryType type, uint32_t count,
                           VkQueryPipelineStatisticFlags statistics)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = type,
        .queryCount = count,
        .pipelineStatistics = statistics,
    };
    VkQueryPool pool;
    VKT_CALL(vkCreateQueryPool(t->device, &info, NULL, &pool));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)pool);
    return pool;
}
