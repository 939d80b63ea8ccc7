/* SPDX-License-Identifier: MIT
 *
 * The last values of an output, for primitives that are captured whole.
 */
#ifndef PGS_SPIRV_STAGES_RINGS_H
#define PGS_SPIRV_STAGES_RINGS_H

#include "spirv/ir/module.h"

/* The last values of an output: a Private array of so many. */
uint32_t pgs_spv_make_ring(struct pgs_spv_module *m, uint32_t type, uint32_t length);

/* Id of a pointer to one of them, which is of that type; place: id of a uint. */
uint32_t pgs_spv_ring_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t ring,
                              uint32_t type, uint32_t place);

#endif
