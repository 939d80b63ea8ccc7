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

/* True if it points to a part of what its base points to. OpPtrAccessChain, which may point beside
 * that, is none. */
static inline bool pgs_spv_is_chain(uint32_t op)
{
    return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
}

/* True if it is the last of a block, in shaders in front of the rasterizer. */
static inline bool pgs_spv_ends_block(uint32_t op)
{
    switch (op) {
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpUnreachable:
        return true;
    default:
        return false;
    }
}

/* True for arithmetic, conversions, comparisons and operations on bits, of which no operand is a
 * pointer but by mistake. */
static inline bool pgs_spv_takes_numbers(uint32_t op)
{
    return (op >= SpvOpSNegate && op <= SpvOpBitCount && op != SpvOpSelect) ||
           (op >= SpvOpConvertFToU && op <= SpvOpFConvert);
}

/* True if it says where control goes, or where it comes to, and computes nothing. */
static inline bool pgs_spv_is_control(uint32_t op)
{
    return op == SpvOpLabel || op == SpvOpSelectionMerge || op == SpvOpLoopMerge ||
           pgs_spv_ends_block(op);
}

/* True if an operand may be a pointer. */
static inline bool pgs_spv_takes_pointers(uint32_t op)
{
    return !pgs_spv_takes_numbers(op) && (!pgs_spv_is_control(op) || op == SpvOpReturnValue);
}

/* True for types and functions, before which capabilities, entry points and annotations stand
 * (SPIR-V, "Logical Layout of a Module"). */
static inline bool pgs_spv_ends_annotations(const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    return (op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer) || op == SpvOpFunction;
}

#endif
