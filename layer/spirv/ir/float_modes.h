/* SPDX-License-Identifier: MIT
 *
 * What a shader says of its arithmetic: float controls, and those of SPV_KHR_float_controls2, which
 * older headers do not know.
 */
#ifndef PGS_SPIRV_IR_FLOAT_MODES_H
#define PGS_SPIRV_IR_FLOAT_MODES_H

#include "spirv/ir/module.h"

enum {
    PGS_SPV_MODE_MAXIMALLY_RECONVERGES = 6023,
    PGS_SPV_MODE_FAST_MATH_DEFAULT = 6028, /* FPFastMathDefault */
    PGS_SPV_CAPABILITY_FLOAT_CONTROLS2 = 6029,
};

/* Bits of FPFastMathMode. */
#define PGS_SPV_FAST_MATH_RECIPROCAL 0x8u
#define PGS_SPV_FAST_MATH_REORDERING 0x70000u /* AllowContract, AllowReassoc, AllowTransform */

/* True for execution modes of float controls, which all passes keep. */
bool pgs_spv_is_float_mode(uint32_t mode);

/* The FPFastMathDefault of the entry point, or of several their common bits, for floats of a width:
 * false if there is none. SignedZeroInfNanPreserve is one, too. */
bool pgs_spv_fast_math_default(const struct pgs_spv_module *m, uint32_t width_bits, uint32_t *mask);

/* True if no shader can have the float controls of both modules. */
bool pgs_spv_float_modes_contradict(const struct pgs_spv_module *m,
                                    const struct pgs_spv_module *from);

/* Gives m the float controls of both. If one of them has none, it accepts those of the other. What
 * only one permits by its FPFastMathDefault is not permitted: an instruction may always be exact.
 * To be called when m has the types of both. */
void pgs_spv_merge_float_modes(struct pgs_spv_module *m, const struct pgs_spv_module *from);

#endif
