/* SPDX-License-Identifier: MIT
 *
 * Begin and End of transform feedback: what is bound, as the kernels read it. Internal to draw/.
 */
#ifndef PGS_DRAW_INTERVAL_H
#define PGS_DRAW_INTERVAL_H

#include "draw/draw.h"
#include "memory/memory.h"

/* Ranges end within their buffers, are multiples of 4 bytes and below 4 GiB. */
void pgs_interval_fill(struct pgs_feedback_interval *interval, struct pgs_device *dev,
                       const struct pgs_xfb_binding bindings[PGS_MAX_FEEDBACK_BUFFERS],
                       const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS]);

/* The interval that began last, as far as the CPU knows where it stands. Zero-initialised: none
 * has. */
struct pgs_interval_state {
    VkDeviceAddress address;
    struct pgs_feedback_interval at; /* offset_B where it is known */
    bool known;
    struct pgs_interval_end last; /* not known for want of the size of one draw alone: that draw,
                                     else `draw` is 0. It has no stores */
};

/* Where a draw captures that is the next of its interval. */
struct pgs_xfb_target {
    bool is_known;    /* target and room_el are exact */
    uint32_t room_el; /* primitives, at most; 0 also where nothing is bound */
    VkDeviceAddress address[PGS_MAX_FEEDBACK_BUFFERS]; /* 0: not bound */
};

void pgs_interval_begin(struct pgs_interval_state *state, VkDeviceAddress address,
                        const struct pgs_feedback_interval *filled);

/* What goes to other streams than 0 is never fixed. The numbers are those that the feedback kernel
 * finds. */
void pgs_interval_target(const struct pgs_interval_state *state, VkDeviceAddress interval,
                         const struct pgs_spv_xfb *xfb, uint32_t vertices_per_primitive,
                         struct pgs_xfb_target *target);

/* The draw of that place has `primitives`. Where the place is not fixed, only the GPU knows from
 * here on. */
void pgs_interval_advance(struct pgs_interval_state *state, const struct pgs_spv_xfb *xfb,
                          uint32_t vertices_per_primitive, const struct pgs_xfb_target *target,
                          uint64_t primitives);

/* The size of the draw of that place only the GPU knows, from its record, each input primitive
 * giving gives_el, or from its gs_invocations: then that is 0. */
void pgs_interval_follow(struct pgs_interval_state *state, const struct pgs_spv_xfb *xfb,
                         uint32_t vertices_per_primitive, const struct pgs_xfb_target *target,
                         VkDeviceAddress record, uint32_t gives_el);

/* From here on only the GPU knows. */
void pgs_interval_lose(struct pgs_interval_state *state);

/* What is stored at the End of the interval. False: only feedback can tell. */
bool pgs_interval_end(const struct pgs_interval_state *state, VkDeviceAddress interval,
                      const struct pgs_feedback_end *stores, struct pgs_interval_end *end);

void pgs_interval_fill_end(struct pgs_feedback_end *end, struct pgs_device *dev,
                           const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS]);

#endif
