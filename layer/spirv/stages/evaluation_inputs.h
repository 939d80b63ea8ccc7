/* SPDX-License-Identifier: MIT
 *
 * The inputs of an evaluation shader that becomes another stage.
 */
#ifndef PGS_SPIRV_STAGES_EVALUATION_INPUTS_H
#define PGS_SPIRV_STAGES_EVALUATION_INPUTS_H

#include "spirv/io/io_vars.h"
#include "spirv/stages/patch.h"

/* An evaluation shader that becomes another stage: its inputs, which become
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
                             struct pgs_spv_io_vars *inputs);
void pgs_spv_fill_evaluation(const struct pgs_spv_evaluation *e,
                             const struct pgs_spv_io_vars *inputs);

#endif
