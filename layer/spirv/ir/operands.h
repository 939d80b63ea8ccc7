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

/* Of SPV_KHR_relaxed_extended_instruction, which older headers do not know. */
enum { PGS_SPV_OP_EXT_INST_WITH_FORWARD_REFS = 4433 };

/* Of SPV_KHR_fma, likewise; among those of subgroups. */
enum { PGS_SPV_OP_FMA = 4427 };

/* Minimum number of words of an instruction. Whatever has less is no SPIR-V and is refused, so that
 * passes need not ask before they read these. */
static inline uint32_t pgs_spv_min_length(uint32_t op)
{
    return op < PGS_SPV_OPCODES ? pgs_spv_opcode_lengths[op] : 1;
}

/* The words of the result type and of the result; 0: it has none. */
static inline void pgs_spv_result_words(uint32_t op, uint32_t *type_word, uint32_t *id_word)
{
    const uint32_t words = op < PGS_SPV_OPCODES ? pgs_spv_opcode_results[op] : 0;
    *type_word = words & 1;
    *id_word = words >> 1;
}

/* The word of the result; 0: it has none. */
static inline uint32_t pgs_spv_result_word(const uint32_t *ins)
{
    uint32_t type_word, id_word;
    pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
    return id_word;
}

/* By opcode: 0 if all words are ids; from PGS_SPV_IDS_MIXED on, one more than the words after the
 * first that are ids, before words that take more to say; else the same before literals. */
#define PGS_SPV_ID_OPCODES ((uint32_t)SpvOpMemberDecorateString + 1)
#define PGS_SPV_IDS_MIXED 0xE0u
extern const uint8_t pgs_spv_leading_ids[PGS_SPV_ID_OPCODES];

/* Where the ids of an instruction are, for loops over many: words [1, sure) are ids, and those of
 * [sure, end) for which pgs_spv_is_mixed_id says so. */
struct pgs_spv_id_words {
    uint32_t sure, end;
};

static inline struct pgs_spv_id_words pgs_spv_id_words(const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), length = pgs_spv_length(ins);
    const uint32_t code = op < PGS_SPV_ID_OPCODES ? pgs_spv_leading_ids[op] : 0;
    const bool is_mixed = code >= PGS_SPV_IDS_MIXED;
    const uint32_t leading = code == 0 ? length : code & ~PGS_SPV_IDS_MIXED;
    const uint32_t sure = leading < length ? leading : length;
    return (struct pgs_spv_id_words){.sure = sure, .end = is_mixed ? length : sure};
}

/* For words of [sure, end). */
bool pgs_spv_is_mixed_id(const uint32_t *ins, uint32_t i);

/* True if word i is an id. Exact for opcodes in the table, except switches over 64-bit values.
 * Otherwise it may return true for a literal, but never false for an id that can be module-scope.
 */
static inline bool pgs_spv_is_id(const uint32_t *ins, uint32_t i)
{
    const struct pgs_spv_id_words words = pgs_spv_id_words(ins);
    return i < words.sure || (i < words.end && pgs_spv_is_mixed_id(ins, i));
}

/* The word of an OpEntryPoint, whose name must end within it, where its interface begins. */
uint32_t pgs_spv_interface_word(const uint32_t *entry);

/* pgs_spv_is_id for OpEntryPoint, too, whose name must end within it and stands between its ids. */
bool pgs_spv_is_id_of_any(const uint32_t *ins, uint32_t i);

/* True for OpNop and debug information that no pass keeps: lines, sources and processes. Some has
 * literals that pgs_spv_is_id takes for ids. */
bool pgs_spv_is_dropped(uint32_t op);

/* True for the type and the instructions of SPV_KHR_ray_query. */
bool pgs_spv_is_ray_query(uint32_t op);

/* True for core SPIR-V without kernels and groups, and a few extensions. */
bool pgs_spv_knows_operands(uint32_t op);

/* Words of the literal string at word `at`; 0 if it does not end inside the instruction. */
uint32_t pgs_spv_string_words(const uint32_t *ins, uint32_t at);
bool pgs_spv_string_is(const uint32_t *ins, uint32_t at, const char *text);

#endif
