/* SPDX-License-Identifier: MIT
 *
 * Fragment shaders for drivers without geometryShader or tessellationShader.
 */
#ifndef PGS_SPIRV_STAGES_FRAGMENT_H
#define PGS_SPIRV_STAGES_FRAGMENT_H

#include "spirv/io/distances.h"
#include "spirv/io/lacks.h"
#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* What the driver supports. */
struct pgs_spv_fragment_options {
    struct pgs_spv_lacks lacks;
    /* gl_PrimitiveID becomes a flat input at this location; UINT32_MAX: it stays a built-in. */
    uint32_t primitive_id_location;
    bool has_layer, has_viewport_index; /* the driver supports it (shader_viewport_index_layer);
                                         * else nothing writes it, and it reads 0. This and the next
                                         * members apply only without geometry */
    bool
        behind_mesh; /* a mesh shader writes the built-ins, whose capability then stands for them */
    bool take_layer; /* reads gl_Layer as a flat int at layer_location */
    uint32_t layer_location;
    bool take_viewport; /* likewise gl_ViewportIndex */
    uint32_t viewport_location;
    bool take_front; /* reads gl_FrontFacing as a flat int, not 0 for true; also with geometry */
    uint32_t front_location;
    bool flat_inputs;      /* what lies at locations is the same at all vertices: flat */
    bool take_point_coord; /* reads gl_PointCoord at point_coord_location; also with geometry */
    uint32_t point_coord_location;
    /* Ends where a stippled line has a gap, according to the input at this location
     * (fragment_stipple.h). */
    bool take_stipple;
    uint32_t stipple_location;
    /* Without distances: what the shader in front of the rasterizer passes instead. The samples of
     * a pixel; also with stipple. */
    struct pgs_spv_distances distances;
    uint32_t sample_count;
};

/* Makes a fragment shader that the driver accepts, without what it lacks. Without
 * tessellationShader a gl_PrimitiveID that stays a built-in is declared with Geometry. Without
 * distances the shader clips, and with a stipple it leaves gaps (pgs_spv_clip_fragments). Without
 * geometryShader remaining uses of Layer and ViewportIndex get ShaderViewportIndexLayerEXT in place
 * of Geometry and MultiViewport. The entry point's name and specialization constants stay. */
enum pgs_spv_result pgs_spv_fragment_fix_up(const struct pgs_spv_shader *fs,
                                            const struct pgs_spv_fragment_options *options,
                                            struct pgs_spv_blob *out);

#endif
