/* SPDX-License-Identifier: MIT
 *
 * The vertex shader that passes emitted vertices to the rasterizer.
 */
#ifndef PGS_SPIRV_STAGES_RASTER_H
#define PGS_SPIRV_STAGES_RASTER_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/raster_options.h"

/* Makes a vertex shader with the outputs of the geometry shader (same locations, types,
 * decorations) that loads vertex gl_VertexIndex from `slots`. Attribute location 0: R32G32_UINT,
 * instance rate. Bit-exact. */
enum pgs_spv_result pgs_spv_raster_vertex(const struct pgs_spv_shader *gs,
                                          const struct pgs_spv_geometry_info *info,
                                          const struct pgs_spv_raster_options *options,
                                          struct pgs_spv_blob *out);

#endif
