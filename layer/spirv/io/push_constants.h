/* SPDX-License-Identifier: MIT
 *
 * Moves push constants to memory at an address.
 */
#ifndef PGS_SPIRV_IO_PUSH_CONSTANTS_H
#define PGS_SPIRV_IO_PUSH_CONSTANTS_H

#include "spirv/ir/module.h"

/* Turns the PushConstant variable into memory at the address that function push_address returns.
 * push_address: an id that may be defined later. */
bool pgs_spv_has_push_constants(const struct pgs_spv_module *m);
void pgs_spv_push_constants_to_memory(struct pgs_spv_module *m, uint32_t push_address);

#endif
