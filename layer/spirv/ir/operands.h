/* SPDX-License-Identifier: MIT
 *
 * The operands of instructions, by opcode.
 */
#ifndef PGS_SPIRV_IR_OPERANDS_H
#define PGS_SPIRV_IR_OPERANDS_H

#include "spirv/ir/instruction.h"
#include "spirv/ir/opcodes.h"

#include <stdbool.h>
#include <stdint.h>

/* Minimum number of words of an instruction. */
uint32_t pgs_spv_min_length(uint32_t op);

/* The words of the result type and of the result; 0: it has none. */
static inline void pgs_spv_result_words(uint32_t op, uint32_t *type_word, uint32_t *id_word)
{
    const uint32_t words = op < PGS_SPV_OPCODES ? pgs_spv_opcode_results[op] : 0;
    *type_word = words & 1;
    *id_word = words >> 1;
}

/* By opcode: 0 if all words are ids, MIXED if it takes more to say, else one more than the words
 * after the first that are ids; the later ones are literals then. */
#define PGS_SPV_LEADING_OPCODES ((uint32_t)SpvOpMemberDecorateString + 1)
#define PGS_SPV_LEADING_MIXED 0xFFu
extern const uint8_t pgs_spv_leading_ids[PGS_SPV_LEADING_OPCODES];
bool pgs_spv_is_mixed_id(const uint32_t *ins, uint32_t i);

/* True if word i is an id. Exact for opcodes in the table, except switches over 64-bit values.
 * Otherwise it may return true for a literal, but never false for an id that can be module-scope.
 */
static inline bool pgs_spv_is_id(const uint32_t *ins, uint32_t i)
{
    const uint32_t op = pgs_spv_op(ins);
    const uint32_t leading = op < PGS_SPV_LEADING_OPCODES ? pgs_spv_leading_ids[op] : 0;
    if (leading == PGS_SPV_LEADING_MIXED)
        return pgs_spv_is_mixed_id(ins, i);
    return leading == 0 || i < leading;
}

/* True for core SPIR-V without kernels and groups, and a few extensions. */
bool pgs_spv_knows_operands(uint32_t op);

/* Words of the literal string at word `at`; 0 if it does not end inside the instruction. */
uint32_t pgs_spv_string_words(const uint32_t *ins, uint32_t at);
bool pgs_spv_string_is(const uint32_t *ins, uint32_t at, const char *text);

/* True for execution modes of float controls, which passes keep. */
bool pgs_spv_is_float_mode(uint32_t mode);

#endif
