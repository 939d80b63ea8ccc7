/* SPDX-License-Identifier: MIT
 *
 * The part of the fake draw module that says how draws are divided.
 */
#ifndef PGS_TESTS_MOCK_FAKE_ROUNDS_H
#define PGS_TESTS_MOCK_FAKE_ROUNDS_H

#include "draw/batch.h"

/* Vertices of the call, draws, or the part of a round. */
static inline uint32_t fake_count(const struct pgs_draw_call *call)
{
    const uint32_t whole = call->indirect ? call->max_draws : call->count;
    return call->part_count ? call->part_count : whole;
}

/* Of every draw; all 0: they are added as they are. */
static struct pgs_rounds fake_rounds;

bool pgs_batch_may_round(const struct pgs_batch *batch, const struct pgs_graphics_state *state,
                         const struct pgs_draw_call *call)
{
    (void)batch, (void)state, (void)call;
    return true;
}

VkResult pgs_batch_rounds(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                          const struct pgs_draw_call *call, struct pgs_rounds *rounds)
{
    (void)batch, (void)state, (void)call;
    *rounds = fake_rounds;
    return VK_SUCCESS;
}

#endif
