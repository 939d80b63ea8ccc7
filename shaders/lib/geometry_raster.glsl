/* SPDX-License-Identifier: MIT
 *
 * Calls of a geometry shader that runs as the vertex shader of an inline raster draw (struct
 * pgs_inline_draw). Each raster vertex belongs to one output primitive of a GS invocation. The
 * shader runs the whole GS invocation and keeps that vertex; nothing is stored. Primitives that the
 * GS invocation does not emit are clipped.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_GIVEN
#include "poly_gs/abi.h"

#define PGS_EVALUATES
#ifdef PGS_RECORD_INPUTS
#define PGS_DIVIDES_FLOATS /* no more than 2^31 vertices are inline (pgs_plan_inlines_too_many) */
#endif
#include "geometry_invocation.glsl"
#include "viewport.glsl"

#define PGS_GR_NEVER 0xFFFFFFFFu

/* What is emitted, a constant (enum emits of geometry_raster.c). */
#define PGS_GR_STRIPS 0u    /* any */
#define PGS_GR_ONE_STRIP 1u /* one strip, or points, of one stream: the number of a vertex says all */
#define PGS_GR_JOINED 2u    /* likewise, of a draw that joins the strips */
#define PGS_GR_INDEXED 3u   /* static ones, of a draw whose index list has the primitives */

uint pgs_gr_gs_invocation; /* in its record */
uint pgs_gr_wanted;        /* output primitive */
uint pgs_gr_in_primitive;  /* vertex of it */
uint pgs_gr_kind;          /* vertices per primitive */
uint pgs_gr_stream;        /* the stream that is rasterized */
bool pgs_gr_last;          /* the provoking vertex is the last one */
uint pgs_gr_emitted;       /* vertices so far, of all streams, even those that are too many */
uint pgs_gr_open_el;       /* vertices of the open strip of the stream */
uint pgs_gr_wanted_el;     /* position of the wanted vertex in the strip */
uint pgs_gr_primitives;    /* complete primitives so far */

uint pgs_gr_first_gs_invocation(const uvec2 records, const uint stride_B, const uint number)
{
    return pgs_draw_ref(pgs_mul_add(records, number, stride_B)).draw.gs_invocation_first;
}

/* Selects the record of the GS invocation: the last one that begins at or before it. */
void pgs_gr_find_record(const uvec4 inline_draw)
{
    uint low = 0u;
    uint high = inline_draw.w;
    /* Drivers that unroll this take long. */
    [[dont_unroll]] while (high - low > 1u) {
        const uint middle = low + (high - low) / 2u;
        const bool begun = pgs_gr_first_gs_invocation(inline_draw.xy, inline_draw.z, middle) <= pgs_gr_gs_invocation;
        low = begun ? middle : low;
        high = begun ? high : middle;
    }
    pgs_given_root = pgs_mul_add(inline_draw.xy, low, inline_draw.z);
    pgs_gr_gs_invocation -= PGS_DRAW.gs_invocation_first;
}

/* Position of the wanted vertex among the vertices of its primitive in the strip, oldest first. Two
 * vertices of odd triangles are swapped; the provoking one stays first, or last. */
uint pgs_gr_number(const bool odd)
{
    const uint keeps = pgs_gr_last ? 2u : 0u;
    const bool turned = pgs_gr_kind == 3u && odd && pgs_gr_in_primitive != keeps;
    return mix(pgs_gr_in_primitive, 3u - keeps - pgs_gr_in_primitive, turned);
}

/* Begins a strip. If it is too short for the wanted primitive, that belongs to a later strip. */
void pgs_gr_begin_strip()
{
    const uint before = pgs_gr_wanted - pgs_gr_primitives;
    pgs_gr_open_el = 0u;
    pgs_gr_wanted_el =
        pgs_gr_primitives > pgs_gr_wanted ? PGS_GR_NEVER : before + pgs_gr_number((before & 1u) != 0u);
}

#ifdef PGS_RECORD_INPUTS
/* Before the first call: what pgs_record_inputs (layer/pipeline/record_inputs.h) lists. */
void pgs_geometry_raster_take(const uvec4 indices, const uvec4 numbers, const uvec4 rest)
{
    pgs_near_take(indices, numbers, rest);
}

void pgs_geometry_raster_take_attribute(const uint location, const uvec4 fields)
{
    pgs_near_attributes[location] = fields;
}
#endif

/* vertex / kind, where `vertices` exceeds both. CPUs divide by a constant in six instructions, unless they know that what
 * they divide is small. */
uint pgs_gr_primitive_of(const uint vertex, const uint kind, const uint vertices)
{
#ifdef PGS_DIVIDES_FLOATS
    if (kind == 3u && vertices <= 98304u)
        return vertex * 43691u >> 17; /* 2^17 / 3; the product has less than 32 bits */
#endif
    return vertex / kind;
}

/* Begins with a vertex, numbered in its GS invocation, of the primitive pgs_gr_wanted. The rest as for
 * pgs_geometry_raster_begin. */
void pgs_gr_want(const uint vertex, const uint kind, const uint stream, const uint flags)
{
    pgs_gr_kind = kind;
    pgs_gr_stream = stream;
    pgs_gr_in_primitive = vertex - pgs_gr_wanted * kind;
    pgs_gr_last = (PGS_NEAR.flags & flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    pgs_gr_emitted = 0u;
    pgs_gr_primitives = 0u;
    pgs_gr_open_el = 0u;
    pgs_gr_wanted_el = pgs_gr_wanted + pgs_gr_number((pgs_gr_wanted & 1u) != 0u);
}

/* The first call. inline_draw: first members of the pgs_inline_draw, or, if there is but one record, its
 * address in front. kind: vertices per primitive.
 * stream: the one that is rasterized. primitives: that every GS invocation emits to it (static
 * emits); 0: not static, an instance is a GS invocation. flags: as for pgs_geometry_find_invocation.
 * many_records: not 0 if there may be more than one. */
void pgs_geometry_raster_begin(const uvec4 inline_draw, const uint vertex_index, const uint instance_index, const uint kind,
                               const uint stream, const uint primitives, const uint flags,
                               const uint many_records)
{
    const uint vertices_per_gs_invocation = max(primitives * kind, 1u);
    const uint gs_invocation = primitives != 0u ? vertex_index / vertices_per_gs_invocation : instance_index;
    const uint vertex = primitives != 0u ? vertex_index - gs_invocation * vertices_per_gs_invocation : vertex_index;
    pgs_given_root = inline_draw.xy;
    pgs_gr_gs_invocation = gs_invocation;
    if (many_records != 0u)
        pgs_gr_find_record(inline_draw);
    pgs_gr_wanted = primitives == 1u ? 0u : pgs_gr_primitive_of(vertex, kind, primitives != 0u ? vertices_per_gs_invocation : PGS_GR_NEVER);
    pgs_gr_want(vertex, kind, stream, flags);
}

/* The same with PGS_TESS_BY_PATCH, of static emits. */
void pgs_geometry_raster_begin_patch(const uvec4 inline_draw, const uint vertex_index, const uint kind, const uint stream,
                                     const uint primitives, const uint flags)
{
    const uint each = max(primitives * kind, 1u);
    const uint in_patch = vertex_index & ((1u << PGS_PATCH_DRAW_LOG2) - 1u);
    pgs_given_root = inline_draw.xy;
    pgs_pf_patch = vertex_index >> PGS_PATCH_DRAW_LOG2;
    pgs_gr_gs_invocation = pgs_tess_small_quotient(in_patch, each);
    const uint vertex = in_patch - pgs_gr_gs_invocation * each;
    pgs_gr_wanted = primitives == 1u ? 0u : pgs_tess_small_quotient(vertex, kind);
    pgs_gr_want(vertex, kind, stream, flags);
}

/* The first call of a draw whose strips of triangles are joined to one. Each GS invocation has
 * `vertices` of them, an even number of at least strip_el + 2: its first vertex twice, and its last one until
 * those of the next begin. So triangles between two strips have no area, nor have those of vertices that are
 * not emitted. The very first vertex comes once, so that the first of each strip has an even number, as triangles that
 * turn alike. Then one is left over at the end. */
void pgs_geometry_raster_begin_joined(const uvec4 inline_draw, const uint vertex_index, const uint strip_el,
                                      const uint vertices)
{
    const uint number = vertex_index + 1u;
    pgs_gr_gs_invocation = number / vertices;
    const uint vertex = number - pgs_gr_gs_invocation * vertices;
    pgs_given_root = inline_draw.xy;
    pgs_gr_stream = PGS_GR_NEVER; /* no end of a strip matters */
    pgs_gr_emitted = 0u;
    pgs_gr_wanted_el = min(max(vertex, 1u), strip_el) - 1u;
}

/* The first call of a draw with an index list: each GS invocation has the `vertices` that it emits, in that order. */
void pgs_geometry_raster_begin_indexed(const uvec4 inline_draw, const uint vertex_index, const uint vertices)
{
    pgs_given_root = inline_draw.xy;
    pgs_gr_gs_invocation = vertex_index / vertices;
    pgs_gr_stream = PGS_GR_NEVER; /* no end of a strip matters */
    pgs_gr_emitted = 0u;
    pgs_gr_wanted_el = vertex_index - pgs_gr_gs_invocation * vertices;
}

/* The second call. False: there is no such GS invocation. topology, flags: as for
 * pgs_geometry_find_invocation. */
bool pgs_geometry_raster_find(const uint input_vertices, const uint invocations, const uint topology, const uint flags)
{
    return pgs_geometry_find_invocation(pgs_gr_gs_invocation, invocations, input_vertices, 0u, topology, flags);
}

/* The same behind pgs_geometry_raster_begin_patch. */
bool pgs_geometry_raster_find_patch(const uint input_vertices, const uint invocations, const uint topology, const uint flags)
{
    pgs_geometry_find_in_patch(pgs_gr_gs_invocation, invocations, input_vertices);
    return true;
}

/* For each emitted vertex. True: keep it. A later vertex may replace it. emits: PGS_GR_STRIPS and so on. */
bool pgs_geometry_raster_emit(const uint max_vertices, const uint stream, const uint emits)
{
    if (emits != PGS_GR_STRIPS) {
        const bool is_it = emits == PGS_GR_JOINED
                               ? pgs_gr_emitted <= pgs_gr_wanted_el
                               : pgs_gr_emitted == pgs_gr_wanted_el; /* which is below max_vertices */
        pgs_gr_emitted++;
        return is_it;
    }
    const bool counts = pgs_gr_emitted < max_vertices && stream == pgs_gr_stream;
    const bool wanted = counts && pgs_gr_open_el == pgs_gr_wanted_el;
    const bool completes = counts && pgs_gr_open_el + 1u >= pgs_gr_kind;
    pgs_gr_emitted++;
    pgs_gr_open_el += uint(counts);
    pgs_gr_primitives += uint(completes);
    return wanted;
}

/* Before a loop that emits `each` vertices so many times, of one strip: how often it need not. */
uint pgs_geometry_raster_skip(const uint times, const uint each)
{
    const uint before = (max(pgs_gr_wanted_el, pgs_gr_emitted) - pgs_gr_emitted) / each;
    const uint skipped = min(before, max(times, 1u) - 1u);
    pgs_gr_emitted += skipped * each;
    return skipped;
}

/* True if what comes later does not matter: the wanted vertex of one strip has been emitted, and its primitive. */
bool pgs_geometry_raster_is_done(const uint emits)
{
    if (emits == PGS_GR_JOINED)
        return pgs_gr_emitted > pgs_gr_wanted_el;
    return pgs_gr_emitted >= pgs_gr_wanted + pgs_gr_kind;
}

/* Ends the strip of a stream. */
void pgs_geometry_raster_end_strip(const uint stream)
{
    if (stream == pgs_gr_stream)
        pgs_gr_begin_strip();
}

/* True if the GS invocation has emitted the wanted primitive; of joined strips, and with an index list, any vertex. The
 * arguments are as for pgs_geometry_raster_emit. */
bool pgs_geometry_raster_found(const uint max_vertices, const uint emits)
{
    if (emits == PGS_GR_JOINED || emits == PGS_GR_INDEXED)
        return pgs_gr_emitted != 0u;
    if (emits == PGS_GR_ONE_STRIP)
        return min(pgs_gr_emitted, max_vertices) >= pgs_gr_wanted + pgs_gr_kind;
    return pgs_gr_primitives > pgs_gr_wanted;
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
