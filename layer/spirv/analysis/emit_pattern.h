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

/* The number of streams that the records of a geometry shader describe: the highest stream in the
 * mask plus one, or 1 if the mask is empty. Records have PGS_DRAW_STREAMS if that exceeds 1. */
static inline uint32_t pgs_spv_stream_count(uint32_t stream_mask)
{
    uint32_t count = 1;
    while (stream_mask >> count)
        count++;
    return count;
}

/* What every invocation of a geometry shader emits, independent of its inputs. Known if no emit
 * depends on data. Vertices beyond max_vertices are not counted. */
struct pgs_spv_emit_pattern {
    bool is_known;                        /* if false, all but round_steps are 0 */
    uint32_t steps;                       /* estimated instructions per invocation; UINT32_MAX:
                                           * unknown, or the shader reads images */
    uint32_t round_steps;                 /* the same if loops that push constants bound
                                           * (push_loops.h) go round once */
    uint32_t vertices;                    /* of all streams */
    uint32_t longest_el;                  /* vertices of the longest strip; 0 for points */
    uint32_t primitives[PGS_SPV_STREAMS]; /* complete primitives */
    uint32_t indices[PGS_SPV_STREAMS];    /* indices in a raster draw of the stream, with the
                                           * separator after each strip that has a primitive */
};

/* Finds the pattern of a module whose modes and streams have been checked. output_kind and
 * max_vertices: as in struct pgs_spv_geometry_info. *pattern does not change if there is none. */
void pgs_spv_find_pattern(struct pgs_spv_module *m, uint32_t output_kind, uint32_t max_vertices,
                          struct pgs_spv_emit_pattern *pattern);

#endif
