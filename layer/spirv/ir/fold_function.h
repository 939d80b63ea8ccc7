/* SPDX-License-Identifier: MIT
 *
 * Copies a function of a library with what is known of its arguments.
 */
#ifndef PGS_SPIRV_IR_FOLD_FUNCTION_H
#define PGS_SPIRV_IR_FOLD_FUNCTION_H

#include "spirv/ir/module.h"

/* What stands for an id in a copy. */
struct pgs_spv_folded {
    uint32_t id;
    uint32_t possible; /* of an integer: bits that may be set */
};

struct pgs_spv_fold_block;

/* Copies functions of one module, one after the other or one within the other, never two copies of
 * the same function at once. */
struct pgs_spv_folder {
    struct pgs_spv_module *m;
    uint32_t bound; /* that m had before; functions to be copied have lower ids */
    struct pgs_spv_folded
        *values;    /* by id: of functions that are copied; parameters by the caller */
    bool *is_local; /* by id: a function that may be copied defines it */
    struct pgs_spv_fold_block *blocks; /* by label */

    /* Writes a call of a local function to `out`. Returns what it results in. */
    struct pgs_spv_folded (*call)(void *context, const uint32_t *ins,
                                  const struct pgs_spv_folded *arguments, struct pgs_spv_list *out);
    void *context;
};

/* How a function is copied. */
enum pgs_spv_fold_kind {
    PGS_SPV_FOLD_FUNCTION, /* its blocks are written */
    PGS_SPV_FOLD_PLAIN,    /* the same, with all branches as they are */
    PGS_SPV_FOLD_IN_PLACE, /* its only block that can be reached goes on in a block of the caller */
};

/* Allocates the tables for m as it is now. */
void pgs_spv_open_folder(struct pgs_spv_folder *folder, struct pgs_spv_module *m);

/* What stands for an operand of a function that is copied. */
struct pgs_spv_folded pgs_spv_folded(const struct pgs_spv_folder *folder, uint32_t id);

/* Copies the instructions between the parameters of a function and its end. *result: what it
 * returns, in place. False: a loop would lose its way back; the caller drops what was written and
 * copies it plainly. */
bool pgs_spv_fold_body(struct pgs_spv_folder *folder, uint32_t *const *body, uint32_t count,
                       enum pgs_spv_fold_kind kind, struct pgs_spv_list *out,
                       struct pgs_spv_folded *result);

#endif
