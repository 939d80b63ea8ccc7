/* SPDX-License-Identifier: MIT
 *
 * The interface of a stage, split into I/O variables: scalars and vectors.
 */
#ifndef PGS_SPIRV_IO_IO_VARS_H
#define PGS_SPIRV_IO_IO_VARS_H

#include "spirv/ir/module.h"

#define PGS_SPV_MAX_PATH 8
#define PGS_SPV_NO_BUILTIN 0xFFFFFFFFu
#define PGS_SPV_NO_BUFFER 0xFFFFFFFFu

/* A scalar or vector in one of the shader's variables. */
struct pgs_spv_io_var {
    uint32_t variable;
    uint32_t path[PGS_SPV_MAX_PATH]; /* constant indices into it, after the vertex index */
    uint32_t depth;
    uint32_t elements;     /* bit i: index i selects an element of an array or matrix, not a struct
                            * member */
    uint32_t vertices;     /* length of the per-vertex array around it; 0: none */
    uint32_t type, scalar; /* ids */
    uint32_t count, width_bits;
    bool is_float, is_signed;
    uint32_t builtin;             /* SpvBuiltIn or PGS_SPV_NO_BUILTIN */
    uint32_t element;             /* in a built-in array */
    uint32_t location, component; /* if it is no built-in */
    uint32_t stream;              /* outputs only */
    bool referenced;              /* functions name it, or an object that contains it */
    bool captured;                /* by transform feedback; the members below say where it goes */
    uint32_t buffer, offset_B;
    uint32_t stride_B; /* 0: not declared */
};

struct pgs_spv_io_vars {
    struct pgs_spv_io_var *items;
    uint32_t count, capacity;
};

/* Splits all variables of a storage class that functions reference; of a block of built-ins, only
 * the members that they reference. With unreferenced, also user variables (not built-ins) that no
 * function references. Outputs that the entry point captures are always included. per_vertex: the
 * outermost array dimension is the vertex where it can be (geometry inputs; tessellation variables
 * that are not per patch). */
struct pgs_spv_io_scope {
    uint32_t storage_class;
    bool per_vertex, unreferenced;
};

void pgs_spv_collect_io_vars(struct pgs_spv_module *m, struct pgs_spv_io_scope scope,
                             struct pgs_spv_io_vars *vars);

/* Built-ins that compilers leave on stream 0 whichever stream is rasterized. Their stream-0 values
 * go with the vertices of every stream. (The rules of rasterizationStream do not mention them.) */
bool pgs_spv_goes_with_any_stream(uint32_t builtin);

/* The I/O variables of one stream. */
struct pgs_spv_io_vars pgs_spv_io_vars_of_stream(struct pgs_spv_module *m,
                                                 const struct pgs_spv_io_vars *vars,
                                                 uint32_t stream);

/* The first of them that is this built-in; NULL: none. */
const struct pgs_spv_io_var *pgs_spv_io_vars_find(const struct pgs_spv_io_vars *vars,
                                                  uint32_t builtin);

/* True if one of them is this built-in. */
bool pgs_spv_io_vars_have(const struct pgs_spv_io_vars *vars, uint32_t builtin);

/* True for tessellation levels. */
bool pgs_spv_is_level(const struct pgs_spv_io_var *var);

#endif
