/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader is known to emit before it runs.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_PATTERN_H
#define PGS_SPIRV_ANALYSIS_EMIT_PATTERN_H

#include "spirv/io/io_limits.h"

#include <stdbool.h>
#include <stdint.h>

struct pgs_spv_module;

/* Of a geometry shader that emits to the streams of the mask: one more than the highest; 1 where
 * there is none. Its records have PGS_DRAW_STREAMS where that is more than 1. */
static inline uint32_t pgs_spv_stream_count(uint32_t stream_mask)
{
    uint32_t count = 1;
    while (stream_mask >> count)
        count++;
    return count;
}

/* What every unit of a geometry shader emits, whatever it reads: known where no emit depends on
 * data. Vertices beyond max_vertices do not count. */
struct pgs_spv_emit_pattern {
    bool is_known;                        /* else all is 0 */
    uint32_t steps;                       /* instructions that run for that, about; UINT32_MAX:
                                             nobody knows, or images are read */
    uint32_t vertices;                    /* of all streams */
    uint32_t primitives[PGS_SPV_STREAMS]; /* complete ones */
    uint32_t indices[PGS_SPV_STREAMS];    /* of a raster draw of the stream, with the separator
                                             after each strip that has a primitive */
};

/* Finds it, when modes and streams are checked. output_kind, max_vertices: as in struct
 * pgs_spv_geometry_info. *pattern stays as it is where it is not known. */
void pgs_spv_find_pattern(struct pgs_spv_module *m, uint32_t output_kind, uint32_t max_vertices,
                          struct pgs_spv_emit_pattern *pattern);

#endif
