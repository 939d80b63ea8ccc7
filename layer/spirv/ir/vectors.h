/* SPDX-License-Identifier: MIT
 *
 * Vectors that are made of components of others.
 */
#ifndef PGS_SPIRV_IR_VECTORS_H
#define PGS_SPIRV_IR_VECTORS_H

#include "spirv/ir/module.h"

/* A component of a VectorShuffle is taken from the vector that it comes from: changes the operands
 * of such a CompositeExtract. */
void pgs_spv_see_through_shuffle(const struct pgs_spv_module *m, uint32_t *ins);

/* A CompositeConstruct of components of one vector, besides zeros, becomes a VectorShuffle, which
 * *ins then points to. Returns the id of the vector if the result equals it, else 0. Leaves all
 * other instructions alone. */
uint32_t pgs_spv_shorten_construct(struct pgs_spv_module *m, uint32_t **ins);

/* A VectorShuffle of one that is shuffled itself takes the components from where that does. Returns
 * the id of the vector if the result equals it, else 0. Leaves all other instructions alone. */
uint32_t pgs_spv_shorten_shuffle(const struct pgs_spv_module *m, uint32_t *ins);

#endif
