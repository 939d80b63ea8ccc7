/* SPDX-License-Identifier: MIT
 *
 * What pipeline creation must know about a fragment shader.
 */
#ifndef PGS_SPIRV_ANALYSIS_FRAGMENT_INFO_H
#define PGS_SPIRV_ANALYSIS_FRAGMENT_INFO_H

#include "spirv/ir/shader.h"

#include <stdbool.h>

/* Inputs of a fragment shader: first those that a driver refuses without geometryShader (for
 * gl_PrimitiveID also tessellationShader). */
struct pgs_spv_fragment_info {
    bool reads_primitive_id, reads_layer, reads_viewport_index;
    bool reads_input_attachments; /* reads them, or declares the capability */
    bool reads_front_facing;      /* which the driver has, but not of polygons drawn as lines */
    bool reads_point_coord;       /* likewise, but not of large points that are triangles */
    bool interpolates;            /* inputs at locations, and leaves that to the rasterizer */
    bool reads_cull_distance;
    bool keeps_early_tests;  /* demands them, and they cannot be late: see pgs_spv_clip_fragments */
    uint64_t location_mask;  /* input locations in use */
    uint64_t flat_mask[4];   /* by component: locations of inputs that are not interpolated */
    uint64_t linear_mask[4]; /* likewise: noperspective */
};

enum pgs_spv_result pgs_spv_fragment_info(const struct pgs_spv_shader *fs,
                                          struct pgs_spv_fragment_info *info);

#endif
