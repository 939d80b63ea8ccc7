/* SPDX-License-Identifier: MIT
 *
 * Tessellation: records of tessellated draws, beside the draw records of abi.h. The primitives of
 * such a draw are patches: primitive_count is the number of patches per instance, and patch =
 * instance * primitive_count + gl_PrimitiveID.
 *
 *   vertex       as for other draws. The topology is a patch list
 *   control      tessellation control shader: a workgroup of patch_vertices_out invocations per patch
 *   tess_count   one invocation per patch, in tiles: writes starts and tile_sums
 *   tess_allot   one workgroup: prefix sum of tile_sums, memory from the pool, later grids;
 *                not with PGS_TESS_ALONE
 *   tess_round   in its place, for all records of an indirect call that goes in rounds
 *   tessellate   one workgroup per patch: writes coords and primitives
 *   evaluation   tessellation evaluation shader: one invocation per vertex
 *   geometry     PGS_DRAW_TESSELLATED: GS invocation = primitive * invocations + invocation
 *
 * The root of all is the draw record. Vulkan specification, chapter "Tessellation".
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
#define PGS_TESS_DOMAIN 3u      /* mask */
#define PGS_TESS_EQUAL 0u
#define PGS_TESS_FRACTIONAL_EVEN 4u
#define PGS_TESS_FRACTIONAL_ODD 8u
#define PGS_TESS_SPACING 12u    /* mask */
#define PGS_TESS_CCW 16u        /* triangles are counter-clockwise if the domain origin is upper left */
#define PGS_TESS_POINT_MODE 32u
#define PGS_TESS_MODES (PGS_TESS_DOMAIN | PGS_TESS_SPACING | PGS_TESS_POINT_MODE) /* which shaders decide */
#define PGS_TESS_COUNT_ONLY 64u /* only vertex_count and primitive_count are needed; no pool memory */
/* The raster draw reads `vertices`, with `primitives` as its index list, which has no patches then.
 * Not with PGS_TESS_POINT_MODE. */
#define PGS_TESS_STORED 128u
#define PGS_DRAW_EVALUATED 0x40000000u /* in pgs_draw_record.flags, the same for the geometry stage */
/* The raster vertex shader runs the evaluation shader and, with ALONE, the geometry shader, too;
 * with STORED only without memory, and inline_args are zeros if there is some. tess_allot writes
 * them, with ALONE tess_count, and `indirect` for records that draw nothing. */
#define PGS_TESS_INLINE 256u
/* Without memory the raster vertex shader runs evaluation and geometry shader; tess_allot writes
 * inline_args then, and zeros if there is memory. GS invocations are instances, or with LIST they
 * follow each other in one. */
#define PGS_TESS_INLINE_GS 512u
#define PGS_TESS_INLINE_LIST 1024u
/* Without memory the draw is counted and captured in chunks (xfb.h). */
#define PGS_TESS_CHUNKS 2048u
/* With COUNT_ONLY: of at most PGS_TILE_EL patches tess_count writes all that tess_allot does, which
 * is not run. */
#define PGS_TESS_ALONE 4096u
/* With INLINE, in place of tess_count: each patch is a raster draw. inline_args are [patches] VkDrawIndirectCommand, of which
 * control shaders write the first word, and the CPU the rest: vertices are numbered from patch << PGS_PATCH_DRAW_LOG2 on. */
#define PGS_TESS_BY_PATCH 8192u
#define PGS_PATCH_DRAW_LOG2 20u
#define PGS_TESS_RULED (PGS_TESS_INLINE | PGS_TESS_INLINE_GS | PGS_TESS_CHUNKS) /* some shader finds places by itself */
#define PGS_MOST_PATCH_PRIMITIVES (2u * PGS_MAX_TESSELLATION_LEVEL * PGS_MAX_TESSELLATION_LEVEL)

/* A patch, written by the control shader: levels as floats, what these make of it, per-patch outputs, patch_vertices_out
 * vertices. What they make is for raster vertex shaders and chunks, which find places in the patch (PGS_TESS_RULED), and is
 * written where primitives are counted. */
#define PGS_PATCH_OUTER_W 0u   /* 4 words */
#define PGS_PATCH_INNER_W 4u   /* 2 words */
#define PGS_PATCH_DIVIDED_W 6u /* 2 words: see struct pgs_tess_ruled */
#define PGS_PATCH_STEPS_W 8u   /* 4 pairs of words: those of the edges */
#define PGS_PATCH_OUTPUTS_W 16u
#define PGS_PATCH_STRIPLESS_W 8u /* outputs of patches of isolines or points, which have no steps */

/* An element of coords: u and v as floats, patch, 0. w is 1 - u - v for triangles, else 0. */
#define PGS_COORD_STRIDE_B 16

/* An element of primitives: three vertex numbers in winding order, then the patch. Lines do not use
 * the third number, points neither the second. With PGS_TESS_STORED it is as many vertex numbers as
 * the primitive has, and no more. */
#define PGS_TESS_PRIMITIVE_STRIDE_B 16

/* The tessellation of one draw. * is written by tess_allot. For an indirect draw, `indirect` writes
 * patches, starts and tile_sums; indirect_patches in a round, of which `patches` lies so that numbers are
 * those of the draw. */
PGS_ABI_STRUCT(pgs_tessellation)
{
    pgs_address patches;     /* [patches] of patch_stride_w words */
    pgs_address starts;      /* [patches] uvec2: vertices and primitives of earlier patches in the tile */
    pgs_address tile_sums;   /* [tiles of patches] uvec2; exclusive prefix sum after tess_allot */
    pgs_address coords;      /* * [vertex_count]; 0: there is no memory, and the same for the next two */
    pgs_address vertices;    /* * [vertex_count * vertex_stride_w] u32: evaluation shader outputs */
    pgs_address primitives;  /* * [primitive_count] */
    pgs_address inline_args; /* VkDrawIndirectCommand, BY_PATCH several; 0 without PGS_TESS_INLINE and PGS_TESS_INLINE_GS */
    pgs_u32 vertex_count;    /* * 0 if the draw is left out */
    pgs_u32 primitive_count; /* * of all patches; likewise */
    pgs_u32 flags;           /* PGS_TESS_* */
    pgs_u32 patch_vertices_in;
    pgs_u32 patch_vertices_out;
    pgs_u32 patch_stride_w;
    pgs_u32 vertex_stride_w; /* of vertices */
    pgs_u32 inline_vertices; /* INLINE: vertices per primitive; INLINE_GS: per GS invocation */
    /* Only these patches run control shaders and become primitives, of a draw that is done in rounds; patch_count 0: all. Of an
     * indirect one indirect_patches writes them, and tess_round the last. */
    pgs_u32 patch_first, patch_count;
};
PGS_ABI_END(pgs_tessellation, 96)

#endif
