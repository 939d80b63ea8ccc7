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

/* Number of a primitive above 2^32 - 2. No buffer has space for it, nor for the one before. */
#define PGS_GC_NOWHERE 0xFFFFFFFFu

uint pgs_gc_emitted;                  /* vertices so far, of all streams, and those that are too many */
uint pgs_gc_open_el[PGS_MAX_STREAMS]; /* vertices of the open strip of each stream; not of points */
uint pgs_gc_place[PGS_MAX_STREAMS];   /* number in the draw of the next primitive of each stream */
uint pgs_gc_written[PGS_MAX_STREAMS]; /* captured primitives of the draw */
bool pgs_gc_provoking_last;
uint pgs_gc_first;                    /* first vertex of the primitive that is captured */
bool pgs_gc_odd;                      /* it is an odd triangle of a strip */

/* streams, buffers: masks of those that the shader emits to and captures to. */
void pgs_geometry_capture_load(const uint streams, const uint buffers)
{
    pgs_self_capture_ref ref = pgs_self_capture_ref(pgs_self_capture_address());
    if ((streams & 1u) != 0u)
        pgs_gc_written[0] = ref.capture.written[0];
    if ((streams & 2u) != 0u)
        pgs_gc_written[1] = ref.capture.written[1];
    if ((streams & 4u) != 0u)
        pgs_gc_written[2] = ref.capture.written[2];
    if ((streams & 8u) != 0u)
        pgs_gc_written[3] = ref.capture.written[3];
    pgs_self_capture_find(buffers);
    pgs_gc_provoking_last = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
}

/* No vertex has been emitted. */
void pgs_geometry_capture_start()
{
    pgs_gc_emitted = 0u;
    pgs_gc_open_el = uint[PGS_MAX_STREAMS](0u, 0u, 0u, 0u);
}

/* Finds the place of the first primitive of a stream: the product, or PGS_GC_NOWHERE. True: it is
 * captured. primitives: 0 if none are emitted to the stream. */
bool pgs_geometry_capture_place(const uint gs_invocation, const uint stream, const uint primitives)
{
    bool captures = false;
    if (primitives != 0u) {
        uint high, low;
        umulExtended(gs_invocation, primitives, high, low);
        const uint place = high != 0u ? PGS_GC_NOWHERE : low;
        pgs_gc_place[stream] = place;
        captures = place < pgs_gc_written[stream];
    }
    return captures;
}

/* The first call, for static emits: each GS invocation emits primitives_n to stream n. False: the
 * shader must return; there is no such GS invocation, or none of its primitives is captured and
 * `always` is 0 (not 0: it has side effects). streams, buffers: as for pgs_geometry_capture_load;
 * topology, flags: as for pgs_geometry_find_invocation. */
bool pgs_geometry_capture_begin(const uint input_vertices, const uint invocations, const uint in_stride_w,
                                const uint always, const uint primitives_0, const uint primitives_1,
                                const uint primitives_2, const uint primitives_3, const uint streams,
                                const uint buffers, const uint topology, const uint flags)
{
    pgs_keep_root();
    const uint gs_invocation = pgs_linear_id(PGS_SHADER_GROUP_EL);
    pgs_geometry_capture_load(streams, buffers);
    const bool captures_0 = pgs_geometry_capture_place(gs_invocation, 0u, primitives_0);
    const bool captures_1 = pgs_geometry_capture_place(gs_invocation, 1u, primitives_1);
    const bool captures_2 = pgs_geometry_capture_place(gs_invocation, 2u, primitives_2);
    const bool captures_3 = pgs_geometry_capture_place(gs_invocation, 3u, primitives_3);
    bool exists = false;
    if (always != 0u || (captures_0 || captures_1) || (captures_2 || captures_3)) {
        pgs_geometry_capture_start();
        exists = pgs_geometry_find_invocation(gs_invocation, invocations, input_vertices, in_stride_w, topology, flags);
    }
    return exists;
}

/* For each emitted vertex. kind: vertices per primitive. True: it completes a primitive that is captured. Nothing does that
 * behind the first max_vertices, whatever is counted of strips then. */
bool pgs_geometry_capture_completes(const uint stream, const uint kind, const uint max_vertices)
{
    const uint emitted = pgs_gc_emitted;
    pgs_gc_emitted = emitted + 1u;
    const uint open_el = kind == 1u ? 1u : pgs_gc_open_el[stream] + 1u;
    if (kind != 1u)
        pgs_gc_open_el[stream] = open_el;
    const bool completes = emitted < max_vertices && (kind == 1u || open_el >= kind);
    const uint place = pgs_gc_place[stream];
    pgs_gc_place[stream] = min(place, PGS_GC_NOWHERE - 1u) + (completes ? 1u : 0u);
    pgs_gc_first = place * kind;
    pgs_gc_odd = ((open_el - kind) & 1u) != 0u;
    return completes && place < pgs_gc_written[stream];
}

/* Selects the vertex of that primitive to capture next. age: how many vertices of the stream were
 * emitted after it. The provoking vertex comes first, or last, in odd triangles as well. */
void pgs_geometry_capture_choose(const uint age, const uint kind)
{
    uint in_primitive = kind - 1u - age;
    if (kind == 3u) { /* 0 and 1 change places, or 1 and 2 */
        const uint other = mix(3u, 1u, pgs_gc_provoking_last) - in_primitive;
        in_primitive = mix(in_primitive, other, pgs_gc_odd && other < 3u);
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
