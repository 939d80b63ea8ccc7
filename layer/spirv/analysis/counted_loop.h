/* SPDX-License-Identifier: MIT
 *
 * A loop that emits vertices, any time of which can be run without those before.
 */
#ifndef PGS_SPIRV_ANALYSIS_COUNTED_LOOP_H
#define PGS_SPIRV_ANALYSIS_COUNTED_LOOP_H

#include "spirv/analysis/emit_loops.h"

/* It counts up by one to a number that it does not change, emits equally many vertices each time,
 * and hands nothing but the counter on to the next time. Behind it nothing comes but ends of
 * strips. */
struct pgs_spv_counted_loop {
    const uint32_t *merge;         /* its OpLoopMerge */
    uint32_t before, header, test; /* blocks: the one that leads to it, and the one that ends it */
    uint32_t counter;              /* a variable, or with is_phi a result of the header */
    bool is_phi;
    uint32_t compare, value, bound; /* results in the test: value < bound goes on */
    bool is_inclusive;              /* value <= bound does */
    uint32_t each;                  /* vertices */
};

/* Finds the first one of the entry point. */
bool pgs_spv_find_counted_loop(const struct pgs_spv_emit_loops *loops,
                               struct pgs_spv_counted_loop *loop);

/* Likewise before pgs_spv_replace_emits. */
bool pgs_spv_has_counted_loop(struct pgs_spv_module *m);

/* For instructions of the test: true if the test is computed by it, and could be elsewhere. */
bool pgs_spv_is_of_test(const uint32_t *ins);

/* Word of an OpPhi with the value from that block; 0: there is none. */
uint32_t pgs_spv_way_word(const struct pgs_spv_emit_loops *loops, const uint32_t *phi,
                          uint32_t block);

#endif
