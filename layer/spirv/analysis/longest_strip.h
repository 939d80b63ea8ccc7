/* SPDX-License-Identifier: MIT
 *
 * How long the strips of a geometry shader get whose emits depend on data.
 */
#ifndef PGS_SPIRV_ANALYSIS_LONGEST_STRIP_H
#define PGS_SPIRV_ANALYSIS_LONGEST_STRIP_H

#include <stdbool.h>
#include <stdint.h>

struct pgs_spv_module;

/* No strip that an invocation emits has more vertices, whatever it reads. max_vertices, or less if
 * on no path so many emits come without an end of the strip. stream_mask: the one stream that the
 * module emits to; it may end strips of others. one_strip: whether on no path an emit comes behind
 * an end; false if that is not known. It has been checked as for pgs_spv_find_pattern. */
uint32_t pgs_spv_longest_strip(struct pgs_spv_module *m, uint32_t stream_mask,
                               uint32_t max_vertices, bool *one_strip);

#endif
