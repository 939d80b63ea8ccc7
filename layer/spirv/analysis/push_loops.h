/* SPDX-License-Identifier: MIT
 *
 * Loops that go round as often as a number in the push constants says. How long a shader runs is
 * known when it is drawn, then.
 */
#ifndef PGS_SPIRV_ANALYSIS_PUSH_LOOPS_H
#define PGS_SPIRV_ANALYSIS_PUSH_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

struct pgs_spv_list;
struct pgs_spv_module;

#define PGS_SPV_PUSH_LOOPS 6

struct pgs_spv_push_loops {
    uint32_t count;
    uint32_t at_w[PGS_SPV_PUSH_LOOPS]; /* word of the push constants: the times, as a uint */
};

/* True if the loop whose OpLoopMerge is code->items[at] is one, as far as its form tells: it counts
 * a variable or an OpPhi up by one, from a number that is not negative. Its word is added to
 * *loops, if that is not NULL. False: it is not, or there are too many. */
bool pgs_spv_add_push_loop(const struct pgs_spv_module *m, const struct pgs_spv_list *code,
                           uint32_t at, struct pgs_spv_push_loops *loops);

/* Adds all that are in the functions. False: there are others, or too many. */
bool pgs_spv_add_push_loops(const struct pgs_spv_module *m, struct pgs_spv_push_loops *loops);

/* Adds those of another shader. False: there are too many. */
bool pgs_spv_join_push_loops(struct pgs_spv_push_loops *loops,
                             const struct pgs_spv_push_loops *others);

/* How often all of them together let something run at most, whatever stands in what. UINT32_MAX:
 * that or more. push: 64 words, which Vulkan's largest limit is. */
static inline uint32_t pgs_spv_push_times(const struct pgs_spv_push_loops *loops,
                                          const uint32_t *push)
{
    uint64_t times = 1;
    for (uint32_t i = 0; i < loops->count; i++) {
        times *= (uint64_t)push[loops->at_w[i]] + 1;
        if (times >= UINT32_MAX)
            return UINT32_MAX;
    }
    return (uint32_t)times;
}

#endif
