/* SPDX-License-Identifier: MIT
 *
 * What raster draws of a pass have left bound, so that those after them need not bind it again.
 * Internal to draw/.
 */
#ifndef PGS_DRAW_RASTER_BINDS_H
#define PGS_DRAW_RASTER_BINDS_H

#include "draw/replay.h"

/* Zero-initialised: nothing is known. */
struct pgs_raster_binds {
    VkPipeline bound; /* pipeline that the last draw of the pass bound; VK_NULL_HANDLE: not known */
    uint32_t bind_count;             /* state->bind_count at that draw */
    const struct pgs_draw *vertices; /* the draw whose vertex buffer 0 is bound since then */
    /* That of inline draws (pgs_draw.instances), bound while state->foreign_count was this;
     * likewise, but other pipelines may have been bound since then. */
    VkBuffer inline_buffer;
    bool inline_by_layer; /* the last one's: layers have different draws */
    uint32_t foreign_count;
    VkBuffer indices;       /* index buffer that the draws since then bound; likewise */
    VkDeviceSize indices_B; /* the offset at which they did */
    struct pgs_replacement
        *with_sets;     /* the last one, if its sets are bound since then; likewise */
    uint32_t set_order; /* state->next_set_order at that one */
};

/* Another pass begins. */
void pgs_raster_binds_forget(struct pgs_raster_binds *binds);

/* Chooses what the replacement has to bind. It is the last one of the pass, and the pipeline of the
 * state is emulated. `fresh`: it is the first one since the application bound that, in whatever
 * batch. */
void pgs_raster_binds_choose(struct pgs_raster_binds *binds, const struct pgs_graphics_state *state,
                             bool fresh, struct pgs_replacement *replacement);

#endif
