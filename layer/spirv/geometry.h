/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: what the passes over geometry shaders share.
 */
#ifndef PGS_SPIRV_GEOMETRY_H
#define PGS_SPIRV_GEOMETRY_H

#include "spirv/interface.h"

/* Parses, folds and reduces a geometry shader and takes its interface apart. m must be finished
 * also on failure. */
enum pgs_spv_result pgs_spv_open_geometry(struct pgs_spv_module *m, const struct pgs_spv_shader *gs,
                                          struct pgs_spv_leaves *inputs,
                                          struct pgs_spv_leaves *outputs);

#endif
