/* SPDX-License-Identifier: MIT
 *
 * What a shader does besides computing its outputs.
 */
#ifndef PGS_SPIRV_ANALYSIS_EFFECTS_H
#define PGS_SPIRV_ANALYSIS_EFFECTS_H

#include "spirv/ir/module.h"

/* Do the functions write memory that others see? */
bool pgs_spv_has_side_effects(const struct pgs_spv_module *m);

/* Or use images at all? */
bool pgs_spv_uses_images(const struct pgs_spv_module *m);

/* Which invocations a subgroup has, and how many runs, would be others there. */
bool pgs_spv_needs_subgroups(const struct pgs_spv_module *m);

#endif
