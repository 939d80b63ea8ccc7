/* SPDX-License-Identifier: MIT
 *
 * The feedback program of a batch (poly_gs/xfb.h): the steps that change counters and queries,
 * in order. It is complete after every step, so that recording it cannot fail. Internal to draw/.
 */
#ifndef PGS_DRAW_PROGRAM_H
#define PGS_DRAW_PROGRAM_H

#include "base/array.h"
#include "memory/memory.h"
#include "pipeline/kernel.h"
#include "poly_gs/xfb.h"

/* Zero-initialised is the empty program. */
struct pgs_program {
    PGS_ARRAY(struct pgs_xfb_op)
    ops;                    /* copy of what `range` holds, since mapped memory is slow to read */
    struct pgs_range range; /* upload memory: struct pgs_xfb_program and its ops */
    size_t capacity;        /* ops that range has room for */
    /* While must_run is false, `ends` can replace the program: addresses of struct
     * pgs_interval_end, and what they store. */
    bool must_run;
    bool follows;         /* some end depends on the size of a draw */
    bool ended;           /* some interval has */
    VkDeviceAddress open; /* interval that continues and has not ended; 0: none */
    PGS_ARRAY(struct pgs_xfb_end) stores;
    PGS_ARRAY(VkDeviceAddress) ends;
};

void pgs_program_finish(struct pgs_program *program);

/* Empties the program. It gets new memory, since the GPU reads the old one until the allocator's
 * reset. */
void pgs_program_restart(struct pgs_program *program);

/* Makes room for `extra` more ops. On failure the program is unchanged. Errors: out of host or
 * device memory. */
VkResult pgs_program_reserve(struct pgs_program *program, struct pgs_linear *upload, size_t extra);

/* Adds the end of an interval whose offsets the CPU knows. On failure the program is unchanged. */
VkResult pgs_program_end(struct pgs_program *program, struct pgs_linear *upload,
                         const struct pgs_interval_end *end);

/* False: `ends` do the same as the program. */
static inline bool pgs_program_runs(const struct pgs_program *program)
{
    return program->ops.count && (program->must_run || program->open);
}

/* The kernel that runs the program or, if `ends` do, stores them. The program is complete. is_cpu:
 * compiling takes a CPU longer than the program. */
enum pgs_kernel pgs_program_kernel(const struct pgs_program *program, bool is_cpu);

/* Adds an op that belongs to no draw. Errors: as pgs_program_reserve. */
VkResult pgs_program_append(struct pgs_program *program, struct pgs_linear *upload,
                            const struct pgs_xfb_op *op);

/* Cannot fail, since pgs_program_reserve made room. */
void pgs_program_add(struct pgs_program *program, const struct pgs_xfb_op *op);

#endif
