/* SPDX-License-Identifier: MIT
 *
 * With PGS_DRAW_STIPPLED: finds for each listed line where the pattern is at its start, so that it
 * goes on along a strip. The vertices of a strip follow each other in the list; where the layer's
 * own geometry shader has taken one apart, pgs_joins knows which lines are one (PGS_DRAW_JOINS).
 *
 * One workgroup per record, which loops over its lines. One invocation adds up what all of them have
 * found. Root: draw record. Step STEP_STIPPLE (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#define PGS_LISTS true
#include "index_count.glsl"
#include "stipple.glsl"

shared uint lengths[PGS_TILE_EL];
shared uint places[PGS_TILE_EL];
shared uint begins[PGS_TILE_EL]; /* not 0: the line is the first one of its strip */
shared uint place;               /* behind all lines so far */

vec4 position_of(const uvec2 vertex)
{
    return uintBitsToFloat(pgs_read4_near(vertex, PGS_POLYGONS_RECORD.position_w));
}

/* Of all lines that the draw has; 0 if it has no memory. */
uint line_count()
{
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const uint vertices_each = PGS_POLYGONS_RECORD.line_vertices;
    uint count = 0u;
    if (bound != 0u && vertices_each != 0u && PGS_POLYGONS_RECORD.position_w != 0xFFFFFFFFu)
        count = pgs_read_at(PGS_DRAW.draw_args, 0u) / vertices_each;
    return min(count, bound * (PGS_DRAW.max_vertices - 1u));
}

/* What a line adds to the place of the next one. */
uint length_of(const uint from, const uint to, const uint period)
{
    const uvec2 vertices = PGS_DRAW.out_vertices;
    const uint stride_B = PGS_DRAW.out_stride_w * 4u;
    const uvec2 a = pgs_mul_add(vertices, from, stride_B);
    const uvec2 b = pgs_mul_add(vertices, to, stride_B);
    const uvec2 provoking = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u ? b : a;
    const vec4 viewport = pgs_stipple_viewport(provoking, PGS_POLYGONS_RECORD.viewport_w);
    const float pixels = pgs_stipple_span(position_of(a), position_of(b), viewport).z;
    const float whole = floor(pixels);
    const uint part = uint((pixels - whole) * float(PGS_STIPPLE_UNIT));
    return (uint(whole) % (period / PGS_STIPPLE_UNIT) * PGS_STIPPLE_UNIT + part) % period;
}

/* The line's strip has none before it. */
bool is_first(const uvec2 list, const uint line, const uint from)
{
    bool first = true;
    if (line != 0u)
        first = pgs_read_at(list, 2u * line - 1u) != from;
    if (first && (PGS_DRAW.flags & PGS_DRAW_JOINS) != 0u)
        first = (pgs_joins(from / PGS_DRAW.max_vertices) & PGS_JOINS_EARLIER) == 0u;
    return first;
}

/* Called by one invocation. */
void add_up(const uint count, const uint period)
{
    uint at = place;
    for (uint i = 0u; i < count; i++) {
        if (begins[i] != 0u)
            at = 0u;
        places[i] = at;
        at += lengths[i];
        at -= at >= period ? period : 0u;
    }
    place = at;
}

void main()
{
    const uint local = PGS_LOCAL_ID;
    const uint lines = line_count();
    const uint period = PGS_STIPPLE_BITS * PGS_STIPPLE_UNIT * PGS_POLYGONS_RECORD.stipple_factor;
    const uvec2 list = PGS_DRAW.indices;
    if (local == 0u)
        place = 0u;
    for (uint first = 0u; first < lines; first += PGS_TILE_EL) {
        const uint line = first + local;
        if (line < lines) {
            const uint from = pgs_read_at(list, 2u * line);
            lengths[local] = length_of(from, pgs_read_at(list, 2u * line + 1u), period);
            begins[local] = is_first(list, line, from) ? 1u : 0u;
        }
        barrier();
        if (local == 0u)
            add_up(min(lines - first, uint(PGS_TILE_EL)), period);
        barrier();
        if (line < lines)
            pgs_write_at(pgs_stipple_places(), line, places[local]);
    }
}
