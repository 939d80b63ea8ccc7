/* SPDX-License-Identifier: MIT
 *
 * How a raster pipeline consumes what a geometry shader emits.
 */
#ifndef PGS_SPIRV_STAGES_RASTER_OPTIONS_H
#define PGS_SPIRV_STAGES_RASTER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* How the raster pipeline draws triangles, or lines, that the geometry shader emits. */
enum pgs_spv_polygons {
    PGS_SPV_POLYGONS_FILLED = 0, /* or the driver knows */
    PGS_SPV_POLYGONS_LINES,      /* a list of lines, three for each triangle */
    PGS_SPV_POLYGONS_POINTS,     /* a list of points */
    /* Wide lines, and wide edges of triangles: a list of triangles, two for each line; or a list of
     * thin lines, as many for each as it has pixels across. */
    PGS_SPV_WIDE_LINES,
    PGS_SPV_WIDE_EDGES,
    PGS_SPV_COPIED_LINES,
    PGS_SPV_COPIED_EDGES,
    /* Large points, and corners of triangles that are such: likewise two triangles for each. */
    PGS_SPV_LARGE_POINTS,
    PGS_SPV_LARGE_CORNERS
};

static inline bool pgs_spv_is_large(enum pgs_spv_polygons polygons)
{
    return polygons == PGS_SPV_LARGE_POINTS || polygons == PGS_SPV_LARGE_CORNERS;
}

/* True if the raster pipeline draws lines that are wider than the driver's, or points that are
 * larger. */
static inline bool pgs_spv_is_wide(enum pgs_spv_polygons polygons)
{
    return polygons >= PGS_SPV_WIDE_LINES;
}

/* True if primitives of the driver are front-facing whatever the polygon is. */
static inline bool pgs_spv_loses_facing(enum pgs_spv_polygons polygons)
{
    return polygons == PGS_SPV_POLYGONS_LINES || polygons == PGS_SPV_POLYGONS_POINTS ||
           polygons == PGS_SPV_COPIED_EDGES;
}

/* Vertices of a GS invocation in an inline draw that joins strips of so many vertices at most. They
 * are even, so that the first triangles of all strips turn alike. */
static inline uint32_t pgs_spv_joined_vertices(uint32_t joined_el)
{
    return (joined_el + 3) & ~UINT32_C(1);
}

/* Locations of an inline draw's record, R32G32B32A32_UINT, instance rate, with record_inputs. At 0
 * is self in place of the pgs_inline_draw. What a shader does not read of these costs it nothing.
 */
enum pgs_spv_record_input {
    PGS_SPV_RECORD_INDICES = 1, /* from index_address to index_bound_el */
    PGS_SPV_RECORD_NUMBERS,     /* from flags to primitive_count */
    PGS_SPV_RECORD_REST,        /* from topology to draw_index */
    PGS_SPV_RECORD_ATTRIBUTES,  /* for each attribute: address, stride, elements */
};

/* Location of a quad of a stored vertex (four words) with `fetches`, R32G32B32A32_UINT. Locations 1
 * and 2 are those of select_*. */
static inline uint32_t pgs_spv_quad_location(uint32_t quad)
{
    return quad ? quad + 2 : 0;
}

/* Options of the shader that replaces the geometry shader in the raster pipeline. */
struct pgs_spv_raster_options {
    bool write_point_size; /* for points: write 1.0 if the geometry shader writes no size
                            */
    /* The geometry shader's PrimitiveId goes to the fragment shader as a flat int at this location;
     * UINT32_MAX: not read there. */
    uint32_t primitive_id_location;
    bool write_layer, write_viewport_index; /* the driver can (shader_viewport_index_layer)
                                             */
    uint32_t max_layer; /* with write_layer: the highest one that the driver gets; 0: any */
    /* The driver does not: a draw is for a range of layers. The first one, and the number of
     * further ones, are at location 1, R32G32_UINT, instance rate; vertices of other layers are
     * clipped. */
    bool select_layer;
    bool pass_layer;         /* with select_layer: pass the layer to the fragment shader */
    uint32_t layer_location; /* with pass_layer: as a flat int at this location */
    /* A draw is for one view: the first number at location 1, as above. In other views its vertices
     * are clipped. Not together with select_layer. */
    bool select_view;
    /* Likewise for viewports: struct pgs_viewport_select is at location 2, instance rate. Vertices
     * of viewports that are not drawn are clipped. */
    bool select_viewport;
    bool pass_viewport;         /* with select_viewport: pass the index to the fragment shader */
    uint32_t viewport_location; /* with pass_viewport: as a flat int at this location */
    bool many_records;          /* of an inline draw: it may have more than one */
    /* Of an inline draw without static emits: vertices are as with them, with as many primitives of
     * each GS invocation as it can emit at most. */
    bool lists_invocations;
    /* Of an inline draw with one record: it is one strip of triangles, in which each GS invocation
     * has pgs_spv_joined_vertices(joined_el) vertices; 0: lists. The shader emits one strip
     * (one_strip of its info) of at most so many vertices. Those that it does not emit are equal to
     * the last one that it does, so triangles with them have no area, as those between strips. */
    uint32_t joined_el;
    /* Of an inline draw with one record and static emits of one stream: vertices are those that are
     * emitted, one after the other, and an index list has the primitives. */
    bool indexed;
    bool by_patch; /* of an inline draw of patches: PGS_TESS_BY_PATCH, with static emits */
    /* Of an inline draw with one record: what it mostly reads of that comes as vertex attributes,
     * too (enum pgs_spv_record_input). The mask says for which locations of the application's
     * vertex shader. Not with select_*. */
    bool record_inputs;
    uint32_t record_attributes;
    /* Stored vertices are vertex attributes (pgs_spv_quad_location) in place of the address at
     * location 0. Filled, and vertices in one array of up to
     * PGS_SPV_MAX_FETCHED_QUADS. Only for pgs_spv_raster_vertex. */
    bool fetches;
    uint32_t stream; /* the rasterized stream; outputs of others are dropped */
    /* Not filled: location 0 has the address of the record (PGS_DRAW_POLYGONS), and
     * gl_VertexIndex / corners is the triangle, the line, or the point. Only for
     * pgs_spv_raster_vertex. */
    enum pgs_spv_polygons polygons;
    bool pass_front; /* with polygons: pass to the fragment shader whether it is front-facing */
    uint32_t front_location;   /* with pass_front: as a flat int at this location */
    bool pass_stipple;         /* of wide lines: where they are in a stipple pattern */
    uint32_t stipple_location; /* with pass_stipple: fragment_stipple.h */
    bool points_beside;        /* large points may have their centre beside the viewport */
    bool pass_point_coord;     /* with large points: pass gl_PointCoord to the fragment shader */
    uint32_t point_coord_location; /* with pass_point_coord: as two floats at this location */
    uint64_t flat_mask[4], linear_mask[4]; /* with polygons: as struct pgs_spv_fragment_info */
};

#endif
