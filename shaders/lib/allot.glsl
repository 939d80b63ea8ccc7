/* SPDX-License-Identifier: MIT
 *
 * Allocates the memory of a deferred draw from its pool, once the number of its GS invocations is
 * known. For the kernels indirect and tess_allot.
 */
#ifndef PGS_ALLOT_GLSL
#define PGS_ALLOT_GLSL

#include "allot_sizes.glsl"
#include "pool.glsl"
#include "record.glsl"

/* Records and captures that are not the root. */
layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_allot_draw_ref
{
    pgs_draw_record draw;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_allot_capture_ref
{
    pgs_capture capture;
};

/* Sums and products saturate here. */
#define PGS_COUNT_MAX 0xFFFFFFFFu

uint pgs_add_limited(const uint a, const uint b)
{
    const uint sum = a + b;
    return sum < a ? PGS_COUNT_MAX : sum;
}

uint pgs_multiply_limited(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high != 0u ? PGS_COUNT_MAX : low;
}

pgs_allot_shape pgs_allot_shape_of(pgs_allot_draw_ref record)
{
    pgs_allot_shape shape;
    shape.max_vertices = record.draw.max_vertices;
    shape.out_stride_w = record.draw.out_stride_w;
    shape.out_kind = record.draw.out_kind;
    shape.stream_count = record.draw.stream_count;
    shape.draw_flags = record.draw.flags;
    shape.raster = record.draw.draw_args != uvec2(0u);
    shape.counted = record.draw.capture != uvec2(0u);
    return shape;
}

/* Makes a record empty: it draws and counts nothing. */
void pgs_allot_nothing(pgs_allot_draw_ref record)
{
    record.draw.gs_invocation_bound = 0u;
    const uvec2 args = record.draw.draw_args;
    if (args != uvec2(0u)) {
        for (uint word = 0u; word < 5u; word++)
            pgs_write_at(args, word, 0u);
    }
    if (record.draw.capture != uvec2(0u)) {
        pgs_allot_capture_ref counted = pgs_allot_capture_ref(record.draw.capture);
        for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
            counted.capture.total[stream] = 0u;
    }
}

/* Says of a record that is counted whether this round is the first one that draws some of it. */
void pgs_count_input(pgs_allot_draw_ref record, const bool begins)
{
    const uvec2 capture = record.draw.capture;
    pgs_allot_capture_ref counted = pgs_allot_capture_ref(pgs_readable(capture, capture));
    const uint others = counted.capture.flags & ~PGS_CAPTURE_STATISTICS;
    if (capture != uvec2(0u))
        counted.capture.flags = others | (begins ? PGS_CAPTURE_STATISTICS : 0u);
}

/* Address of the next array of `quads`. */
uvec2 pgs_allot_next(inout uvec2 place, const uint quads)
{
    const uvec2 start = place;
    place = pgs_mul_add(place, quads, 16u);
    return start;
}

/* Distance of two addresses in words, less than 2^32. */
uint pgs_words_between(const uvec2 from, const uvec2 to)
{
    const uint low = to.x - from.x;
    const uint high = to.y - from.y - (to.x < from.x ? 1u : 0u);
    return (high << 30) | (low >> 2);
}

/* Address of the first vertex that is drawn. In a vertex buffer, which begins where the pool does, that is the next whole
 * one, for which there have to be stride_w / 4 - 1 quads more. */
uvec2 pgs_allot_vertices(pgs_allot_draw_ref record, const uvec2 place, const uint stride_w)
{
    uvec2 vertices = place;
    if ((record.draw.flags & PGS_DRAW_FETCHED) != 0u) {
        const uvec2 first = pgs_pool_ref(record.draw.pool).pool.first;
        const uint before = (pgs_words_between(first, place) + stride_w - 1u) / stride_w;
        vertices = pgs_mul_add(first, before, stride_w * 4u);
        record.draw.vertex_offset = before;
    }
    return vertices;
}

void pgs_allot_patch(pgs_allot_draw_ref record, const pgs_allot_sizes sizes, const uint gs_invocations, uvec2 place)
{
    record.draw.gs_invocation_bound = gs_invocations;
    record.draw.out_vertices =
        pgs_allot_vertices(record, pgs_allot_next(place, sizes.out_vertices), record.draw.out_stride_w);
    record.draw.out_rest =
        pgs_mul_add(record.draw.out_vertices, gs_invocations * record.draw.max_vertices, record.draw.out_head_w * 4u);
    record.draw.strip_ends = pgs_allot_next(place, sizes.strip_ends);
    record.draw.counts = pgs_allot_next(place, sizes.counts);
    record.draw.tile_sums = pgs_allot_next(place, sizes.tile_sums);
    record.draw.first_index = pgs_words_between(pgs_pool_ref(record.draw.pool).pool.index_base, place);
    record.draw.indices = pgs_allot_next(place, sizes.indices);
    const uvec2 capture = record.draw.capture;
    if (capture != uvec2(0u) || (record.draw.flags & (PGS_DRAW_LISTS | PGS_DRAW_POLYGONS)) != 0u)
        record.draw.primitives = pgs_allot_next(place, sizes.primitives);
    if (capture != uvec2(0u))
        pgs_allot_capture_ref(capture).capture.tiles = place;
}

/* Allocates memory for the GS invocations of an empty record (0 without a geometry shader) and, in
 * the same allocation, extra_quads for the caller. The record says what its sizes depend on:
 * draw_args (0: no raster draw), capture (0: neither captured nor counted) and the shape of the
 * shader's output. Returns false if the memory does not fit. Called by one invocation per record. */
bool pgs_allot(pgs_allot_draw_ref record, const uint gs_invocations, const uint extra_quads, out uvec2 extra)
{
    extra = uvec2(0u);
    const pgs_allot_sizes sizes = pgs_allot_sizes_of(pgs_allot_shape_of(record), gs_invocations);
    const uint quads = pgs_quads_add(pgs_allot_sum(sizes), extra_quads);
    bool fits = true;
    if (quads != 0u) {
        uvec2 place = pgs_pool_take(record.draw.pool, pgs_quads_to_units(quads));
        fits = place != uvec2(0u);
        if (fits) {
            extra = pgs_allot_next(place, extra_quads);
            pgs_allot_patch(record, sizes, gs_invocations, place);
        }
    }
    return fits;
}

#endif
