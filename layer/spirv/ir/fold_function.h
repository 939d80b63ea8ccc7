/* SPDX-License-Identifier: MIT
 *
 * Copies a function of a library with what is known of its arguments.
 */
#ifndef PGS_SPIRV_IR_FOLD_FUNCTION_H
#define PGS_SPIRV_IR_FOLD_FUNCTION_H

#include "spirv/ir/fold_copy.h"
#include "spirv/ir/library.h"
#include "spirv/ir/module.h"

struct pgs_spv_fold_block;
struct pgs_spv_known_globals;

/* A library whose functions are copied, one after the other or one within the other, never two
 * copies of the same function at once. The tables are by id of the library. */
struct pgs_spv_fold_source {
    struct pgs_spv_linked *linked;
    struct pgs_spv_folded *values;     /* of functions that are copied; parameters by the caller */
    struct pgs_spv_fold_block *blocks; /* by label, from the first one on */
};

struct pgs_spv_folder {
    struct pgs_spv_module *m;            /* that is written */
    struct pgs_spv_known_globals *known; /* of m */

    /* Writes a call of a function of the source to `out`. Returns what it results in. */
    struct pgs_spv_folded (*call)(void *context, const struct pgs_spv_fold_source *source,
                                  const uint32_t *ins, const struct pgs_spv_folded *arguments,
                                  struct pgs_spv_list *out);
    void *context;
};

/* How a function is copied. */
enum pgs_spv_fold_kind {
    PGS_SPV_FOLD_FUNCTION, /* its blocks are written */
    PGS_SPV_FOLD_PLAIN,    /* the same, with all branches as they are */
    PGS_SPV_FOLD_IN_PLACE, /* its only block that can be reached goes on in a block of the caller */
};

/* Allocates the tables for functions that m links. */
void pgs_spv_open_source(struct pgs_spv_module *m, struct pgs_spv_linked *linked,
                         struct pgs_spv_fold_source *source);

/* What stands for an id of the library, which may be one outside of functions. */
struct pgs_spv_folded pgs_spv_folded_id(const struct pgs_spv_folder *folder,
                                        const struct pgs_spv_fold_source *source, uint32_t id);

/* Copies the instructions of a function between its parameters and its end. *result: what it
 * returns, in place. False: a loop would lose its way back; the caller drops what was written and
 * copies it plainly. */
bool pgs_spv_fold_body(const struct pgs_spv_folder *folder,
                       const struct pgs_spv_fold_source *source,
                       const struct pgs_spv_library_function *function, enum pgs_spv_fold_kind kind,
                       struct pgs_spv_list *out, struct pgs_spv_folded *result);

#endif
