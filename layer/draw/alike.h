/* SPDX-License-Identifier: MIT
 *
 * Records of one indirect call that the GPU fills in: alike but for their numbers and places.
 * Internal to draw/.
 */
#ifndef PGS_DRAW_ALIKE_H
#define PGS_DRAW_ALIKE_H

#include "draw/record.h"

/* DrawIndex of a draw of an indirect call. Records beyond the call's are for calls to come. */
static inline uint32_t pgs_alike_number(const struct pgs_draw_call *call, uint32_t i)
{
    return call->draw_index + (i < call->max_draws ? i : 0);
}

struct pgs_alike {
    void *first; /* where the first record is written already */
    uint32_t count, stride_B, record_B;
    uint32_t args_stride_B; /* from arguments of a raster draw to those of the next */
    bool drawn_at_once;     /* raster draws find their record by its number */
};

/* Writes all records but the first one. *record is that, and becomes the last one. */
void pgs_alike_write(const struct pgs_alike *alike, const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_draw_call *call, struct pgs_draw_record *record);

#endif
