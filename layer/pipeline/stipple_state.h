/* SPDX-License-Identifier: MIT
 *
 * What draws must know of stippled lines that the layer draws.
 */
#ifndef PGS_PIPELINE_STIPPLE_STATE_H
#define PGS_PIPELINE_STIPPLE_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Of a pipeline or of a command buffer. */
struct pgs_stipple_pattern {
    uint32_t factor; /* from 1 to 256 */
    uint16_t bits;
};

struct pgs_stipple {
    bool pixels;  /* the pipeline's lines are Bresenham's: a whole number of pixels wide, counted
                   * along their major axis */
    bool drawn;   /* the pipeline's lines are wide, and stippled or, as a dynamic state, may be */
    bool goes_on; /* likewise: they may be in strips, along which the pattern goes on */
    bool joins;   /* likewise: in those that pass_through has taken apart */
    struct pgs_stipple_pattern pattern; /* unless it is dynamic */
};

#endif
