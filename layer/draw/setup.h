/* SPDX-License-Identifier: MIT
 *
 * What of a draw only the GPU knows: vertex counts that transform feedback left in a buffer, and
 * conditional rendering. Internal to draw/.
 */
#ifndef PGS_DRAW_SETUP_H
#define PGS_DRAW_SETUP_H

#include "draw/technique.h"
#include "memory/memory.h"

/* Vertices that the records of a draw by byte count get room for: as many as lie in the bound
 * vertex buffers, or if there are none in the largest buffer that can be captured to; never so many
 * that the draw is too large. */
uint32_t pgs_byte_count_bound(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call);

/* Conditional rendering of the draws: the word and PGS_SETUP_* flags. 0: there is none. */
VkDeviceAddress pgs_setup_condition(struct pgs_device *dev, const struct pgs_graphics_state *state,
                                    uint32_t *flags);

/* The records that it patches lie one behind the other. */
struct pgs_setup_target {
    VkDeviceAddress records; /* 0: none */
    uint32_t record_count, record_stride_B;
    VkDeviceAddress args; /* VkDrawIndirectCommand; 0: none */
};

/* `call->count` is the bound, `topology` that of the records. */
void pgs_setup_fill(struct pgs_setup *setup, struct pgs_device *dev,
                    const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                    uint32_t topology, const struct pgs_setup_target *target);

#endif
