/* SPDX-License-Identifier: MIT
 *
 * What an entry point captures for transform feedback.
 */
#ifndef PGS_SPIRV_IO_XFB_H
#define PGS_SPIRV_IO_XFB_H

#include "spirv/io/io_layout.h"

struct pgs_spv_io_vars;
struct pgs_spv_module;

/* Consecutive words of a stored vertex that transform feedback copies to one buffer. */
struct pgs_spv_xfb_copy {
    uint16_t source_w; /* in the stored vertex, by the layout of the buffer's stream */
    uint16_t target_w; /* Offset / 4 in the captured vertex */
    uint16_t count_w;
    uint8_t buffer;
};

/* The captures of an entry point with the execution mode Xfb. */
struct pgs_spv_xfb {
    bool enabled;                           /* the mode is there */
    uint32_t stride_B[PGS_SPV_XFB_BUFFERS]; /* 0: nothing is captured to the buffer */
    uint8_t stream[PGS_SPV_XFB_BUFFERS];
    uint32_t copy_count;
    struct pgs_spv_xfb_copy copies[PGS_SPV_XFB_COPIES]; /* do not overlap in a buffer */
};

/* Builds *xfb from the captured ones of `outputs`, each in the layout of its stream. */
void pgs_spv_make_xfb(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                      const struct pgs_spv_layout *layouts, struct pgs_spv_xfb *xfb);

/* Removes all transform feedback and stream declarations. */
void pgs_spv_drop_xfb(struct pgs_spv_module *m);

#endif
