/* SPDX-License-Identifier: MIT
 *
 * How a raster pipeline takes what a geometry shader emits.
 */
#ifndef PGS_SPIRV_STAGES_RASTER_OPTIONS_H
#define PGS_SPIRV_STAGES_RASTER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What replaces the geometry shader in the raster pipeline. */
struct pgs_spv_raster_options {
    bool write_point_size; /* output is points: 1.0 where the GS writes none */
    /* GS PrimitiveId goes to the fragment shader as a flat int at this location; UINT32_MAX: not
     * read there. */
    uint32_t primitive_id_location;
    bool write_layer, write_viewport_index; /* the driver can (shader_viewport_index_layer) */
    /* The driver cannot: a draw is for some layers. The first one, and how many more, is at
     * location 1, R32G32_UINT, instance rate; other vertices go where everything is clipped. */
    bool select_layer;
    bool pass_layer;         /* with select_layer: the layer goes to the fragment shader, too */
    uint32_t layer_location; /* with pass_layer: as a flat int at this location */
    uint32_t stream;         /* that is rasterized; outputs of others go */
};

#endif
