/* SPDX-License-Identifier: MIT
 *
 * Members of a record that are loaded together.
 */
#ifndef PGS_SPIRV_IR_JOIN_LOADS_H
#define PGS_SPIRV_IR_JOIN_LOADS_H

#include "spirv/ir/blob.h"
#include "spirv/ir/module.h"

/* Loads of words that lie in the same 16 bytes of a structure become one load of these: for
 * drivers whose compilers load each member by itself. Of structures that libraries have brought
 * as readonly, and that nobody writes while shaders run: they are multiples of 16 bytes, and a load
 * may come as far in front of where it was as its address is known. The values stay the same.
 *
 * To be called when all functions are written. */
void pgs_spv_join_loads(struct pgs_spv_module *m);

/* The same of a whole kernel, which writes to no structure that it declares readonly. */
enum pgs_spv_result pgs_spv_join_kernel(const uint32_t *words, size_t word_count,
                                        struct pgs_spv_blob *out);

#endif
