/* SPDX-License-Identifier: MIT
 *
 * Which of gl_Layer and gl_ViewportIndex a shader has as outputs.
 */
#ifndef PGS_SPIRV_ANALYSIS_TARGETS_H
#define PGS_SPIRV_ANALYSIS_TARGETS_H

#include "spirv/ir/module.h"

struct pgs_spv_targets {
    bool layer, viewport_index;
};

/* What the driver sees: also outputs of the interface, and members of blocks, that the shader
 * leaves alone, since they need the capability as well. Of a parsed shader without unused
 * variables. */
struct pgs_spv_targets pgs_spv_targets_of(const struct pgs_spv_module *m);

/* The same, of words. Looks at nothing else, so shaders that no pass takes are no error here. */
enum pgs_spv_result pgs_spv_shader_targets(const struct pgs_spv_shader *shader,
                                           struct pgs_spv_targets *targets);

#endif
