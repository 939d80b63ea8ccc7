/* SPDX-License-Identifier: MIT
 *
 * The feedback program of a batch (poly_gs/feedback.h): what happens to counters and queries, in
 * order. It is complete after every step, so that recording it cannot fail. Internal to draw/.
 */
#ifndef PGS_DRAW_PROGRAM_H
#define PGS_DRAW_PROGRAM_H

#include "base/array.h"
#include "memory/memory.h"
#include "poly_gs/feedback.h"

/* Zero-initialised is the empty program. */
struct pgs_program {
    PGS_ARRAY(struct pgs_feedback_op) ops; /* what `range` holds: mapped memory is slow to read */
    struct pgs_range range; /* upload memory: struct pgs_feedback_program and its ops */
    size_t capacity;        /* ops that range has room for */
    /* What the program comes to where nothing else is to be found: as long as that may be, what its
     * ends store, and addresses of struct pgs_interval_end. */
    bool must_run;
    bool ended;           /* some interval has */
    VkDeviceAddress open; /* the interval that was gone on with and has not ended; 0: none */
    PGS_ARRAY(struct pgs_feedback_end) stores;
    PGS_ARRAY(VkDeviceAddress) ends;
};

void pgs_program_finish(struct pgs_program *program);

/* No ops, in memory of its own: what was recorded stays as it is until the allocator's reset. */
void pgs_program_restart(struct pgs_program *program);

/* Makes room for `extra` more ops. On failure the program is as it was. */
VkResult pgs_program_reserve(struct pgs_program *program, struct pgs_linear *upload, size_t extra);

/* An interval ends, and the CPU knows how. On failure the program is as it was. */
VkResult pgs_program_end(struct pgs_program *program, struct pgs_linear *upload,
                         const struct pgs_interval_end *end);

/* False: `ends` do what the program would. */
static inline bool pgs_program_runs(const struct pgs_program *program)
{
    return program->ops.count && (program->must_run || program->open);
}

/* Cannot fail: room for the op is reserved. */
void pgs_program_add(struct pgs_program *program, const struct pgs_feedback_op *op);

#endif
