/* SPDX-License-Identifier: MIT
 *
 * Fits linked functions to the calls of them.
 */
#ifndef PGS_SPIRV_IR_SPECIALIZE_H
#define PGS_SPIRV_IR_SPECIALIZE_H

#include "spirv/ir/module.h"

/* Writes copies of the functions of m->linked for the calls of them: with constants in the place of
 * arguments that decide something, without what is then dead, and written into the caller where
 * little is left. Of other functions only calls change. What is then unused there is left to
 * pgs_spv_shrink. */
void pgs_spv_specialize(struct pgs_spv_module *m);

#endif
