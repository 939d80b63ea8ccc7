/* SPDX-License-Identifier: MIT
 *
 * What a shader does besides computing its outputs.
 */
#ifndef PGS_SPIRV_ANALYSIS_EFFECTS_H
#define PGS_SPIRV_ANALYSIS_EFFECTS_H

#include "spirv/ir/module.h"

/* True if the functions write memory that other invocations or commands can see. */
bool pgs_spv_has_side_effects(const struct pgs_spv_module *m);

/* True if a result may come out otherwise when the shader runs once more: it has side effects, or
 * asks others of its subgroup. */
bool pgs_spv_must_run_once(const struct pgs_spv_module *m);

/* True if the functions use images or ray queries at all, which no count of instructions measures.
 */
bool pgs_spv_takes_long(const struct pgs_spv_module *m);

/* True if the result depends on which invocations share a subgroup, or on how often the shader
 * runs. Both differ in another stage. */
bool pgs_spv_needs_subgroups(const struct pgs_spv_module *m);

/* True if a fragment shader says itself what becomes of depths and samples. */
bool pgs_spv_decides_coverage(const struct pgs_spv_module *m);

#endif
