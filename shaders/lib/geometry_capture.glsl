/* SPDX-License-Identifier: MIT
 *
 * What a geometry shader calls that captures by itself: one invocation per unit of the draw, whose place among the
 * primitives of each stream is known before it runs. Nothing but what is captured is stored.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "geometry_invocation.glsl"
#include "self_capture.glsl"

/* Number of a primitive that has none among 2^32 - 1: nobody has room for it. */
#define PGS_GC_NOWHERE 0xFFFFFFFFu

uint pgs_gc_emitted;                    /* vertices so far, of all streams */
uint pgs_gc_open_el[PGS_MAX_STREAMS];   /* vertices of the open strip of each stream; of points all */
uint pgs_gc_place[PGS_MAX_STREAMS];     /* number in the draw of the next primitive of each stream */
uint pgs_gc_written[PGS_MAX_STREAMS];   /* how many of the draw are captured */
bool pgs_gc_provoking_last;
uint pgs_gc_first;                      /* of the primitive that is captured: number of its first vertex */
bool pgs_gc_odd;                        /* it is one of those triangles of a strip that are turned */

void pgs_geometry_capture_load()
{
    pgs_self_capture_ref ref = pgs_self_capture_ref(pgs_self_capture_address());
    pgs_gc_written = ref.capture.written;
    pgs_sc_target = ref.capture.target;
    pgs_gc_provoking_last = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
}

/* No vertex has been emitted. */
void pgs_geometry_capture_start()
{
    pgs_gc_emitted = 0u;
    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        pgs_gc_open_el[stream] = 0u;
}

/* The product, where it is a number of a primitive. */
uint pgs_geometry_capture_place(const uint gs_invocation, const uint primitives)
{
    uint high, low;
    umulExtended(gs_invocation, primitives, high, low);
    return high != 0u ? PGS_GC_NOWHERE : low;
}

/* First of all, where each unit emits as many primitives of each stream as the arguments say. False: this invocation has
 * no unit, or nothing of it is captured and it does not run for something else (`always`, a number), and it returns at
 * once. */
bool pgs_geometry_capture_begin(const uint input_vertices, const uint invocations, const uint in_stride_w,
                                const uint always, const uint primitives_0, const uint primitives_1,
                                const uint primitives_2, const uint primitives_3)
{
    const uint gs_invocation = pgs_linear_id(PGS_SHADER_GROUP_EL);
    pgs_geometry_capture_load();
    pgs_gc_place[0] = pgs_geometry_capture_place(gs_invocation, primitives_0);
    pgs_gc_place[1] = pgs_geometry_capture_place(gs_invocation, primitives_1);
    pgs_gc_place[2] = pgs_geometry_capture_place(gs_invocation, primitives_2);
    pgs_gc_place[3] = pgs_geometry_capture_place(gs_invocation, primitives_3);
    bool captures = always != 0u;
    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        captures = captures || pgs_gc_place[stream] < pgs_gc_written[stream];
    if (!captures)
        return false;
    pgs_geometry_capture_start();
    return pgs_geometry_find_invocation(gs_invocation, invocations, input_vertices, in_stride_w);
}

/* A vertex is emitted. False: there were max_vertices already. */
bool pgs_geometry_capture_emit(const uint max_vertices)
{
    const bool fits = pgs_gc_emitted < max_vertices;
    pgs_gc_emitted += fits ? 1u : 0u;
    return fits;
}

/* Then. kind: vertices of a primitive. True: the vertex completes one, and there is room for it. */
bool pgs_geometry_capture_completes(const uint stream, const uint kind)
{
    const uint open_el = pgs_gc_open_el[stream] + 1u;
    pgs_gc_open_el[stream] = open_el;
    if (open_el < kind)
        return false;
    const uint place = pgs_gc_place[stream];
    pgs_gc_place[stream] = place == PGS_GC_NOWHERE ? place : place + 1u;
    pgs_gc_first = place * kind;
    pgs_gc_odd = ((open_el - kind) & 1u) != 0u;
    return place < pgs_gc_written[stream];
}

/* Of that primitive the vertex that was emitted so many vertices of the stream before the newest one is what is captured
 * next. The provoking vertex of a strip's triangle comes first, or last, also in a triangle of its own. */
void pgs_geometry_capture_choose(const uint age, const uint kind)
{
    uint in_primitive = kind - 1u - age;
    if (kind == 3u && pgs_gc_odd) {
        if (pgs_gc_provoking_last)
            in_primitive = in_primitive == 2u ? 2u : 1u - in_primitive;
        else
            in_primitive = in_primitive == 0u ? 0u : 3u - in_primitive;
    }
    pgs_sc_vertex = pgs_gc_first + in_primitive;
}

/* A strip of the stream ends. */
void pgs_geometry_capture_end_strip(const uint stream)
{
    pgs_gc_open_el[stream] = 0u;
}

#include "geometry_chunks.glsl"

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
