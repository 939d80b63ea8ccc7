/* SPDX-License-Identifier: MIT
 *
 * Moves a shader to another stage: storage classes, entry point, modes, capabilities.
 */
#ifndef PGS_SPIRV_IO_LOWER_IO_H
#define PGS_SPIRV_IO_LOWER_IO_H

#include "spirv/io/io_vars.h"

/* The steps that all moved stages share. Input variables become Private, Output variables get the
 * class output_class, and their decorations are removed. With SpvStorageClassOutput outputs keep
 * both; UNSUPPORTED if one block is then both input and output. */
void pgs_spv_lower_io(struct pgs_spv_module *m, uint32_t output_class);

/* True for decorations that are only legal on Input or Output variables. */
bool pgs_spv_is_interface_decoration(uint32_t decoration);

/* Removes the capabilities and extensions that the interface of the old stage needed. */
void pgs_spv_leave_stage(struct pgs_spv_module *m);

/* Sets capabilities, modes and entry point of a compute shader with main function `function`.
 */
void pgs_spv_make_compute(struct pgs_spv_module *m, uint32_t function, uint32_t group_el);

/* As pgs_spv_make_compute, for a vertex shader made from an evaluation shader, or from a shader
 * after pgs_spv_leave_stage. */
void pgs_spv_make_vertex(struct pgs_spv_module *m, uint32_t function);

/* The value of a built-in input that compute shaders have, too; 0 if they do not. */
uint32_t pgs_spv_native_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_io_var *var);

/* Converts a uint to the variable's 32-bit scalar type. */
uint32_t pgs_spv_from_uint(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_io_var *var, uint32_t value);

/* Fills a built-in input, which is Private, from one of the functions (uint()) or from the driver's
 * built-in. UNSUPPORTED if neither exists. */
struct pgs_spv_builtin_source {
    uint32_t builtin, function;
};

void pgs_spv_fill_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                          const struct pgs_spv_io_var *var,
                          const struct pgs_spv_builtin_source *sources, uint32_t source_count);

#endif
