/* SPDX-License-Identifier: MIT
 *
 * Modules that claim far more ids than they have words for. Each table by id would have as many
 * elements as is claimed, up to four million for a module of five words.
 */
#ifndef PGS_SPIRV_IR_SPARSE_IDS_H
#define PGS_SPIRV_IR_SPARSE_IDS_H

#include "spirv/ir/shader.h"

#include <stddef.h>
#include <stdint.h>

/* Numbers the ids of a module anew, one after the other, if its bound is out of proportion.
 *
 * words: a whole module with a header, *bound from 1 to PGS_SPV_ID_LIMIT; otherwise it may be
 * broken. Ids are changed in place and keep their order, *bound is what they need, the header
 * stays.
 *
 * Returns OK, UNSUPPORTED (out of proportion, with operands that are not known), INVALID (an
 * instruction that ends beyond the module, or an id beyond the bound) or OUT_OF_MEMORY; then words
 * are as they were. Keeps nothing. Thread-safe. */
enum pgs_spv_result pgs_spv_number_sparse_ids(uint32_t *words, size_t word_count, uint32_t *bound);

#endif
