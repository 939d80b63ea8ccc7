/* SPDX-License-Identifier: MIT
 *
 * What the record of a draw says of its polygons, or its wide lines.
 */
#ifndef PGS_POLYGON_RECORD_GLSL
#define PGS_POLYGON_RECORD_GLSL

#include "poly_gs/polygon.h"

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pgs_polygons_ref
{
    pgs_polygons polygons;
};

#define PGS_POLYGONS_RECORD pgs_polygons_ref(PGS_DRAW.polygons).polygons

#endif
