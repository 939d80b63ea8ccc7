/* SPDX-License-Identifier: MIT
 *
 * The declarations that a generated stage takes from the stage whose outputs it writes.
 */
#ifndef PGS_SPIRV_IO_OUTPUTS_H
#define PGS_SPIRV_IO_OUTPUTS_H

#include "spirv/io/io_vars.h"

/* Keeps only the variables with user outputs, and types and constants. Stream decorations are
 * dropped, transform feedback decorations too unless wanted. Built-ins are removed. */
void pgs_spv_keep_outputs(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                          bool xfb);

/* Stores 0 to gl_Layer and gl_ViewportIndex, which are Private, unless they have initializers: a
 * shader that writes them only if a constant or a value says so leaves them undefined otherwise,
 * and drivers take that for 0. Call it in front of each call of the shader. */
void pgs_spv_zero_targets(struct pgs_spv_module *m, struct pgs_spv_list *list,
                          const struct pgs_spv_io_vars *outputs);

#endif
