/* SPDX-License-Identifier: MIT
 *
 * Query pools whose values the layer counts: all of them (transform feedback, primitives
 * generated) or some (pipeline statistics). The application's handle is a pool of the driver: a
 * placeholder, or the one in which the driver counts its part. Our values lie in memory that the
 * host and the feedback kernel see. (Vulkan specification, chapter "Queries".) A public header of
 * draw/.
 */
#ifndef PGS_DRAW_QUERY_POOL_H
#define PGS_DRAW_QUERY_POOL_H

#include "memory/memory.h"
#include "poly_gs/query.h"

/* The VkQueryPipelineStatisticFlags that the layer counts; PGS_STATISTIC_* are the numbers of the
 * bits. The driver would count the shaders by which the layer replaces the application's. Draws
 * that the driver tessellates itself are counted by the layer, too. */
#define PGS_OWN_STATISTICS                                                                         \
    (VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |                                     \
     VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |                                 \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |                                  \
     VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT |                         \
     VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT)

/* The statistics of which the driver counts none. */
static inline VkQueryPipelineStatisticFlags pgs_statistics_of_layer(const struct pgs_device *device)
{
    return device->physical->counts_statistics ? ~(VkQueryPipelineStatisticFlags)0
                                               : (VkQueryPipelineStatisticFlags)PGS_OWN_STATISTICS;
}

/* Immutable after its creation, except what the memory holds. */
struct pgs_query_pool {
    VkQueryPool handle;
    VkQueryType type;
    uint32_t count;
    uint32_t stride_B;     /* of a query in memory: its available word and our values */
    uint32_t result_count; /* values of a result */
    uint8_t sources[PGS_QUERY_MAX_VALUES]; /* of them: PGS_QUERY_SOURCE_* */
    uint32_t driver_count;                 /* values that the driver counts; 0: a placeholder */
    bool counts_compute;                   /* the driver's COMPUTE_SHADER_INVOCATIONS are wanted */
    struct pgs_linear *linear;
    struct pgs_range memory;
};

/* Sets dev->queries, which devices with dev->feedback need. Out of host memory leaves it NULL. */
VkResult pgs_query_device_create(struct pgs_device *dev);
/* Frees pools that the application did not destroy. dev->queries may be NULL. */
void pgs_query_device_destroy(struct pgs_device *dev);

/* NULL: the driver alone counts in the pool. Thread-safe. */
struct pgs_query_pool *pgs_query_pool_find(const struct pgs_device *dev, VkQueryPool handle);

/* Address of the query's first word, for pgs_batch_end_query; its values lie at
 * PGS_QUERY_VALUES_B. */
VkDeviceAddress pgs_query_address(const struct pgs_query_pool *pool, uint32_t query);

#endif
