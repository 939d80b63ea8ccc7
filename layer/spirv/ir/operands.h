/* SPDX-License-Identifier: MIT
 *
 * What the words of an instruction are, by opcode.
 */
#ifndef PGS_SPIRV_IR_OPERANDS_H
#define PGS_SPIRV_IR_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

/* What the words of an instruction are. */
uint32_t pgs_spv_min_length(uint32_t op);
void pgs_spv_result_words(uint32_t op, uint32_t *type_word, uint32_t *id_word); /* 0: has none */

/* Is word i an id? Exact for what is known below, but for switches over 64 bits; of other operands
 * it may say true for a literal, never false for an id that can be module-scope. */
bool pgs_spv_is_id(const uint32_t *ins, uint32_t i);

/* Those of core SPIR-V without kernels and groups, and a few more. */
bool pgs_spv_knows_operands(uint32_t op);

/* Words of the literal string at word `at`, 0 when it does not end inside the instruction. */
uint32_t pgs_spv_string_words(const uint32_t *ins, uint32_t at);
bool pgs_spv_string_is(const uint32_t *ins, uint32_t at, const char *text);

/* An execution mode that says how floats behave, which stays. */
bool pgs_spv_is_float_mode(uint32_t mode);

#endif
