/* SPDX-License-Identifier: MIT
 *
 * The built-ins that vertex shaders pass to the rasterizer in place of a geometry shader.
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
        *layout; /* of the stream, as `outputs`; a built-in without a word is absent */
    const struct pgs_spv_io_vars *outputs;
    const struct pgs_spv_raster_options *options;
    const uint8_t *invariant; /* by built-in, below 64 */
    uint32_t is_there;        /* id of a bool: false if the vertex does not exist; 0: it does
                               */
    uint32_t select_viewport; /* id of pgs_select_viewport; with the option of this name */
    uint32_t front;           /* id of an int for front_location; 0: none */
    uint32_t point_coord;     /* likewise of two floats for point_coord_location */
    /* Id of an element of an existing built-in, as a value of `type`: a word, or all of
     * gl_Position. */
    uint32_t (*load)(const struct pgs_spv_raster_access *access, uint32_t type, uint32_t builtin,
                     uint32_t element);
    const void *source; /* for load */
};

/* Makes the access, without load, source and select_viewport. `outputs` are all of the geometry
 * shader's, with their decorations; the function reduces them to those of the stream, and the
 * access keeps the pointer.
 */
struct pgs_spv_raster_access pgs_spv_open_raster(struct pgs_spv_module *m,
                                                 const struct pgs_spv_geometry_info *info,
                                                 const struct pgs_spv_raster_options *options,
                                                 struct pgs_spv_io_vars *outputs);

/* True if the shader writes the built-in; one that is captured alone does not go to the rasterizer.
 */
bool pgs_spv_raster_writes(const struct pgs_spv_raster_access *access, uint32_t builtin);

/* Declares and stores the built-ins, but no cull distances of polygons. Vertices that do not exist,
 * or that belong to a layer, view or viewport that is not being drawn, go outside of all clip
 * planes. */
void pgs_spv_store_raster_builtins(const struct pgs_spv_raster_access *access);

/* Id of a bool: the draw is for the view that is being drawn (select_view). */
uint32_t pgs_spv_in_view(struct pgs_spv_module *m, struct pgs_spv_list *list);

/* Id of the position, or of one outside of all clip planes if the bool `drawn` is false. type: of
 * four floats. */
uint32_t pgs_spv_clip_unless(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t type,
                             uint32_t drawn, uint32_t position);

#endif
