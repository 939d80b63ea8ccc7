/* SPDX-License-Identifier: MIT
 *
 * What raster vertex shaders read of viewports, on drivers that take no viewport index from a
 * vertex shader. The CPU writes it for each draw. C and GLSL include this file.
 */
#ifndef PGS_VIEWPORT_H
#define PGS_VIEWPORT_H

#include "poly_gs/types.h"

#define PGS_MAX_VIEWPORTS 16

/* pgs_viewport_select.flags */
#define PGS_VIEWPORT_MOVE 1u        /* positions go through `moves` */
#define PGS_VIEWPORT_CLIP_POINTS 2u /* the shader clips points by their own viewport */

/* Vertex binding 2, one element: a part of the framebuffer, which is drawn through one viewport of
 * the driver. */
PGS_ABI_STRUCT(pgs_viewport_select)
{
    pgs_address moves; /* struct pgs_viewport_move [PGS_MAX_VIEWPORTS]; not read without MOVE */
    pgs_u32 mask;      /* the application's viewports whose primitives are drawn there */
    pgs_u32 flags;
};
PGS_ABI_END(pgs_viewport_select, 16)

/* From the clip space of a viewport of the application to that of the driver's, all floats:
 * x * scale + w * shift, likewise y and z. */
PGS_ABI_STRUCT(pgs_viewport_move)
{
    pgs_u32 x_scale, x_shift;
    pgs_u32 y_scale, y_shift;
    pgs_u32 z_scale, z_shift;
    pgs_u32 unused[2];
};
PGS_ABI_END(pgs_viewport_move, 32)

#endif
