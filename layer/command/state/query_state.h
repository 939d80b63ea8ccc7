/* SPDX-License-Identifier: MIT
 *
 * Statistics that a secondary counts for queries which it inherits.
 */
#ifndef PGS_COMMAND_STATE_QUERY_STATE_H
#define PGS_COMMAND_STATE_QUERY_STATE_H

#include "command/state/buffer.h"

/* A secondary begins that inherits these statistics (VkQueryPipelineStatisticFlags): it counts for
 * a query that it does not know. */
void pgs_query_inherit(struct pgs_command_buffer *cb, VkQueryPipelineStatisticFlags statistics);

/* Where a statistics query with these values counts dispatches of ours. */
VkDeviceAddress pgs_query_own_grids(VkDeviceAddress values);

/* What of a secondary's statistics goes where, now that `cb` executes it; no source: nothing. */
struct pgs_query_drain pgs_query_drain_of(const struct pgs_command_buffer *cb,
                                          const struct pgs_command_buffer *secondary);

/* Outside of a pass. Does nothing without a source. */
void pgs_query_record_drained(struct pgs_command_buffer *cb, const struct pgs_query_drain *drain);

#endif
