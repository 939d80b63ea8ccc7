/* SPDX-License-Identifier: MIT
 *
 * What a generated stage keeps of the stage whose outputs it has.
 */
#ifndef PGS_SPIRV_IO_OUTPUTS_H
#define PGS_SPIRV_IO_OUTPUTS_H

#include "spirv/io/io_vars.h"

/* All that stays are the variables with user outputs (without what streams say of them,
 * and with what transform feedback does only if wanted), types and constants. Built-ins go. */
void pgs_spv_keep_outputs(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                          bool xfb);

#endif
