/* SPDX-License-Identifier: MIT
 *
 * Host-visible memory of a command buffer.
 */
#ifndef PGS_COMMAND_STATE_HOST_MEMORY_H
#define PGS_COMMAND_STATE_HOST_MEMORY_H

#include "memory/memory.h"

struct pgs_command_buffer;

/* Memory for queries and inherited conditions, freed when the command buffer is reset. NULL: out of
 * memory, which is latched. */
struct pgs_linear *pgs_query_memory(struct pgs_command_buffer *cb);

#endif
