/* SPDX-License-Identifier: MIT
 *
 * The operands of instructions, by opcode.
 */
#ifndef PGS_SPIRV_IR_OPERANDS_H
#define PGS_SPIRV_IR_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

/* Minimum number of words of an instruction. */
uint32_t pgs_spv_min_length(uint32_t op);
void pgs_spv_result_words(uint32_t op, uint32_t *type_word, uint32_t *id_word); /* 0: it has none */

/* True if word i is an id. Exact for opcodes in the table, except switches over 64-bit values.
 * Otherwise it may return true for a literal, but never false for an id that can be module-scope.
 */
bool pgs_spv_is_id(const uint32_t *ins, uint32_t i);

/* True for core SPIR-V without kernels and groups, and a few extensions. */
bool pgs_spv_knows_operands(uint32_t op);

/* Words of the literal string at word `at`; 0 if it does not end inside the instruction. */
uint32_t pgs_spv_string_words(const uint32_t *ins, uint32_t at);
bool pgs_spv_string_is(const uint32_t *ins, uint32_t at, const char *text);

/* True for execution modes of float controls, which passes keep. */
bool pgs_spv_is_float_mode(uint32_t mode);

#endif
