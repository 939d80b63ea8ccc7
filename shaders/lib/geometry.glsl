/* SPDX-License-Identifier: MIT
 *
 * Calls of a geometry shader that runs as a compute shader: one invocation per GS invocation
 * (instance, primitive, invocation). Linked into the application's shader, so parameters and
 * results are values, and state is in private variables.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT
#include "poly_gs/abi.h"
#include "poly_gs/planes.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "coverage.glsl"
#include "geometry_invocation.glsl"
#ifdef PGS_RECORD_INPUTS
#include "near_record.glsl"
#define PGS_CUTS_LISTS true /* those of other shaders are not cut (layer/pipeline/culling.c) */
#else
#define PGS_CUTS_LISTS false
#endif
#include "out_vertices.glsl"

/* What the shader fixes is passed as constants. kind: vertices per output primitive. streams: highest
 * stream + 1; if that is 1, nothing of streams is used. */

uint pgs_g_gs_invocation; /* element of the record's arrays */
bool pgs_g_exists;

uint pgs_g_emitted;             /* vertices so far, of all streams */
uint pgs_g_strip_start;         /* first vertex of the open strip */
uint pgs_g_index_count;         /* of the stream that is rasterized, or the only one */
uint pgs_g_ended;               /* indices that are rasterized; for those who list them */
uint pgs_g_primitives;
uint pgs_g_strip_ends;          /* word of the newest vertex's strip end, written when the next word begins */
uvec2 pgs_g_strip_ends_address; /* of that word */
uvec2 pgs_g_out_vertex;         /* address of the next output vertex */
uvec2 pgs_g_out_rest;           /* of its part in the second array, if there are two */
uint pgs_g_out_step;            /* vertices from one to the next, with PGS_DRAW_SPREAD */
bool pgs_g_packs;               /* PGS_DRAW_PACKED */
uvec2 pgs_g_numbers;            /* with it: where the numbers of the vertices go */

/* With PGS_DRAW_PLANES. */
shared uint pgs_g_gathered; /* with PGS_DRAW_GATHERED: vertices of the workgroup so far */
bool pgs_g_gathers;
uint pgs_g_planes;      /* of the record, from bit 0 on */
uint pgs_g_outside;     /* those behind which all vertices of the open strip lie */
uint pgs_g_culled_el;   /* vertices of strips that were left out */
uint pgs_g_numbered_el; /* vertices that have a number */
/* With PGS_DRAW_HOLDS: the vertices of the open strip, PGS_HELD_QUADS for each, as in both arrays. */
uvec4 pgs_g_held[PGS_HELD_EL * PGS_HELD_QUADS];
uvec4 pgs_g_held_rest[PGS_HELD_EL * PGS_HELD_QUADS];
/* With PGS_DRAW_COVERAGE: their framebuffer coordinates, as coverage.glsl takes them. */
vec2 pgs_g_framebuffer[PGS_HELD_EL];
vec2 pgs_g_half_px; /* of the viewport; 0: strips are drawn wherever they are */
bool pgs_g_inside;  /* those of all vertices of the open strip are sure */
/* With PGS_DRAW_CUTS: the newest vertices of the open strip, in the first elements of pgs_g_framebuffer, oldest first. */
bool pgs_g_cuts;             /* of the record */
bool pgs_g_cuts_lists;       /* with PGS_DRAW_LISTS: each triangle is listed by itself, and pgs_g_index_count counts them */
uvec3 pgs_g_outside_of;      /* planes behind which each lies */
uint pgs_g_sure_el;          /* so many of the newest vertices are sure */
uint pgs_g_drawn;            /* as pgs_g_strip_ends, of plane 1 */
uint pgs_g_listed_end;       /* behind the last vertex that is listed */
uint pgs_g_listed_before;    /* indices in front of the open strip */

uint pgs_g_open_el[PGS_MAX_STREAMS]; /* vertices of the open strip of each stream; all vertices of points */
uint pgs_g_newest[PGS_MAX_STREAMS];  /* the newest of them */
uint pgs_g_primitives_of[PGS_MAX_STREAMS];
uint pgs_g_stream_low;               /* as pgs_g_strip_ends, of planes 1 and 2 */
uint pgs_g_stream_high;

#ifdef PGS_RECORD_INPUTS
/* What is read once. */
struct pgs_geometry_record
{
    uvec2 out_vertices, out_rest;
    uvec2 primitives, strip_ends, counts;
    uint gs_invocation_first, gs_invocation_bound;
    uint raster_stream;
};
pgs_geometry_record pgs_g_record;
#define PGS_OUT pgs_g_record

/* Called before all else, in front of any branch. */
void pgs_geometry_take_record()
{
    pgs_near_take_record();
    pgs_g_record.out_vertices = PGS_DRAW.out_vertices;
    pgs_g_record.out_rest = PGS_DRAW.out_rest;
    pgs_g_record.primitives = PGS_DRAW.primitives;
    pgs_g_record.strip_ends = PGS_DRAW.strip_ends;
    pgs_g_record.counts = PGS_DRAW.counts;
    pgs_g_record.gs_invocation_first = PGS_DRAW.gs_invocation_first;
    pgs_g_record.gs_invocation_bound = PGS_DRAW.gs_invocation_bound;
    pgs_g_record.raster_stream = PGS_DRAW.raster_stream;
}

/* Then, for each attribute that is fetched. */
void pgs_geometry_take_attribute(const uint location)
{
    pgs_near_take_attribute(location);
}
#else
#define PGS_OUT PGS_DRAW
#endif

/* Writes the complete primitives of a stream, if the record has room for them. */
void pgs_geometry_write_primitives(const uint place, const uint stream, const uint count)
{
    uvec2 primitives = PGS_OUT.primitives;
    if (primitives != uvec2(0u)) {
        if (stream != 0u)
            primitives = pgs_mul_add(primitives, stream, PGS_OUT.gs_invocation_bound * 4u);
        pgs_write_at(primitives, place, count);
    }
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

void pgs_geometry_begin_gathering()
{
    pgs_g_gathers = (PGS_NEAR.flags & PGS_DRAW_GATHERED) != 0u;
    if (PGS_LOCAL_ID == 0u)
        pgs_g_gathered = 0u;
    barrier();
}

void pgs_geometry_begin_coverage()
{
    const bool known = (PGS_NEAR.flags & (PGS_DRAW_COVERAGE | PGS_DRAW_CUTS)) != 0u;
    pgs_g_half_px = known ? uintBitsToFloat(PGS_DRAW.polygons) : vec2(0.0);
    pgs_g_inside = pgs_g_half_px.x > 0.0;
}

void pgs_geometry_begin_cuts()
{
    pgs_geometry_begin_coverage();
    pgs_g_cuts = (PGS_NEAR.flags & PGS_DRAW_CUTS) != 0u;
    pgs_g_cuts_lists = PGS_CUTS_LISTS && (PGS_NEAR.flags & PGS_DRAW_LISTS) != 0u;
    pgs_g_framebuffer[1] = vec2(0.0);
    pgs_g_framebuffer[2] = vec2(0.0);
    pgs_g_outside_of = uvec3(0u);
    pgs_g_sure_el = 0u;
    pgs_g_drawn = 0u;
    pgs_g_listed_end = 0u;
    pgs_g_listed_before = 0u;
}

void pgs_geometry_begin_vertices(const uint place, const uint max_vertices, const uint out_stride_w,
                                 const uint rest_stride_w, const uint flags)
{
    if ((flags & PGS_DRAW_SPREAD) != 0u) {
        const uvec2 slots = pgs_out_slots_of(PGS_NEAR.flags, max_vertices, place, PGS_OUT.gs_invocation_bound);
        pgs_g_out_step = slots.y;
        pgs_g_out_vertex = pgs_mul_add(PGS_OUT.out_vertices, slots.x, out_stride_w * 4u);
        if (rest_stride_w != 0u)
            pgs_g_out_rest = pgs_mul_add(PGS_OUT.out_rest, slots.x, rest_stride_w * 4u);
    } else {
        pgs_g_out_vertex = pgs_mul_add(PGS_OUT.out_vertices, place, max_vertices * out_stride_w * 4u);
        if (rest_stride_w != 0u)
            pgs_g_out_rest = pgs_mul_add(PGS_OUT.out_rest, place, max_vertices * rest_stride_w * 4u);
    }
}

/* Goes on to where the next vertex is. */
void pgs_geometry_next_vertex(const uint out_stride_w, const uint rest_stride_w, const uint flags)
{
    const uint step = (flags & PGS_DRAW_SPREAD) != 0u ? pgs_g_out_step : 1u;
    pgs_g_out_vertex = pgs_add(pgs_g_out_vertex, step * out_stride_w * 4u);
    if (rest_stride_w != 0u)
        pgs_g_out_rest = pgs_add(pgs_g_out_rest, step * rest_stride_w * 4u);
}

/* The first call. False: the arrays of the record have no element for this GS invocation, which must
 * return at once. out_stride_w, rest_stride_w: of an output vertex in the first array, and in the
 * second one or 0. streams: more than 1 with PGS_DRAW_STREAMS. topology, flags: as for
 * pgs_geometry_find_invocation. */
bool pgs_geometry_begin(const uint input_vertices, const uint invocations, const uint max_vertices,
                        const uint in_stride_w, const uint out_stride_w, const uint rest_stride_w, const uint streams,
                        const uint topology, const uint flags)
{
#ifndef PGS_RECORD_INPUTS
    pgs_keep_root();
#endif
    const uint place = pgs_linear_id(PGS_SHADER_GROUP_EL);
    const uint out_flags = (streams > 1u ? PGS_DRAW_STREAMS : 0u) |
                           (PGS_NEAR.flags & flags & (PGS_DRAW_PACKED | PGS_DRAW_CUTS));
    pgs_g_gs_invocation = place;
    pgs_g_emitted = 0u;
    pgs_g_strip_start = 0u;
    pgs_g_index_count = 0u;
    pgs_g_ended = 0u;
    pgs_g_primitives = 0u;
    pgs_g_strip_ends = 0u;
    pgs_g_strip_ends_address = pgs_mul_add(PGS_OUT.strip_ends, place, pgs_out_strip_ends_B(out_flags, max_vertices));
    pgs_g_packs = (out_flags & PGS_DRAW_PACKED) != 0u;
    pgs_g_numbers = pgs_add(pgs_g_strip_ends_address, pgs_out_planes_B(out_flags, max_vertices));
    if ((flags & PGS_DRAW_PLANES) != 0u) {
        pgs_g_planes = (PGS_NEAR.flags & flags & PGS_DRAW_PLANES) >> PGS_DRAW_PLANES_LOG2;
        pgs_g_outside = pgs_g_planes;
        pgs_g_culled_el = 0u;
        pgs_g_numbered_el = 0u;
    }
    if ((flags & PGS_DRAW_COVERAGE) != 0u)
        pgs_geometry_begin_coverage();
    if ((flags & PGS_DRAW_CUTS) != 0u)
        pgs_geometry_begin_cuts();
    if ((flags & PGS_DRAW_GATHERED) != 0u)
        pgs_geometry_begin_gathering();
    if (streams > 1u)
        pgs_geometry_begin_streams();
    pgs_geometry_begin_vertices(place, max_vertices, out_stride_w, rest_stride_w, flags);
    pgs_g_exists = pgs_geometry_find_invocation(PGS_OUT.gs_invocation_first + place, invocations, input_vertices,
                                                in_stride_w, topology, flags);
    return place < PGS_OUT.gs_invocation_bound;
}

/* The second call. False: the GS invocation lies beyond the end of the draw and emits nothing. */
bool pgs_geometry_exists()
{
    return pgs_g_exists;
}

/* Writes the words of the newest vertex: strip ends, streams, and with PGS_DRAW_CUTS which triangles are drawn. */
void pgs_geometry_write_strip_ends(const uint max_vertices, const uint kind, const uint streams, const uint flags)
{
    if (kind != 1u)
        pgs_write(pgs_g_strip_ends_address, pgs_g_strip_ends);
    if ((flags & PGS_DRAW_CUTS) != 0u) {
        if (pgs_g_cuts)
            pgs_write_near(pgs_g_strip_ends_address, pgs_out_plane_w(max_vertices), pgs_g_drawn);
    }
    if (streams > 1u) {
        pgs_write_near(pgs_g_strip_ends_address, pgs_out_plane_w(max_vertices), pgs_g_stream_low);
        pgs_write_near(pgs_g_strip_ends_address, 2u * pgs_out_plane_w(max_vertices), pgs_g_stream_high);
    }
}

/* Begins the words of the next vertex. */
void pgs_geometry_next_strip_ends(const uint max_vertices, const uint kind, const uint streams, const uint flags)
{
    pgs_geometry_write_strip_ends(max_vertices, kind, streams, flags);
    pgs_g_strip_ends_address = pgs_add(pgs_g_strip_ends_address, 4u);
    pgs_g_strip_ends = 0u;
    if ((flags & PGS_DRAW_CUTS) != 0u)
        pgs_g_drawn = 0u;
    if (streams > 1u) {
        pgs_g_stream_low = 0u;
        pgs_g_stream_high = 0u;
    }
}

uint pgs_geometry_new_number(const uint vertex)
{
    const uint number = atomicAdd(pgs_word_ref(pgs_add(pgs_root_address(), PGS_RECORD_PACKED_B)).value, 1u);
    pgs_write_near(pgs_g_numbers, vertex, number);
    return number;
}

/* Gives the vertex the next place of all, or one that a culled vertex has left. */
void pgs_geometry_pack(const uint vertex, const uint out_stride_w, const uint rest_stride_w, const uint flags)
{
    uint number = 0u;
    if ((flags & PGS_DRAW_PLANES) == 0u || (flags & PGS_DRAW_HOLDS) != 0u) {
        number = pgs_geometry_new_number(vertex);
    } else if (vertex < pgs_g_numbered_el) {
        number = pgs_read_near(pgs_g_numbers, vertex);
    } else {
        number = pgs_geometry_new_number(vertex);
        pgs_g_numbered_el++;
    }
    pgs_g_out_vertex = pgs_mul_add(PGS_OUT.out_vertices, number, out_stride_w * 4u);
    if (rest_stride_w != 0u)
        pgs_g_out_rest = pgs_mul_add(PGS_OUT.out_rest, number, rest_stride_w * 4u);
}

/* Before the stores of an emitted vertex. False: it exceeds max_vertices and must not be stored. flags and
 * strides: as for pgs_geometry_begin. */
bool pgs_emit_begin(const uint max_vertices, const uint kind, const uint streams, const uint out_stride_w,
                    const uint rest_stride_w, const uint flags)
{
    bool fits = pgs_g_emitted < max_vertices;
    if ((flags & PGS_DRAW_PLANES) != 0u)
        fits = pgs_g_emitted + pgs_g_culled_el < max_vertices;
    if ((flags & PGS_DRAW_PACKED) != 0u && (flags & PGS_DRAW_HOLDS) == 0u) {
        if (fits && pgs_g_packs)
            pgs_geometry_pack(pgs_g_emitted, out_stride_w, rest_stride_w, flags);
    }
    if (max_vertices > 32u && (kind != 1u || streams > 1u)) {
        if (fits && pgs_g_emitted != 0u && (pgs_g_emitted & 31u) == 0u)
            pgs_geometry_next_strip_ends(max_vertices, kind, streams, flags);
    }
    return fits;
}

void pgs_emit_store(const uint word, const uint value)
{
#ifdef PGS_BOUND
    pgs_bound_write(pgs_g_out_vertex, word, value);
#else
    pgs_write_near(pgs_g_out_vertex, word, value);
#endif
}

/* word: a multiple of 4. */
void pgs_emit_store4(const uint word, const uvec4 value)
{
#ifdef PGS_BOUND
    pgs_bound_write4(pgs_g_out_vertex, word, value);
#else
    pgs_write4_near(pgs_g_out_vertex, word, value);
#endif
}

/* Likewise in the second array. */
void pgs_emit_store_rest(const uint word, const uint value)
{
    pgs_write_near(pgs_g_out_rest, word, value);
}

void pgs_emit_store4_rest(const uint word, const uvec4 value)
{
    pgs_write4_near(pgs_g_out_rest, word, value);
}

/* In place of the stores, with PGS_DRAW_HOLDS: the next vertex waits for the end of its strip. Without indices
 * that drivers do not know, so that it waits in registers. */
#define PGS_HOLD(held, word, part, value)                                                                                 \
    {                                                                                                                  \
        const uint at = pgs_g_emitted - pgs_g_strip_start;                                                             \
        if (at == 0u)                                                                                                  \
            held[word / 4u] part = value;                                                                              \
        if (at == 1u)                                                                                                  \
            held[PGS_HELD_QUADS + word / 4u] part = value;                                                             \
        if (at == 2u)                                                                                                  \
            held[2u * PGS_HELD_QUADS + word / 4u] part = value;                                                        \
        if (at == 3u)                                                                                                  \
            held[3u * PGS_HELD_QUADS + word / 4u] part = value;                                                        \
    }

void pgs_emit_hold(const uint word, const uint value)
{
    PGS_HOLD(pgs_g_held, word, [word & 3u], value)
}

void pgs_emit_hold4(const uint word, const uvec4 value)
{
    PGS_HOLD(pgs_g_held, word, , value)
}

void pgs_emit_hold_rest(const uint word, const uint value)
{
    PGS_HOLD(pgs_g_held_rest, word, [word & 3u], value)
}

void pgs_emit_hold4_rest(const uint word, const uvec4 value)
{
    PGS_HOLD(pgs_g_held_rest, word, , value)
}

/* The planes behind which a position lies. Comparisons with NaN are false, and for any w the points between vertices
 * behind a plane lie behind it, too. */
uint pgs_geometry_planes_of(const vec4 p)
{
    const uint sides = (p.x < -p.w ? PGS_DRAW_PLANE_LEFT : 0u) | (p.x > p.w ? PGS_DRAW_PLANE_RIGHT : 0u) |
                       (p.y < -p.w ? PGS_DRAW_PLANE_TOP : 0u) | (p.y > p.w ? PGS_DRAW_PLANE_BOTTOM : 0u);
    const uint depths = (p.z > p.w ? PGS_DRAW_PLANE_FAR : 0u) | (p.z < 0.0 ? PGS_DRAW_PLANE_NEAR : 0u) |
                        (p.z < -p.w ? PGS_DRAW_PLANE_BEGIN : 0u);
    return (sides | depths) >> PGS_DRAW_PLANES_LOG2;
}

/* With the stores, for what is culled: the bits of gl_Position. */
void pgs_emit_position(const uvec4 bits)
{
    pgs_g_outside &= pgs_geometry_planes_of(uintBitsToFloat(bits));
}

/* As coverage.glsl takes it. */
vec2 pgs_geometry_framebuffer(const vec4 p)
{
    return (p.xy / p.w) * pgs_g_half_px + (pgs_g_half_px - 0.5);
}

/* False: the framebuffer coordinates are not sure. Those of vertices outside of the clip volume are not, as the driver may
 * clip, nor those of a w whose inverse may be 0 or infinite, as the driver may divide otherwise. */
bool pgs_geometry_is_sure(const vec4 p)
{
    return p.w > PGS_COVERAGE_LEAST_W && p.w < PGS_COVERAGE_MOST_W && abs(p.x) <= p.w && abs(p.y) <= p.w && p.z >= 0.0 &&
           p.z <= p.w;
}

/* In place of pgs_emit_position with PGS_DRAW_COVERAGE. */
void pgs_emit_coverage(const uvec4 bits)
{
    pgs_emit_position(bits);
    const vec4 p = uintBitsToFloat(bits);
    const vec2 framebuffer = pgs_geometry_framebuffer(p);
    const uint at = pgs_g_emitted - pgs_g_strip_start;
    pgs_g_inside = pgs_g_inside && pgs_geometry_is_sure(p);
    if (at == 0u)
        pgs_g_framebuffer[0] = framebuffer;
    if (at == 1u)
        pgs_g_framebuffer[1] = framebuffer;
    if (at == 2u)
        pgs_g_framebuffer[2] = framebuffer;
    if (at == 3u)
        pgs_g_framebuffer[3] = framebuffer;
}

/* True if the driver would draw nothing of the open strip, of three or four vertices. The second triangle turns the other
 * way round. */
bool pgs_geometry_draws_nothing()
{
    const uint length_el = pgs_g_emitted - pgs_g_strip_start;
    const uint flags = PGS_NEAR.flags;
    const float margin = pgs_coverage_margin(pgs_g_half_px);
    if (!pgs_g_inside || length_el < 3u)
        return false;
    if (!pgs_coverage_draws_nothing(pgs_g_framebuffer[0], pgs_g_framebuffer[1], pgs_g_framebuffer[2], margin, flags))
        return false;
    return length_el == 3u ||
           pgs_coverage_draws_nothing(pgs_g_framebuffer[1], pgs_g_framebuffer[3], pgs_g_framebuffer[2], margin, flags);
}

/* True if the driver would draw something of the triangle that ends with the newest vertex, the one with this number in
 * its strip, as far as is known. Of pairs of triangles the second one turns the other way round. */
bool pgs_geometry_draws_newest(const uint at)
{
    const uint behind_all = pgs_g_outside_of.x & pgs_g_outside_of.y & pgs_g_outside_of.z & pgs_g_planes;
    const bool turned = (at & 1u) != 0u;
    const vec2 b = turned ? pgs_g_framebuffer[2] : pgs_g_framebuffer[1]; /* no index that drivers do not know */
    const vec2 c = turned ? pgs_g_framebuffer[1] : pgs_g_framebuffer[2];
    const float margin = pgs_coverage_margin(pgs_g_half_px);
    if (behind_all != 0u)
        return false;
    if (pgs_g_sure_el < 3u)
        return true;
    return !pgs_coverage_draws_nothing(pgs_g_framebuffer[0], b, c, margin, PGS_NEAR.flags);
}

/* Notes that the triangle is drawn, with the first one of its pair, and counts what is listed for that. */
void pgs_geometry_note_drawn(const uint at)
{
    const uint second = at & 1u;
    const uint bit = pgs_g_emitted & 31u;
    if (PGS_CUTS_LISTS && pgs_g_cuts_lists) {
        pgs_g_drawn |= 1u << bit;
        pgs_g_index_count++;
        return;
    }
    const uint first = pgs_g_emitted - 2u - second; /* vertex */
    const bool goes_on = pgs_g_listed_end > pgs_g_strip_start && pgs_g_listed_end >= first;
    pgs_g_drawn |= 1u << bit | (bit != 0u ? second << (bit - second) : 0u); /* in front of bit 0 it is set */
    pgs_g_index_count += pgs_g_emitted + 1u - (goes_on ? pgs_g_listed_end : first - 1u); /* with a restart */
    pgs_g_listed_end = pgs_g_emitted + 1u;
}

/* In place of pgs_emit_position with PGS_DRAW_CUTS. */
void pgs_emit_cut(const uvec4 bits)
{
    const vec4 p = uintBitsToFloat(bits);
    const uint planes = pgs_geometry_planes_of(p);
    const uint at = pgs_g_emitted - pgs_g_strip_start;
    pgs_g_outside &= planes;
    if (!pgs_g_cuts)
        return;
    pgs_g_outside_of = uvec3(pgs_g_outside_of.yz, planes);
    pgs_g_framebuffer[0] = pgs_g_framebuffer[1];
    pgs_g_framebuffer[1] = pgs_g_framebuffer[2];
    pgs_g_framebuffer[2] = pgs_geometry_framebuffer(p);
    pgs_g_sure_el = pgs_geometry_is_sure(p) ? pgs_g_sure_el + 1u : 0u;
    /* The bit of a first triangle whose second one has its bit in another word cannot be set later. */
    const bool is_last = (pgs_g_emitted & 31u) == 31u && (at & 1u) == 0u && !pgs_g_cuts_lists;
    if (at >= 2u && (is_last || pgs_geometry_draws_newest(at)))
        pgs_geometry_note_drawn(at);
}

void pgs_emit_note_stream(const uint stream)
{
    const uint bit = pgs_g_emitted & 31u;
    pgs_g_stream_low |= (stream & 1u) << bit;
    pgs_g_stream_high |= (stream >> 1) << bit;
    pgs_g_open_el[stream]++;
    pgs_g_newest[stream] = pgs_g_emitted;
}

/* After the stores. stream: below `streams`. Strides, flags: as for pgs_geometry_begin, but strides are 0 with
 * PGS_DRAW_HOLDS, as nothing is stored yet. */
void pgs_emit_end(const uint stream, const uint streams, const uint out_stride_w, const uint rest_stride_w,
                  const uint flags)
{
    if (streams > 1u)
        pgs_emit_note_stream(stream);
    pgs_g_emitted++;
    pgs_geometry_next_vertex(out_stride_w, rest_stride_w, flags);
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
    const uvec2 address = pgs_subtract(pgs_g_strip_ends_address, back_w * 4u);
    pgs_write(address, pgs_read(address) | bit);
}

void pgs_geometry_end_strip_of(const uint stream, const uint kind)
{
    const uint length_el = pgs_g_open_el[stream];
    if (length_el == 0u)
        return;
    pgs_geometry_end_strip(pgs_g_newest[stream]);
    if (length_el >= kind) {
        pgs_g_primitives_of[stream] += length_el - kind + 1u;
        if (stream == PGS_OUT.raster_stream)
            pgs_g_index_count += length_el + 1u;
    }
    pgs_g_open_el[stream] = 0u;
}

/* The word of the vertex in front of the open strip, which may be in memory already, is the newest
 * again. */
void pgs_geometry_reopen_strip_ends(const uint max_vertices, const uint flags)
{
    const uint begin_w = pgs_g_strip_start == 0u ? 0u : (pgs_g_strip_start - 1u) >> 5;
    const uint back_w = ((pgs_g_emitted - 1u) >> 5) - begin_w;
    if (back_w != 0u) {
        pgs_g_strip_ends_address = pgs_subtract(pgs_g_strip_ends_address, back_w * 4u);
        pgs_g_strip_ends = pgs_read(pgs_g_strip_ends_address);
        if ((flags & PGS_DRAW_CUTS) != 0u) {
            if (pgs_g_cuts)
                pgs_g_drawn = pgs_read_near(pgs_g_strip_ends_address, pgs_out_plane_w(max_vertices));
        }
    }
}

/* Those of the open strip, which were set before it was known that none matters. */
void pgs_geometry_forget_drawn()
{
    const uint last = (pgs_g_strip_start - 1u) & 31u; /* of the strips before */
    pgs_g_drawn &= pgs_g_strip_start != 0u ? 0xFFFFFFFFu >> (31u - last) : 0u;
    pgs_g_index_count = pgs_g_cuts ? pgs_g_listed_before : pgs_g_index_count;
    pgs_g_listed_end = 0u;
}

/* Takes the vertices of the open strip back: the next ones get their slots. */
void pgs_geometry_cull_open_strip(const uint max_vertices, const uint out_stride_w, const uint rest_stride_w,
                                  const uint flags)
{
    const uint length_el = pgs_g_emitted - pgs_g_strip_start;
    if (max_vertices > 32u)
        pgs_geometry_reopen_strip_ends(max_vertices, flags);
    pgs_g_culled_el += length_el;
    pgs_g_emitted = pgs_g_strip_start;
    if ((flags & PGS_DRAW_CUTS) != 0u)
        pgs_geometry_forget_drawn();
    if ((flags & PGS_DRAW_HOLDS) != 0u)
        return;
    const uint slots = length_el * ((flags & PGS_DRAW_SPREAD) != 0u ? pgs_g_out_step : 1u);
    pgs_g_out_vertex = pgs_subtract(pgs_g_out_vertex, slots * out_stride_w * 4u);
    if (rest_stride_w != 0u)
        pgs_g_out_rest = pgs_subtract(pgs_g_out_rest, slots * rest_stride_w * 4u);
}

/* Stores one vertex of the open strip. */
void pgs_geometry_store_held(const uint vertex, const uint out_stride_w, const uint rest_stride_w, const uint flags)
{
    if ((flags & PGS_DRAW_PACKED) != 0u) {
        if (pgs_g_packs)
            pgs_geometry_pack(pgs_g_strip_start + vertex, out_stride_w, rest_stride_w, flags);
    }
    [[unroll]] for (uint quad = 0u; quad < PGS_HELD_QUADS; quad++) {
        if (quad * 4u < out_stride_w)
            pgs_write4_near(pgs_g_out_vertex, quad * 4u, pgs_g_held[vertex * PGS_HELD_QUADS + quad]);
        if (quad * 4u < rest_stride_w)
            pgs_write4_near(pgs_g_out_rest, quad * 4u, pgs_g_held_rest[vertex * PGS_HELD_QUADS + quad]);
    }
    pgs_geometry_next_vertex(out_stride_w, rest_stride_w, flags);
}

/* Finds the next slots of the workgroup for the only strip. */
void pgs_geometry_gather(const uint length_el, const uint max_vertices, const uint out_stride_w,
                         const uint rest_stride_w)
{
    const uint in_group = atomicAdd(pgs_g_gathered, length_el);
    const uint slot = pgs_out_group_slot(max_vertices, pgs_g_gs_invocation) + in_group;
    pgs_g_strip_ends |= in_group << 16u;
    pgs_g_out_vertex = pgs_mul_add(PGS_OUT.out_vertices, slot, out_stride_w * 4u);
    if (rest_stride_w != 0u)
        pgs_g_out_rest = pgs_mul_add(PGS_OUT.out_rest, slot, rest_stride_w * 4u);
}

/* Of the open strip, which is drawn. */
void pgs_geometry_store_all_held(const uint max_vertices, const uint out_stride_w, const uint rest_stride_w,
                                 const uint flags)
{
    const uint length_el = pgs_g_emitted - pgs_g_strip_start;
    if ((flags & PGS_DRAW_GATHERED) != 0u) {
        if (pgs_g_gathers && length_el != 0u)
            pgs_geometry_gather(length_el, max_vertices, out_stride_w, rest_stride_w);
    }
    [[unroll]] for (uint vertex = 0u; vertex < PGS_HELD_EL; vertex++) {
        if (vertex < length_el)
            pgs_geometry_store_held(vertex, out_stride_w, rest_stride_w, flags);
    }
}

/* Without branches, which cost more than what they would skip. kind: at least 2. */
void pgs_geometry_end_open_strip(const uint kind, const uint max_vertices, const uint out_stride_w,
                                 const uint rest_stride_w, const uint flags)
{
    if ((flags & PGS_DRAW_PLANES) != 0u) {
        bool culls = pgs_g_outside != 0u;
        if ((flags & PGS_DRAW_GATHERED) != 0u)
            culls = culls || (pgs_g_gathers && pgs_g_emitted - pgs_g_strip_start < kind);
        if ((flags & PGS_DRAW_COVERAGE) != 0u) {
            culls = culls || pgs_geometry_draws_nothing();
            pgs_g_inside = pgs_g_half_px.x > 0.0;
        }
        if (culls && pgs_g_emitted != pgs_g_strip_start)
            pgs_geometry_cull_open_strip(max_vertices, out_stride_w, rest_stride_w, flags);
        else if ((flags & PGS_DRAW_HOLDS) != 0u)
            pgs_geometry_store_all_held(max_vertices, out_stride_w, rest_stride_w, flags);
        pgs_g_outside = pgs_g_planes;
    }
    const uint length_el = pgs_g_emitted - pgs_g_strip_start;
    const bool is_complete = length_el >= kind;
    bool lists_all = is_complete;
    if ((flags & PGS_DRAW_CUTS) != 0u)
        lists_all = lists_all && !pgs_g_cuts;
    pgs_g_strip_ends |= mix(0u, 1u << ((pgs_g_emitted - 1u) & 31u), length_el != 0u);
    pgs_g_index_count += mix(0u, length_el + 1u, lists_all);
    if ((flags & PGS_DRAW_CUTS) != 0u)
        pgs_g_listed_before = pgs_g_index_count;
    pgs_g_primitives += mix(0u, length_el - (kind - 1u), is_complete);
    if (PGS_CUTS_LISTS && (flags & PGS_DRAW_CUTS) != 0u)
        pgs_g_primitives = pgs_g_cuts && pgs_g_cuts_lists ? pgs_g_index_count : pgs_g_primitives;
    pgs_g_strip_start = pgs_g_emitted;
}

/* Does nothing for points. A strip without a complete primitive gives no indices. stream: as for
 * pgs_emit_end. max_vertices, strides, flags: as for pgs_geometry_begin. */
void pgs_end_primitive(const uint stream, const uint kind, const uint streams, const uint max_vertices,
                       const uint out_stride_w, const uint rest_stride_w, const uint flags)
{
    if (kind == 1u)
        return;
    if (streams > 1u)
        pgs_geometry_end_strip_of(stream, kind);
    else
        pgs_geometry_end_open_strip(kind, max_vertices, out_stride_w, rest_stride_w, flags);
}

/* Returns the indices of the rasterized stream. */
uint pgs_geometry_end_streams(const uint kind, const uint streams)
{
    for (uint stream = 0u; stream < streams; stream++) {
        if (kind == 1u) {
            if (stream == PGS_OUT.raster_stream)
                pgs_g_index_count = pgs_g_open_el[stream];
            pgs_geometry_write_primitives(pgs_g_gs_invocation, stream, pgs_g_open_el[stream]);
        } else {
            pgs_geometry_end_strip_of(stream, kind);
            pgs_geometry_write_primitives(pgs_g_gs_invocation, stream, pgs_g_primitives_of[stream]);
        }
    }
    return pgs_g_index_count;
}

uint pgs_geometry_end_stream(const uint kind, const uint max_vertices, const uint out_stride_w,
                             const uint rest_stride_w, const uint flags)
{
    if (kind == 1u) {
        pgs_g_index_count = pgs_g_emitted;
        pgs_g_primitives = pgs_g_emitted;
    } else {
        pgs_geometry_end_open_strip(kind, max_vertices, out_stride_w, rest_stride_w, flags);
    }
    const uint index_count = mix(pgs_g_index_count, 0u, PGS_OUT.raster_stream != 0u);
    pgs_geometry_write_primitives(pgs_g_gs_invocation, 0u, pgs_g_primitives);
    return index_count;
}

/* The last call, if pgs_geometry_begin was true. Strides, flags: as for that. Without the GS invocation it writes that
 * nothing was emitted. */
void pgs_geometry_end(const uint max_vertices, const uint kind, const uint streams, const uint out_stride_w,
                      const uint rest_stride_w, const uint flags)
{
    uint index_count = 0u;
    if (streams > 1u)
        index_count = pgs_geometry_end_streams(kind, streams);
    else
        index_count = pgs_geometry_end_stream(kind, max_vertices, out_stride_w, rest_stride_w, flags);
    pgs_g_ended = index_count;
    if (kind != 1u || streams > 1u) {
        if (pgs_g_emitted != 0u)
            pgs_geometry_write_strip_ends(max_vertices, kind, streams, flags);
    }
    pgs_write_at(PGS_OUT.counts, pgs_g_gs_invocation, index_count | (pgs_g_emitted << 16u));
}

#include "listing.glsl"

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
