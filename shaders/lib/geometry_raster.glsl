/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader calls once it is the vertex shader of the raster pipeline: instance n is unit n of what is drawn
 * (struct pgs_placed), vertex m corner m % kind of its primitive m / kind. The unit emits as ever, and of that the one
 * vertex is kept; nothing is stored. Primitives that the unit does not emit are not there.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_GIVEN
#include "poly_gs/abi.h"

#include "geometry_unit.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_placed_ref
{
    pgs_placed placed;
};

uint pgs_gr_unit;       /* of its record */
uint pgs_gr_wanted;     /* primitive */
uint pgs_gr_corner;     /* of it */
uint pgs_gr_kind;       /* vertices of a primitive */
uint pgs_gr_stream;     /* that is rasterized */
uint pgs_gr_emitted;    /* vertices so far, of all streams */
uint pgs_gr_open_el;    /* of the open strip of the stream */
uint pgs_gr_primitives; /* complete ones */
uint pgs_gr_newest;     /* where of `kind` places the newest vertex is kept; the others are before it, in a ring */
bool pgs_gr_found;
bool pgs_gr_odd;        /* of the found primitive: the second and third vertex of a triangle of a strip change places */

uint pgs_gr_first_unit(const uvec2 records, const uint stride_B, const uint number)
{
    return pgs_draw_ref(pgs_mul_add(records, number, stride_B)).draw.unit_first;
}

/* First of all. placed: address of the pgs_placed, which is all that the pipeline is given. kind: vertices of a primitive.
 * stream: that is rasterized. */
void pgs_geometry_raster_begin(const uvec2 placed, const uint vertex_index, const uint instance_index, const uint kind,
                               const uint stream)
{
    const uvec2 records = pgs_placed_ref(placed).placed.records;
    const uint stride_B = pgs_placed_ref(placed).placed.record_stride_B;
    uint low = 0u;
    uint high = pgs_placed_ref(placed).placed.record_count;
    /* The last record that begins at or before the unit. */
    for (uint step = 0u; step < 32u && high - low > 1u; step++) {
        const uint middle = low + (high - low) / 2u;
        if (pgs_gr_first_unit(records, stride_B, middle) <= instance_index)
            low = middle;
        else
            high = middle;
    }
    pgs_given_root = pgs_mul_add(records, low, stride_B);
    pgs_gr_unit = instance_index - PGS_DRAW.unit_first;
    pgs_gr_kind = kind;
    pgs_gr_stream = stream;
    pgs_gr_wanted = vertex_index / kind;
    pgs_gr_corner = vertex_index - pgs_gr_wanted * kind;
    pgs_gr_emitted = 0u;
    pgs_gr_open_el = 0u;
    pgs_gr_primitives = 0u;
    pgs_gr_newest = 0u;
    pgs_gr_found = false;
    pgs_gr_odd = false;
}

/* Then. False: there is no such unit. */
bool pgs_geometry_raster_find(const uint input_vertices, const uint invocations)
{
    return pgs_geometry_find_unit(pgs_gr_unit, invocations, input_vertices, 0u);
}

/* A vertex is emitted. True: it is to be kept at pgs_geometry_raster_slot, since the wanted primitive may have it. */
bool pgs_geometry_raster_emit(const uint max_vertices, const uint stream)
{
    if (pgs_gr_found || pgs_gr_emitted >= max_vertices)
        return false;
    pgs_gr_emitted++;
    if (stream != pgs_gr_stream)
        return false;
    pgs_gr_open_el++;
    pgs_gr_newest = pgs_gr_newest + 1u < pgs_gr_kind ? pgs_gr_newest + 1u : 0u;
    const bool near = pgs_gr_primitives + pgs_gr_kind > pgs_gr_wanted;
    if (pgs_gr_open_el >= pgs_gr_kind) {
        pgs_gr_found = pgs_gr_primitives == pgs_gr_wanted;
        pgs_gr_odd = ((pgs_gr_open_el - pgs_gr_kind) & 1u) != 0u;
        pgs_gr_primitives++;
    }
    return near;
}

uint pgs_geometry_raster_slot()
{
    return pgs_gr_newest;
}

/* A strip of the stream ends. */
void pgs_geometry_raster_cut(const uint stream)
{
    if (stream == pgs_gr_stream)
        pgs_gr_open_el = 0u;
}

bool pgs_geometry_raster_found()
{
    return pgs_gr_found;
}

/* Where the vertex of this corner is kept. The provoking vertex of a strip's triangle comes first, or last, also in a
 * triangle of its own. */
uint pgs_geometry_raster_chosen()
{
    uint number = pgs_gr_corner;
    if (pgs_gr_kind == 3u && pgs_gr_odd) {
        const bool provoking_last = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
        if (provoking_last)
            number = number == 2u ? 2u : 1u - number;
        else
            number = number == 0u ? 0u : 3u - number;
    }
    const uint place = pgs_gr_newest + 1u + number; /* the oldest comes after the newest */
    return place % pgs_gr_kind;
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
