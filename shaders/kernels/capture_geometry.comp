/* SPDX-License-Identifier: MIT
 *
 * Copies the primitives that feedback found room for from what geometry shaders emitted: one invocation per unit takes
 * its strips apart, stream by stream. One workgroup per tile of unit_bound.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/feedback.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"
#include "scan.glsl"
#include "slots.glsl"

/* What is the same for all vertices of the unit. */
uvec2 slots;
uvec2 cuts;
uint cut_words;
uint emitted;
uint kind;
bool has_streams;
bool provoking_last;

/* A triangle strip turns every other triangle; the provoking vertex stays first, or last. */
void copy_primitive(const uint stream, const uint place, const bool odd, const uvec3 newest)
{
    /* newest: this vertex and the two before it in the strip. */
    uvec3 order = kind == 1u ? newest : kind == 2u ? newest.yxz : newest.zyx;
    if (kind == 3u && odd)
        order = provoking_last ? newest.yzx : newest.zxy;
    const uint stride_B = PGS_CAPTURE.vertex_stride_w * 4u;
    uvec2 captured[3];
    for (uint k = 0u; k < 3u; k++)
        captured[k] = pgs_mul_add(slots, order[k], stride_B);
    pgs_capture_primitive(stream, place, kind, captured);
}

/* The primitives of the unit, the first of which is number `first` of the draw's. */
void copy_stream(const uint stream, const uint first, const uint written)
{
    uint place = first;
    uint length_el = 0u; /* of the strip so far */
    uvec3 newest = uvec3(0u);
    for (uint n = 0u; n < emitted && place < written; n++) {
        if (has_streams && pgs_slots_stream(cuts, cut_words, n) != stream)
            continue;
        newest = uvec3(n, newest.xy);
        length_el++;
        if (length_el >= kind) {
            copy_primitive(stream, place, ((length_el - kind) & 1u) != 0u, newest);
            place++;
        }
        if (kind != 1u && pgs_slots_strip_ends(cuts, n))
            length_el = 0u;
    }
}

void main()
{
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint unit = pgs_linear_id(PGS_TILE_EL);
    const uint unit_bound = record.draw.unit_bound;
    const uint tile_count = pgs_tile_count(unit_bound);
    const uint tile = min(unit / PGS_TILE_EL, tile_count - 1u);
    const uint draw_flags = record.draw.flags;
    cut_words = record.draw.cut_words;
    kind = record.draw.out_kind;
    has_streams = (draw_flags & PGS_DRAW_STREAMS) != 0u;
    provoking_last = (draw_flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    slots = pgs_mul_add(record.draw.slots, unit, record.draw.max_vertices * PGS_CAPTURE.vertex_stride_w * 4u);
    cuts = pgs_mul_add(record.draw.cuts, unit, pgs_slots_cuts_B(draw_flags, cut_words));
    emitted = unit < unit_bound ? pgs_read_at(record.draw.counts, unit) >> 16 : 0u;

    const uint stream_count = min(record.draw.stream_count, PGS_MAX_STREAMS);
    for (uint stream = 0u; stream < stream_count; stream++) {
        const uint written = PGS_CAPTURE.written[stream];
        if (written == 0u)
            continue; /* the whole workgroup */
        const uvec2 primitives = pgs_mul_add(record.draw.primitives, stream, unit_bound * 4u);
        const uint count = unit < unit_bound ? pgs_read_at(primitives, unit) : 0u;
        uint first = pgs_scan_inclusive(count) - count;
        if (tile_count > 1u)
            first += pgs_read_at(pgs_mul_add(PGS_CAPTURE.tiles, stream, tile_count * 4u), tile);
        if (count != 0u)
            copy_stream(stream, first, written);
    }
}
