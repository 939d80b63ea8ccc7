/* SPDX-License-Identifier: MIT
 *
 * What a shader does besides computing its outputs.
 */
#ifndef PGS_SPIRV_ANALYSIS_EFFECTS_H
#define PGS_SPIRV_ANALYSIS_EFFECTS_H

#include "spirv/ir/module.h"

/* True if the functions write memory that other invocations or commands can see. */
bool pgs_spv_has_side_effects(const struct pgs_spv_module *m);

/* True if the functions use images at all. */
bool pgs_spv_uses_images(const struct pgs_spv_module *m);

/* True if the result depends on which invocations share a subgroup, or on how often the shader
 * runs. Both differ in another stage. */
bool pgs_spv_needs_subgroups(const struct pgs_spv_module *m);

#endif
