/* SPDX-License-Identifier: MIT
 *
 * Types that say where their parts lie in memory.
 */
#ifndef PGS_SPIRV_IR_EXPLICIT_LAYOUT_H
#define PGS_SPIRV_IR_EXPLICIT_LAYOUT_H

#include "spirv/ir/module.h"

/* Drops strides and offsets of types that Private, Function and Workgroup memory holds, unless
 * other memory holds them, too. Inputs and outputs may have them, but not what a pass makes of
 * these (VUID-StandaloneSpirv-None-10684). */
void pgs_spv_drop_unused_layouts(struct pgs_spv_module *m);

#endif
