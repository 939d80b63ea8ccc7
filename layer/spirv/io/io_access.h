/* SPDX-License-Identifier: MIT
 *
 * Code that moves I/O variables to and from the 32-bit words of a stored vertex.
 */
#ifndef PGS_SPIRV_IO_IO_ACCESS_H
#define PGS_SPIRV_IO_IO_ACCESS_H

#include "spirv/io/io_layout.h"
#include "spirv/io/io_vars.h"

/* Code for I/O variables goes to `list`; load and store are library functions, or there is a
 * variable. What has no load is not loaded, what has no store not stored. */
struct pgs_spv_io_access {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_layout *layout;
    uint32_t first_w;       /* added to all words of the layout */
    uint32_t offset;        /* id of what is added besides, a uint; 0: nothing. Of what has several
                               words a multiple of 4 */
    uint32_t load, load4;   /* (uint word) or (uint vertex, uint word) */
    uint32_t store, store4; /* (uint word, value) or (uint vertex, uint word, value) */
    uint32_t variable;      /* a vertex of its own: Private, uvec4[stride_w / 4]; 0: functions */
    uint32_t stored_class;  /* storage class of the variables that are stored */
};

/* Loads the I/O variable. vertex: id of the first argument, or 0. Result: id of a value of the
 * variable's type; 0 = absent. */
uint32_t pgs_spv_load_io_var(const struct pgs_spv_io_access *access,
                             const struct pgs_spv_io_var *var, uint32_t vertex);

/* Stores a value of the variable's type. vertex: as for pgs_spv_load_io_var. */
void pgs_spv_store_io_value(const struct pgs_spv_io_access *access,
                            const struct pgs_spv_io_var *var, uint32_t vertex, uint32_t value);

/* Stores what the I/O variable holds. vertex: besides, as for pgs_spv_io_var_pointer. */
void pgs_spv_store_io_var(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                          uint32_t vertex);

/* Words of an I/O variable, as pgs_spv_io_var_words. Tessellation levels have a place of their own.
 */
uint32_t pgs_spv_io_access_words(const struct pgs_spv_io_access *access,
                                 const struct pgs_spv_io_var *var,
                                 uint16_t words[PGS_SPV_MAX_VAR_WORDS]);

/* The words of a value of the variable's type, as ids of uint values, 64-bit components low word
 * first. Returns how many. */
uint32_t pgs_spv_split_io_var(const struct pgs_spv_io_access *access,
                              const struct pgs_spv_io_var *var, uint32_t value,
                              uint32_t values[PGS_SPV_MAX_VAR_WORDS]);

/* Id of a pointer to the I/O variable in the shader's variable. vertex: id of the vertex index if
 * it has one, else 0. */
uint32_t pgs_spv_io_var_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_io_var *var, uint32_t storage_class,
                                uint32_t vertex);

/* A vector of the variable's type from its components (ids of the variable's scalar type). */
uint32_t pgs_spv_join(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_io_var *var, const uint32_t *parts);

#endif
