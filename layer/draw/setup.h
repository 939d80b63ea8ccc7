/* SPDX-License-Identifier: MIT
 *
 * Draws with numbers that only the GPU knows: vertex counts that transform feedback left in a
 * buffer, and conditional rendering. Fills struct pgs_setup. Internal to draw/.
 */
#ifndef PGS_DRAW_SETUP_H
#define PGS_DRAW_SETUP_H

#include "draw/technique.h"
#include "memory/memory.h"

/* Number of vertices for which the records of a draw by byte count have room: those in the bound
 * vertex buffers, or if none are bound those in the largest buffer that transform feedback can
 * write. Never so many that the draw is too large. */
uint32_t pgs_byte_count_bound(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_graphics_state *state,
                              const struct pgs_draw_call *call);

/* Address of the counter of a draw by byte count. 0: the layer cannot read it, which is logged. */
VkDeviceAddress pgs_counter_address(struct pgs_device *dev, const struct pgs_draw_call *call);

/* Address of the condition's word, and its PGS_SETUP_* flags. 0: no condition. */
VkDeviceAddress pgs_setup_condition(struct pgs_device *dev, const struct pgs_graphics_state *state,
                                    uint32_t *flags);

/* What setup patches. The records are contiguous. */
struct pgs_setup_target {
    VkDeviceAddress records; /* 0: none */
    uint32_t record_count, record_stride_B;
    VkDeviceAddress args; /* VkDrawIndirectCommand; 0: none */
};

/* `call->count` is the upper bound, `topology` that of the records. */
void pgs_setup_fill(struct pgs_setup *setup, struct pgs_device *dev,
                    const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                    uint32_t topology, const struct pgs_setup_target *target);

#endif
