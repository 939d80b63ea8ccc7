/* SPDX-License-Identifier: MIT
 *
 * Shaders that size points.
 */
#ifndef PGS_SPIRV_ANALYSIS_POINT_SIZE_H
#define PGS_SPIRV_ANALYSIS_POINT_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if the module may write another size than 1 to a gl_PointSize that belongs to no array, as
 * those of tessellation control shaders do, or there is no memory to find out. False for words that
 * are no SPIR-V. */
bool pgs_spv_module_sizes_points(const uint32_t *words, size_t word_count);

/* True if geometry shaders, or tessellation, of the module may make points. A cheap scan of
 * everything before the functions. False for words that are no SPIR-V. */
bool pgs_spv_module_makes_points(const uint32_t *words, size_t word_count);

#endif
