/* SPDX-License-Identifier: MIT
 *
 * The passes of pgs-spv for geometry shaders of one vertex.
 */
#ifndef PGS_TESTS_SPIRV_RUN_INSTANCED_H
#define PGS_TESTS_SPIRV_RUN_INSTANCED_H

#include "spirv/spirv.h"

/* Prints "each of all" strips, and whether they go to layers of their own; or "no". */
enum pgs_spv_result print_one_vertex(const struct pgs_spv_shader *shader);

/* Prints whether the shader picks vertices, or is of one vertex besides. */
enum pgs_spv_result print_picks(const struct pgs_spv_shader *shader);

/* Makes the vertex shader of an instanced draw, or the compute shader that sifts it; of a shader
 * that picks vertices those of such a draw. What comes out is legal for any shader, though right
 * only for those of one vertex, and those that pick. */
enum pgs_spv_result run_instanced(bool sifts, const struct pgs_spv_shader *vs,
                                  const struct pgs_spv_vertex_options *options,
                                  const struct pgs_spv_shader *gs,
                                  const struct pgs_spv_geometry_info *info,
                                  const struct pgs_spv_raster_options *raster,
                                  struct pgs_spv_blob *out);

#endif
