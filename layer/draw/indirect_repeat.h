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
    VkDeviceSize args_B; /* size of the buffer with the arguments; 0: the layer cannot read it */
    /* With several: where the next one reads its arguments, and how many there may be. */
    VkDeviceSize next_B;
    uint32_t end;
    /* Loops of the pass, and their calls, including those of one; calls that loops of an earlier
     * pass had, on average. */
    uint32_t loop_count, call_count, usual_calls;
};

/* True if the call is like those of the draw. `follows`: as pgs_batch_add. */
bool pgs_indirect_repeat_matches(const struct pgs_indirect_repeat *repeat,
                                 const struct pgs_graphics_state *state,
                                 const struct pgs_draw_call *call, bool follows);

/* Adds a call of one draw that follows. False: it is not like the others, the draw has no record
 * left, or the arguments do not lie where the loop reads them next, in the buffer. */
bool pgs_indirect_repeat_add(struct pgs_indirect_repeat *repeat,
                             const struct pgs_graphics_state *state, bool indexed,
                             struct pgs_counter args);

/* The call as it is to be planned: one that others may be added to, as one of several draws.
 * `matches`: as of pgs_indirect_repeat_matches. */
struct pgs_draw_call pgs_indirect_repeat_planned(const struct pgs_indirect_repeat *repeat,
                                                 const struct pgs_draw_call *call, bool matches);

/* Gives the plan of a call that could not be added records for those to come, if it may be the
 * first one of a loop, and returns how many it has then. `matches`: as of
 * pgs_indirect_repeat_matches. */
uint32_t pgs_indirect_repeat_room(struct pgs_indirect_repeat *repeat,
                                  const struct pgs_graphics_state *state,
                                  const struct pgs_draw_call *call, struct pgs_draw_plan *plan,
                                  bool matches);

/* The pass is over. */
void pgs_indirect_repeat_end_pass(struct pgs_indirect_repeat *repeat);

/* Notes the draw of a new call, made with so many records, and leaves it with one. */
void pgs_indirect_repeat_note(struct pgs_indirect_repeat *repeat, struct pgs_draw *draw,
                              uint32_t room, const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call);

#endif
