/* SPDX-License-Identifier: MIT
 *
 * Inputs and outputs that stay in memory, where the shader loads and stores parts of them that
 * it chooses.
 */
#ifndef PGS_SPIRV_IO_IO_MEMORY_H
#define PGS_SPIRV_IO_IO_MEMORY_H

#include "spirv/io/io_access.h"

/* Inputs and outputs that stay in memory, where the shader loads and stores parts of them
 * that it chooses. */
struct pgs_spv_io_memory {
    struct pgs_spv_io_access vertex, single; /* what each vertex has, and the rest. Without a
                                           layout: that is elsewhere */
    uint32_t element;     /* library function uint(uint index, uint length, uint stride_w) */
    uint32_t held_values; /* a variable of so few that none is chosen from is not addressed */
};

/* What the functions do with a variable. */
enum {
    PGS_SPV_LOADED = 1,
    PGS_SPV_CHOSEN = 2,         /* elements or components that are only known at run time */
    PGS_SPV_USED_OTHERWISE = 4, /* or not laid out as it takes */
    PGS_SPV_ADDRESSED = 8,
};

/* By id of a variable of the shader. NULL: the module has failed. */
const uint8_t *pgs_spv_find_uses(const struct pgs_spv_io_memory *memory,
                                 const struct pgs_spv_io_vars *vars);

/* Rewrites the functions for variables that can be ADDRESSED; these are no longer among the I/O
 * variables. None of the variables has another storage class yet. */
void pgs_spv_address(const struct pgs_spv_io_memory *memory, struct pgs_spv_io_vars *vars);

#endif
