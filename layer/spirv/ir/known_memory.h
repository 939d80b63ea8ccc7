/* SPDX-License-Identifier: MIT
 *
 * What is known to be in memory at a place of a function: what was stored there or loaded from
 * there before. Of memory of an invocation each variable is known by itself, also across calls; all
 * other memory is one, which any store to it makes unknown.
 */
#ifndef PGS_SPIRV_IR_KNOWN_MEMORY_H
#define PGS_SPIRV_IR_KNOWN_MEMORY_H

#include "spirv/ir/module.h"

#define PGS_SPV_PLACE_INDICES 4
#define PGS_SPV_MAX_STORED 32

/* A store to a variable of an invocation. */
struct pgs_spv_stored {
    uint32_t pointer;
    const struct pgs_spv_stored *next; /* to the same variable */
};

/* Where a pointer leads to. */
struct pgs_spv_place {
    uint32_t root;   /* a variable; the pointer itself into other memory */
    uint32_t number; /* of the variable, as a bit of masks; 0: other memory */
    uint32_t count;  /* of indices */
    bool is_whole;   /* all indices are there and constant */
    uint32_t index[PGS_SPV_PLACE_INDICES];
};

struct pgs_spv_known {
    struct pgs_spv_place place;
    uint32_t value;
};

struct pgs_spv_known_list {
    struct pgs_spv_known *items;
    uint32_t count;
};

struct pgs_spv_memory {
    struct pgs_spv_module *m;
    uint32_t bound;
    uint32_t *variable_of; /* by id: that the pointer leads into; 0: other memory */
    uint32_t *number_of;   /* by variable; 0: counts as other memory */
    uint32_t *constant_of; /* by variable: all that is ever stored there; 0: it varies */
    /* By variable: all stores, and how many; beyond PGS_SPV_MAX_STORED there may be others. */
    const struct pgs_spv_stored **stored;
    uint32_t *stored_count;
    uint32_t mask_w;       /* words of a mask of what is stored: bit 0 for other memory */
    uint32_t *function_of; /* by id: number + 1 */
    uint32_t *stores;      /* by number: masks of what functions store */
    bool shares;           /* others may change what is loaded: of other memory nothing is known but
                            * what is only read */
    bool *is_changed;      /* by variable, with `shares`: others may change it */
    bool *is_only_read;    /* by struct, with `shares`: in other memory */
    struct pgs_spv_known_list known;
};

/* For the functions of m as they are; other passes may change them afterwards, but store no more.
 */
void pgs_spv_open_memory(struct pgs_spv_module *m, struct pgs_spv_memory *memory);

/* Adds what an instruction may store to a mask. */
void pgs_spv_note_stores(const struct pgs_spv_memory *memory, const uint32_t *ins, uint32_t *mask);

/* True for what never changes while a shader runs. */
bool pgs_spv_loads_input(const struct pgs_spv_memory *memory, const uint32_t *load);

/* What a load results in, which may be an OpConstantNull that was made for it, or 0. If it is not
 * known, the load's result is from now on. */
uint32_t pgs_spv_known_load(struct pgs_spv_memory *memory, const uint32_t *load);

/* True if the store changes nothing. */
bool pgs_spv_known_store(struct pgs_spv_memory *memory, const uint32_t *store);

/* Forgets what is in a mask. */
void pgs_spv_forget_stored(struct pgs_spv_memory *memory, const uint32_t *mask);

/* Keeps what is known at the end of a block, and begins another one with it. */
struct pgs_spv_known_list pgs_spv_copy_known(const struct pgs_spv_memory *memory);
void pgs_spv_set_known(struct pgs_spv_memory *memory, const struct pgs_spv_known_list *known);

#endif
