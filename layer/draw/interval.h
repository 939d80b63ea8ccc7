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
                       const struct pgs_feedback_binding bindings[PGS_MAX_FEEDBACK_BUFFERS],
                       const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS]);

void pgs_interval_fill_end(struct pgs_feedback_end *end, struct pgs_device *dev,
                           const struct pgs_counter counters[PGS_MAX_FEEDBACK_BUFFERS]);

#endif
