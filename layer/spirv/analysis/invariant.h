/* SPDX-License-Identifier: MIT
 *
 * Invariant outputs. Part of the public header spirv/spirv.h.
 */
#ifndef PGS_SPIRV_ANALYSIS_INVARIANT_H
#define PGS_SPIRV_ANALYSIS_INVARIANT_H

#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* Replaces Invariant on outputs by NoContraction on the values that they depend on, so that the
 * shader computes the same values in every stage. Nothing else changes. *out stays empty if the
 * module has no such output. */
enum pgs_spv_result pgs_spv_keep_invariant(const uint32_t *words, size_t word_count,
                                           struct pgs_spv_blob *out);

#endif
