/* SPDX-License-Identifier: MIT
 *
 * A vertex shader as a function in another stage's module.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_PART_H
#define PGS_SPIRV_STAGES_VERTEX_PART_H

#include "spirv/ir/module.h"
#include "spirv/stages/patch.h"
#include "spirv/stages/vertex.h"
#include "spirv/stages/vertex_inputs.h"

/* A vertex or evaluation shader inside another module. */
struct pgs_spv_vertex_part {
    uint32_t run; /* id of void(): shades the chosen vertex. May be called repeatedly */
    /* With fetches_first id of void(): fetches its inputs, which `run` finds there; else 0. */
    uint32_t fetch;
    uint32_t *fetched; /* [fetched_count]: Private variables of the inputs */
    uint32_t fetched_count;
    uint32_t stored;    /* the outputs by options->out, as `variable` of struct pgs_spv_io_access */
    uint32_t locations; /* mask of attributes that functions fetch */
    const uint8_t *writes;             /* by word of `stored`: the shader has an output there */
    const struct pgs_spv_patch *patch; /* NULL: a vertex shader */
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

/* What vertex and evaluation parts share: */

/* The Private variable that holds the outputs. */
uint32_t pgs_spv_make_part_outputs(struct pgs_spv_module *m, uint32_t stride_w);

/* Stores the outputs there, from Private variables, and notes their words, by word of `out`. */
void pgs_spv_store_part_outputs(struct pgs_spv_module *m, const struct pgs_spv_layout *out,
                                uint32_t stored, const struct pgs_spv_io_vars *outputs,
                                uint8_t writes[]);

/* Adds the part's own module to m. calls: `count` ids in `from` of functions, or 0; functions: the
 * ids that replace them, assigned if they are 0. part->run and part->stored become ids of m. */
void pgs_spv_join_part(struct pgs_spv_module *m, struct pgs_spv_module *from,
                       const uint32_t calls[], uint32_t functions[], uint32_t count,
                       struct pgs_spv_vertex_part *part);

/* Private variables are initialized once per invocation. For code that runs repeatedly, stores the
 * initial values anew, at the end of the functions section. */
void pgs_spv_store_initial_values(struct pgs_spv_module *m);

#endif
