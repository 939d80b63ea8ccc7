/* SPDX-License-Identifier: MIT
 *
 * Tessellation evaluation shader -> vertex shader that computes its own position in the
 * tessellation.
 */
#ifndef PGS_SPIRV_STAGES_EVALUATION_RASTER_H
#define PGS_SPIRV_STAGES_EVALUATION_RASTER_H

#include "spirv/ir/blob.h"
#include "spirv/stages/patch.h"

/* Evaluation shader -> vertex shader of a raster pipeline that draws lists: vertex n is vertex n %
 * v of primitive n / v of the whole draw, with v vertices per primitive. Attribute location 0
 * (R32G32_UINT, instance rate) is the address of the draw record; starts and tile_sums give the
 * patch and the vertex in it, so nothing is stored per vertex. Push constants are those of the
 * record; outputs and descriptors stay the application's. select_view: as in struct
 * pgs_spv_raster_options. primitive_id_location: location of a flat
 * int for the patch's number in its instance; UINT32_MAX: none. UNSUPPORTED if outputs select a
 * layer or viewport, if points have no size, and if one block is both input and output. */
struct pgs_spv_evaluation_raster_options {
    const struct pgs_spv_patch *patch;
    bool triangles;
    uint32_t vertices_per_primitive;
    uint32_t primitive_id_location;
    bool select_view;
    bool by_patch; /* PGS_TESS_BY_PATCH: the vertex tells its patch */
};

enum pgs_spv_result
pgs_spv_evaluation_to_raster(const struct pgs_spv_shader *tes,
                             const struct pgs_spv_evaluation_raster_options *options,
                             struct pgs_spv_blob *out);

#endif
