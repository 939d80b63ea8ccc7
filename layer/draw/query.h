/* SPDX-License-Identifier: MIT
 *
 * Query pools that the layer counts, wholly (transform feedback, primitives generated) or beside
 * the driver (pipeline statistics). The application's handle is a pool of the driver's: a
 * placeholder, or where the driver counts its part. Our values lie in memory beside it, which
 * the host and the feedback kernel see. (Vulkan specification, chapter "Queries".)
 */
#ifndef PGS_DRAW_QUERY_H
#define PGS_DRAW_QUERY_H

#include "memory/memory.h"
#include "poly_gs/query.h"

/* What the layer counts of VkQueryPipelineStatisticFlags: PGS_STATISTIC_* has the numbers of the
 * bits. The driver would count the stages that draws are made of below. Draws that it tessellates
 * itself are counted by us, too, beside it. */
#define PGS_OWN_STATISTICS                                                                         \
    (VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |                                     \
     VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |                                 \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |                                  \
     VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT |                         \
     VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT)

/* Immutable from its creation on, but for what the memory holds. */
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

/* Sets dev->queries; for dev->feedback. Out of host memory leaves it NULL. */
VkResult pgs_query_room_create(struct pgs_device *dev);
/* Frees what is left of pools that the application did not destroy. dev->queries may be NULL. */
void pgs_query_room_destroy(struct pgs_device *dev);

/* NULL: the pool is the driver's alone. Thread-safe. */
struct pgs_query_pool *pgs_query_pool_find(const struct pgs_device *dev, VkQueryPool handle);

/* Of the query's first word, for pgs_batch_end_query; its values lie at PGS_QUERY_VALUES_B. */
VkDeviceAddress pgs_query_address(const struct pgs_query_pool *pool, uint32_t query);

/* Writes one result as vkGetQueryPoolResults has it (VkQueryResultFlags), and returns the bytes
 * that it takes. What is not available is not written unless `flags` ask for partial results. */
size_t pgs_query_pack(void *target, const uint64_t *values, uint32_t count, bool available,
                      VkQueryResultFlags flags);

/* The following record outside of render passes, with the barriers to earlier and later work of
 * ours around them. What the driver counts is the caller's business, but for copies. */
void pgs_query_record_reset(const struct pgs_device *dev, VkCommandBuffer cb,
                            const struct pgs_query_pool *pool, uint32_t first, uint32_t count);
/* `own_dispatches`: compute invocations of ours that the driver counted while the query was active.
 */
void pgs_query_record_end(const struct pgs_device *dev, VkCommandBuffer cb,
                          const struct pgs_query_pool *pool, uint32_t query,
                          uint64_t own_dispatches);
/* Results that the feedback kernel wrote become visible to the host. */
void pgs_query_record_to_host(const struct pgs_device *dev, VkCommandBuffer cb);

/* The following disturb the compute bind point and push constants, which the caller restores, and
 * add to *invocations what they dispatch. Memory that they take from `linear` must live as long as
 * the commands. */

/* Moves statistics between two addresses of values: what a secondary counted for a query that it
 * does not know, and that query; to == 0: nobody wants them. Begins anew at `from`. */
VkResult pgs_query_record_drain(struct pgs_device *dev, VkCommandBuffer cb,
                                const struct pgs_query_drain *drain, struct pgs_linear *linear,
                                uint64_t *invocations);

/* Adds what the grids of draws dispatched to a value. */
VkResult pgs_query_record_grids(struct pgs_device *dev, VkCommandBuffer cb,
                                const struct pgs_query_grids *grids, struct pgs_linear *linear,
                                uint64_t *invocations);

/* vkCmdCopyQueryPoolResults. */
struct pgs_query_copy_call {
    uint32_t first, count; /* not 0 */
    VkBuffer target;
    VkDeviceSize offset_B, stride_B;
    VkQueryResultFlags flags;
};
VkResult pgs_query_record_copy(struct pgs_device *dev, VkCommandBuffer cb,
                               const struct pgs_query_pool *pool,
                               const struct pgs_query_copy_call *call, struct pgs_linear *linear,
                               uint64_t *invocations);

#endif
