/* SPDX-License-Identifier: MIT
 *
 * Calls of one indirect draw each that read their arguments at equal distances: the draws of a
 * loop. They become one call of several draws. Internal to draw/.
 */
#ifndef PGS_DRAW_INDIRECT_REPEAT_H
#define PGS_DRAW_INDIRECT_REPEAT_H

#include "draw/compute.h"

/* The last draw of a batch, if it may be the first one of such a loop, or several.
 * Zero-initialised: it may not. */
struct pgs_indirect_repeat {
    struct pgs_draw *draw;
    uint32_t room; /* records that it has */
    /* Of the state and the calls. */
    uint64_t version, data_version;
    uint32_t bind_count, set_order;
    struct pgs_draw_call call; /* all in one: the first one's, with max_draws calls. The stride is
                                * valid with several */
};

/* True if the call goes on where the draw ends. `follows`: as pgs_batch_add. */
bool pgs_indirect_repeat_matches(const struct pgs_indirect_repeat *repeat,
                                 const struct pgs_graphics_state *state,
                                 const struct pgs_draw_call *call, bool follows);

/* Adds a call that matches. False: the draw has no record left, or the arguments do not lie in the
 * buffer. */
bool pgs_indirect_repeat_add(struct pgs_indirect_repeat *repeat, const struct pgs_draw_call *call);

/* Records to make for a call that is planned because it could not be added: more than 1 if it
 * `matches`, since others will follow. */
uint32_t pgs_indirect_repeat_room(const struct pgs_indirect_repeat *repeat, bool matches);

/* Notes the draw of a new call, made with so many records, and leaves it with one. */
void pgs_indirect_repeat_note(struct pgs_indirect_repeat *repeat, struct pgs_draw *draw,
                              uint32_t room, const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call);

#endif
