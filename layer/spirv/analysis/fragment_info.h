/* SPDX-License-Identifier: MIT
 *
 * What pipeline creation must know of a fragment shader.
 */
#ifndef PGS_SPIRV_ANALYSIS_FRAGMENT_INFO_H
#define PGS_SPIRV_ANALYSIS_FRAGMENT_INFO_H

#include "spirv/ir/shader.h"

#include <stdbool.h>

/* What a fragment shader uses that a driver without geometryShader (or, gl_PrimitiveID, without
 * tessellationShader) refuses. */
struct pgs_spv_fragment_info {
    bool reads_primitive_id, reads_layer, reads_viewport_index;
    bool reads_input_attachments; /* or declares that it could */
    uint64_t location_mask;       /* input locations in use */
};

enum pgs_spv_result pgs_spv_fragment_info(const struct pgs_spv_shader *fs,
                                          struct pgs_spv_fragment_info *info);

#endif
