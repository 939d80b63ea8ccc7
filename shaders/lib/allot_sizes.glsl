/* SPDX-License-Identifier: MIT
 *
 * How much memory a deferred draw takes from its pool, in quads of 16 bytes. Compiles as C, too: a
 * unit test compares it with struct pgs_subdraw_sizes of layer/draw/sizes.h, which does the same for
 * draws whose size the CPU knows.
 */
#ifndef PGS_ALLOT_SIZES_GLSL
#define PGS_ALLOT_SIZES_GLSL

#include "poly_gs/polygon.h"

#include "portable.glsl"

/* 8 GiB, more than any pool. Sizes saturate here. */
#define PGS_QUADS_MAX 0x20000000u

/* An array of `count` elements of size_w words. */
PGS_PURE pgs_u32 pgs_quads(const pgs_u32 count, const pgs_u32 size_w)
{
    const pgs_u32 words = count * size_w;
    return pgs_mul_high(count, size_w) != 0u || words > 4u * PGS_QUADS_MAX - 4u ? PGS_QUADS_MAX : (words + 3u) / 4u;
}

PGS_PURE pgs_u32 pgs_quads_add(const pgs_u32 a, const pgs_u32 b)
{
    const pgs_u32 sum = a + b;
    return sum < PGS_QUADS_MAX ? sum : PGS_QUADS_MAX;
}

PGS_PURE pgs_u32 pgs_quads_to_units(const pgs_u32 quads)
{
    const pgs_u32 in_unit = PGS_POOL_UNIT_B / 16u;
    return (quads + in_unit - 1u) / in_unit;
}

PGS_PURE pgs_u32 pgs_tiles_of(const pgs_u32 count)
{
    return count / PGS_TILE_EL + (count % PGS_TILE_EL != 0u ? 1u : 0u);
}

/* Sizes of the arrays of a record that depend on gs_invocation_bound, in quads. */
PGS_ABI_STRUCT(pgs_allot_sizes)
{
    pgs_u32 out_vertices;
    pgs_u32 strip_ends;
    pgs_u32 counts;
    pgs_u32 tile_sums;
    pgs_u32 indices;
    pgs_u32 primitives;
    pgs_u32 capture_tiles;
};

/* What else they depend on. */
PGS_ABI_STRUCT(pgs_allot_shape)
{
    pgs_u32 max_vertices;
    pgs_u32 out_stride_w;
    pgs_u32 out_kind;
    pgs_u32 stream_count;
    pgs_u32 draw_flags; /* PGS_DRAW_STREAMS, _LISTS, _POLYGONS, _PACKED, _FETCHED, _STIPPLED */
    bool raster;        /* has a raster draw */
    bool counted;       /* is captured or counted */
};

PGS_PURE PGS_ABI_TYPE(pgs_allot_sizes) pgs_allot_sizes_of(const PGS_ABI_TYPE(pgs_allot_shape) shape, const pgs_u32 gs_invocations)
{
    PGS_ABI_TYPE(pgs_allot_sizes) sizes;
    const pgs_u32 planes = (shape.draw_flags & PGS_DRAW_STREAMS) != 0u ? 3u : 1u;
    const pgs_u32 strip_end_words = (shape.max_vertices + 31u) / 32u;
    /* The shortest complete strip has out_kind vertices and one restart index. Points need none. */
    const pgs_u32 separators = shape.out_kind == 2u ? shape.max_vertices / 2u : shape.out_kind == 3u ? shape.max_vertices / 3u : 0u;
    const bool lists = (shape.draw_flags & (PGS_DRAW_LISTS | PGS_DRAW_POLYGONS)) != 0u;
    const pgs_u32 places = (shape.draw_flags & PGS_DRAW_STIPPLED) != 0u ? 1u : 0u;
    const pgs_u32 corners =
        shape.max_vertices >= shape.out_kind ? (shape.out_kind + places) * (shape.max_vertices + 1u - shape.out_kind) : 0u;
    const pgs_u32 tiles = pgs_tiles_of(gs_invocations);
    sizes.out_vertices = pgs_quads(gs_invocations, shape.max_vertices * shape.out_stride_w);
    if ((shape.draw_flags & PGS_DRAW_FETCHED) != 0u && sizes.out_vertices != 0u) /* pgs_allot_vertices */
        sizes.out_vertices = pgs_quads_add(sizes.out_vertices, shape.out_stride_w / 4u - 1u);
    const pgs_u32 packed_w = (shape.draw_flags & PGS_DRAW_PACKED) != 0u ? shape.max_vertices : 0u;
    sizes.strip_ends = pgs_quads(gs_invocations, planes * strip_end_words + packed_w);
    sizes.counts = pgs_quads(gs_invocations, 1u);
    sizes.tile_sums = shape.raster ? pgs_quads(tiles, 1u) : 0u;
    sizes.indices = shape.raster ? pgs_quads(gs_invocations, lists ? corners : shape.max_vertices + separators) : 0u;
    sizes.primitives = shape.counted || lists ? pgs_quads(gs_invocations, shape.stream_count) : 0u;
    sizes.capture_tiles = shape.counted ? pgs_quads(tiles, shape.stream_count) : 0u;
    return sizes;
}

PGS_PURE pgs_u32 pgs_allot_sum(const PGS_ABI_TYPE(pgs_allot_sizes) sizes)
{
    pgs_u32 sum = pgs_quads_add(sizes.out_vertices, sizes.strip_ends);
    sum = pgs_quads_add(sum, sizes.counts);
    sum = pgs_quads_add(sum, sizes.tile_sums);
    sum = pgs_quads_add(sum, sizes.indices);
    sum = pgs_quads_add(sum, sizes.primitives);
    return pgs_quads_add(sum, sizes.capture_tiles);
}

#endif
