/* SPDX-License-Identifier: MIT
 *
 * A module split into its logical sections. An instruction is a pointer to its words; the module's
 * arena owns everything. Failure is sticky: the first one stays in `result`, makers then return id
 * 0 or NULL, and pgs_spv_write refuses, so passes need not check every step.
 */
#ifndef PGS_SPIRV_IR_MODULE_H
#define PGS_SPIRV_IR_MODULE_H

#include "base/arena.h"
#include "spirv/ir/blob.h"
#include "spirv/ir/instruction.h"
#include "spirv/ir/shader.h"

#include <stdbool.h>

enum pgs_spv_section {
    PGS_SPV_CAPABILITIES,
    PGS_SPV_EXTENSIONS,
    PGS_SPV_IMPORTS,
    PGS_SPV_MEMORY_MODEL,
    PGS_SPV_ENTRIES,
    PGS_SPV_MODES,
    PGS_SPV_STRINGS,
    PGS_SPV_NAMES,
    PGS_SPV_ANNOTATIONS,
    PGS_SPV_GLOBALS, /* types, constants, module-scope variables */
    PGS_SPV_FUNCTIONS,
    PGS_SPV_SECTION_COUNT,
};

#define PGS_SPV_RECENT_LOG2 7
#define PGS_SPV_RECENT (1u << PGS_SPV_RECENT_LOG2)

struct pgs_spv_list {
    uint32_t **items;
    uint32_t count, capacity;
};

struct pgs_spv_library;

/* Functions of a library that a module may call. Their instructions stay in the library, until
 * pgs_spv_specialize writes what calls make of them. */
struct pgs_spv_linked {
    struct pgs_spv_linked *next;
    const struct pgs_spv_library *library;
    uint32_t *ids;       /* by id of the library: in the module; 0: it has none */
    uint8_t *copied;     /* likewise: the module's is new, not an equal instruction that it had */
    uint32_t *functions; /* numbers in the library of the functions that the module may call */
    uint32_t function_count;
};

struct pgs_spv_module {
    struct pgs_arena arena;
    enum pgs_spv_result result;
    uint32_t version;
    uint32_t bound;
    uint32_t **defs; /* by id: the defining instruction, or NULL */
    uint32_t defs_capacity;
    struct pgs_spv_list sections[PGS_SPV_SECTION_COUNT];
    uint32_t recent[PGS_SPV_RECENT]; /* see pgs_spv_recent */
    uint32_t *entry;                 /* the OpEntryPoint that pgs_spv_dce_functions chose */
    struct pgs_spv_linked *linked;   /* of which functions are to be written */
    struct pgs_spv_linked *written;  /* whose functions have been written */
    bool int64;                      /* linked functions may use 64-bit integers */
    bool pairs_words;                /* what comes out does: ir/pair_words.h */
    bool joins_loads;                /* likewise: ir/join_loads.h */
    bool is_trial;    /* of struct pgs_spv_shader: what can no longer fail is left out */
    bool keeps_names; /* likewise */
};

#define PGS_SPV_VERSION(major, minor) (((uint32_t)(major) << 16) | ((uint32_t)(minor) << 8))
#define PGS_SPV_ID_LIMIT 0x400000u

/* Where a type or constant may be in GLOBALS that begins with these words after its result: a place
 * that the searcher sets to what it found, and compares before it searches. Passes may have removed
 * or changed what is there. */
static inline uint32_t *pgs_spv_recent(struct pgs_spv_module *m, uint32_t op, uint32_t a,
                                       uint32_t b)
{
    const uint32_t hash = ((op * 31 + a) * 0x9E3779B1u ^ b) * 0x85EBCA6Bu;
    return &m->recent[hash >> (32 - PGS_SPV_RECENT_LOG2)];
}

static inline void pgs_spv_fail(struct pgs_spv_module *m, enum pgs_spv_result result)
{
    if (m->result == PGS_SPV_OK)
        m->result = result;
}

static inline void pgs_spv_keep_names(struct pgs_spv_module *m, bool keeps)
{
    m->keeps_names = keeps;
    if (!keeps)
        m->sections[PGS_SPV_NAMES].count = 0;
}

/* NULL if the id is out of range or undefined. */
static inline uint32_t *pgs_spv_def(const struct pgs_spv_module *m, uint32_t id)
{
    return id < m->bound ? m->defs[id] : NULL;
}

/* The definition if it has that opcode, else NULL. */
static inline uint32_t *pgs_spv_def_op(const struct pgs_spv_module *m, uint32_t id, uint32_t op)
{
    uint32_t *def = pgs_spv_def(m, id);
    return def && pgs_spv_op(def) == op ? def : NULL;
}

/* The type of a value; 0: the id is undefined, or its definition has no type. */
uint32_t pgs_spv_type_of(const struct pgs_spv_module *m, uint32_t id);

/* Drops debug lines, sources and non-semantic instructions, and flattens decoration groups. The
 * caller finishes the module, also on failure. */
enum pgs_spv_result pgs_spv_parse(struct pgs_spv_module *m, const uint32_t *words,
                                  size_t word_count);
void pgs_spv_finish(struct pgs_spv_module *m);
/* Of a trial no words. */
enum pgs_spv_result pgs_spv_write(struct pgs_spv_module *m, struct pgs_spv_blob *out);

/* Memory from the module's arena, that of pgs_spv_zalloc zeroed. */
void *pgs_spv_alloc(struct pgs_spv_module *m, size_t count, size_t size_B);
void *pgs_spv_zalloc(struct pgs_spv_module *m, size_t count, size_t size_B);
bool pgs_spv_push_growing(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t *ins);
static inline bool pgs_spv_push(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t *ins)
{
    if (!ins || list->count == list->capacity)
        return pgs_spv_push_growing(m, list, ins);
    list->items[list->count++] = ins;
    return true;
}

/* Removes the items for which drop() returns true. */
void pgs_spv_filter(struct pgs_spv_list *list, bool (*drop)(const uint32_t *ins, void *context),
                    void *context);

#endif
