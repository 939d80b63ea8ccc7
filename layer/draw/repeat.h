/* SPDX-License-Identifier: MIT
 *
 * Draws that repeat the one before: the same shape with the same pipeline and descriptor sets. They
 * become calls of one struct pgs_draw: a record each, at equal distances, so that a dispatch works
 * on all of them, and their raster draws share what is bound. Internal to draw/.
 */
#ifndef PGS_DRAW_REPEAT_H
#define PGS_DRAW_REPEAT_H

#include "draw/compute.h"
#include "draw/replay.h"

/* The last draw of a batch. Zero-initialised: there is none, or it cannot be repeated. */
struct pgs_repeat {
    struct pgs_draw *draw;
    struct pgs_replacement *replacement; /* of its last calls */
    /* Of the state at its last call. */
    uint64_t version, data_version;
    uint32_t set_order;
    struct pgs_draw_call call;        /* its last */
    struct pgs_bound_indices indices; /* valid with has_indices */
    bool has_indices;
    struct pgs_draw_record record; /* of its last call */
};

/* Notes the draw that a batch has just added; last->record is its record already. */
void pgs_repeat_note(struct pgs_repeat *last, struct pgs_draw *draw,
                     struct pgs_replacement *replacement, const struct pgs_graphics_state *state,
                     const struct pgs_draw_call *call);

/* True if the call differs from the last one only in what a record says of it. */
bool pgs_repeat_matches(const struct pgs_repeat *last, const struct pgs_graphics_state *state,
                        const struct pgs_draw_call *call);

/* Adds the call, which matches, to the last draw. False, and the draw is as it was: its memory
 * cannot grow in place, or it has as many calls as one can have. */
bool pgs_repeat_add(struct pgs_repeat *last, const struct pgs_graphics_state *state,
                    const struct pgs_draw_call *call, struct pgs_batch_memory *memory);

#endif
