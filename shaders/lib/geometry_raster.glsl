/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader calls once it is the vertex shader of the raster pipeline. Each vertex is a corner of a primitive
 * of a unit of what is drawn (struct pgs_inline_draw). The unit emits as ever, and of that the one vertex is kept; nothing is
 * stored. Primitives that the unit does not emit are not there.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_GIVEN
#include "poly_gs/abi.h"

#include "geometry_invocation.glsl"

#define PGS_GR_NEVER 0xFFFFFFFFu

uint pgs_gr_gs_invocation;       /* of its record */
uint pgs_gr_wanted;     /* primitive */
uint pgs_gr_in_primitive;     /* of it */
uint pgs_gr_kind;       /* vertices of a primitive */
uint pgs_gr_stream;     /* that is rasterized */
bool pgs_gr_last;       /* provoking vertex */
uint pgs_gr_emitted;    /* vertices so far, of all streams */
uint pgs_gr_open_el;    /* of the open strip of the stream */
uint pgs_gr_wanted_el;  /* which of them is the wanted one, once there are so many */
uint pgs_gr_primitives; /* complete ones */

uint pgs_gr_first_gs_invocation(const uvec2 records, const uint stride_B, const uint number)
{
    return pgs_draw_ref(pgs_mul_add(records, number, stride_B)).draw.gs_invocation_first;
}

/* Chooses the record of a unit: the last that begins at or before it. */
void pgs_gr_find_record(const uvec4 inline_draw, const uint gs_invocation)
{
    uint low = 0u;
    uint high = inline_draw.w;
    for (uint step = 0u; step < 32u && high - low > 1u; step++) {
        const uint middle = low + (high - low) / 2u;
        if (pgs_gr_first_gs_invocation(inline_draw.xy, inline_draw.z, middle) <= gs_invocation)
            low = middle;
        else
            high = middle;
    }
    pgs_given_root = pgs_mul_add(inline_draw.xy, low, inline_draw.z);
}

/* Which vertex of its primitive in a strip the corner is, the oldest first. In a strip the second and third vertex of odd
 * triangles change places; the provoking one comes first, or last, also in a triangle of its own. */
uint pgs_gr_number(const bool odd)
{
    if (pgs_gr_kind != 3u || !odd)
        return pgs_gr_in_primitive;
    if (pgs_gr_last)
        return pgs_gr_in_primitive == 2u ? 2u : 1u - pgs_gr_in_primitive;
    return pgs_gr_in_primitive == 0u ? 0u : 3u - pgs_gr_in_primitive;
}

/* A strip begins. It may turn out to be too short for the wanted primitive, which then is one of the next strip. */
void pgs_gr_begin_strip()
{
    const uint before = pgs_gr_wanted - pgs_gr_primitives;
    pgs_gr_open_el = 0u;
    pgs_gr_wanted_el =
        pgs_gr_primitives > pgs_gr_wanted ? PGS_GR_NEVER : before + pgs_gr_number((before & 1u) != 0u);
}

/* First of all. placed: the first members of the pgs_inline_draw. kind: vertices of a primitive. stream: that is rasterized.
 * primitives: that every unit emits there, and units follow each other; 0: nobody knows, and units are instances. */
void pgs_geometry_raster_begin(const uvec4 inline_draw, const uint vertex_index, const uint instance_index, const uint kind,
                               const uint stream, const uint primitives)
{
    const uint vertices_per_gs_invocation = max(primitives * kind, 1u);
    const uint gs_invocation = primitives != 0u ? vertex_index / vertices_per_gs_invocation : instance_index;
    const uint vertex = primitives != 0u ? vertex_index - gs_invocation * vertices_per_gs_invocation : vertex_index;
    pgs_gr_find_record(inline_draw, gs_invocation);
    pgs_gr_gs_invocation = gs_invocation - PGS_DRAW.gs_invocation_first;
    pgs_gr_kind = kind;
    pgs_gr_stream = stream;
    pgs_gr_wanted = vertex / kind;
    pgs_gr_in_primitive = vertex - pgs_gr_wanted * kind;
    pgs_gr_last = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    pgs_gr_emitted = 0u;
    pgs_gr_primitives = 0u;
    pgs_gr_begin_strip();
}

/* Then. False: there is no such unit. topology: of the record, or PGS_TOPOLOGY_ANY. flags: that it may have. */
bool pgs_geometry_raster_find(const uint input_vertices, const uint invocations, const uint topology, const uint flags)
{
    return pgs_geometry_find_known_invocation(pgs_gr_gs_invocation, invocations, input_vertices, 0u,
                                        topology == PGS_TOPOLOGY_ANY ? PGS_DRAW.topology : topology, PGS_DRAW.flags & flags);
}

/* A vertex is emitted. True: it is to be kept, unless a later one is. */
bool pgs_geometry_raster_emit(const uint max_vertices, const uint stream)
{
    if (pgs_gr_emitted >= max_vertices)
        return false;
    pgs_gr_emitted++;
    if (stream != pgs_gr_stream)
        return false;
    const bool wanted = pgs_gr_open_el == pgs_gr_wanted_el;
    pgs_gr_open_el++;
    if (pgs_gr_open_el >= pgs_gr_kind)
        pgs_gr_primitives++;
    return wanted;
}

/* A strip of the stream ends. */
void pgs_geometry_raster_end_strip(const uint stream)
{
    if (stream == pgs_gr_stream)
        pgs_gr_begin_strip();
}

/* Has the unit emitted the wanted primitive? */
bool pgs_geometry_raster_found()
{
    return pgs_gr_primitives > pgs_gr_wanted;
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
