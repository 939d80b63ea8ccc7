/* SPDX-License-Identifier: MIT
 *
 * Tessellation evaluation shader -> vertex shader that finds its place in the tessellation
 * itself.
 */
#ifndef PGS_SPIRV_STAGES_EVALUATION_RASTER_H
#define PGS_SPIRV_STAGES_EVALUATION_RASTER_H

#include "spirv/ir/blob.h"
#include "spirv/stages/patch.h"

/* Evaluation shader -> vertex shader of a raster pipeline that draws lists: vertex n is corner n %
 * corners of primitive n / corners of the whole draw. Attribute location 0 (R32G32_UINT, instance
 * rate) is the address of the draw record; which patch and where in it follows from starts and
 * tile_sums, so nothing is stored for each vertex. Push constants are those of the record, outputs
 * and descriptors stay the application's. primitive_id_location: the patch's number in its instance
 * goes there as a flat int; UINT32_MAX: nowhere. UNSUPPORTED for outputs that pick a layer or a
 * viewport, for points without a size, and where one block is input as well as output. */
struct pgs_spv_evaluation_raster_options {
    const struct pgs_spv_patch *patch;
    bool triangles;
    uint32_t corners;
    uint32_t primitive_id_location;
};

enum pgs_spv_result
pgs_spv_evaluation_to_raster(const struct pgs_spv_shader *tes,
                             const struct pgs_spv_evaluation_raster_options *options,
                             struct pgs_spv_blob *out);

#endif
