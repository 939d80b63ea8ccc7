/* SPDX-License-Identifier: MIT
 *
 * Two words that are one number of 64 bits, mostly addresses.
 */
#ifndef PGS_SPIRV_IR_WIDE_WORDS_H
#define PGS_SPIRV_IR_WIDE_WORDS_H

#include "spirv/ir/module.h"

/* Of two words that are chosen, masked or compared as a whole one number is, where the module has
 * such numbers already. The casts that this takes are left for pgs_spv_number_values. */
void pgs_spv_widen_words(struct pgs_spv_module *m);

#endif
