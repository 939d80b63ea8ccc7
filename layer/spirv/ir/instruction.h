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

#endif
