/* SPDX-License-Identifier: MIT
 *
 * Which queue uses the memory of a command buffer; see queue_order.h.
 */
#ifndef PGS_COMMAND_STATE_MEMORY_USE_H
#define PGS_COMMAND_STATE_MEMORY_USE_H

#include "base/array.h"

#include <stdint.h>

struct pgs_command_buffer;
struct pgs_ordered_queue;

/* What a command buffer knows of its memory. */
struct pgs_memory_use {
    bool simultaneous; /* begun with SIMULTANEOUS_USE */
    /* Secondaries with such memory that it executes, and those that they execute. */
    PGS_ARRAY(struct pgs_command_buffer *) secondaries;
    /* Where it was executed last; guarded by the order. NULL: nowhere since it was reset. */
    struct pgs_ordered_queue *queue;
    uint64_t value; /* that the queue signals afterwards */
};

#endif
