/* SPDX-License-Identifier: MIT
 *
 * What a device learns of pipelines from what their draws did: a word of each kind, by the number
 * of the pipeline. Pipelines whose numbers share a slot forget what was learnt of each other. A
 * public header of vulkan/.
 *
 * Any thread may ask and learn. What gets lost when two do at once does not matter: the next draws
 * tell it again.
 */
#ifndef PGS_VULKAN_LEARNED_H
#define PGS_VULKAN_LEARNED_H

#include <stdatomic.h>
#include <stdint.h>

/* Of each table by a pipeline's number, also of what inline draws took (draw/tier.h). */
#define PGS_TIER_SLOTS 256

enum pgs_learned_kind {
    PGS_LEARNED_EMITS,   /* packed by draw/emits.c */
    PGS_LEARNED_PATCHES, /* more_each of struct pgs_plan_rules */
    PGS_LEARNED_ROUNDS,  /* units of a pool that an indirect draw needed that went in rounds */
    PGS_LEARNED_COUNT
};

struct pgs_learned {
    /* The pipeline's number, and in the low half what was learnt. */
    _Atomic uint64_t words[PGS_LEARNED_COUNT][PGS_TIER_SLOTS];
};

/* number: of the pipeline, which may be gone. 0: nothing was learnt. */
static inline uint32_t pgs_learned_of(const struct pgs_learned *learned, enum pgs_learned_kind kind,
                                      uint32_t number)
{
    const uint64_t word =
        atomic_load_explicit(&learned->words[kind][number % PGS_TIER_SLOTS], memory_order_relaxed);
    return word >> 32 == number ? (uint32_t)word : 0;
}

static inline void pgs_learn(struct pgs_learned *learned, enum pgs_learned_kind kind,
                             uint32_t number, uint32_t value)
{
    atomic_store_explicit(&learned->words[kind][number % PGS_TIER_SLOTS],
                          (uint64_t)number << 32 | value, memory_order_relaxed);
}

/* Of all pipelines. */
static inline void pgs_forget_learned(struct pgs_learned *learned, enum pgs_learned_kind kind)
{
    for (uint32_t i = 0; i < PGS_TIER_SLOTS; i++)
        atomic_store_explicit(&learned->words[kind][i], 0, memory_order_relaxed);
}

#endif
