/* SPDX-License-Identifier: MIT
 *
 * Interprets a geometry shader without its inputs, to find emits that do not depend on them. A
 * value is a known 32-bit integer or bool, a float of which the bits are known, or unknown. An
 * instruction that is not understood makes its result unknown, or ends the walk as lost.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_WALK_H
#define PGS_SPIRV_ANALYSIS_EMIT_WALK_H

#include "spirv/ir/module.h"

#define PGS_SPV_EMIT_WALK_STEPS 65536u /* limit on instructions; a long one counts as several */
#define PGS_SPV_EMIT_WALK_CALLS 32
#define PGS_SPV_EMIT_WALK_CONSTRUCTS 128

enum pgs_spv_emit_walk_kind {
    PGS_SPV_UNKNOWN,
    PGS_SPV_NUMBER,  /* bits: 32 of an integer or a float, 1 of a bool */
    PGS_SPV_POINTER, /* bits: id of the variable that a parameter points to */
    PGS_SPV_PART,    /* bits: id of the variable that a parameter points into */
};

struct pgs_spv_emit_walk_value {
    uint32_t bits;
    uint8_t kind;   /* pgs_spv_emit_walk_kind */
    bool is_narrow; /* implementations may differ; see pgs_spv_emit_walk_assign
                     */
};

/* An open selection or loop, identified by its merge instruction. */
struct pgs_spv_emit_walk_construct {
    uint32_t header, merge; /* labels */
};

struct pgs_spv_emit_walk_frame {
    const uint32_t *call; /* NULL: the entry point */
    uint32_t at, block;   /* where the caller resumes */
    uint32_t first_construct;
};

struct pgs_spv_emit_walk;

/* Is told what the walk comes to, after the walk has noted it. Only the first two must be there. */
struct pgs_spv_emit_observer {
    void (*emit)(struct pgs_spv_emit_walk *w, uint32_t stream);
    void (*end_strip)(struct pgs_spv_emit_walk *w, uint32_t stream);
    /* Whatever neither emits nor branches nor calls. */
    void (*compute)(struct pgs_spv_emit_walk *w, const uint32_t *ins);
    /* Before the walk notes them: all of a block. from: the previous label, 0 if unknown. */
    void (*phis)(struct pgs_spv_emit_walk *w, uint32_t *const *phis, uint32_t count, uint32_t from);
    /* Ids of a parameter and its argument; of a call and what it returns, 0 if unknown. */
    void (*pass)(struct pgs_spv_emit_walk *w, uint32_t parameter, uint32_t argument);
    void (*leave)(struct pgs_spv_emit_walk *w, uint32_t call, uint32_t value);
    /* Blocks and functions that a search has found may run, or not, and any number of times, until
     * the block `merge` comes, 0: until their function returns. True: the observer has noted what
     * comes of that, phis and the result of the function included. */
    bool (*region)(struct pgs_spv_emit_walk *w, uint32_t merge);
    /* Otherwise: an instruction of them. */
    void (*skip)(struct pgs_spv_emit_walk *w, const uint32_t *ins);
    /* A branch whose condition is not known, and behind which something is emitted: the label with
     * which the walk goes on; 0, or no such function: it is lost. */
    uint32_t (*fork)(struct pgs_spv_emit_walk *w, const uint32_t *branch);
    /* The walk takes that way of a branch whose condition is known. */
    void (*choose)(struct pgs_spv_emit_walk *w, const uint32_t *branch, uint32_t label);
};

struct pgs_spv_emit_walk {
    struct pgs_spv_module *m;
    const struct pgs_spv_list *code;
    const struct pgs_spv_emit_observer *observer;
    void *observed; /* the observer's */
    /* Input variable with the number of the invocation, and that number; 0: not known. */
    uint32_t invocation_variable, invocation;
    struct pgs_spv_emit_walk_value *values; /* by id; for a variable, the scalar that it holds */
    uint32_t *place; /* by id of a label or function: index of the instruction after it; 0: none */
    struct pgs_spv_emit_walk_value *staged; /* phis of a block, which are evaluated together */
    uint32_t *seen;  /* by id of a label or function: the last search that visited it */
    uint32_t *found; /* labels and functions that a search found */
    uint32_t search, found_count;
    bool finds_end; /* the search has come to where it ends */
    uint32_t glsl;  /* id of the extended instructions */

    uint32_t steps;
    uint32_t at, block; /* next instruction; the label before it */
    uint32_t frame_count, construct_count;
    struct pgs_spv_emit_walk_frame frames[PGS_SPV_EMIT_WALK_CALLS];
    struct pgs_spv_emit_walk_construct constructs[PGS_SPV_EMIT_WALK_CONSTRUCTS];
    bool is_lost, is_done;
    bool skips_loop;    /* a loop was skipped, so the number of steps is unknown */
    bool skips_unknown; /* likewise, and push constants do not tell (push_loops.h) */
};

/* Word i of an instruction; 0, which is no id, if the instruction is shorter. */
static inline uint32_t pgs_spv_word(const uint32_t *ins, uint32_t i)
{
    return i < pgs_spv_length(ins) ? ins[i] : 0;
}

/* Returns false, and marks the walk as lost, when it exceeds its limit. */
static inline bool pgs_spv_emit_walk_spend(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    w->steps += 1 + pgs_spv_length(ins) / 16;
    w->is_lost = w->is_lost || w->steps > PGS_SPV_EMIT_WALK_STEPS;
    return !w->is_lost;
}

#endif
