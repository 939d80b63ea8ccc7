/* SPDX-License-Identifier: MIT
 *
 * For a geometry shader that captures its output itself although its emits are not static.
 * PGS_CHUNKS workgroups each process one chunk of the draw. PGS_CHUNKS_COUNT counts the primitives
 * of each chunk; PGS_CHUNKS_CAPTURE counts them again, round by round, and then captures the round.
 * Included by geometry_capture.glsl, which has the other calls.
 */
#ifndef PGS_GEOMETRY_CHUNKS_GLSL
#define PGS_GEOMETRY_CHUNKS_GLSL

#define PGS_SCAN_EL PGS_SHADER_GROUP_EL
#include "scan.glsl"

/* Uniform in the workgroup. A round is one GS invocation for each invocation of the workgroup. */
uint pgs_gk_first;                    /* first GS invocation of the round */
uint pgs_gk_round_el;                 /* GS invocations of the round; 0: no round has begun */
uint pgs_gk_left_el;                  /* GS invocations after the round */
bool pgs_gk_captured;                 /* the round has been captured; else only counted */
uvec2 pgs_gk_before[PGS_MAX_STREAMS]; /* primitives before the round; including it once counted; 64 bits */
uint pgs_gk_written[PGS_MAX_STREAMS]; /* captured primitives; pgs_gc_written is 0 while counting */

uint pgs_chunks_multiply(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high != 0u ? 0xFFFFFFFFu : low;
}

/* GS invocations of the draw; 0 if there are too many. */
uint pgs_chunks_gs_invocations(const uint invocations, const bool tessellated)
{
    uint primitives = 0u;
    if (tessellated)
        primitives = PGS_TESSELLATION.primitive_count;
    else
        primitives = pgs_chunks_multiply(PGS_DRAW.instance_count, pgs_geometry_primitives(PGS_DRAW.flags));
    const uint gs_invocations = pgs_chunks_multiply(primitives, invocations);
    return gs_invocations > PGS_CHUNKS_MAX_GS_INVOCATIONS ? 0u : gs_invocations;
}

/* Address of the number of primitives that a chunk emits to a stream. */
uvec2 pgs_chunks_sum(const uint chunk, const uint stream, const uint stream_count)
{
    const uvec2 sums = pgs_self_capture_ref(pgs_self_capture_address()).capture.chunks;
    return pgs_mul_add(sums, chunk * stream_count + stream, 8u);
}

void pgs_chunks_add_before(const uint chunk, const uint stream_count)
{
    for (uint before = 0u; before < chunk; before++)
        for (uint stream = 0u; stream < stream_count; stream++) {
            const uvec2 sum = pgs_chunks_sum(before, stream, stream_count);
            const uvec2 all = pgs_add(pgs_gk_before[stream], pgs_read(sum));
            pgs_gk_before[stream] = uvec2(all.x, all.y + pgs_read(pgs_add(sum, 4u)));
        }
}

/* The first call. False: this workgroup has nothing to do. stream_count: as in the record.
 * tessellated: not 0 if an evaluation shader runs in front. */
bool pgs_chunks_begin(const uint invocations, const uint stream_count, const uint tessellated)
{
    pgs_keep_root();
    const uint chunk = gl_WorkGroupID.x;
    if (chunk >= PGS_CHUNKS || gl_WorkGroupID.y != 0u || PGS_DRAW.gs_invocation_bound != 0u)
        return false;
    const uint gs_invocations = pgs_chunks_gs_invocations(invocations, tessellated != 0u);
    const uint rounds = gs_invocations / (PGS_CHUNKS * PGS_SHADER_GROUP_EL);
    const bool exact = rounds * PGS_CHUNKS * PGS_SHADER_GROUP_EL == gs_invocations;
    const uint chunk_el = (exact ? rounds : rounds + 1u) * PGS_SHADER_GROUP_EL;
    pgs_geometry_capture_load();
    pgs_gk_written = pgs_gc_written;
    pgs_gk_first = chunk * chunk_el;
    pgs_gk_round_el = 0u;
    pgs_gk_left_el = min(gs_invocations - min(pgs_gk_first, gs_invocations), chunk_el);
    pgs_gk_captured = false;
    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        pgs_gk_before[stream] = uvec2(0u);
    if (pgs_push.root.mode == PGS_CHUNKS_CAPTURE)
        pgs_chunks_add_before(chunk, stream_count);
    return true;
}

/* True if the primitive after pgs_gk_before is captured. */
bool pgs_chunks_has_space(const uint stream)
{
    return pgs_gk_before[stream].y == 0u && pgs_gk_before[stream].x < pgs_gk_written[stream];
}

/* After a round has been counted: pgs_gc_place becomes the number of the GS invocation's first
 * primitive. True: some primitives of the round are captured. Called by the whole workgroup. */
bool pgs_chunks_find_places(const uint stream_count)
{
    bool captures = false;
    for (uint stream = 0u; stream < stream_count; stream++) {
        const uvec2 place = pgs_add(pgs_gk_before[stream], pgs_scan_exclusive(pgs_gc_place[stream]));
        const uint all = pgs_scan_total;
        captures = captures || (all != 0u && pgs_chunks_has_space(stream));
        pgs_gc_place[stream] = place.y != 0u ? PGS_GC_NOWHERE : place.x;
        pgs_gk_before[stream] = pgs_add(pgs_gk_before[stream], all);
    }
    return captures;
}

void pgs_chunks_write_sums(const uint stream_count)
{
    if (gl_LocalInvocationIndex != 0u)
        return;
    for (uint stream = 0u; stream < stream_count; stream++) {
        const uvec2 sum = pgs_chunks_sum(gl_WorkGroupID.x, stream, stream_count);
        pgs_write(sum, pgs_gk_before[stream].x);
        pgs_write(pgs_add(sum, 4u), pgs_gk_before[stream].y);
    }
}

/* Called in a loop by the whole workgroup. True: all invocations run their GS invocation of the
 * round. */
bool pgs_chunks_next(const uint stream_count)
{
    const bool captures = pgs_push.root.mode == PGS_CHUNKS_CAPTURE;
    if (pgs_gk_round_el != 0u && !pgs_gk_captured && pgs_chunks_find_places(stream_count) && captures) {
        pgs_gk_captured = true;
        pgs_gc_written = pgs_gk_written;
        return true;
    }
    bool more = !captures;
    for (uint stream = 0u; stream < stream_count; stream++)
        more = more || pgs_chunks_has_space(stream);
    if (pgs_gk_left_el == 0u || !more) {
        if (!captures)
            pgs_chunks_write_sums(stream_count);
        return false;
    }
    pgs_gk_captured = false;
    pgs_gk_first += pgs_gk_round_el;
    pgs_gk_round_el = min(pgs_gk_left_el, PGS_SHADER_GROUP_EL);
    pgs_gk_left_el -= pgs_gk_round_el;
    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++) {
        pgs_gc_written[stream] = 0u;
        pgs_gc_place[stream] = 0u;
    }
    return true;
}

/* The first call of a GS invocation. False: this invocation has none in the round. topology, flags:
 * as for pgs_geometry_find_invocation. */
bool pgs_chunks_find_invocation(const uint input_vertices, const uint invocations, const uint in_stride_w,
                                const uint topology, const uint flags)
{
    if (gl_LocalInvocationIndex >= pgs_gk_round_el)
        return false;
    pgs_geometry_capture_start();
    return pgs_geometry_find_invocation(pgs_gk_first + gl_LocalInvocationIndex, invocations, input_vertices, in_stride_w,
                                        topology, flags);
}

#endif
