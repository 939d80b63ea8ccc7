/* SPDX-License-Identifier: MIT
 *
 * Ids of functions that stand for others.
 */
#ifndef PGS_SPIRV_IR_REWRITE_H
#define PGS_SPIRV_IR_REWRITE_H

#include "spirv/ir/module.h"

/* Which value an id is to be replaced with. */
struct pgs_spv_names {
    uint32_t bound;
    uint32_t *value; /* by id; 0: itself */
};

/* Room for all ids that m has now. */
struct pgs_spv_names pgs_spv_no_names(struct pgs_spv_module *m);

/* What stands for the id in the end. */
uint32_t pgs_spv_final_name(const struct pgs_spv_names *names, uint32_t id);

/* Lets `value` stand for the id. False: it already stands for `value`, in a broken module. */
bool pgs_spv_stand_for(struct pgs_spv_names *names, uint32_t id, uint32_t value);

/* Replaces the operands of an instruction, not its type and not its result. */
void pgs_spv_rename_operands(const struct pgs_spv_names *names, uint32_t *ins);

/* True if all operands of all functions are known to be ids or not, so that they can be renamed. */
bool pgs_spv_can_rename(const struct pgs_spv_module *m);

#endif
