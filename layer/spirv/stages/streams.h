/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders for drivers without vertex streams.
 */
#ifndef PGS_SPIRV_STAGES_STREAMS_H
#define PGS_SPIRV_STAGES_STREAMS_H

#include "spirv/ir/module.h"

/* Makes a geometry shader emit to one stream only, without naming it. Outputs of other streams
 * become private. */
void pgs_spv_keep_stream(struct pgs_spv_module *m, uint32_t stream);

#endif
