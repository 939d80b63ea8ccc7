/* SPDX-License-Identifier: MIT
 *
 * Drops values that nothing uses and variables that nothing reads.
 */
#ifndef PGS_SPIRV_IR_DEAD_VALUES_H
#define PGS_SPIRV_IR_DEAD_VALUES_H

#include "spirv/ir/module.h"

/* Of what pgs_spv_takes_numbers says no to. */
bool pgs_spv_is_pure_besides(const uint32_t *ins);

/* True if all that the instruction does is its result. */
static inline bool pgs_spv_is_pure(const uint32_t *ins)
{
    return pgs_spv_takes_numbers(pgs_spv_op(ins)) || pgs_spv_is_pure_besides(ins);
}

/* The same of an OpExtInst that computes a number. */
bool pgs_spv_is_math(const struct pgs_spv_module *m, const uint32_t *ins);

/* Drops values from the id `first` on that nothing in `list` uses and that have no effect. `list`:
 * one function or several. */
void pgs_spv_drop_dead_values(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t first);

/* Drops from the functions of m what nothing uses and what has no effect, calls included, and then
 * the functions that nothing calls any more. */
void pgs_spv_drop_dead_code(struct pgs_spv_module *m);

/* Drops stores to variables of an invocation that no function of m loads. True if there were any.
 */
bool pgs_spv_drop_unread_variables(struct pgs_spv_module *m);

#endif
