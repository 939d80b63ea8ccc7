/* SPDX-License-Identifier: MIT
 *
 * Code that captures a vertex of a stream.
 */
#ifndef PGS_SPIRV_STAGES_CAPTURE_H
#define PGS_SPIRV_STAGES_CAPTURE_H

#include "spirv/io/io_access.h"
#include "spirv/io/xfb.h"

/* Code that captures a vertex of a stream. */
struct pgs_spv_capture {
    struct pgs_spv_io_access access; /* stores where `to` said, one word or an aligned four */
    uint32_t to;                     /* library function bool(uint buffer, uint stride_B) */
    const struct pgs_spv_io_vars *outputs;
    const struct pgs_spv_xfb *xfb;
    uint32_t stream;
    /* NULL: what the outputs hold, which are of access.stored_class; else what is in place `slot`,
     * an id, of their rings (pgs_spv_make_ring), which are as many as outputs. */
    const uint32_t *rings;
    uint32_t slot;
};

void pgs_spv_capture_outputs(const struct pgs_spv_capture *capture);

#endif
