/* SPDX-License-Identifier: MIT
 *
 * Rings with the last vertices of a stream, for capturing whole primitives.
 */
#ifndef PGS_SPIRV_STAGES_RINGS_H
#define PGS_SPIRV_STAGES_RINGS_H

#include "spirv/ir/module.h"

struct pgs_spv_ring {
    uint32_t variable; /* id of a Private array; 0: there is none */
    uint32_t type;     /* of its vertices: a struct */
};

/* Makes a ring of `length` vertices, which have values of these types. */
struct pgs_spv_ring pgs_spv_make_ring(struct pgs_spv_module *m, const uint32_t *types,
                                      uint32_t count, uint32_t length);

/* The vertex at a place (an id of a uint). Returns its id. */
uint32_t pgs_spv_load_ring(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_ring *ring, uint32_t place);

void pgs_spv_store_ring(struct pgs_spv_module *m, struct pgs_spv_list *list,
                        const struct pgs_spv_ring *ring, uint32_t place, uint32_t vertex);

#endif
