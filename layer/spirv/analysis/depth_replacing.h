/* SPDX-License-Identifier: MIT
 *
 * Fragment shaders that write depths.
 */
#ifndef PGS_SPIRV_ANALYSIS_DEPTH_REPLACING_H
#define PGS_SPIRV_ANALYSIS_DEPTH_REPLACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if an entry point of the module writes gl_FragDepth. A cheap scan of everything before the
 * functions. False for words that are no SPIR-V. */
bool pgs_spv_module_replaces_depth(const uint32_t *words, size_t word_count);

#endif
