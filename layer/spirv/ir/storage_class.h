/* SPDX-License-Identifier: MIT
 *
 * Storage classes and targets of pointers.
 */
#ifndef PGS_SPIRV_IR_STORAGE_CLASS_H
#define PGS_SPIRV_IR_STORAGE_CLASS_H

#include "spirv/ir/module.h"

/* SpvStorageClass of a pointer, or UINT32_MAX if it is not understood. */
uint32_t pgs_spv_storage_class_of(const struct pgs_spv_module *m, uint32_t pointer);

/* True if structs of the storage class have a layout in memory. */
bool pgs_spv_is_buffer(uint32_t storage_class);

/* The struct in a variable or pointer type, possibly inside arrays; NULL if there is none. */
const uint32_t *pgs_spv_held_struct(const struct pgs_spv_module *m, const uint32_t *ins);

/* An output that has a value before anything is stored, whether or not anything ever is. */
bool pgs_spv_is_initialized_output(const uint32_t *variable);

#endif
