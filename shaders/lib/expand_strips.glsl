/* SPDX-License-Identifier: MIT
 *
 * The kernels expand, expand_shared and expand_any. PGS_MAY_STREAM: false if there is one stream only.
 */
#ifndef PGS_EXPAND_STRIPS_GLSL
#define PGS_EXPAND_STRIPS_GLSL

#ifndef PGS_MAY_STREAM
#define PGS_MAY_STREAM true
#endif

#define PGS_LISTS false
#include "index_count.glsl"
#include "out_vertices.glsl"
#include "record.glsl"

/* The last vertex of a GS invocation ends a strip, so a vertex that ends none has a successor. ends: the word of the
 * plane that has the vertex's bit. */
bool next_ends_strip(const uvec2 strip_ends, const uint ends, const uint vertex)
{
    const uint bit = vertex & 31u;
    if (bit == 31u)
        return pgs_out_strip_ends(strip_ends, vertex + 1u);
    return (ends >> (bit + 1u) & 1u) != 0u;
}

void write_strips(const uvec2 indices, const uvec2 strip_ends, const pgs_out_places places, const uint emitted)
{
    const bool triangles = PGS_DRAW.out_kind == 3u;
    uvec2 place = indices;
    bool starts = true;
    bool complete = false;
    uint word = 0u;
    for (uint n = 0u; n < emitted; n++) {
        if ((n & 31u) == 0u)
            word = pgs_read_at(strip_ends, n >> 5);
        const bool ends = (word >> (n & 31u) & 1u) != 0u;
        /* Decided before the first index is written: an incomplete strip must not overwrite the
         * indices of the next GS invocation. */
        if (starts)
            complete = !ends && !(triangles && next_ends_strip(strip_ends, word, n));
        if (complete) {
            pgs_write(place, pgs_out_place(places, n));
            place = pgs_add(place, 4u);
        }
        if (complete && ends) {
            pgs_write(place, 0xFFFFFFFFu);
            place = pgs_add(place, 4u);
        }
        starts = ends;
    }
}

/* A line of a strip that goes on from GS invocation to GS invocation. */
void write_joined(const uvec2 indices, const pgs_out_places places, const uint gs_invocation)
{
    const uint joins = pgs_joins(gs_invocation);
    const bool last = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    const bool ends = (joins & PGS_JOINS_LATER) == 0u;
    uvec2 place = indices;
    if (!last || (joins & PGS_JOINS_EARLIER) == 0u) {
        pgs_write(place, pgs_out_place(places, 0u));
        place = pgs_add(place, 4u);
    }
    if (last || ends) {
        pgs_write(place, pgs_out_place(places, 1u));
        place = pgs_add(place, 4u);
    }
    if (ends)
        pgs_write(place, 0xFFFFFFFFu);
}

void write_points(const uvec2 indices, const pgs_out_places places, const uint emitted)
{
    for (uint n = 0u; n < emitted; n++)
        pgs_write(pgs_add(indices, n * 4u), pgs_out_place(places, n));
}

/* Vertices of other streams may lie in between, so the first vertices of a strip are held back
 * until it has a complete primitive. */
void write_stream(const uvec2 indices, const uvec2 strip_ends, const pgs_out_places places, const uint emitted)
{
    const uint strip_end_words = pgs_out_plane_w(PGS_DRAW.max_vertices);
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
            pgs_write(place, pgs_out_place(places, held_before));
            place = pgs_add(place, 4u);
        }
        if (length_el == kind && kind > 1u) {
            pgs_write(place, pgs_out_place(places, held));
            place = pgs_add(place, 4u);
        }
        if (length_el >= kind) {
            pgs_write(place, pgs_out_place(places, n));
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

void write_indices(const uvec2 indices, const uint gs_invocation, const uint emitted)
{
    const uint flags = PGS_DRAW.flags;
    const uint max_vertices = PGS_DRAW.max_vertices;
    const uvec2 strip_ends = pgs_mul_add(PGS_DRAW.strip_ends, gs_invocation, pgs_out_strip_ends_B(flags, max_vertices));
    const pgs_out_places places = pgs_out_places_of(flags, max_vertices, strip_ends, gs_invocation, PGS_DRAW.gs_invocation_bound);
    if (PGS_MAY_JOIN && (flags & PGS_DRAW_JOINS) != 0u) {
        if (emitted != 0u)
            write_joined(indices, places, gs_invocation);
    } else if (PGS_MAY_STREAM && (flags & PGS_DRAW_STREAMS) != 0u)
        write_stream(indices, strip_ends, places, emitted);
    else if (PGS_DRAW.out_kind == 1u)
        write_points(indices, places, emitted);
    else
        write_strips(indices, strip_ends, places, emitted);
}

#if defined(PGS_CUTS)

#define PGS_CUT_LANES 16u /* beside each other that write the indices of a GS invocation */

shared uint pgs_x_begins[PGS_TILE_EL];  /* indices in front of each GS invocation of the tile */
shared uint pgs_x_emitted[PGS_TILE_EL]; /* its vertices; 0 if none is listed */

/* Bits of the vertices that are listed, by those of the triangles that are drawn, in this word and the next one: each bit
 * stands for the last vertex of its triangle. */
uint listed_word(const uint drawn, const uint next)
{
    return drawn | drawn >> 1 | next << 31 | drawn >> 2 | next << 30;
}

/* Writes what is listed of a GS invocation; each lane writes each PGS_CUT_LANES-th vertex. */
void write_cut(const uvec2 indices, const uint lane, const uint gs_invocation, const uint emitted)
{
    const uint flags = PGS_DRAW.flags;
    const uint max_vertices = PGS_DRAW.max_vertices;
    const uint plane_w = pgs_out_plane_w(max_vertices);
    const uvec2 strip_ends = pgs_mul_add(PGS_DRAW.strip_ends, gs_invocation, pgs_out_strip_ends_B(flags, max_vertices));
    const uvec2 plane = pgs_mul_add(strip_ends, plane_w, 4u);
    const uvec2 slots = pgs_out_slots_of(flags, max_vertices, gs_invocation, PGS_DRAW.gs_invocation_bound);
    uint before = 0u;
    uint drawn = emitted != 0u ? pgs_read(plane) : 0u;
    for (uint first = 0u; first < emitted; first += 32u) {
        const uint word = first / 32u;
        const uint next = first + 32u < emitted ? pgs_read_at(plane, word + 1u) : 0u;
        const uint listed = listed_word(drawn, next);
        const uint goes_on = listed >> 1 | ((next & 7u) != 0u ? 0x80000000u : 0u);
        const uint ends = listed & (~goes_on | pgs_read_at(strip_ends, word));
        [[unroll]] for (uint k = 0u; k < 32u; k += PGS_CUT_LANES) {
            const uint bit = k + lane;
            const uint below = (1u << bit) - 1u;
            const uint at = before + bitCount(listed & below) + bitCount(ends & below);
            if ((listed >> bit & 1u) != 0u)
                pgs_write_at(indices, at, slots.x + (first + bit) * slots.y);
            if ((ends >> bit & 1u) != 0u)
                pgs_write_at(indices, at + 1u, 0xFFFFFFFFu);
        }
        before += bitCount(listed) + bitCount(ends);
        drawn = next;
    }
}

/* Called by the whole workgroup. tile_indices: those of the tile, in which in_tile are in front of this GS invocation. */
void share_cuts(const uvec2 tile_indices, const uint in_tile, const uint gs_invocation, const uint emitted)
{
    const uint local = PGS_LOCAL_ID;
    const uint lane = local % PGS_CUT_LANES;
    pgs_x_begins[local] = in_tile;
    pgs_x_emitted[local] = emitted;
    barrier();
    for (uint i = local / PGS_CUT_LANES; i < PGS_TILE_EL; i += PGS_TILE_EL / PGS_CUT_LANES)
        write_cut(pgs_mul_add(tile_indices, pgs_x_begins[i], 4u), lane, gs_invocation - local + i, pgs_x_emitted[i]);
}

#elif defined(PGS_SHARES_STRIPS) /* the kernel knows neither streams, joined lines nor packed vertices */

shared uint pgs_x_begins[PGS_TILE_EL]; /* indices in front of each GS invocation of the tile */
shared uint pgs_x_strips[PGS_TILE_EL]; /* its vertices, if all of them are one strip; else 0 */

/* True if all vertices of the GS invocation are one strip. */
bool is_one_strip(const uvec2 strip_ends, const uint emitted)
{
    bool one = emitted >= PGS_DRAW.out_kind;
    for (uint n = 0u; one && n + 1u < emitted; n += 32u) {
        const uint inside = emitted - 1u - n; /* vertices from n on that end nothing */
        const uint mask = inside < 32u ? (1u << inside) - 1u : 0xFFFFFFFFu;
        one = (pgs_read_at(strip_ends, n >> 5) & mask) == 0u;
    }
    return one;
}

/* As write_indices, but invocations that follow each other write indices that do: those of long strips would lie too far
 * apart otherwise. tile_indices: those of the tile. Called by the whole workgroup. */
void share_strips(const uvec2 tile_indices, const uint in_tile, const uint total, const uint gs_invocation,
                  const uint emitted)
{
    const uint local = PGS_LOCAL_ID;
    const uint flags = PGS_DRAW.flags;
    const uint max_vertices = PGS_DRAW.max_vertices;
    const uvec2 strip_ends = pgs_mul_add(PGS_DRAW.strip_ends, gs_invocation, pgs_out_strip_ends_B(flags, max_vertices));
    const bool one = is_one_strip(strip_ends, emitted);
    pgs_x_begins[local] = in_tile;
    pgs_x_strips[local] = one ? emitted : 0u;
    barrier();
    if (!one)
        write_indices(pgs_mul_add(tile_indices, in_tile, 4u), gs_invocation, emitted);
    for (uint i = local; i < total; i += PGS_TILE_EL) {
        uint owner = 0u; /* the last one that begins there or in front */
        [[unroll]] for (uint step = PGS_TILE_EL / 2u; step != 0u; step /= 2u)
            owner += pgs_x_begins[owner + step] <= i ? step : 0u;
        const uint n = i - pgs_x_begins[owner];
        const uint strip_el = pgs_x_strips[owner];
        if (strip_el != 0u) {
            const uvec2 slots =
                pgs_out_slots_of(flags, max_vertices, gs_invocation - local + owner, PGS_DRAW.gs_invocation_bound);
            pgs_write_at(tile_indices, i, n < strip_el ? slots.x + n * slots.y : 0xFFFFFFFFu);
        }
    }
}

#endif

#include "expand.glsl"

#endif
