/* SPDX-License-Identifier: MIT
 *
 * A tessellation evaluation shader as a function in a geometry shader's module.
 */
#ifndef PGS_SPIRV_STAGES_EVALUATION_PART_H
#define PGS_SPIRV_STAGES_EVALUATION_PART_H

#include "spirv/stages/evaluation_inputs.h"
#include "spirv/stages/vertex_part.h"

/* An evaluation shader in front of a geometry shader. */
struct pgs_spv_evaluation_options {
    const struct pgs_spv_patch *patch;
    bool triangles; /* the domain is triangles */
};

/* As pgs_spv_add_vertex, with functions of shaders/lib/evaluation_inputs.glsl. out: the geometry
 * shader's inputs. *options must outlive *part. */
void pgs_spv_add_evaluation(struct pgs_spv_module *m, const struct pgs_spv_shader *tes,
                            const struct pgs_spv_evaluation_options *options,
                            const struct pgs_spv_layout *out,
                            uint32_t functions[PGS_SPV_EVALUATION_FUNCTION_COUNT],
                            struct pgs_spv_vertex_part *part);

#endif
