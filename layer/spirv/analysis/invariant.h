/* SPDX-License-Identifier: MIT
 *
 *  * Part of the spirv room's face: invariant outputs.
 */
#ifndef PGS_SPIRV_ANALYSIS_INVARIANT_H
#define PGS_SPIRV_ANALYSIS_INVARIANT_H

#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* What outputs that are Invariant come from is decorated NoContraction instead, and nothing else of
 * the module changes: so that a shader computes the same wherever it runs. *out stays empty where
 * there is nothing to do. */
enum pgs_spv_result pgs_spv_keep_invariant(const uint32_t *words, size_t word_count,
                                           struct pgs_spv_blob *out);

#endif
