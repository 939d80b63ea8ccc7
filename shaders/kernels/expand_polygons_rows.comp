/* SPDX-License-Identifier: MIT
 *
 * As expand_polygons, for CPUs (rows.glsl), if no vertices are packed.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"

#define PGS_LISTS true
#define PGS_MAY_JOIN false
#define PGS_MAY_PACK false
#include "rows.glsl"
#include "draw_args.glsl"
#include "out_vertices.glsl"

/* What all GS invocations have in common. Words of the record would be loaded for each. */
struct common_words
{
    uint flags, max_vertices, bound;
    uint kind, stream;
    uvec2 strip_ends, counts;
};

/* Lists what a GS invocation emitted. Of a strip's odd triangles two vertices are swapped; the provoking one stays first, or
 * last. Returns the place behind. */
uvec2 write_indices(const uvec2 indices, const common_words c, const uint gs_invocation, const uint emitted)
{
    const bool streams = (c.flags & PGS_DRAW_STREAMS) != 0u;
    const bool last = (c.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    const uint plane_B = pgs_out_plane_w(c.max_vertices) * 4u;
    const uvec2 strip_ends = pgs_mul_add(c.strip_ends, gs_invocation, pgs_out_strip_ends_B(c.flags, c.max_vertices));
    const pgs_out_places places = pgs_out_places_of(c.flags, c.max_vertices, strip_ends, gs_invocation, c.bound);
    uvec2 place = indices;
    uint length_el = 0u;
    uint before = 0u;
    uint newest = 0u;
    [[dont_unroll]] for (uint first = 0u; first < emitted; first += 32u) {
        const uvec2 word = pgs_add(strip_ends, first / 8u);
        const uint ends = pgs_read(word);
        uint others = 0u; /* vertices of other streams */
        if (streams) {
            const uint low = pgs_read(pgs_add(word, plane_B));
            const uint high = pgs_read(pgs_add(word, plane_B * 2u));
            others = (low ^ ((c.stream & 1u) != 0u ? 0xFFFFFFFFu : 0u)) | (high ^ ((c.stream & 2u) != 0u ? 0xFFFFFFFFu : 0u));
        }
        const uint count = min(emitted - first, 32u);
        [[dont_unroll]] for (uint n = 0u; n < count; n++) {
            const bool skipped = (others >> n & 1u) != 0u;
            const uint here = pgs_out_place(places, first + n);
            length_el += skipped ? 0u : 1u;
            if (!skipped && length_el >= c.kind) {
                const bool odd = (length_el & 1u) == 0u;
                const uint a = c.kind == 3u ? (odd && last ? newest : before) : c.kind == 2u ? newest : here;
                const uint b = c.kind == 3u ? (odd ? (last ? before : here) : newest) : here;
                if (c.kind == 1u) {
                    pgs_write(place, a);
                } else {
                    pgs_write_near(place, 0u, a);
                    pgs_write_near(place, 1u, b);
                }
                if (c.kind == 3u)
                    pgs_write_near(place, 2u, odd && !last ? newest : here);
                place = pgs_add(place, c.kind * 4u);
            }
            before = skipped ? before : newest;
            newest = skipped ? newest : here;
            length_el = !skipped && (ends >> n & 1u) != 0u ? 0u : length_el;
        }
    }
    return place;
}

/* With PGS_DRAW_CUTS: those triangles alone that are drawn. Drivers of CPUs take as long for a triangle that some invocations
 * of a vector leave out, so each goes from one of its own to the next. */
uvec2 write_cut(const uvec2 indices, const common_words c, const uint gs_invocation, const uint emitted)
{
    const bool last = (c.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    const uint plane_B = pgs_out_plane_w(c.max_vertices) * 4u;
    const uvec2 strip_ends = pgs_mul_add(c.strip_ends, gs_invocation, pgs_out_strip_ends_B(c.flags, c.max_vertices));
    const pgs_out_places places = pgs_out_places_of(c.flags, c.max_vertices, strip_ends, gs_invocation, c.bound);
    uvec2 place = indices;
    uint strip_first = 0u; /* vertex */
    [[dont_unroll]] for (uint first = 0u; first < emitted; first += 32u) {
        const uvec2 word = pgs_add(strip_ends, first / 8u);
        const uint ends = pgs_read(word);
        uint drawn = pgs_read(pgs_add(word, plane_B));
        [[dont_unroll]] while (drawn != 0u) {
            const uint n = uint(findLSB(drawn));
            const uint before = ends & ((1u << n) - 1u); /* strips that have ended */
            const uint begins = before != 0u ? first + uint(findMSB(before)) + 1u : strip_first;
            const uint vertex = first + n;
            const bool odd = ((vertex - begins) & 1u) != 0u;
            const uint oldest = pgs_out_place(places, vertex - 2u);
            const uint newer = pgs_out_place(places, vertex - 1u);
            const uint newest = pgs_out_place(places, vertex);
            pgs_write_near(place, 0u, odd && last ? newer : oldest);
            pgs_write_near(place, 1u, odd ? (last ? oldest : newest) : newer);
            pgs_write_near(place, 2u, odd && !last ? newer : newest);
            place = pgs_add(place, 12u);
            drawn &= drawn - 1u;
        }
        strip_first = ends != 0u ? first + uint(findMSB(ends)) + 1u : strip_first;
    }
    return place;
}

/* What this invocation adds to the number of indices in the tiles before this one: of the few tiles, of some GS invocations;
 * of more, the sums of some tiles. */
uint indices_before(const pgs_row_counts counts, const uint tile, const uint tile_count)
{
    const uint row = PGS_LOCAL_ID;
    const uvec2 tile_sums = PGS_DRAW.tile_sums;
    const uint end = min(tile, max(tile_count, 1u) - 1u);
    if (tile_count <= PGS_COUNT_TILES_FREE || tile_sums == uvec2(0u))
        return pgs_row_sum(counts, row, end * PGS_TILE_EL, PGS_TILE_ROWS);
    uint sum = 0u;
    [[dont_unroll]] for (uint i = row; i < end; i += PGS_TILE_ROWS)
        sum += pgs_read_at(tile_sums, i);
    return sum;
}

shared uvec2 of_rows[PGS_TILE_ROWS]; /* indices of each, and what it adds to those before the tile */

void main()
{
    const uint row = PGS_LOCAL_ID;
    const uint tile = pgs_linear_id(PGS_TILE_ROWS) / PGS_TILE_ROWS;
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const uint tile_count = (bound + PGS_TILE_EL - 1u) / PGS_TILE_EL;
    const bool is_small = tile_count <= PGS_SCAN_TILES_FREE;
    const common_words c = common_words(PGS_DRAW.flags, PGS_DRAW.max_vertices, bound, PGS_DRAW.out_kind,
                                        PGS_DRAW.raster_stream, PGS_DRAW.strip_ends, PGS_DRAW.counts);
    const pgs_row_counts counts = pgs_row_counts_of(c.flags, bound);
    const uvec2 indices = PGS_DRAW.indices;
    const uint begin = tile * PGS_TILE_EL + row * PGS_ROW_EL;
    const uint end = min(begin + PGS_ROW_EL, bound);
    of_rows[row] = uvec2(pgs_row_sum(counts, begin, end, 1u),
                         is_small ? indices_before(counts, tile, tile_count) : 0u);
    barrier();
    uint before = 0u;
    uint in_tile = 0u;
    uint total = 0u;
    for (uint i = 0u; i < PGS_TILE_ROWS; i++) {
        const uvec2 of_row = of_rows[i];
        before += of_row.y;
        in_tile += i < row ? of_row.x : 0u;
        total += of_row.x;
    }
    if (!is_small && tile < tile_count)
        before = pgs_read_at(PGS_DRAW.tile_sums, tile);
    if (is_small && tile + 1u == tile_count && row == 0u)
        pgs_write_draw_args(before + total);
    uvec2 place = pgs_mul_add(indices, before + in_tile, 4u);
    if ((c.flags & PGS_DRAW_CUTS) != 0u) {
        [[dont_unroll]] for (uint i = begin; i < end; i++)
            place = write_cut(place, c, i, pgs_read_at(c.counts, i) >> 16);
        return;
    }
    [[dont_unroll]] for (uint i = begin; i < end; i++)
        place = write_indices(place, c, i, pgs_read_at(c.counts, i) >> 16);
}
