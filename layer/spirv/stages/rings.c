/* SPDX-License-Identifier: MIT
 *
 * Rings with the last vertices of a stream, for capturing whole primitives.
 */
#include "spirv/stages/rings.h"

#include "spirv/ir/builder.h"

/* The struct is a new one, as another with these members may have a layout. */
struct pgs_spv_ring pgs_spv_make_ring(struct pgs_spv_module *m, const uint32_t *types,
                                      uint32_t count, uint32_t length)
{
    struct pgs_spv_ring ring = {0};
    uint32_t *words = pgs_spv_alloc(m, count + 1u, sizeof(*words));
    if (!words)
        return ring;
    ring.type = words[0] = pgs_spv_new_id(m);
    for (uint32_t i = 0; i < count; i++)
        words[i + 1] = types[i];
    pgs_spv_append(m, &m->sections[PGS_SPV_GLOBALS], SpvOpTypeStruct, words, count + 1);
    const uint32_t array[] = {ring.type, pgs_spv_uint(m, length)};
    ring.variable =
        pgs_spv_variable(m, SpvStorageClassPrivate, pgs_spv_type(m, SpvOpTypeArray, array, 2));
    return ring;
}

static uint32_t pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                        const struct pgs_spv_ring *ring, uint32_t place)
{
    return PGS_SPV_VALUE(m, list, SpvOpAccessChain,
                         pgs_spv_type_pointer(m, SpvStorageClassPrivate, ring->type),
                         ring->variable, place);
}

uint32_t pgs_spv_load_ring(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_ring *ring, uint32_t place)
{
    return PGS_SPV_VALUE(m, list, SpvOpLoad, ring->type, pointer(m, list, ring, place));
}

void pgs_spv_store_ring(struct pgs_spv_module *m, struct pgs_spv_list *list,
                        const struct pgs_spv_ring *ring, uint32_t place, uint32_t vertex)
{
    PGS_SPV_APPEND(m, list, SpvOpStore, pointer(m, list, ring, pgs_spv_uint(m, place)), vertex);
}
