/* SPDX-License-Identifier: MIT
 *
 * Chains: calls of one stored draw that follow each other, listed and drawn at once. Each array of
 * such a draw has the parts of all calls one after the other. So the arrays of some calls in a row
 * are those of one larger draw, and a record that says so is all that the kernels need to write one
 * list of indices. Internal to draw/.
 */
#ifndef PGS_DRAW_CHAIN_H
#define PGS_DRAW_CHAIN_H

#include "draw/compute.h"
#include "draw/replay.h"

#define PGS_CHAIN_ARRAYS 10
#define PGS_CHAIN_WORDS (PGS_RECORD_PUSH_B / 8)
/* From here on to push, records have what only the kernels read that list indices. Those of calls
 * do without until they are sealed, since few are lists themselves. */
#define PGS_CHAIN_LIST_B 192

/* Which arrays a call has, as members of struct pgs_draw_record, and what each takes of them. */
struct pgs_chain_arrays {
    uint32_t count;
    uint16_t members[PGS_CHAIN_ARRAYS];
    VkDeviceSize call_B[PGS_CHAIN_ARRAYS];
};

/* The calls of one replacement. */
struct pgs_chain {
    struct pgs_chain *next;
    const struct pgs_replacement *replacement;
    VkDeviceAddress record; /* from which their indices are listed; 0: not sealed yet */
};

/* The chains of a draw, in order. */
struct pgs_chains {
    struct pgs_chain *first, **end;
    uint32_t max_calls;               /* of a chain */
    uint64_t record[PGS_CHAIN_WORDS]; /* what is in front of push in the record of the first call */
    uint64_t steps[PGS_CHAIN_WORDS];  /* of struct pgs_record_lines */
};

/* True if calls of the draw, which can be repeated, may be chained: if each is a tile, nothing in
 * its arrays spans all GS invocations of a call, and the GPU writes its arguments. */
bool pgs_can_chain(const struct pgs_draw *draw);

/* Finds the arrays of a draw that can be chained. */
void pgs_chain_arrays_find(const struct pgs_draw *draw, struct pgs_chain_arrays *arrays);

/* Bytes of scratch that the arrays of so many calls take. */
VkDeviceSize pgs_chain_size(const struct pgs_chain_arrays *arrays, uint32_t calls);

/* Gives the draw and the record of its first call their places in draw->scratch, which has room for
 * so many calls. */
void pgs_chain_place(struct pgs_draw *draw, const struct pgs_chain_arrays *arrays, uint32_t calls,
                     struct pgs_draw_record *record);

/* Makes draw->chains of a draw with room for so many calls. `record`: of its first call. Errors:
 * out of host memory. */
VkResult pgs_chains_begin(struct pgs_draw *draw, struct pgs_arena *arena,
                          const struct pgs_draw_record *record,
                          const uint64_t steps[PGS_CHAIN_WORDS], uint32_t calls);

/* Adds the chain of a replacement, if its draw has chains. It may get more calls until it is
 * sealed. Errors: out of host memory. */
VkResult pgs_chains_add(struct pgs_arena *arena, const struct pgs_replacement *replacement);

/* No replacement gets any more calls: writes the records that the chains of these draws lack.
 * Errors: out of host or device memory. */
VkResult pgs_chains_seal(const struct pgs_draw *draws, struct pgs_linear *upload);

/* True if the next call begins another chain. */
static inline bool pgs_chain_is_full(const struct pgs_draw *draw,
                                     const struct pgs_replacement *replacement)
{
    return draw->chains && replacement->count >= draw->chains->max_calls;
}

/* GS invocations of the calls of the chain. */
static inline uint32_t pgs_chain_gs_invocations(const struct pgs_draw *draw,
                                                const struct pgs_chain *chain)
{
    return draw->subdraws[0].gs_invocations * chain->replacement->count;
}

#endif
