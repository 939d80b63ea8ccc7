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

#endif
