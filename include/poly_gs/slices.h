/* SPDX-License-Identifier: MIT
 *
 * Raster draws of which each draws a part of one index list, in order (layer/draw/slices.h). With
 * PGS_DRAW_LISTS, but neither PACKED nor SELF_LISTED, and where vertices are picked (pick.h),
 * packed_vertices of a record is their number, or 0 for one. draw_args then is [slices] VkDrawIndexedIndirectCommand. The kernel that writes
 * these divides what there is.
 */
#ifndef PGS_SLICES_H
#define PGS_SLICES_H

/* Of a draw. The rasterizer visits all of the framebuffer for each. */
#define PGS_MOST_SLICES 128u
/* Indices of a slice, at least, if there are more of them than one has. */
#define PGS_SLICE_LEAST_EL 6000u

#endif
