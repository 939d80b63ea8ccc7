/* SPDX-License-Identifier: MIT
 *
 * Calls of a geometry shader that runs as a compute shader and captures its output itself: one
 * invocation per GS invocation. The number of its first primitive in each stream is known before it
 * runs. Only captured vertices are stored.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT
#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#define PGS_EVALUATES
#include "geometry_invocation.glsl"
#include "self_capture.glsl"

/* Number of a primitive above 2^32 - 2. No buffer has space for it. */
#define PGS_GC_NOWHERE 0xFFFFFFFFu

uint pgs_gc_emitted;                  /* vertices so far, of all streams */
uint pgs_gc_open_el[PGS_MAX_STREAMS]; /* vertices of the open strip of each stream; all vertices of points */
uint pgs_gc_place[PGS_MAX_STREAMS];   /* number in the draw of the next primitive of each stream */
uint pgs_gc_written[PGS_MAX_STREAMS]; /* captured primitives of the draw */
bool pgs_gc_provoking_last;
uint pgs_gc_first;                    /* first vertex of the primitive that is captured */
bool pgs_gc_odd;                      /* it is an odd triangle of a strip */

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

/* The product, or PGS_GC_NOWHERE. */
uint pgs_geometry_capture_place(const uint gs_invocation, const uint primitives)
{
    uint high, low;
    umulExtended(gs_invocation, primitives, high, low);
    return high != 0u ? PGS_GC_NOWHERE : low;
}

/* The first call, for static emits: each GS invocation emits primitives_n to stream n. False: the
 * shader must return; there is no such GS invocation, or none of its primitives is captured and
 * `always` is 0 (not 0: it has side effects). topology, flags: as for pgs_geometry_find_invocation. */
bool pgs_geometry_capture_begin(const uint input_vertices, const uint invocations, const uint in_stride_w,
                                const uint always, const uint primitives_0, const uint primitives_1,
                                const uint primitives_2, const uint primitives_3, const uint topology,
                                const uint flags)
{
    pgs_keep_root();
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
    return pgs_geometry_find_invocation(gs_invocation, invocations, input_vertices, in_stride_w, topology, flags);
}

/* For each emitted vertex. False: it exceeds max_vertices. */
bool pgs_geometry_capture_emit(const uint max_vertices)
{
    const bool fits = pgs_gc_emitted < max_vertices;
    pgs_gc_emitted += fits ? 1u : 0u;
    return fits;
}

/* After that. kind: vertices per primitive. True: the vertex completes a primitive that is
 * captured. */
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

/* Selects the vertex of that primitive to capture next. age: how many vertices of the stream were
 * emitted after it. The provoking vertex comes first, or last, in odd triangles as well. */
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

/* Ends the strip of the stream. */
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
