/* SPDX-License-Identifier: MIT
 *
 * A vertex shader as a function of another stage's module.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_PART_H
#define PGS_SPIRV_STAGES_VERTEX_PART_H

#include "spirv/ir/module.h"
#include "spirv/stages/vertex.h"
#include "spirv/stages/vertex_inputs.h"

/* A vertex shader within another module. */
struct pgs_spv_vertex_part {
    uint32_t run;    /* function void(): shades the vertex that was chosen, each time anew */
    uint32_t stored; /* what it stores by options->out, struct pgs_spv_io_access's `variable` */
};

/* Adds the vertex shader to m, which has no dead code any more. functions: ids of library
 * functions that m has or gets afterwards (pgs_spv_link). One that is 0 becomes a new id if the
 * vertex shader calls it, and stays 0 if not. What stage m is for does not matter: where the draw
 * record is, the functions know. UNSUPPORTED, and m is lost, where the two cannot be one module:
 * their versions or memory models differ, float controls contradict, or the vertex shader has side
 * effects (it runs as often as its caller likes), needs subgroups or something that we do not know.
 */
void pgs_spv_add_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                        const struct pgs_spv_vertex_options *options,
                        uint32_t functions[PGS_SPV_VERTEX_FUNCTIONS],
                        struct pgs_spv_vertex_part *part);

/* Private variables hold their initial values once in an invocation. Where something is run more
 * often, they are stored at the end of the functions section, each time anew. */
void pgs_spv_store_initial_values(struct pgs_spv_module *m);

#endif
