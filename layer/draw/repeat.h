/* SPDX-License-Identifier: MIT
 *
 * Draws like an earlier one with the same pipeline. If nothing but their records differs from the
 * earlier one, they become calls of one struct pgs_draw: a record each, at equal distances, so that
 * a dispatch works on all of them, and their raster draws share what is bound; chained ones
 * (chain.h) share a raster draw; inline ones with static emits are instances of one raster draw, or
 * of several between which other descriptor sets are bound. Others are copies of the earlier draw
 * with memory, descriptor sets or a size of their own. The technique is not chosen again. Internal
 * to draw/.
 */
#ifndef PGS_DRAW_REPEAT_H
#define PGS_DRAW_REPEAT_H

#include "draw/chain.h"
#include "draw/plan_key.h"

#define PGS_REPEAT_MOVES 12

/* Which calls pgs_repeat_add_next takes, if nothing has changed: none, or those that are indexed as
 * pgs_direct_call says. */
enum pgs_next { PGS_NEXT_DIRECT = false, PGS_NEXT_INDEXED = true, PGS_NEXT_NONE };

/* The last draw with a pipeline. Zero-initialised: there is none, or it cannot be repeated. */
struct pgs_repeat {
    struct pgs_draw *draw;
    struct pgs_replacement *replacement; /* of its last calls */
    /* Of the state at its last call. */
    uint64_t version, data_version;
    uint32_t set_order;
    bool indexed;
    uint32_t count, instance_count; /* as pgs_draw_call has them */
    VkDeviceSize scratch_B;         /* of one call */
    bool chains;                    /* its calls may be chained */
    struct pgs_chain_arrays arrays; /* valid with chains */
    /* Likewise. A run is the calls of a draw, and of the copies of it that have room for more. */
    uint32_t run_calls;            /* of the draws of the run before this one */
    uint32_t runs, all_calls;      /* that have ended in this pass, and their calls */
    VkDeviceSize most_run_B;       /* scratch of the largest one */
    uint32_t usual_run_calls;      /* of an earlier pass: calls of a run, on average */
    VkDeviceSize usual_run_B;      /* likewise, of the largest one */
    uint32_t number, usual_number; /* of the last draw's pipeline; of that in the pass before */
    bool is_shared;                /* pipelines of other numbers have draws in this pass, too */
    uint32_t pass_calls[2];        /* of the passes before, the last one first; 0: not known */
    /* scratch_stride_B in vertices, by which the raster draw of each call finds its own. If they
     * are in two arrays (splits), it reads its own record as an instance of its own instead. */
    uint32_t stride_vertices;
    bool splits;
    uint32_t max_calls;
    uint32_t most_calls;              /* that one of the draws before got in this pass */
    uint32_t usual_calls;             /* that one got in an earlier pass; 0: not known */
    uint32_t room;                    /* calls that the draw has memory for; 0: its pass is over */
    struct pgs_bound_indices indices; /* valid with has_indices */
    bool has_indices;
    struct pgs_index_source { /* what they were found from; likewise */
        VkBuffer buffer;
        VkDeviceSize offset_B, size_B;
        VkIndexType type;
    } index_source;
    /* What replacements of its last call have, if it is inline. */
    const struct pgs_draw_sets *sets;
    const struct pgs_bound_sets *sets_before;
    bool is_plain; /* neither views nor viewports, which would need a look at each call */
    enum pgs_next next;
    /* Offsets of the addresses in its records that differ from call to call. */
    uint16_t moves[PGS_REPEAT_MOVES];
    uint32_t move_count;
    struct pgs_record_lines lines;   /* of its records */
    struct pgs_record_source source; /* of its last call */
    /* How many buffers were destroyed before `source` and `indices` were found. Those that a
     * command buffer names may not be while it is recorded, but before it is recorded again. */
    uint32_t buffers_since;
    /* Of its last call; what pgs_record_fill_call fills may be that of an earlier one. */
    struct pgs_draw_record record;
    struct pgs_plan_key key; /* zero: the draw must be planned again when the state has changed */
    /* After a reset the draw is here, and what it points to is gone (renew.h). The first draw like
     * it takes the place, without a copy. */
    struct pgs_draw kept;
    struct pgs_subdraw kept_subdraw;
    bool kept_chained; /* it had chains */
    bool kept_lives;   /* it is a draw of the recording */
};

/* Calls with the pipeline that are still to come if the pass has as many as the larger of the two
 * before it. 0: not known. */
uint32_t pgs_repeat_to_come(const struct pgs_repeat *repeat,
                            const struct pgs_emulated_pipeline *pipeline);

/* Lets a new inline draw, before it is prepared, have memory for the calls that draws like it had
 * in an earlier pass, as far as the pass may shade them inline, for which they count. */
void pgs_repeat_expect(const struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                       struct pgs_batch_memory *memory, struct pgs_draw *draw);

/* Notes the draw that a batch has just planned and added; repeat->record is its record already. It
 * may get room for calls to come, and so other places and stages. The caller fills in the
 * replacement. Errors: out of host memory. */
VkResult pgs_repeat_note(struct pgs_repeat *repeat, struct pgs_draw *draw,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         struct pgs_batch_memory *memory);

/* True if the call may be drawn as the draw is, though it may have another size. */
bool pgs_repeat_matches(const struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                        const struct pgs_draw_call *call);

/* Others may have the handles of the buffers in `source` and `index_source`. */
void pgs_repeat_forget_buffers(struct pgs_repeat *repeat, const struct pgs_device *dev);

/* The draw gets no more calls and is forgotten: another one will be planned. */
void pgs_repeat_end(struct pgs_repeat *repeat);

/* The pass is over: the draw gets no more calls, and may only be copied. One that was stored
 * because its inline variant was not made yet is forgotten. */
void pgs_repeat_end_pass(struct pgs_repeat *repeat);

/* Finds the sets of an inline draw for a call that matches, if others have been bound since its
 * last one. True in *found: it found any. Of other draws sets decide whether calls can be added.
 * Errors: out of host or device memory. */
VkResult pgs_repeat_find_sets(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                              struct pgs_batch_memory *memory, bool *found);

/* Adds a call that matches to the draw. continues: with the replacement of its last call, else with
 * one of its own. False, and the draw is as it was: something was bound that records do not hold,
 * its pass is over, there is no room and its memory cannot grow in place, or it has as many calls
 * as one can have. */
bool pgs_repeat_add(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                    const struct pgs_draw_call *call, bool continues,
                    struct pgs_batch_memory *memory);

/* The same for a call that directly follows the draw's last one, with the same pipeline bound
 * since. Quick, for it does only what most calls need. False: use pgs_repeat_matches and
 * pgs_repeat_add. */
bool pgs_repeat_add_next(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                         const struct pgs_direct_call *call);

static inline bool pgs_repeat_has_size(const struct pgs_repeat *repeat,
                                       const struct pgs_direct_call *call)
{
    return repeat->count == call->count && repeat->instance_count == call->instance_count;
}

/* True if push constants say of the draw what they said of its last call (pgs_loops_are_short). */
static inline bool pgs_repeat_stays_short(const struct pgs_repeat *repeat,
                                          const struct pgs_graphics_state *state)
{
    const struct pgs_draw *draw = repeat->draw;
    return !draw->pipeline->short_loops.times || repeat->data_version == state->data_version ||
           draw->plan.has_short_loops ==
               pgs_loops_are_short(&draw->pipeline->short_loops, state->push);
}

/* True if the draw has room for a call that pgs_repeat_add_next would take if push constants and
 * buffers had not changed, nor sets, where it is inline and sees those of the application. Such a
 * call is then added; the caller fills in the replacement. */
static inline bool pgs_repeat_takes_changed(const struct pgs_repeat *repeat,
                                            const struct pgs_graphics_state *state,
                                            const struct pgs_direct_call *call)
{
    const struct pgs_draw *draw = repeat->draw;
    return draw && draw->call_count < repeat->room && repeat->version == state->version &&
           pgs_repeat_has_size(repeat, call) && repeat->indexed == call->indexed &&
           repeat->is_plain && pgs_repeat_stays_short(repeat, state) &&
           (repeat->set_order == state->next_set_order ||
            (!repeat->sets && draw->plan.raster == PGS_RASTER_INLINE_GS)) &&
           !pgs_chain_is_full(draw, repeat->replacement);
}
void pgs_repeat_add_changed(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                            const struct pgs_direct_call *call);

/* True if the draw is what a reset has left, so that it cannot be drawn. */
static inline bool pgs_repeat_is_kept(const struct pgs_repeat *repeat)
{
    return repeat->draw == &repeat->kept && !repeat->kept_lives;
}

/* Makes another draw for a call that matches. The next ones repeat that; repeat->draw is NULL if
 * they cannot. Its `next` is NULL, and the replacement is that of the earlier draw. VK_SUCCESS with
 * *copy == NULL: the call must be planned. Errors: out of host or device memory. */
VkResult pgs_repeat_copy(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                         const struct pgs_draw_call *call, struct pgs_batch_memory *memory,
                         struct pgs_draw **copy);

#endif
