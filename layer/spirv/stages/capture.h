/* SPDX-License-Identifier: MIT
 *
 * Code that captures a vertex of a stream.
 */
#ifndef PGS_SPIRV_STAGES_CAPTURE_H
#define PGS_SPIRV_STAGES_CAPTURE_H

#include "spirv/io/io_access.h"
#include "spirv/io/xfb.h"

/* Options of the capture code. */
struct pgs_spv_capture {
    struct pgs_spv_io_access access; /* stores relative to where `to` points, one word or an aligned
                                      * quad */
    uint32_t to;                     /* library function bool(uint buffer, uint stride_B) */
    const struct pgs_spv_io_vars *outputs;
    const struct pgs_spv_xfb *xfb;
    uint32_t stream;
    /* By output: ids of the captured values. NULL: the contents of the outputs, which are of
     * access.stored_class. */
    const uint32_t *values;
};

/* Mask of the buffers that something is captured to. */
uint32_t pgs_spv_captured_buffers(const struct pgs_spv_xfb *xfb);

void pgs_spv_capture_outputs(const struct pgs_spv_capture *capture);

#endif
