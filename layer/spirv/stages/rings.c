/* SPDX-License-Identifier: MIT
 *
 * Rings with the last values of an output, for capturing whole primitives.
 */
#include "spirv/stages/rings.h"

#include "spirv/ir/builder.h"

uint32_t pgs_spv_make_ring(struct pgs_spv_module *m, uint32_t type, uint32_t length)
{
    const uint32_t words[] = {type, pgs_spv_uint(m, length)};
    return pgs_spv_variable(m, SpvStorageClassPrivate, pgs_spv_type(m, SpvOpTypeArray, words, 2));
}

uint32_t pgs_spv_ring_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t ring,
                              uint32_t type, uint32_t place)
{
    return PGS_SPV_VALUE(m, list, SpvOpAccessChain,
                         pgs_spv_type_pointer(m, SpvStorageClassPrivate, type), ring, place);
}
