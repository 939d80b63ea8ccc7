/* SPDX-License-Identifier: MIT
 *
 * Statistics that a secondary counts for inherited queries.
 */
#ifndef PGS_COMMAND_STATE_QUERY_STATE_H
#define PGS_COMMAND_STATE_QUERY_STATE_H

#include "command/state/buffer.h"

/* Call it when a secondary begins that inherits these statistics (VkQueryPipelineStatisticFlags).
 * It counts for a query that it does not know. */
void pgs_query_inherit(struct pgs_command_buffer *cb, VkQueryPipelineStatisticFlags statistics);

/* Where a statistics query with these values counts the layer's own dispatches. */
VkDeviceAddress pgs_query_own_grids(VkDeviceAddress values);

/* Which statistics of a secondary go where when `cb` executes it. Without a source: none. */
struct pgs_query_drain pgs_query_drain_of(const struct pgs_command_buffer *cb,
                                          const struct pgs_command_buffer *secondary);

/* Records the move. Outside of passes only. Does nothing without a source. */
void pgs_query_record_drained(struct pgs_command_buffer *cb, const struct pgs_query_drain *drain);

#endif
