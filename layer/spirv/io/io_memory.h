/* SPDX-License-Identifier: MIT
 *
 * Inputs and outputs that stay in memory. The shader loads and stores the elements that it
 * accesses.
 */
#ifndef PGS_SPIRV_IO_IO_MEMORY_H
#define PGS_SPIRV_IO_IO_MEMORY_H

#include "spirv/io/io_access.h"

/* Where such inputs and outputs lie. */
struct pgs_spv_io_memory {
    struct pgs_spv_io_access vertex, single; /* per-vertex variables, and the others; those without
                                              * a layout are elsewhere */
    uint32_t element;     /* library function uint(uint index, uint length, uint stride_w) */
    uint32_t held_values; /* a variable with at most this many values is not addressed, unless it is
                           * indexed dynamically */
};

/* How the functions use a variable. */
enum {
    PGS_SPV_LOADED = 1,
    PGS_SPV_CHOSEN = 2,         /* indexed dynamically */
    PGS_SPV_USED_OTHERWISE = 4, /* used in another way, or not laid out as the access needs it */
    PGS_SPV_ADDRESSED = 8,
};

/* Bits by id of the shader's variables. NULL: the module has failed. */
const uint8_t *pgs_spv_find_uses(const struct pgs_spv_io_memory *memory,
                                 const struct pgs_spv_io_vars *vars);

/* Rewrites the functions for variables that are ADDRESSED and removes them from the I/O variables.
 * Call it before variables change their storage class. */
void pgs_spv_address(const struct pgs_spv_io_memory *memory, struct pgs_spv_io_vars *vars);

#endif
