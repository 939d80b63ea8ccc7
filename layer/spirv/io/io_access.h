/* SPDX-License-Identifier: MIT
 *
 * Code that moves I/O variables to and from the 32-bit words of a stored vertex.
 */
#ifndef PGS_SPIRV_IO_IO_ACCESS_H
#define PGS_SPIRV_IO_IO_ACCESS_H

#include "spirv/io/io_layout.h"
#include "spirv/io/io_vars.h"

/* Generates code for I/O variables into `list`. Words are accessed by the library functions load
 * and store, or in `variable`. Without load nothing is loaded; without store nothing is stored. */
struct pgs_spv_io_access {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_layout *layout;
    uint32_t first_w;       /* added to all words of the layout */
    uint32_t offset;        /* id of a uint that is added, too; 0: none */
    bool by_word;           /* `offset` may be no multiple of 4, which load4 and store4 need */
    uint32_t load, load4;   /* (uint word) or (uint vertex, uint word) */
    uint32_t store, store4; /* (uint word, value) or (uint vertex, uint word, value) */
    /* As load, load4, store and store4 for the words from layout->head_w on, which they count from
     * 0. Without them the four above take all words. */
    uint32_t load_rest, load4_rest, store_rest, store4_rest;
    /* By quad of the layout: id of a uvec4 that is loaded already, for loads only; NULL: the
     * functions. */
    const uint32_t *quads;
    uint32_t variable;     /* Private variable with the vertex, uvec4[stride_w / 4]; 0: use the
                            * functions */
    const uint8_t *writes; /* by word of `variable`: something is stored there; NULL: everywhere */
    uint32_t stored_class; /* storage class of the stored variables */
};

/* Loads the I/O variable. vertex: id of the first argument, or 0. Returns the id of a value of the
 * variable's type, 0 if the layout lacks it or nothing is stored there. */
uint32_t pgs_spv_load_io_var(const struct pgs_spv_io_access *access,
                             const struct pgs_spv_io_var *var, uint32_t vertex);

/* Stores a value of the variable's type. vertex: as for pgs_spv_load_io_var. */
void pgs_spv_store_io_value(const struct pgs_spv_io_access *access,
                            const struct pgs_spv_io_var *var, uint32_t vertex, uint32_t value);

/* Stores the contents of the I/O variable. vertex: as above, and as for pgs_spv_io_var_pointer. */
void pgs_spv_store_io_var(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                          uint32_t vertex);

/* Words of an I/O variable, as pgs_spv_io_var_words, and for tessellation levels, which are stored
 * separately. */
uint32_t pgs_spv_io_access_words(const struct pgs_spv_io_access *access,
                                 const struct pgs_spv_io_var *var,
                                 uint16_t words[PGS_SPV_MAX_VAR_WORDS]);

/* Splits a value of the variable's type into ids of uint values; 64-bit components low word first.
 * Returns the number of words. */
uint32_t pgs_spv_split_io_var(const struct pgs_spv_io_access *access,
                              const struct pgs_spv_io_var *var, uint32_t value,
                              uint32_t values[PGS_SPV_MAX_VAR_WORDS]);

/* Id of a pointer to the I/O variable in the shader's variable. vertex: id of the vertex index for
 * per-vertex variables, else 0. */
uint32_t pgs_spv_io_var_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_io_var *var, uint32_t storage_class,
                                uint32_t vertex);

/* A vector of the variable's type from its components (ids of the variable's scalar type). */
uint32_t pgs_spv_join(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_io_var *var, const uint32_t *parts);

#endif
