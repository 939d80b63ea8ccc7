/* SPDX-License-Identifier: MIT
 *
 * What pointers lead to.
 */
#ifndef PGS_SPIRV_IR_STORAGE_CLASS_H
#define PGS_SPIRV_IR_STORAGE_CLASS_H

#include "spirv/ir/module.h"

/* Where a pointer leads: SpvStorageClass, or UINT32_MAX for what is no pointer that we know. */
uint32_t pgs_spv_storage_class_of(const struct pgs_spv_module *m, uint32_t pointer);

/* A storage class whose structs have a layout in memory. */
bool pgs_spv_is_buffer(uint32_t storage_class);

/* The struct that a variable or pointer type leads to, maybe through arrays; NULL: none. */
const uint32_t *pgs_spv_held_struct(const struct pgs_spv_module *m, const uint32_t *ins);

#endif
