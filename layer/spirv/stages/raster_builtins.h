/* SPDX-License-Identifier: MIT
 *
 * The built-ins that vertex shaders hand to the rasterizer in place of a geometry shader.
 */
#ifndef PGS_SPIRV_STAGES_RASTER_BUILTINS_H
#define PGS_SPIRV_STAGES_RASTER_BUILTINS_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/io/io_vars.h"
#include "spirv/stages/raster_options.h"

struct pgs_spv_raster_access {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_layout
        *layout; /* of the stream, as `outputs`; what has no word is not there */
    const struct pgs_spv_io_vars *outputs;
    const struct pgs_spv_raster_options *options;
    const uint8_t *invariant; /* by built-in, below 64 */
    uint32_t is_there;        /* id of a bool: false where there is no vertex; 0: there always is */
    /* Id of an element of a built-in that is there, as a value of `type`: a word, or all of
     * gl_Position. */
    uint32_t (*load)(const struct pgs_spv_raster_access *access, uint32_t type, uint32_t builtin,
                     uint32_t element);
    const void *source; /* for load */
};

/* Access without load and source. `outputs`, which it keeps, are all of the geometry shader's and
 * become those of the stream; their decorations have not gone yet. */
struct pgs_spv_raster_access pgs_spv_open_raster(struct pgs_spv_module *m,
                                                 const struct pgs_spv_geometry_info *info,
                                                 const struct pgs_spv_raster_options *options,
                                                 struct pgs_spv_io_vars *outputs);

/* Declares and stores them. Vertices that are not there, or that belong to another layer than the
 * one that is drawn, go to where every plane clips them. */
void pgs_spv_store_raster_builtins(const struct pgs_spv_raster_access *access);

#endif
