/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: what the passes over tessellation shaders share (tessellation.c).
 */
#ifndef PGS_SPIRV_PATCH_H
#define PGS_SPIRV_PATCH_H

#include "spirv/analysis/tessellation_info.h"
#include "spirv/io/interface.h"

/* Parses, folds and reduces a control or evaluation shader and takes its interface apart: only what
 * it touches. Every leaf is one that we know how to carry. m must be finished also on failure. */
enum pgs_spv_result pgs_spv_open_tessellation(struct pgs_spv_module *m,
                                              const struct pgs_spv_shader *shader,
                                              enum pgs_spv_stage stage,
                                              struct pgs_spv_leaves *inputs,
                                              struct pgs_spv_leaves *outputs);
void pgs_spv_tessellation_modes(struct pgs_spv_module *m, struct pgs_spv_tessellation_modes *modes);

/* Those that each vertex of a patch has, or the user's that it has once. */
struct pgs_spv_leaves pgs_spv_vertex_leaves(struct pgs_spv_module *m,
                                            const struct pgs_spv_leaves *leaves);
struct pgs_spv_leaves pgs_spv_patch_leaves(struct pgs_spv_module *m,
                                           const struct pgs_spv_leaves *leaves);

/* Fills the per-vertex inputs. How many vertices there are is what count_function says to the
 * length of their array, a uint, or, where that is 0, count_el, but no more than the array has. */
struct pgs_spv_vertex_source {
    struct pgs_spv_port port; /* loads by (vertex, word) */
    uint32_t count_function, count_el;
};
void pgs_spv_fill_vertices(const struct pgs_spv_vertex_source *source,
                           const struct pgs_spv_leaves *inputs);

/* evaluation_inputs.c. An evaluation shader that becomes another stage: its inputs, which become
 * Private, are filled by these functions of the library. */
enum {
    PGS_SPV_EVALUATION_TESS_COORD,
    PGS_SPV_EVALUATION_PRIMITIVE_ID,
    PGS_SPV_EVALUATION_LOAD,
    PGS_SPV_EVALUATION_LOAD4,
    PGS_SPV_EVALUATION_PATCH_LOAD,
    PGS_SPV_EVALUATION_PATCH_LOAD4,
    PGS_SPV_EVALUATION_ELEMENT,
    PGS_SPV_EVALUATION_PUSH_ADDRESS,
    PGS_SPV_EVALUATION_FUNCTION_COUNT
};
struct pgs_spv_evaluation {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list; /* where code goes */
    const struct pgs_spv_patch *patch;
    bool triangles;                                        /* the domain */
    uint32_t functions[PGS_SPV_EVALUATION_FUNCTION_COUNT]; /* ids, once it is linked */
};
/* What one stage links: the library's words, and which of its functions besides. */
struct pgs_spv_evaluation_library {
    const uint32_t *words;
    size_t word_count;
    const char *const *names;
    uint32_t name_count; /* at most PGS_SPV_EVALUATION_OWN_MAX */
};
#define PGS_SPV_EVALUATION_OWN_MAX 3
/* Addresses inputs where they are loaded, gives variables their new storage classes, makes push
 * constants memory and links the library: own[i] becomes the id of names[i]. */
void pgs_spv_link_evaluation(struct pgs_spv_evaluation *e, uint32_t output_class,
                             const struct pgs_spv_evaluation_library *library, uint32_t *own,
                             struct pgs_spv_leaves *inputs);
void pgs_spv_fill_evaluation(const struct pgs_spv_evaluation *e,
                             const struct pgs_spv_leaves *inputs);

/* shared.c. What outputs are at first, for the shader to store. */
struct pgs_spv_initializers {
    uint32_t *variables, *values;
    uint32_t count;
};
/* Output variables that are left become Workgroup memory, inputs Private. Barriers order that
 * memory and the patch. */
void pgs_spv_share_outputs(struct pgs_spv_module *m, struct pgs_spv_initializers *taken);
void pgs_spv_shared_barrier(struct pgs_spv_module *m, struct pgs_spv_list *list);
/* Memory that all Output variables take that are not ADDRESSED; saturates. uses: by id. */
uint32_t pgs_spv_size_of_outputs_B(struct pgs_spv_module *m, const uint8_t *uses);

#endif
