/* SPDX-License-Identifier: MIT
 *
 * Tessellation: what the CPU writes and the kernels hand to one another, beside the draw records of abi.h. A tessellated
 * draw has patches for primitives: primitive_count of its record counts those of one instance, and patch =
 * instance * primitive_count + patch in the instance (which is gl_PrimitiveID).
 *
 *   vertex       as ever; topology is a patch list, so input vertex k of a patch is position patch_in * k-th
 *   control      the tessellation control shader: one workgroup of patch_vertices_out invocations per patch; writes patches
 *   tess_count   one invocation per patch, in tiles: starts, tile_sums
 *   tess_allot   one workgroup: prefix of tile_sums, memory from the pool, the grids of what follows
 *   tessellate   one workgroup per patch: coords, primitives
 *   evaluation   the tessellation evaluation shader: one invocation per vertex
 *   geometry     PGS_DRAW_TESSELLATED: unit = primitive * invocations + invocation; primitives of all patches in order
 *
 * The root of all of them is the draw record. What the tessellator makes of levels: Vulkan specification, chapter
 * "Tessellation".
 */
#ifndef PGS_TESSELLATION_ABI_H
#define PGS_TESSELLATION_ABI_H

#include "poly_gs/abi.h"

#define PGS_MAX_TESSELLATION_LEVEL 64u
#define PGS_MAX_PATCH_VERTICES 32u

/* pgs_tessellation.flags */
#define PGS_TESS_TRIANGLES 0u
#define PGS_TESS_QUADS 1u
#define PGS_TESS_ISOLINES 2u
#define PGS_TESS_DOMAIN 3u        /* mask */
#define PGS_TESS_EQUAL 0u
#define PGS_TESS_FRACTIONAL_EVEN 4u
#define PGS_TESS_FRACTIONAL_ODD 8u
#define PGS_TESS_SPACING 12u      /* mask */
#define PGS_TESS_CCW 16u          /* triangles are counter-clockwise in a domain with its origin in the upper left */
#define PGS_TESS_POINT_MODE 32u
#define PGS_TESS_COUNT_ONLY 64u   /* nobody wants more than vertex_count and primitive_count: nothing comes from the pool */
#define PGS_TESS_STORED 128u      /* the raster draw takes vertices and primitives as they are, whose fourth word then is a
                                     restart index; of lines the third one, too. Not with point mode */
#define PGS_TESS_INLINE 256u      /* the raster draw evaluates vertices where they are wanted: tess_allot writes its arguments,
                                     of records that draw nothing indirect does */

/* A patch that the control shader wrote: the levels as floats, then the layout of per-patch outputs, then
 * patch_vertices_out vertices. */
#define PGS_PATCH_OUTER_W 0u  /* 4 words */
#define PGS_PATCH_INNER_W 4u  /* 2 words */
#define PGS_PATCH_OUTPUTS_W 8u

/* A vertex that tessellate made: words of coords. */
#define PGS_COORD_STRIDE_B 16 /* u, v (floats), patch, 0. w is 1 - u - v for triangles, else 0 */

/* A primitive that it made: numbers of its vertices, corners in order of the winding that was asked for, then the patch.
 * Of lines the third number is not used, of points the second one neither. With PGS_TESS_STORED the patch gives way to a
 * restart index. */
#define PGS_TESS_PRIMITIVE_STRIDE_B 16

/* Of one draw. Written by the CPU but for what is marked *: memory and counts from tess_allot. For draws whose number of
 * patches only the GPU knows, indirect takes patches, starts and tile_sums from the pool, too. */
PGS_ABI_STRUCT(pgs_tessellation)
{
    pgs_address patches;      /* [patches] of patch_stride_w words */
    pgs_address starts;       /* [patches] uvec2: vertices and primitives of the patches before it in its tile */
    pgs_address tile_sums;    /* [tiles of patches] uvec2: vertices, primitives; after tess_allot the exclusive prefix */
    pgs_address coords;       /* * [vertex_count] */
    pgs_address vertices;     /* * [vertex_count * vertex_stride_w words], outputs of the evaluation shader */
    pgs_address primitives;   /* * [primitive_count] */
    pgs_address inline_args;  /* VkDrawIndirectCommand; without PGS_TESS_INLINE 0 */
    pgs_u32 vertex_count;     /* * */
    pgs_u32 primitive_count;  /* * of all patches; 0 where the pool is too small */
    pgs_u32 flags;            /* PGS_TESS_* */
    pgs_u32 patch_vertices_in;
    pgs_u32 patch_vertices_out;
    pgs_u32 patch_stride_w;
    pgs_u32 vertex_stride_w;  /* of vertices */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_tessellation, 88)

#endif
