/* SPDX-License-Identifier: MIT
 *
 * Fragment shaders for drivers without geometryShader or tessellationShader.
 */
#ifndef PGS_SPIRV_STAGES_FRAGMENT_H
#define PGS_SPIRV_STAGES_FRAGMENT_H

#include "spirv/io/lacks.h"
#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

/* How the driver takes them. */
struct pgs_spv_fragment_options {
    struct pgs_spv_lacks lacks;
    /* gl_PrimitiveID becomes a flat input at this location; UINT32_MAX: it stays a built-in. */
    uint32_t primitive_id_location;
    bool has_layer, has_viewport_index; /* the driver can (shader_viewport_index_layer);
                                           otherwise nothing ever writes them, and they read 0.
                                           Only without geometry, as what follows */
    bool take_layer; /* but for gl_Layer, which becomes a flat input at layer_location */
    uint32_t layer_location;
};

/* Fragment shader for the driver. What it lacks is removed. Without tessellationShader a
 * gl_PrimitiveID that stays a built-in is declared with Geometry. Without geometryShader what is
 * left of Layer and ViewportIndex gets ShaderViewportIndexLayerEXT in the place of Geometry and
 * MultiViewport. The entry point keeps its name and spec constants stay. */
enum pgs_spv_result pgs_spv_fragment_fix_up(const struct pgs_spv_shader *fs,
                                            const struct pgs_spv_fragment_options *options,
                                            struct pgs_spv_blob *out);

#endif
