/* SPDX-License-Identifier: MIT
 *
 * Arrays of built-ins that become private.
 */
#ifndef PGS_SPIRV_IO_PRIVATE_BUILTIN_H
#define PGS_SPIRV_IO_PRIVATE_BUILTIN_H

#include "spirv/ir/module.h"

/* Where a built-in is. */
struct pgs_spv_place {
    uint32_t variable, type; /* ids; of the built-in, or of the block around it */
    int32_t member;          /* of the block, or -1 */
    uint32_t inner;          /* id of the built-in's type */
    uint32_t initializer;
};

/* Finds the variable of that storage class that is the built-in or has it as a member. */
bool pgs_spv_find_builtin(const struct pgs_spv_module *m, uint32_t storage_class, uint32_t builtin,
                          struct pgs_spv_place *place);

/* A private array in place of a built-in one. */
struct pgs_spv_private {
    uint32_t variable; /* 0: the shader has no such built-in */
    uint32_t element;  /* id of the type of its elements */
    uint32_t count;
};

/* Lets the functions access a private array of zeros, or of the initializer, in place of the
 * built-in array of that storage class. It may be a variable or a member of a block, which remains
 * without uses. UNSUPPORTED: it is accessed as a part of something larger, or by other instructions
 * than loads and stores. */
void pgs_spv_make_builtin_private(struct pgs_spv_module *m, uint32_t storage_class,
                                  uint32_t builtin, struct pgs_spv_private *array);

/* Loads an element of the array. */
uint32_t pgs_spv_load_private(struct pgs_spv_module *m, struct pgs_spv_list *list,
                              const struct pgs_spv_private *array, uint32_t element);

/* Stores an element of the array. */
void pgs_spv_store_private(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_private *array, uint32_t element, uint32_t value);

#endif
