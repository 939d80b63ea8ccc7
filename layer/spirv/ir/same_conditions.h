/* SPDX-License-Identifier: MIT
 *
 * Selections that ask again what has just been asked.
 */
#ifndef PGS_SPIRV_IR_SAME_CONDITIONS_H
#define PGS_SPIRV_IR_SAME_CONDITIONS_H

#include "spirv/ir/module.h"

/* Of two selections without other arms that follow each other and have one condition the second is
 * part of the first. What stays are more blocks that only follow each other. */
void pgs_spv_join_selections(struct pgs_spv_module *m);

#endif
