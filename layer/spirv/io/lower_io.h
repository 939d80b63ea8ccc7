/* SPDX-License-Identifier: MIT
 *
 * Makes another stage of a shader: storage classes, entry point, modes, capabilities.
 */
#ifndef PGS_SPIRV_IO_LOWER_IO_H
#define PGS_SPIRV_IO_LOWER_IO_H

#include "spirv/io/io_vars.h"

/* What all stages share that become another one. Input variables become Private, Output
 * variables of the class output_class, their decorations go; with SpvStorageClassOutput both stay,
 * and a block that is input as well as output is UNSUPPORTED. */
void pgs_spv_lower_io(struct pgs_spv_module *m, uint32_t output_class);

/* One that only an Input or Output may bear. */
bool pgs_spv_is_interface_decoration(uint32_t decoration);

/* Capabilities and extensions that only the stage had for its interface go. */
void pgs_spv_leave_stage(struct pgs_spv_module *m);

/* Capabilities, modes, entry point of a compute shader whose main function is `function`. */
void pgs_spv_make_compute(struct pgs_spv_module *m, uint32_t function, uint32_t group_el);

/* The same for a vertex shader that was a tessellation evaluation shader, or has left its stage. */
void pgs_spv_make_vertex(struct pgs_spv_module *m, uint32_t function);

/* A value for a built-in input that compute shaders have too; 0 if they have not. */
uint32_t pgs_spv_native_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_io_var *var);

/* uint -> the variable's 32-bit scalar type. */
uint32_t pgs_spv_from_uint(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_io_var *var, uint32_t value);

/* Fills a built-in input, which is Private: with what one of the functions (uint()) says, or the
 * driver's own. UNSUPPORTED when there is none. */
struct pgs_spv_builtin_source {
    uint32_t builtin, function;
};

void pgs_spv_fill_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                          const struct pgs_spv_io_var *var,
                          const struct pgs_spv_builtin_source *sources, uint32_t source_count);

#endif
