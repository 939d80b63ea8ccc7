/* SPDX-License-Identifier: MIT
 *
 * Transform feedback from Begin to End: what is bound, as kernels read it, and what the CPU knows
 * of the position in each buffer. Internal to draw/.
 */
#ifndef PGS_DRAW_INTERVAL_H
#define PGS_DRAW_INTERVAL_H

#include "draw/draw.h"
#include "memory/memory.h"

/* Ranges end within their buffers, are multiples of 4 bytes and shorter than 4 GiB. */
void pgs_interval_fill(struct pgs_xfb_interval *interval, struct pgs_device *dev,
                       const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS],
                       const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS]);

/* The interval that began last, as far as the CPU knows its offsets. Zero-initialised: none
 * began. */
struct pgs_interval_state {
    VkDeviceAddress address;
    struct pgs_xfb_interval at; /* offset_B is valid while `known` */
    bool known;
    struct pgs_interval_end last; /* if only the size of one draw is unknown: that draw, without
                                     stores; else `draw` is 0 */
};

/* Where the next draw of an interval captures. */
struct pgs_xfb_target {
    bool is_known;     /* address and space_el are exact */
    uint32_t space_el; /* primitives that fit at most; also 0 if nothing is bound */
    VkDeviceAddress address[PGS_MAX_XFB_BUFFERS]; /* 0: not bound */
};

void pgs_interval_begin(struct pgs_interval_state *state, VkDeviceAddress address,
                        const struct pgs_xfb_interval *filled);

/* Finds where the next draw captures, by the rules of the feedback kernel. Never known for streams
 * other than 0. */
void pgs_interval_target(const struct pgs_interval_state *state, VkDeviceAddress interval,
                         const struct pgs_spv_xfb *xfb, uint32_t vertices_per_primitive,
                         struct pgs_xfb_target *target);

/* The draw with this target captures `primitives`. If the target is not known, only the GPU knows
 * the offsets from here on. */
void pgs_interval_advance(struct pgs_interval_state *state, const struct pgs_spv_xfb *xfb,
                          uint32_t vertices_per_primitive, const struct pgs_xfb_target *target,
                          uint64_t primitives);

/* Only the GPU knows the size of the draw with this target. It is in the draw's record: gives_el
 * primitives for each input primitive, or with 0 what its gs_invocations emit. */
void pgs_interval_follow(struct pgs_interval_state *state, const struct pgs_spv_xfb *xfb,
                         uint32_t vertices_per_primitive, const struct pgs_xfb_target *target,
                         VkDeviceAddress record, uint32_t gives_el);

/* From here on only the GPU knows the offsets. */
void pgs_interval_lose(struct pgs_interval_state *state);

/* Finds what End stores. False: only the feedback program can tell. */
bool pgs_interval_end(const struct pgs_interval_state *state, VkDeviceAddress interval,
                      const struct pgs_xfb_end *stores, struct pgs_interval_end *end);

void pgs_interval_fill_end(struct pgs_xfb_end *end, struct pgs_device *dev,
                           const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS]);

#endif
