/* SPDX-License-Identifier: MIT
 *
 * A geometry shader for a driver without vertex streams.
 */
#ifndef PGS_SPIRV_STAGES_STREAMS_H
#define PGS_SPIRV_STAGES_STREAMS_H

#include "spirv/ir/module.h"

/* A geometry shader emits to one stream only, without naming it; outputs of others
 * become private. */
void pgs_spv_keep_stream(struct pgs_spv_module *m, uint32_t stream);

#endif
