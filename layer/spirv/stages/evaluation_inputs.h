/* SPDX-License-Identifier: MIT
 *
 * The inputs of an evaluation shader that moves to another stage.
 */
#ifndef PGS_SPIRV_STAGES_EVALUATION_INPUTS_H
#define PGS_SPIRV_STAGES_EVALUATION_INPUTS_H

#include "spirv/io/io_vars.h"
#include "spirv/stages/patch.h"

/* An evaluation shader that moves to another stage. Its inputs become Private and are filled by
 * these library functions. */
enum {
    PGS_SPV_EVALUATION_TESS_COORD,
    PGS_SPV_EVALUATION_PRIMITIVE_ID,
    PGS_SPV_EVALUATION_LOAD,
    PGS_SPV_EVALUATION_LOAD4,
    PGS_SPV_EVALUATION_PATCH_LOAD,
    PGS_SPV_EVALUATION_PATCH_LOAD4,
    PGS_SPV_EVALUATION_ELEMENT,
    PGS_SPV_EVALUATION_VIEW_INDEX,
    PGS_SPV_EVALUATION_PUSH_ADDRESS,
    PGS_SPV_EVALUATION_FUNCTION_COUNT
};

/* Names of those before PGS_SPV_EVALUATION_VIEW_INDEX, which other stages do not have. */
#define PGS_SPV_EVALUATION_OWN_NAMES                                                               \
    "pgs_tess_coord", "pgs_evaluation_primitive_id", "pgs_evaluation_load",                        \
        "pgs_evaluation_load4", "pgs_evaluation_patch_load", "pgs_evaluation_patch_load4",         \
        "pgs_element"

struct pgs_spv_evaluation {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list; /* receives the generated code */
    const struct pgs_spv_patch *patch;
    bool triangles;                                        /* the domain is triangles */
    uint32_t functions[PGS_SPV_EVALUATION_FUNCTION_COUNT]; /* ids, valid after linking */
};

/* What one stage links: the library, and the additional functions of it that the stage needs. */
struct pgs_spv_evaluation_library {
    const struct pgs_spv_library *library;
    const char *const *names;
    uint32_t name_count; /* at most PGS_SPV_EVALUATION_OWN_MAX */
};

#define PGS_SPV_EVALUATION_OWN_MAX 3

/* Gives e->functions ids, rewrites loads of addressed inputs, assigns new storage classes and moves
 * push constants to memory. True: there are some. */
bool pgs_spv_lower_evaluation(struct pgs_spv_evaluation *e, uint32_t output_class,
                              struct pgs_spv_io_vars *inputs);
/* The same, and links the library. own[i] becomes the id of names[i]. */
void pgs_spv_link_evaluation(struct pgs_spv_evaluation *e, uint32_t output_class,
                             const struct pgs_spv_evaluation_library *library, uint32_t *own,
                             struct pgs_spv_io_vars *inputs);
void pgs_spv_fill_evaluation(const struct pgs_spv_evaluation *e,
                             const struct pgs_spv_io_vars *inputs);

#endif
