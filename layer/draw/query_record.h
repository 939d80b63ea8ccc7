/* SPDX-License-Identifier: MIT
 *
 * Query commands, recorded outside of render passes. Each records the barriers to earlier and later
 * work of the layer. The caller handles what the driver counts, except in copies. A public header
 * of draw/.
 */
#ifndef PGS_DRAW_QUERY_RECORD_H
#define PGS_DRAW_QUERY_RECORD_H

#include "draw/query_pool.h"

void pgs_query_record_reset(const struct pgs_device *dev, VkCommandBuffer cb,
                            const struct pgs_query_pool *pool, uint32_t first, uint32_t count);

/* `own_dispatches`: compute invocations of the layer that the driver counted while the query was
 * active. */
void pgs_query_record_end(const struct pgs_device *dev, VkCommandBuffer cb,
                          const struct pgs_query_pool *pool, uint32_t query,
                          uint64_t own_dispatches);

/* Makes results that the feedback kernel wrote visible to the host. */
void pgs_query_record_to_host(const struct pgs_device *dev, VkCommandBuffer cb);

/* The functions below clobber the compute bind point and push constants, which the caller restores,
 * and add to *invocations what they dispatch. Memory from `linear` must live as long as the
 * commands. Errors: out of host or device memory. */

/* Adds statistics at drain->from, which a secondary counted for a query that it does not know, to
 * those at drain->to (0: dropped), and clears drain->from. */
VkResult pgs_query_record_drain(struct pgs_device *dev, VkCommandBuffer cb,
                                const struct pgs_query_drain *drain, struct pgs_linear *linear,
                                uint64_t *invocations);

/* Adds the invocations of dispatches whose grids the GPU wrote to a value. */
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
