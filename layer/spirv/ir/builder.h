/* SPDX-License-Identifier: MIT
 *
 * Makes instructions, types, constants, variables and decorations.
 */
#ifndef PGS_SPIRV_IR_BUILDER_H
#define PGS_SPIRV_IR_BUILDER_H

#include "spirv/ir/module.h"

uint32_t pgs_spv_new_id(struct pgs_spv_module *m);

/* Makes an instruction from its words after the first, and registers its result id. */
uint32_t *pgs_spv_make(struct pgs_spv_module *m, uint32_t op, const uint32_t *words,
                       uint32_t count);
void pgs_spv_append(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t op,
                    const uint32_t *words, uint32_t count);

#define PGS_SPV_APPEND(m, list, op, ...)                                                           \
    pgs_spv_append(m, list, op, (const uint32_t[]){__VA_ARGS__},                                   \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Makes an instruction with a result type and a fresh result id, which is returned. */
uint32_t pgs_spv_value(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t op,
                       uint32_t type, const uint32_t *words, uint32_t count);

#define PGS_SPV_VALUE(m, list, op, type, ...)                                                      \
    pgs_spv_value(m, list, op, type, (const uint32_t[]){__VA_ARGS__},                              \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Finds or makes the type. */
uint32_t pgs_spv_type(struct pgs_spv_module *m, uint32_t op, const uint32_t *words, uint32_t count);
uint32_t pgs_spv_type_uint(struct pgs_spv_module *m);
uint32_t pgs_spv_type_int(struct pgs_spv_module *m);
uint32_t pgs_spv_type_uvec(struct pgs_spv_module *m, uint32_t count); /* 1: uint */
uint32_t pgs_spv_type_float(struct pgs_spv_module *m, uint32_t width_bits);
uint32_t pgs_spv_type_vector(struct pgs_spv_module *m, uint32_t scalar,
                             uint32_t count); /* 1: scalar */
uint32_t pgs_spv_type_pointer(struct pgs_spv_module *m, uint32_t storage_class, uint32_t type);
uint32_t pgs_spv_type_void(struct pgs_spv_module *m);
uint32_t pgs_spv_type_procedure(struct pgs_spv_module *m); /* void() */
/* OpConstant of a type of 32 bits, OpConstantTrue or OpConstantFalse. */
uint32_t pgs_spv_known_constant(struct pgs_spv_module *m, uint32_t op, uint32_t type,
                                uint32_t bits);
uint32_t pgs_spv_uint(struct pgs_spv_module *m, uint32_t value); /* a constant */

/* A module-scope variable of that type (not pointer type). */
uint32_t pgs_spv_variable(struct pgs_spv_module *m, uint32_t storage_class, uint32_t type);

/* Loads a new input variable that has one decoration with one operand. */
uint32_t pgs_spv_load_input(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t type,
                            uint32_t decoration, uint32_t operand);
void pgs_spv_decorate(struct pgs_spv_module *m, uint32_t id, uint32_t decoration,
                      const uint32_t *words, uint32_t count);

#define PGS_SPV_DECORATE(m, id, decoration, ...)                                                   \
    pgs_spv_decorate(m, id, decoration, (const uint32_t[]){__VA_ARGS__},                           \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Finds a decoration of an id (member < 0) or of a member. *value: its first operand, if any.
 */
bool pgs_spv_decoration(const struct pgs_spv_module *m, uint32_t id, int32_t member,
                        uint32_t decoration, uint32_t *value);
void pgs_spv_add_capability(struct pgs_spv_module *m, uint32_t capability);
bool pgs_spv_has_capability(const struct pgs_spv_module *m, uint32_t capability);

/* True if m->entry, or before pgs_spv_dce_functions any entry point, has the execution mode.
 */
bool pgs_spv_has_mode(const struct pgs_spv_module *m, uint32_t mode);
void pgs_spv_add_extension(struct pgs_spv_module *m, const char *name);

/* Makes an instruction of `count` words, one literal string and `tail`. */
uint32_t *pgs_spv_make_string(struct pgs_spv_module *m, uint32_t op, const uint32_t *words,
                              uint32_t count, const char *text, const uint32_t *tail,
                              uint32_t tail_count);

/* Replaces the entry point, with the interface that the module's version requires. */
void pgs_spv_set_entry(struct pgs_spv_module *m, uint32_t model, uint32_t function,
                       const char *name);

/* Value of an integer constant of any width; false if the id is none, or its value has more than
 * 32 bits. */
bool pgs_spv_constant(const struct pgs_spv_module *m, uint32_t id, uint32_t *value);

#endif
