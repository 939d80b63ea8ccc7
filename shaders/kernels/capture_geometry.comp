/* SPDX-License-Identifier: MIT
 *
 * Copies output vertices of a geometry shader to the transform feedback buffers: the primitives for
 * which xfb_program found space. Each invocation finds the strips of its GS invocation, stream by
 * stream; then the workgroup copies its primitives in rounds, all invocations together. With
 * PGS_CAPTURE_FIXED it runs without xfb_program and capture_scan, and sums the primitives itself.
 *
 * One workgroup per tile of gs_invocation_bound. Root: pgs_capture. Steps STEP_CAPTURE and
 * STEP_CAPTURE_KNOWN (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"
#define PGS_SCAN_TYPE uvec2
#include "scan.glsl"
#include "out_vertices.glsl"

/* Of the draw. */
uvec2 out_vertices;
uvec2 out_rest;
uint out_head_w;

/* Constant for all vertices of the GS invocation. */
uvec2 strip_ends;
uint strip_end_words;
pgs_out_places places;
uint emitted;
uint kind;
bool has_streams;
bool provoking_last;

/* Position of the GS invocation in a stream. */
uint next_vertex;
uint next_place; /* of its next primitive, counted from the first one of the tile */
uint length_el;  /* of the strip so far */
uvec3 newest;    /* the last three vertices of the stream, newest first */

/* Every other triangle of a strip has opposite winding, so two vertices are swapped. The provoking
 * vertex stays first, or last. */
void note_primitive(const uint in_round, const bool odd)
{
    uvec3 order = kind == 1u ? newest : kind == 2u ? newest.yxz : newest.zyx;
    if (kind == 3u && odd)
        order = provoking_last ? newest.yzx : newest.zxy;
    pgs_capture_sources[in_round * kind] = pgs_out_place(places, order.x);
    if (kind > 1u)
        pgs_capture_sources[in_round * kind + 1u] = pgs_out_place(places, order.y);
    if (kind > 2u)
        pgs_capture_sources[in_round * kind + 2u] = pgs_out_place(places, order.z);
}

/* Stores the sources of the GS invocation's primitives first .. end - 1, counted in the tile. */
void walk(const uint stream, const uint first, const uint end)
{
    while (next_vertex < emitted && next_place < end) {
        const uint n = next_vertex;
        next_vertex++;
        bool is_of_stream = true;
        if (has_streams)
            is_of_stream = pgs_out_stream(strip_ends, strip_end_words, n) == stream;
        if (is_of_stream) {
            newest = uvec3(n, newest.xy);
            length_el++;
            if (length_el >= kind) {
                note_primitive(next_place - first, ((length_el - kind) & 1u) != 0u);
                next_place++;
            }
            if (kind != 1u && pgs_out_strip_ends(strip_ends, n))
                length_el = 0u;
        }
    }
}

/* Sums primitives of the stream in earlier tiles, those whose number in their tile is that of this
 * invocation. */
uint count_before(const uvec2 primitives, const uint tile)
{
    uint sum = 0u;
    for (uint t = 0u; t < tile; t++)
        sum += pgs_read_at(primitives, t * PGS_TILE_EL + PGS_LOCAL_ID);
    return sum;
}

/* Copies one stream. count: primitives of this GS invocation; part: the sum over the workgroup is
 * those of earlier tiles. Called by the whole workgroup. */
void copy_stream(const uint stream, const uint count, const uint part, const uint written)
{
    next_place = pgs_scan_exclusive(uvec2(count, part)).x;
    const uint before = pgs_scan_total.y;
    const uint in_tile = min(pgs_scan_total.x, written - min(before, written));
    next_vertex = count == 0u ? emitted : 0u;
    length_el = 0u;
    newest = uvec3(0u);
    for (uint first = 0u; first < in_tile; first += PGS_CAPTURE_ROUND_EL) {
        const uint end = min(first + PGS_CAPTURE_ROUND_EL, in_tile);
        walk(stream, first, end);
        barrier();
        pgs_capture_copy(stream, out_vertices, out_rest, out_head_w, (before + first) * kind, (end - first) * kind);
        barrier(); /* before the next round overwrites the sources */
    }
}

void main()
{
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint gs_invocation = pgs_linear_id(PGS_TILE_EL);
    const uint gs_invocation_bound = record.draw.gs_invocation_bound;
    const uint tile_count = pgs_tiles_of(gs_invocation_bound);
    const uint tile = gs_invocation / PGS_TILE_EL;
    const uint draw_flags = record.draw.flags;
    out_vertices = record.draw.out_vertices;
    out_rest = record.draw.out_rest;
    out_head_w = record.draw.out_head_w;
    const uint max_vertices = record.draw.max_vertices;
    strip_end_words = pgs_out_plane_w(max_vertices);
    kind = min(record.draw.out_kind, 3u);
    has_streams = (draw_flags & PGS_DRAW_STREAMS) != 0u;
    provoking_last = (draw_flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    strip_ends = pgs_mul_add(record.draw.strip_ends, gs_invocation, pgs_out_strip_ends_B(draw_flags, max_vertices));
    places = pgs_out_places_of(draw_flags, max_vertices, strip_ends, gs_invocation, gs_invocation_bound);
    emitted = gs_invocation < gs_invocation_bound ? pgs_read_at(record.draw.counts, gs_invocation) >> 16 : 0u;

    const bool is_fixed = (PGS_CAPTURE.flags & PGS_CAPTURE_FIXED) != 0u;
    const uint stream_count = tile < tile_count ? min(record.draw.stream_count, PGS_MAX_STREAMS) : 0u;
    for (uint stream = 0u; stream < stream_count; stream++) {
        const uint written = PGS_CAPTURE.written[stream]; /* the same for the whole workgroup */
        if (written != 0u) {
            const uvec2 primitives = pgs_mul_add(record.draw.primitives, stream, gs_invocation_bound * 4u);
            const uint count = gs_invocation < gs_invocation_bound ? pgs_read_at(primitives, gs_invocation) : 0u;
            uint part = 0u;
            if (is_fixed)
                part = count_before(primitives, tile);
            else if (tile_count > 1u && PGS_LOCAL_ID == 0u)
                part = pgs_read_at(pgs_mul_add(PGS_CAPTURE.tiles, stream, tile_count * 4u), tile);
            copy_stream(stream, count, part, written);
        }
    }
}
