/* SPDX-License-Identifier: MIT
 *
 * What the plan of a direct draw depends on besides its numbers and the rules: if that is as it
 * was, an earlier draw can be repeated, though the state has changed in between, in another pass or
 * another recording of the command buffer. Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_KEY_H
#define PGS_DRAW_PLAN_KEY_H

#include "draw/coverage.h"

/* Push constants count where they say how long shaders run. Of a dynamic state that the pipeline
 * fixes, what it fixes. Zero-initialised: none. */
struct pgs_plan_key {
    const struct pgs_emulated_pipeline *pipeline;
    uint32_t number;    /* the pipeline's: it may be gone, and another one in its place */
    uint32_t available; /* variants that it has or can make */
    uint32_t topology, raster_stream;
    uint32_t view_count, view_index;
    uint32_t flags;
    struct pgs_coverage coverage;
};

/* False, and the key is zero: the draw must be planned, since somebody captures or counts it or it
 * has a condition, it is tessellated, or its state is not tracked. Pure. */
bool pgs_plan_key_find(struct pgs_plan_key *key, const struct pgs_graphics_state *state);

/* True if pgs_plan_key_find would find it. Pure. */
bool pgs_plan_key_is_of(const struct pgs_plan_key *key, const struct pgs_graphics_state *state);

#endif
