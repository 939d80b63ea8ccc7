/* SPDX-License-Identifier: MIT
 *
 * Queries of a command buffer that the layer counts: what the rest of the room does for them.
 */
#ifndef PGS_COMMAND_QUERY_H
#define PGS_COMMAND_QUERY_H

#include "draw/query.h"

struct pgs_command_buffer;

struct pgs_query_state {
    struct pgs_linear *memory; /* see pgs_query_memory */
    /* Statistics of a secondary, as of a query: those of the primary's, which it does not know. No
     * buffer: there are none. */
    struct pgs_range inherited;
    /* Where invocations of dispatches go whose grids the GPU writes: a value of the active query,
     * or of `inherited`; 0: nobody asks. */
    VkDeviceAddress own_grids;
    uint64_t own_invocations; /* of compute shaders, dispatched by us since Begin */
    uint64_t own_before;      /* those when the active statistics query began */
};

/* Host-visible memory for what queries and inherited conditions need until the command buffer is
 * reset. NULL: out of memory, and latched. */
struct pgs_linear *pgs_query_memory(struct pgs_command_buffer *cb);

/* A secondary begins that inherits these statistics (VkQueryPipelineStatisticFlags): it counts for
 * a query that it does not know. */
void pgs_query_inherit(struct pgs_command_buffer *cb, VkQueryPipelineStatisticFlags statistics);

/* What of a secondary's statistics goes where, now that `cb` executes it; no source: nothing. */
struct pgs_query_drain pgs_query_drain_of(const struct pgs_command_buffer *cb,
                                          const struct pgs_command_buffer *secondary);
/* Outside of a pass. Does nothing without a source. */
void pgs_query_record_drained(struct pgs_command_buffer *cb, const struct pgs_query_drain *drain);

#endif
