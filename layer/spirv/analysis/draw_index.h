/* SPDX-License-Identifier: MIT
 *
 * Modules that read DrawIndex, or the number of an instance.
 */
#ifndef PGS_SPIRV_ANALYSIS_DRAW_INDEX_H
#define PGS_SPIRV_ANALYSIS_DRAW_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if an entry point of the module may read DrawIndex. A cheap scan of everything before the
 * functions. False for words that are no SPIR-V. */
bool pgs_spv_module_has_draw_index(const uint32_t *words, size_t word_count);

/* Likewise InstanceIndex or BaseInstance. */
bool pgs_spv_module_has_instance(const uint32_t *words, size_t word_count);

#endif
