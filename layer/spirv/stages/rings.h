/* SPDX-License-Identifier: MIT
 *
 * Rings with the last values of an output, for capturing whole primitives.
 */
#ifndef PGS_SPIRV_STAGES_RINGS_H
#define PGS_SPIRV_STAGES_RINGS_H

#include "spirv/ir/module.h"

/* Makes a ring: a Private array of `length` values. Returns its id. */
uint32_t pgs_spv_make_ring(struct pgs_spv_module *m, uint32_t type, uint32_t length);

/* Id of a pointer to an element of the given type; place: id of a uint. */
uint32_t pgs_spv_ring_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t ring,
                              uint32_t type, uint32_t place);

#endif
