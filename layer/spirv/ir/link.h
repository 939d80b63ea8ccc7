/* SPDX-License-Identifier: MIT
 *
 * Links functions of the embedded libraries.
 */
#ifndef PGS_SPIRV_IR_LINK_H
#define PGS_SPIRV_IR_LINK_H

#include "spirv/ir/library.h"
#include "spirv/ir/module.h"

/* Lets m call library functions. ids[i] becomes the function names[i]; an id that is not 0 is used
 * as given. NULL names are skipped. What they need of globals is copied when they are written. The
 * library must outlive m. */
void pgs_spv_link(struct pgs_spv_module *m, const struct pgs_spv_library *library,
                  const char *const *names, uint32_t *ids, uint32_t count);

/* As pgs_spv_link, for given ids, but only links functions that m already calls. */
void pgs_spv_link_called(struct pgs_spv_module *m, const struct pgs_spv_library *library,
                         const char *const *names, const uint32_t *ids, uint32_t count);

/* For pgs_spv_specialize: instructions of GLOBALS that others may share, found by their words
 * without the result. Only m is set in the beginning. Meanwhile GLOBALS only grows. */
#define PGS_SPV_GLOBALS_LOG2 8
struct pgs_spv_known_globals {
    struct pgs_spv_module *m;
    uint32_t heads[1 << PGS_SPV_GLOBALS_LOG2]; /* by hash: number + 1 in GLOBALS; 0: none */
    uint32_t *next;                            /* by number in GLOBALS, as heads */
    uint32_t count, capacity;                  /* of next; count: of GLOBALS that are noted */
};

/* The id in the module of what the library has outside of functions, which may come with it. 0: on
 * failure. */
uint32_t pgs_spv_map_id(struct pgs_spv_known_globals *known, struct pgs_spv_linked *linked,
                        uint32_t id);

/* In the end: decorations, and names, of what has come. */
void pgs_spv_describe_copied(struct pgs_spv_module *m, const struct pgs_spv_linked *linked);

/* Sets marks[id] of everything with that opcode that came with functions that are written. */
void pgs_spv_mark_copied(const struct pgs_spv_module *m, uint32_t op, uint8_t *marks);

#endif
