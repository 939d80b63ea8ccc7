/* SPDX-License-Identifier: MIT
 *
 * SPV_EXT_replicated_composites: composites that are made of one value.
 */
#ifndef PGS_SPIRV_IR_REPLICATE_H
#define PGS_SPIRV_IR_REPLICATE_H

#include "spirv/ir/module.h"

/* Turns these instructions into those that name the value as often as it is there, which all passes
 * know. To be called when array lengths are constants; UNSUPPORTED if one is not, or too large for
 * an instruction. */
void pgs_spv_expand_replicates(struct pgs_spv_module *m);

#endif
