/* SPDX-License-Identifier: MIT
 *
 * What pipeline creation must know about a fragment shader.
 */
#ifndef PGS_SPIRV_ANALYSIS_FRAGMENT_INFO_H
#define PGS_SPIRV_ANALYSIS_FRAGMENT_INFO_H

#include "spirv/ir/shader.h"

#include <stdbool.h>

/* Uses of a fragment shader that a driver refuses without geometryShader (for gl_PrimitiveID also
 * tessellationShader). */
struct pgs_spv_fragment_info {
    bool reads_primitive_id, reads_layer, reads_viewport_index;
    bool reads_input_attachments; /* reads them, or declares the capability */
    uint64_t location_mask;       /* input locations in use */
};

enum pgs_spv_result pgs_spv_fragment_info(const struct pgs_spv_shader *fs,
                                          struct pgs_spv_fragment_info *info);

#endif
