/* SPDX-License-Identifier: MIT
 *
 * One block of push constants for two shaders in a module.
 */
#ifndef PGS_SPIRV_IO_JOIN_PUSHES_H
#define PGS_SPIRV_IO_JOIN_PUSHES_H

#include "spirv/ir/module.h"

/* A stage may have one PushConstant variable. Makes one of two, with the members of both blocks
 * that functions read; those that lie at one place and have one type become one. Fewer stay as they
 * are. UNSUPPORTED if different ones overlap, or a block is used as a whole. */
void pgs_spv_join_push_constants(struct pgs_spv_module *m);

#endif
