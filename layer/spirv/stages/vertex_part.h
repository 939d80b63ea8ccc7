/* SPDX-License-Identifier: MIT
 *
 * A vertex shader as a function in another stage's module.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_PART_H
#define PGS_SPIRV_STAGES_VERTEX_PART_H

#include "spirv/ir/module.h"
#include "spirv/stages/vertex.h"
#include "spirv/stages/vertex_inputs.h"

/* A vertex shader inside another module. */
struct pgs_spv_vertex_part {
    uint32_t run;    /* id of void(): shades the chosen vertex. May be called repeatedly */
    uint32_t stored; /* the outputs by options->out, as `variable` of struct pgs_spv_io_access */
};

/* Adds the vertex shader to m, which must have no dead code. functions: ids of library functions
 * that m has or gets later (pgs_spv_link); an id that is 0 is assigned if the vertex shader calls
 * the function. The stage of m does not matter, as the functions know the draw record. UNSUPPORTED,
 * and m unusable, if the two cannot be merged (pgs_spv_merge), or if the vertex shader has side
 * effects (it runs as often as the caller likes), needs subgroups or uses something unknown. */
void pgs_spv_add_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                        const struct pgs_spv_vertex_options *options,
                        uint32_t functions[PGS_SPV_VERTEX_FUNCTIONS],
                        struct pgs_spv_vertex_part *part);

/* Private variables are initialized once per invocation. For code that runs repeatedly, stores the
 * initial values anew, at the end of the functions section. */
void pgs_spv_store_initial_values(struct pgs_spv_module *m);

#endif
