/* SPDX-License-Identifier: MIT
 *
 * The words of one instruction.
 */
#ifndef PGS_SPIRV_IR_INSTRUCTION_H
#define PGS_SPIRV_IR_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

static inline uint32_t pgs_spv_op(const uint32_t *ins)
{
    return ins[0] & 0xFFFFu;
}

/* Words of an instruction, the first one included. */
static inline uint32_t pgs_spv_length(const uint32_t *ins)
{
    return ins[0] >> 16;
}

/* True for types and functions, before which capabilities, entry points and annotations stand
 * (SPIR-V, "Logical Layout of a Module"). */
static inline bool pgs_spv_ends_annotations(const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    return (op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer) || op == SpvOpFunction;
}

#endif
