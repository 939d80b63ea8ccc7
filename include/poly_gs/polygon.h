/* SPDX-License-Identifier: MIT
 *
 * What the raster vertex shader knows of polygons that are drawn as lines or points, on drivers
 * without fillModeNonSolid, of wide lines, on drivers without wideLines, and of large points, on drivers without
 * largePoints. The CPU writes it for each draw. C and GLSL include this file.
 */
#ifndef PGS_POLYGON_H
#define PGS_POLYGON_H

#include "poly_gs/types.h"
#include "poly_gs/viewport.h"

/* pgs_polygons.flags */
#define PGS_POLYGONS_CULL_FRONT 1u
#define PGS_POLYGONS_CULL_BACK 2u
#define PGS_POLYGONS_CLOCKWISE 4u    /* such polygons are front-facing */
#define PGS_POLYGONS_BIAS 8u         /* depths are biased */
#define PGS_POLYGONS_FLOAT_DEPTH 16u /* the unit of the bias follows from the depths of the polygon */
#define PGS_POLYGONS_NEGATIVE_Z 32u  /* depths of clip space begin at -w */
#define PGS_POLYGONS_RECTANGLES 64u  /* wide lines are rectangles, else parallelograms */
#define PGS_POLYGONS_PIXELS 128u     /* stipples count pixels along the major axis, else distances */
#define PGS_POLYGONS_CENTRES 512u    /* with PIXELS: lines cover pixels by their centres, else by Bresenham */
#define PGS_POLYGONS_GOES_ON 256u    /* and go on from line to line of a strip (PGS_DRAW_STIPPLED) */

/* pgs_draw_record.flags: the pattern of stippled lines goes on along their strips. Behind all that `indices` has room
 * for there is a place in the pattern for each line, where it begins (pgs_stipple_places). */
#define PGS_DRAW_STIPPLED 0x1000000u

/* The widest line. */
#define PGS_MAX_LINE_WIDTH_PX 64

/* The largest point, and the raster vertices of each: two triangles. */
#define PGS_MAX_POINT_SIZE_PX 256
#define PGS_POINT_VERTICES 6u

/* From clip space to the framebuffer, all floats: z = ndc_z * z_scale + z_shift, and so for x and y. */
PGS_ABI_STRUCT(pgs_polygon_viewport)
{
    pgs_u32 x_scale, y_scale;
    pgs_u32 z_scale, z_shift;
    pgs_u32 x_shift, y_shift;
    pgs_u32 unused[2];
};
PGS_ABI_END(pgs_polygon_viewport, 32)

/* Of one draw; pgs_draw_record.polygons. */
PGS_ABI_STRUCT(pgs_polygons)
{
    pgs_u32 flags;
    pgs_u32 bias, bias_slope, bias_clamp; /* floats; bias is in depths without FLOAT_DEPTH, else in units */
    pgs_u32 line_width;                   /* in pixels, a float; of wide lines, as the next one */
    pgs_u32 line_vertices;                /* raster vertices per line, or large point: 6 of two triangles, 2 for each copy */
    pgs_u32 stipple_factor;               /* from 1 to 256; of stippled lines, as the next ones */
    pgs_u32 stipple_pattern;              /* 16 bits */
    pgs_u32 position_w, viewport_w;       /* words of a stored vertex, UINT32_MAX: none */
    pgs_u32 unused[2];
    PGS_ABI_TYPE(pgs_polygon_viewport) viewports[PGS_MAX_VIEWPORTS];
};
PGS_ABI_END(pgs_polygons, 48 + 32 * PGS_MAX_VIEWPORTS)

/* A place in a stipple pattern is a number of pixels in such units, below that of the whole pattern. */
#define PGS_STIPPLE_UNIT 65536u
#define PGS_STIPPLE_BITS 16u

#endif
