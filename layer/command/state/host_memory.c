/* SPDX-License-Identifier: MIT
 *
 * Host-visible memory of a command buffer.
 */
#include "command/state/host_memory.h"

#include "command/state/buffer.h"

struct pgs_linear *pgs_query_memory(struct pgs_command_buffer *cb)
{
    if (!cb->queries.memory)
        pgs_recorder_latch(&cb->recorder,
                           pgs_linear_create(cb->dev, PGS_MEMORY_QUERIES, &cb->queries.memory));
    return cb->queries.memory;
}
