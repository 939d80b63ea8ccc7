/* SPDX-License-Identifier: MIT
 *
 * What a stage reads and writes, taken apart into I/O variables: scalars and vectors.
 */
#ifndef PGS_SPIRV_IO_IO_VARS_H
#define PGS_SPIRV_IO_IO_VARS_H

#include "spirv/ir/module.h"

#define PGS_SPV_MAX_PATH 8
#define PGS_SPV_NO_BUILTIN 0xFFFFFFFFu
#define PGS_SPV_NO_BUFFER 0xFFFFFFFFu

/* A scalar or vector of a variable of the shader. */
struct pgs_spv_io_var {
    uint32_t variable;
    uint32_t path[PGS_SPV_MAX_PATH]; /* constant indices into it, after the vertex index */
    uint32_t depth;
    uint32_t elements;     /* bit: that index is one of an array or matrix, not of a struct */
    uint32_t vertices;     /* length of the per-vertex array around it; 0: none */
    uint32_t type, scalar; /* ids */
    uint32_t count, width_bits;
    bool is_float, is_signed;
    uint32_t builtin;             /* SpvBuiltIn or PGS_SPV_NO_BUILTIN */
    uint32_t element;             /* of a built-in array */
    uint32_t location, component; /* without builtin */
    uint32_t stream;              /* of an output */
    bool touched;                 /* functions name it, or something around it */
    bool captured;                /* by transform feedback; the rest says where it goes */
    uint32_t buffer, offset_B;
    uint32_t stride_B; /* 0: nobody said */
};

struct pgs_spv_io_vars {
    struct pgs_spv_io_var *items;
    uint32_t count, capacity;
};

/* Takes apart all variables of a class that the functions touch; of a block of built-ins, only the
 * members that they touch. With untouched, user variables (not built-ins) also when nothing
 * touches them. Outputs that the entry point captures are there in any case. per_vertex: the
 * outermost dimension of arrays is the vertex, where it can be (geometry inputs; what tessellation
 * shaders do not have once per patch). */
struct pgs_spv_io_scope {
    uint32_t storage_class;
    bool per_vertex, untouched;
};

void pgs_spv_collect_io_vars(struct pgs_spv_module *m, struct pgs_spv_io_scope scope,
                             struct pgs_spv_io_vars *vars);

/* Built-ins that languages leave on stream 0 whatever is rasterized: those of that stream go with
 * the vertices of each. (The rules of rasterizationStream do not name them.) */
bool pgs_spv_goes_with_any_stream(uint32_t builtin);

/* Those of one stream. */
struct pgs_spv_io_vars pgs_spv_io_vars_of_stream(struct pgs_spv_module *m,
                                                 const struct pgs_spv_io_vars *vars,
                                                 uint32_t stream);

/* Is it one of the tessellation levels? */
bool pgs_spv_is_level(const struct pgs_spv_io_var *var);

#endif
