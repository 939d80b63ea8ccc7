/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: a module taken apart into its logical sections, and what all passes do
 * with it. An instruction is a pointer to its words; everything lives in the module's arena.
 * Failure is sticky: the first one stays in `result`, makers then return id 0 or NULL, and
 * pgs_spv_write refuses, so that passes need not check every step.
 */
#ifndef PGS_SPIRV_MODULE_H
#define PGS_SPIRV_MODULE_H

#include "base/arena.h"
#include "spirv/spirv.h"

#include <spirv/unified1/spirv.h>

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

struct pgs_spv_list {
    uint32_t **items;
    uint32_t count, capacity;
};

struct pgs_spv_module {
    struct pgs_arena arena;
    enum pgs_spv_result result;
    uint32_t version;
    uint32_t bound;
    uint32_t **defs; /* by id: the instruction that makes it, or NULL */
    uint32_t defs_capacity;
    struct pgs_spv_list sections[PGS_SPV_SECTION_COUNT];
    uint32_t *entry; /* the OpEntryPoint that pgs_spv_reduce chose */
};

#define PGS_SPV_VERSION(major, minor) (((uint32_t)(major) << 16) | ((uint32_t)(minor) << 8))
#define PGS_SPV_ID_LIMIT 0x400000u

static inline uint32_t pgs_spv_op(const uint32_t *ins)
{
    return ins[0] & 0xFFFFu;
}

/* Words of an instruction, the first one included. */
static inline uint32_t pgs_spv_length(const uint32_t *ins)
{
    return ins[0] >> 16;
}

static inline void pgs_spv_fail(struct pgs_spv_module *m, enum pgs_spv_result result)
{
    if (m->result == PGS_SPV_OK)
        m->result = result;
}

/* NULL when the id is out of range or nothing defines it. */
static inline uint32_t *pgs_spv_def(const struct pgs_spv_module *m, uint32_t id)
{
    return id < m->bound ? m->defs[id] : NULL;
}

/* The definition if it has that opcode, or NULL. */
static inline uint32_t *pgs_spv_def_op(const struct pgs_spv_module *m, uint32_t id, uint32_t op)
{
    uint32_t *def = pgs_spv_def(m, id);
    return def && pgs_spv_op(def) == op ? def : NULL;
}

/* operands.c: what the words of an instruction are. */
uint32_t pgs_spv_min_length(uint32_t op);
void pgs_spv_result_words(uint32_t op, uint32_t *type_word, uint32_t *id_word); /* 0: has none */
/* Is word i an id? Exact for what is known below, but for switches over 64 bits; of other operands
 * it may say true for a literal, never false for an id that can be module-scope. */
bool pgs_spv_is_id(const uint32_t *ins, uint32_t i);
/* Those of core SPIR-V without kernels and groups, and a few more. */
bool pgs_spv_knows_operands(uint32_t op);
/* Words of the literal string at word `at`, 0 when it does not end inside the instruction. */
uint32_t pgs_spv_string_words(const uint32_t *ins, uint32_t at);
bool pgs_spv_string_is(const uint32_t *ins, uint32_t at, const char *text);

/* module.c. Debug lines, sources and non-semantic instructions are dropped, decoration groups are
 * flattened. The module must be finished also when this fails. */
enum pgs_spv_result pgs_spv_parse(struct pgs_spv_module *m, const uint32_t *words,
                                  size_t word_count);
void pgs_spv_finish(struct pgs_spv_module *m);
enum pgs_spv_result pgs_spv_write(struct pgs_spv_module *m, struct pgs_spv_blob *out);
/* Zeroed memory of the module's arena. */
void *pgs_spv_zalloc(struct pgs_spv_module *m, size_t count, size_t size_B);
bool pgs_spv_push(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t *ins);

/* build.c: makers. */
uint32_t pgs_spv_new_id(struct pgs_spv_module *m);
/* An instruction whose words after the first are given; its result id becomes known. */
uint32_t *pgs_spv_make(struct pgs_spv_module *m, uint32_t op, const uint32_t *words,
                       uint32_t count);
void pgs_spv_append(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t op,
                    const uint32_t *words, uint32_t count);
#define PGS_SPV_APPEND(m, list, op, ...)                                                           \
    pgs_spv_append(m, list, op, (const uint32_t[]){__VA_ARGS__},                                   \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
/* An instruction with a result type and a fresh result id, which is returned. */
uint32_t pgs_spv_value(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t op,
                       uint32_t type, const uint32_t *words, uint32_t count);
#define PGS_SPV_VALUE(m, list, op, type, ...)                                                      \
    pgs_spv_value(m, list, op, type, (const uint32_t[]){__VA_ARGS__},                              \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
/* Finds the type or makes it. */
uint32_t pgs_spv_type(struct pgs_spv_module *m, uint32_t op, const uint32_t *words, uint32_t count);
uint32_t pgs_spv_type_uint(struct pgs_spv_module *m);
uint32_t pgs_spv_type_int(struct pgs_spv_module *m);
uint32_t pgs_spv_type_uvec(struct pgs_spv_module *m, uint32_t count); /* 1: uint */
uint32_t pgs_spv_type_float(struct pgs_spv_module *m, uint32_t width_bits);
uint32_t pgs_spv_type_vector(struct pgs_spv_module *m, uint32_t scalar,
                             uint32_t count); /* 1: scalar */
uint32_t pgs_spv_type_pointer(struct pgs_spv_module *m, uint32_t storage_class, uint32_t type);
uint32_t pgs_spv_type_void(struct pgs_spv_module *m);
uint32_t pgs_spv_type_procedure(struct pgs_spv_module *m);       /* void() */
uint32_t pgs_spv_uint(struct pgs_spv_module *m, uint32_t value); /* a constant */
/* A module-scope variable of that type (not pointer type). */
uint32_t pgs_spv_variable(struct pgs_spv_module *m, uint32_t storage_class, uint32_t type);
void pgs_spv_decorate(struct pgs_spv_module *m, uint32_t id, uint32_t decoration,
                      const uint32_t *words, uint32_t count);
#define PGS_SPV_DECORATE(m, id, decoration, ...)                                                   \
    pgs_spv_decorate(m, id, decoration, (const uint32_t[]){__VA_ARGS__},                           \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
/* A decoration of an id (member < 0) or of a member; *value gets its first operand if it has one.
 */
bool pgs_spv_decoration(const struct pgs_spv_module *m, uint32_t id, int32_t member,
                        uint32_t decoration, uint32_t *value);
void pgs_spv_add_capability(struct pgs_spv_module *m, uint32_t capability);
bool pgs_spv_has_capability(const struct pgs_spv_module *m, uint32_t capability);
/* An execution mode of m->entry (of any entry point before pgs_spv_reduce). */
bool pgs_spv_has_mode(const struct pgs_spv_module *m, uint32_t mode);
void pgs_spv_add_extension(struct pgs_spv_module *m, const char *name);
/* An instruction with one literal string after `count` words, then `tail`. */
uint32_t *pgs_spv_make_string(struct pgs_spv_module *m, uint32_t op, const uint32_t *words,
                              uint32_t count, const char *text, const uint32_t *tail,
                              uint32_t tail_count);
/* Value of an integer constant of at most 32 bits; false when the id is none. */
bool pgs_spv_constant(const struct pgs_spv_module *m, uint32_t id, uint32_t *value);
/* Drops the items for which drop() says so. */
void pgs_spv_filter(struct pgs_spv_list *list, bool (*drop)(const uint32_t *ins, void *context),
                    void *context);

/* spec.c: specialization constants become constants. Operations that cannot be computed here (on
 * floats) stay, with constant operands. */
void pgs_spv_fold(struct pgs_spv_module *m, const struct pgs_spv_shader *shader);
/* One or two operands, integers or bools (width 1) of width_bits. Bits beyond the width of the
 * result are left for the caller to drop, and what is undefined is 0. False: it is not one of those
 * that are computed here. */
bool pgs_spv_compute(uint32_t op, const uint64_t *operands, uint32_t count, uint32_t width_bits,
                     uint64_t *result);

/* reduce.c. Chooses the entry point and drops the others, and functions that it does not reach.
 * INVALID when it is not there or the call graph has a cycle. */
void pgs_spv_reduce(struct pgs_spv_module *m, const struct pgs_spv_shader *shader);
/* Drops module-scope instructions that nothing uses, and what names or decorates them.
 * `keep_interface`: variables that m->entry lists count as used. */
void pgs_spv_collect_garbage(struct pgs_spv_module *m, bool keep_interface);
/* Writes the entry point anew, with the interface that the module's version asks for. */
void pgs_spv_set_entry(struct pgs_spv_module *m, uint32_t model, uint32_t function,
                       const char *name);

/* link.c. Copies library functions and what they need into m; ids[i] becomes the function called
 * names[i]; where it is not 0, that is the id it gets. Names that are NULL are left out. */
void pgs_spv_link(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                  const char *const *names, uint32_t *ids, uint32_t count);
/* The same for ids that are given, but only functions that m calls already. */
void pgs_spv_link_called(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                         const char *const *names, const uint32_t *ids, uint32_t count);

/* push.c. The PushConstant variable becomes memory at the address that function push_address
 * returns, an id that may be defined later. */
bool pgs_spv_has_push_constants(const struct pgs_spv_module *m);
void pgs_spv_push_constants_to_memory(struct pgs_spv_module *m, uint32_t push_address);

#endif
