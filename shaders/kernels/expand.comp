/* SPDX-License-Identifier: MIT
 *
 * Writes the index list of the raster draw: the output vertices of each GS invocation in order,
 * with a restart index after each strip. Strips without a complete primitive are left out. With
 * PGS_DRAW_STREAMS only vertices of raster_stream are listed, and those of a strip need not be
 * adjacent. With PGS_DRAW_POLYGONS it lists the vertices of each triangle.
 *
 * Up to PGS_SCAN_TILES_FREE tiles it finds the position of its tile itself, from the sums of
 * count_tiles (up to PGS_COUNT_TILES_FREE from the counts of the GS invocations), and writes the
 * draw arguments. Above that scan_tiles did both.
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

#define PGS_SCAN_TYPE uvec2
#include "scan.glsl"
#include "draw_args.glsl"
#include "index_count.glsl"
#include "out_vertices.glsl"

/* The last vertex of a GS invocation ends a strip, so a vertex that ends none has a successor. */
void write_strips(const uvec2 indices, const uint gs_invocation, const uint emitted)
{
    const uvec2 strip_ends = pgs_mul_add(PGS_DRAW.strip_ends, gs_invocation, PGS_DRAW.strip_end_words * 4u);
    const uint first = gs_invocation * PGS_DRAW.max_vertices;
    const bool triangles = PGS_DRAW.out_kind == 3u;
    uvec2 place = indices;
    bool starts = true;
    bool complete = false;
    for (uint n = 0u; n < emitted; n++) {
        const bool ends = pgs_out_strip_ends(strip_ends, n);
        /* Decided before the first index is written: an incomplete strip must not overwrite the
         * indices of the next GS invocation. */
        if (starts)
            complete = !ends && !(triangles && pgs_out_strip_ends(strip_ends, n + 1u));
        if (complete) {
            pgs_write(place, first + n);
            place = pgs_add(place, 4u);
        }
        if (complete && ends) {
            pgs_write(place, 0xFFFFFFFFu);
            place = pgs_add(place, 4u);
        }
        starts = ends;
    }
}

void write_points(const uvec2 indices, const uint gs_invocation, const uint emitted)
{
    const uint first = gs_invocation * PGS_DRAW.max_vertices;
    for (uint n = 0u; n < emitted; n++)
        pgs_write(pgs_add(indices, n * 4u), first + n);
}

/* Vertices of other streams may lie in between, so the first vertices of a strip are held back
 * until it has a complete primitive. */
void write_stream(const uvec2 indices, const uint gs_invocation, const uint emitted)
{
    const uint strip_end_words = PGS_DRAW.strip_end_words;
    const uvec2 strip_ends = pgs_mul_add(PGS_DRAW.strip_ends, gs_invocation, pgs_out_strip_ends_B(PGS_DRAW_STREAMS, strip_end_words));
    const uint first = gs_invocation * PGS_DRAW.max_vertices;
    const uint stream = PGS_DRAW.raster_stream;
    const uint kind = PGS_DRAW.out_kind;
    uvec2 place = indices;
    uint length_el = 0u;
    uint held_before = 0u;
    uint held = 0u;
    for (uint n = 0u; n < emitted; n++) {
        if (pgs_out_stream(strip_ends, strip_end_words, n) != stream)
            continue;
        length_el++;
        if (length_el == kind && kind == 3u) {
            pgs_write(place, first + held_before);
            place = pgs_add(place, 4u);
        }
        if (length_el == kind && kind > 1u) {
            pgs_write(place, first + held);
            place = pgs_add(place, 4u);
        }
        if (length_el >= kind) {
            pgs_write(place, first + n);
            place = pgs_add(place, 4u);
        }
        held_before = held;
        held = n;
        if (kind == 1u || !pgs_out_strip_ends(strip_ends, n))
            continue;
        if (length_el >= kind) {
            pgs_write(place, 0xFFFFFFFFu);
            place = pgs_add(place, 4u);
        }
        length_el = 0u;
    }
}

/* Of a strip's odd triangles two vertices are swapped; the provoking one stays first, or last. */
void write_polygons(const uvec2 indices, const uint gs_invocation, const uint emitted)
{
    const uint flags = PGS_DRAW.flags;
    const bool streams = (flags & PGS_DRAW_STREAMS) != 0u;
    const bool last = (flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    const uint strip_end_words = PGS_DRAW.strip_end_words;
    const uvec2 strip_ends = pgs_mul_add(PGS_DRAW.strip_ends, gs_invocation, pgs_out_strip_ends_B(flags, strip_end_words));
    const uint first = gs_invocation * PGS_DRAW.max_vertices;
    const uint stream = PGS_DRAW.raster_stream;
    uvec2 place = indices;
    uint length_el = 0u;
    uint before = 0u;
    uint newest = 0u;
    for (uint n = 0u; n < emitted; n++) {
        if (streams && pgs_out_stream(strip_ends, strip_end_words, n) != stream)
            continue;
        length_el++;
        if (length_el >= 3u) {
            const bool odd = (length_el & 1u) == 0u;
            pgs_write(place, first + (odd && last ? newest : before));
            pgs_write(pgs_add(place, 4u), first + (odd ? (last ? before : n) : newest));
            pgs_write(pgs_add(place, 8u), first + (odd && !last ? newest : n));
            place = pgs_add(place, 12u);
        }
        before = newest;
        newest = n;
        if (pgs_out_strip_ends(strip_ends, n))
            length_el = 0u;
    }
}

/* What this invocation adds to the number of indices in the tiles before this one: of the few
 * tiles, by GS invocation; of more, the sum of one tile. */
uint indices_before(const uint tile, const uint tile_count)
{
    const uint end = min(tile, tile_count - 1u);
    uint sum = 0u;
    if (tile_count > PGS_COUNT_TILES_FREE) {
        if (gl_LocalInvocationIndex < min(tile, tile_count))
            sum = pgs_read_at(PGS_DRAW.tile_sums, gl_LocalInvocationIndex);
    } else {
        for (uint i = 0u; i < end; i++)
            sum += pgs_index_count(i * PGS_TILE_EL + gl_LocalInvocationIndex);
    }
    return sum;
}

void main()
{
    const uint gs_invocation = pgs_linear_id(PGS_TILE_EL);
    const uint gs_invocation_bound = PGS_DRAW.gs_invocation_bound;
    const uint tile = gs_invocation / PGS_TILE_EL;
    const uint tile_count = (gs_invocation_bound + PGS_TILE_EL - 1u) / PGS_TILE_EL;
    const uint counts = gs_invocation < gs_invocation_bound ? pgs_read_at(PGS_DRAW.counts, gs_invocation) : 0u;
    const uint index_count = gs_invocation < gs_invocation_bound ? pgs_index_count(gs_invocation) : 0u;
    const bool is_small = tile_count <= PGS_SCAN_TILES_FREE;
    uint of_tiles = 0u;
    if (is_small && tile_count > 1u)
        of_tiles = indices_before(tile, tile_count);
    const uint in_tile = pgs_scan_exclusive(uvec2(index_count, of_tiles)).x;
    uint before = pgs_scan_total.y;
    if (!is_small && tile < tile_count)
        before = pgs_read_at(PGS_DRAW.tile_sums, tile);
    if (tile + 1u == tile_count && is_small && gl_LocalInvocationIndex == 0u)
        pgs_write_draw_args(before + pgs_scan_total.x);
    const uint emitted = index_count != 0u ? counts >> 16 : 0u;
    const uvec2 indices = pgs_mul_add(PGS_DRAW.indices, before + in_tile, 4u);
    if ((PGS_DRAW.flags & PGS_DRAW_POLYGONS) != 0u)
        write_polygons(indices, gs_invocation, emitted);
    else if ((PGS_DRAW.flags & PGS_DRAW_STREAMS) != 0u)
        write_stream(indices, gs_invocation, emitted);
    else if (PGS_DRAW.out_kind == 1u)
        write_points(indices, gs_invocation, emitted);
    else
        write_strips(indices, gs_invocation, emitted);
}
