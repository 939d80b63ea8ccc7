/* SPDX-License-Identifier: MIT
 *
 * Adjacent words that are loaded and stored in pairs.
 */
#ifndef PGS_SPIRV_IR_PAIR_WORDS_H
#define PGS_SPIRV_IR_PAIR_WORDS_H

#include "spirv/ir/module.h"

/* Loads and stores of two to four words of 32 bits at an address become those of 64 bits, and of
 * one word for a third one: for drivers of CPUs, which make a loop over the invocations of a vector
 * of each component. Words that nothing reads are not loaded and are 0; what is computed stays the
 * same. The result says that addresses are multiples of 8 where they may be multiples of 4 only, so
 * the CPU has to take any. Volatile and atomic accesses, those of the Vulkan memory model, and
 * modules with decorations like these are left alone.
 *
 * To be called when all functions are written; m->int64. */
void pgs_spv_pair_words(struct pgs_spv_module *m);

#endif
