/* SPDX-License-Identifier: MIT
 *
 * What is known of a vertex shader that runs as another stage, or in one.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_OPTIONS_H
#define PGS_SPIRV_STAGES_VERTEX_OPTIONS_H

#include "spirv/io/io_layout.h"

#include <stdbool.h>
#include <stdint.h>

struct pgs_spv_xfb;

/* Vertex format of each input location: PGS_FORMAT_MAKE of poly_gs/format.h (pipeline/ maps
 * VkFormat to it). PGS_FORMAT_DYNAMIC (0): read it from the draw record; PGS_FORMAT_ABSENT: zeros.
 */
struct pgs_spv_vertex_options {
    uint32_t format[32];
    /* With reads_near: the attribute at location i lies near_B[i] behind that at near[i], with
     * which it is there or not. Only for formats of up to 32 bits for each component. */
    uint8_t near[32];
    uint32_t near_B[32];
    bool reads_near; /* what the functions read of the record has been taken (PGS_RECORD_INPUTS) */
    struct pgs_spv_layout out;         /* what to store: `in` of the geometry shader */
    const struct pgs_spv_xfb *capture; /* if not NULL: capture this instead (xfb.h) */
    bool fetches_first;                /* of all vertices, before one is shaded */
    bool is_native;                    /* the driver fetches attributes and sets push constants */
};

#endif
