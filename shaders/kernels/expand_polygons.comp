/* SPDX-License-Identifier: MIT
 *
 * With PGS_DRAW_POLYGONS or PGS_DRAW_LISTS, in place of `expand`: lists the vertices of each triangle,
 * line, or point.
 *
 * One workgroup per tile of gs_invocation_bound. Root: draw record. Step STEP_EXPAND
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#define PGS_LISTS true
#include "out_vertices.glsl"
#include "record.glsl"

/* Of a strip's odd triangles two vertices are swapped; the provoking one stays first, or last. */
void write_indices(const uvec2 indices, const uint gs_invocation, const uint emitted)
{
    const uint flags = PGS_DRAW.flags;
    const bool streams = (flags & PGS_DRAW_STREAMS) != 0u;
    const bool last = (flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    const uint max_vertices = PGS_DRAW.max_vertices;
    const uint strip_end_words = pgs_out_plane_w(max_vertices);
    const uvec2 strip_ends = pgs_mul_add(PGS_DRAW.strip_ends, gs_invocation, pgs_out_strip_ends_B(flags, max_vertices));
    const pgs_out_places places = pgs_out_places_of(flags, max_vertices, strip_ends, gs_invocation, PGS_DRAW.gs_invocation_bound);
    const uint stream = PGS_DRAW.raster_stream;
    const uint out_kind = PGS_DRAW.out_kind;
    uvec2 place = indices;
    uint length_el = 0u;
    uint before = 0u;
    uint newest = 0u;
    for (uint n = 0u; n < emitted; n++) {
        if (streams && pgs_out_stream(strip_ends, strip_end_words, n) != stream)
            continue;
        const uint here = pgs_out_place(places, n);
        length_el++;
        if (out_kind == 1u) {
            pgs_write(place, here);
            place = pgs_add(place, 4u);
        }
        if (out_kind == 2u && length_el >= 2u) {
            pgs_write(place, newest);
            pgs_write(pgs_add(place, 4u), here);
            place = pgs_add(place, 8u);
        }
        if (out_kind == 3u && length_el >= 3u) {
            const bool odd = (length_el & 1u) == 0u;
            pgs_write(place, odd && last ? newest : before);
            pgs_write(pgs_add(place, 4u), odd ? (last ? before : here) : newest);
            pgs_write(pgs_add(place, 8u), odd && !last ? newest : here);
            place = pgs_add(place, 12u);
        }
        before = newest;
        newest = here;
        if (pgs_out_strip_ends(strip_ends, n))
            length_el = 0u;
    }
}

#include "expand.glsl"
