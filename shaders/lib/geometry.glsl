/* SPDX-License-Identifier: MIT
 *
 * Calls of a geometry shader that runs as a compute shader: one invocation per GS invocation
 * (instance, primitive, invocation). Linked into the application's shader, so parameters and
 * results are values, and state is in private variables.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "geometry_invocation.glsl"

uint pgs_g_gs_invocation; /* element of the record's arrays */
uint pgs_g_max_vertices;
uint pgs_g_out_kind;
uint pgs_g_out_stride_B;

uint pgs_g_stream_count; /* 1: the arrays of streams below are not used, nor the words of streams */

uint pgs_g_emitted;             /* vertices so far, of all streams */
uint pgs_g_strip_start;         /* first vertex of the open strip */
uint pgs_g_index_count;         /* of the stream that is rasterized */
uint pgs_g_primitives;
uint pgs_g_strip_ends;          /* word of the newest vertex's strip end, written when the next word begins */
uvec2 pgs_g_strip_ends_address; /* of that word */
uvec2 pgs_g_out_vertex;         /* address of the next output vertex */

uint pgs_g_open_el[PGS_MAX_STREAMS]; /* vertices of the open strip of each stream; all vertices of points */
uint pgs_g_newest[PGS_MAX_STREAMS];  /* the newest of them */
uint pgs_g_primitives_of[PGS_MAX_STREAMS];
uint pgs_g_stream_low;               /* as pgs_g_strip_ends, of planes 1 and 2 */
uint pgs_g_stream_high;
uint pgs_g_plane_B;

void pgs_geometry_write_primitives(const uint place, const uint stream, const uint count)
{
    pgs_write_at(pgs_mul_add(PGS_DRAW.primitives, stream, PGS_DRAW.gs_invocation_bound * 4u), place, count);
}

/* For a GS invocation beyond the end of the draw. */
void pgs_geometry_write_nothing(const uint place, const uint stream_count)
{
    pgs_write_at(PGS_DRAW.counts, place, 0u);
    if (PGS_DRAW.primitives == uvec2(0u))
        return;
    for (uint stream = 0u; stream < stream_count; stream++)
        pgs_geometry_write_primitives(place, stream, 0u);
}

void pgs_geometry_begin_streams()
{
    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++) {
        pgs_g_open_el[stream] = 0u;
        pgs_g_newest[stream] = 0u;
        pgs_g_primitives_of[stream] = 0u;
    }
    pgs_g_stream_low = 0u;
    pgs_g_stream_high = 0u;
}

/* The first call. False: there is no such GS invocation; the shader must return. out_kind: vertices
 * per output primitive. stream_count: highest stream + 1, a constant; more than 1 with
 * PGS_DRAW_STREAMS. */
bool pgs_geometry_begin(const uint input_vertices, const uint invocations, const uint max_vertices,
                        const uint out_kind, const uint in_stride_w, const uint out_stride_w,
                        const uint stream_count)
{
    const uint place = pgs_linear_id(PGS_SHADER_GROUP_EL);
    if (place >= PGS_DRAW.gs_invocation_bound)
        return false;

    if (!pgs_geometry_find_invocation(PGS_DRAW.gs_invocation_first + place, invocations, input_vertices, in_stride_w)) {
        pgs_geometry_write_nothing(place, stream_count);
        return false;
    }
    pgs_g_gs_invocation = place;
    pgs_g_max_vertices = max_vertices;
    pgs_g_out_kind = out_kind;
    pgs_g_out_stride_B = out_stride_w * 4u;

    pgs_g_stream_count = stream_count;
    pgs_g_emitted = 0u;
    pgs_g_strip_start = 0u;
    pgs_g_index_count = 0u;
    pgs_g_primitives = 0u;
    pgs_g_strip_ends = 0u;
    pgs_g_plane_B = (max_vertices + 31u) / 32u * 4u;
    pgs_g_strip_ends_address = pgs_mul_add(PGS_DRAW.strip_ends, place, stream_count > 1u ? 3u * pgs_g_plane_B : pgs_g_plane_B);
    if (stream_count > 1u)
        pgs_geometry_begin_streams();
    pgs_g_out_vertex = pgs_mul_add(PGS_DRAW.out_vertices, place, max_vertices * pgs_g_out_stride_B);
    return true;
}

/* Writes the words of the newest vertex: strip ends and streams. */
void pgs_geometry_write_strip_ends()
{
    if (pgs_g_out_kind != 1u)
        pgs_write(pgs_g_strip_ends_address, pgs_g_strip_ends);
    if (pgs_g_stream_count > 1u) {
        const uvec2 low = pgs_add(pgs_g_strip_ends_address, pgs_g_plane_B);
        pgs_write(low, pgs_g_stream_low);
        pgs_write(pgs_add(low, pgs_g_plane_B), pgs_g_stream_high);
    }
}

/* Before the stores of an emitted vertex. False: it exceeds max_vertices and must not be stored. */
bool pgs_emit_begin()
{
    if (pgs_g_emitted >= pgs_g_max_vertices)
        return false;
    if (pgs_g_emitted != 0u && (pgs_g_emitted & 31u) == 0u) {
        pgs_geometry_write_strip_ends();
        pgs_g_strip_ends_address = pgs_add(pgs_g_strip_ends_address, 4u);
        pgs_g_strip_ends = 0u;
        pgs_g_stream_low = 0u;
        pgs_g_stream_high = 0u;
    }
    return true;
}

void pgs_emit_store(const uint word, const uint value)
{
    pgs_write(pgs_add(pgs_g_out_vertex, word * 4u), value);
}

/* word: a multiple of 4. */
void pgs_emit_store4(const uint word, const uvec4 value)
{
    pgs_write4(pgs_add(pgs_g_out_vertex, word * 4u), value);
}

/* After the stores. stream: a constant below stream_count. */
void pgs_emit_end(const uint stream)
{
    if (pgs_g_stream_count > 1u) {
        const uint bit = pgs_g_emitted & 31u;
        pgs_g_stream_low |= (stream & 1u) << bit;
        pgs_g_stream_high |= (stream >> 1) << bit;
        pgs_g_open_el[stream]++;
        pgs_g_newest[stream] = pgs_g_emitted;
    }
    pgs_g_emitted++;
    pgs_g_out_vertex = pgs_add(pgs_g_out_vertex, pgs_g_out_stride_B);
}

/* Ends a strip after `vertex`. Other streams may have emitted since, so its word may be in memory
 * already. */
void pgs_geometry_end_strip(const uint vertex)
{
    const uint back_w = ((pgs_g_emitted - 1u) >> 5) - (vertex >> 5);
    const uint bit = 1u << (vertex & 31u);
    if (back_w == 0u) {
        pgs_g_strip_ends |= bit;
        return;
    }
    const uint back_B = back_w * 4u;
    const uvec2 address =
        uvec2(pgs_g_strip_ends_address.x - back_B, pgs_g_strip_ends_address.y - (pgs_g_strip_ends_address.x < back_B ? 1u : 0u));
    pgs_write(address, pgs_read(address) | bit);
}

void pgs_geometry_end_strip_of(const uint stream)
{
    const uint length_el = pgs_g_open_el[stream];
    if (length_el == 0u)
        return;
    pgs_geometry_end_strip(pgs_g_newest[stream]);
    if (length_el >= pgs_g_out_kind) {
        pgs_g_primitives_of[stream] += length_el - pgs_g_out_kind + 1u;
        if (stream == PGS_DRAW.raster_stream)
            pgs_g_index_count += length_el + 1u;
    }
    pgs_g_open_el[stream] = 0u;
}

/* Does nothing for points. A strip without a complete primitive gives no indices. stream: as for
 * pgs_emit_end. */
void pgs_end_primitive(const uint stream)
{
    if (pgs_g_out_kind == 1u)
        return;
    if (pgs_g_stream_count > 1u) {
        pgs_geometry_end_strip_of(stream);
        return;
    }
    const uint length_el = pgs_g_emitted - pgs_g_strip_start;
    if (length_el == 0u)
        return;
    pgs_g_strip_ends |= 1u << ((pgs_g_emitted - 1u) & 31u);
    if (length_el >= pgs_g_out_kind) {
        pgs_g_index_count += length_el + 1u;
        pgs_g_primitives += length_el - pgs_g_out_kind + 1u;
    }
    pgs_g_strip_start = pgs_g_emitted;
}

void pgs_geometry_end_streams()
{
    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++) {
        if (stream >= pgs_g_stream_count)
            break;
        pgs_end_primitive(stream);
        const bool points = pgs_g_out_kind == 1u;
        if (points && stream == PGS_DRAW.raster_stream)
            pgs_g_index_count = pgs_g_open_el[stream];
        if (PGS_DRAW.primitives != uvec2(0u))
            pgs_geometry_write_primitives(pgs_g_gs_invocation, stream,
                                          points ? pgs_g_open_el[stream] : pgs_g_primitives_of[stream]);
    }
}

void pgs_geometry_end_stream()
{
    pgs_end_primitive(0u);
    if (pgs_g_out_kind == 1u) {
        pgs_g_index_count = pgs_g_emitted;
        pgs_g_primitives = pgs_g_emitted;
    }
    if (PGS_DRAW.raster_stream != 0u)
        pgs_g_index_count = 0u;
    if (PGS_DRAW.primitives != uvec2(0u))
        pgs_geometry_write_primitives(pgs_g_gs_invocation, 0u, pgs_g_primitives);
}

/* The last call, if pgs_geometry_begin was true. */
void pgs_geometry_end()
{
    if (pgs_g_stream_count > 1u)
        pgs_geometry_end_streams();
    else
        pgs_geometry_end_stream();
    if (pgs_g_emitted != 0u)
        pgs_geometry_write_strip_ends();
    pgs_write_at(PGS_DRAW.counts, pgs_g_gs_invocation, pgs_g_index_count | (pgs_g_emitted << 16u));
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
