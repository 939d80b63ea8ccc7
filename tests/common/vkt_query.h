/* SPDX-License-Identifier: MIT */
#ifndef PGS_TESTS_COMMON_VKT_QUERY_H
#define PGS_TESTS_COMMON_VKT_QUERY_H

#include "common/vkt.h"

/* `statistics`: 0 unless the type is VK_QUERY_TYPE_PIPELINE_STATISTICS. Destroyed by vkt_finish. */
VkQueryPool vkt_query_pool(struct vkt *t, VkQueryType type, uint32_t count,
                           VkQueryPipelineStatisticFlags statistics);

#endif
