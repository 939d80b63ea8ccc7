/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> vertex shader of the application's own draw: instanced draws.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_INSTANCED_H
#define PGS_SPIRV_STAGES_GEOMETRY_INSTANCED_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/raster_options.h"

/* Vertex shader and a geometry shader of one vertex (info->one_vertex) -> vertex shader that takes
 * the application's own vertex input and draws the application's own primitives; of one that picks
 * vertices, as pgs_spv_find_picked finds out (info->may_pick), lists of what it picks. With several
 * strips each instance of the application is as many instances: instance n is strip n % strips of
 * the application's instance n / strips, so the draw's first instance must be multiplied, too.
 * Outputs are those of pgs_spv_raster_vertex; of the options it knows stream 0 without select_* and
 * polygons. Descriptors stay as they are, and push constants where they are. UNSUPPORTED if it does
 * not pick after all, and as in pgs_spv_fused_to_compute and pgs_spv_join_push_constants. */
enum pgs_spv_result pgs_spv_instanced_to_raster(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_raster_options *options,
                                                struct pgs_spv_blob *out);

#endif
