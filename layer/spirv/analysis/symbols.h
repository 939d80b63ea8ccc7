/* SPDX-License-Identifier: MIT
 *
 * Values of a shader as expressions of what it reads. Equal expressions are one symbol.
 */
#ifndef PGS_SPIRV_ANALYSIS_SYMBOLS_H
#define PGS_SPIRV_ANALYSIS_SYMBOLS_H

#include "spirv/ir/module.h"

/* Number of an expression; 0: there is none. */
typedef uint32_t pgs_spv_symbol;

/* Mask of the vertices of the input primitive that an expression depends on. */
#define PGS_SPV_ANY_VERTEX UINT32_MAX

enum pgs_spv_symbol_kind {
    PGS_SPV_SYMBOL_OPAQUE,    /* like no other */
    PGS_SPV_SYMBOL_ID,        /* what is defined outside of functions: its id */
    PGS_SPV_SYMBOL_NUMBER,    /* type id, bits */
    PGS_SPV_SYMBOL_OPERATION, /* opcode, type id, operands */
    PGS_SPV_SYMBOL_COMPOSITE, /* one symbol for each part */
    PGS_SPV_SYMBOL_WITH,      /* a symbol, but with another one at a path */
    PGS_SPV_SYMBOL_PART,      /* a symbol; the path to a part of it */
    PGS_SPV_SYMBOL_VERTICES,  /* a per-vertex input: its id */
    PGS_SPV_SYMBOL_OF_VERTEX, /* its id, the number of the vertex, the path to a part of that */
    PGS_SPV_SYMBOL_REGION,    /* what comes out of a region (region.h): where it is, what goes in */
    PGS_SPV_SYMBOL_RESULT, /* a region's symbol, the id of what comes out, what that was before */
};

struct pgs_spv_symbol_def {
    uint32_t kind, at, count;     /* words [at, at + count) of the table */
    uint32_t vertices;            /* mask */
    pgs_spv_symbol of_any_vertex; /* the same expression, but of vertex 0 in place of others */
};

struct pgs_spv_symbols {
    struct pgs_spv_module *m;
    struct pgs_spv_symbol_def *defs; /* [count]; those of 0 do not exist */
    uint32_t *words;
    pgs_spv_symbol *buckets; /* [2 * capacity] */
    uint32_t count, capacity, word_count, word_capacity;
    bool is_full; /* all that was made since is opaque */
};

/* The memory is the module's. False: out of memory. */
bool pgs_spv_symbols_init(struct pgs_spv_symbols *s, struct pgs_spv_module *m);

/* A value of which nothing is known. */
pgs_spv_symbol pgs_spv_symbol_opaque(struct pgs_spv_symbols *s);

/* Bit i of `symbols`: words[i] is a symbol. */
pgs_spv_symbol pgs_spv_symbol_make(struct pgs_spv_symbols *s, enum pgs_spv_symbol_kind kind,
                                   const uint32_t *words, uint32_t count, uint64_t symbols);

/* A part of a composite, by constant indices; and the composite with another part. */
pgs_spv_symbol pgs_spv_symbol_part(struct pgs_spv_symbols *s, pgs_spv_symbol whole,
                                   const uint32_t *path, uint32_t depth);
pgs_spv_symbol pgs_spv_symbol_with(struct pgs_spv_symbols *s, pgs_spv_symbol whole,
                                   const uint32_t *path, uint32_t depth, pgs_spv_symbol part);

/* True, and its bits, if it is a number. */
bool pgs_spv_symbol_is_number(const struct pgs_spv_symbols *s, pgs_spv_symbol symbol,
                              uint32_t *bits);

#endif
