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
uint pgs_gk_end;                      /* behind the last GS invocation of the chunk */
bool pgs_gk_counted;                  /* the round has been counted, and not captured yet */
uvec2 pgs_gk_before[PGS_MAX_STREAMS]; /* primitives before the round; including it once counted; 64 bits */
uint pgs_gk_written[PGS_MAX_STREAMS]; /* captured primitives; pgs_gc_written is 0 while counting */

uint pgs_chunks_multiply(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high != 0u ? 0xFFFFFFFFu : low;
}

/* GS invocations of the draw; 0 if there are too many. */
uint pgs_chunks_gs_invocations(const uint invocations, const bool tessellated, const uint flags)
{
    uint primitives = 0u;
    if (tessellated)
        primitives = pgs_tessellated_primitives();
    else
        primitives = pgs_chunks_multiply(PGS_DRAW.instance_count, pgs_geometry_primitives(PGS_DRAW.flags & flags));
    const uint gs_invocations = invocations == 1u ? primitives : pgs_chunks_multiply(primitives, invocations);
    return gs_invocations > PGS_CHUNKS_MAX_GS_INVOCATIONS ? 0u : gs_invocations;
}

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_chunks_sum_ref
{
    uvec2 primitives;
};

/* Address of the number of primitives that a chunk emits to a stream. */
uvec2 pgs_chunks_sum(const uint chunk, const uint stream, const uint stream_count)
{
    const uvec2 sums = pgs_self_capture_ref(pgs_self_capture_address()).capture.chunks;
    return pgs_mul_add(sums, chunk * stream_count + stream, 8u);
}

/* What is done for each stream is written out for each, as the number of streams is known. */
void pgs_chunks_add_sum(const uint chunk, const uint stream, const uint stream_count)
{
    const uvec2 sum = pgs_chunks_sum_ref(pgs_chunks_sum(chunk, stream, stream_count)).primitives;
    pgs_gk_before[stream] = pgs_sum(pgs_gk_before[stream], sum);
}

void pgs_chunks_add_before(const uint chunk, const uint stream_count)
{
    for (uint before = 0u; before < chunk; before++) {
        pgs_chunks_add_sum(before, 0u, stream_count);
        if (stream_count > 1u)
            pgs_chunks_add_sum(before, 1u, stream_count);
        if (stream_count > 2u)
            pgs_chunks_add_sum(before, 2u, stream_count);
        if (stream_count > 3u)
            pgs_chunks_add_sum(before, 3u, stream_count);
    }
}

void pgs_chunks_divide(const uint chunk, const uint invocations, const uint stream_count, const uint buffers,
                       const uint tessellated, const uint flags)
{
    const uint gs_invocations = pgs_chunks_gs_invocations(invocations, tessellated != 0u, flags);
    const uint groups_el = PGS_CHUNKS * PGS_SHADER_GROUP_EL;
    const uint rounds = (gs_invocations + (groups_el - 1u)) / groups_el; /* there are far less than 2^32 */
    const uint first = chunk * (rounds * PGS_SHADER_GROUP_EL);
    pgs_geometry_capture_load((1u << stream_count) - 1u, buffers);
    pgs_gk_written = pgs_gc_written;
    pgs_gk_first = first - PGS_SHADER_GROUP_EL; /* as if a round had been before */
    pgs_gk_end = min(first + rounds * PGS_SHADER_GROUP_EL, gs_invocations);
    pgs_gk_counted = false;
    pgs_gk_before = uvec2[PGS_MAX_STREAMS](uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u));
    if (pgs_push.root.mode == PGS_CHUNKS_CAPTURE)
        pgs_chunks_add_before(chunk, stream_count);
}

/* The first call. False: this workgroup has nothing to do. stream_count: as in the record. buffers:
 * mask of those that are captured to. tessellated: not 0 if an evaluation shader runs in front.
 * flags: as for pgs_geometry_find_invocation. */
bool pgs_chunks_begin(const uint invocations, const uint stream_count, const uint buffers, const uint tessellated,
                      const uint flags)
{
    pgs_keep_root();
    const uint chunk = gl_WorkGroupID.x;
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const bool works = chunk < PGS_CHUNKS && gl_WorkGroupID.y == 0u && bound == 0u;
    if (works)
        pgs_chunks_divide(chunk, invocations, stream_count, buffers, tessellated, flags);
    return works;
}

/* True if the primitive after pgs_gk_before is captured. */
bool pgs_chunks_has_space(const uint stream)
{
    return pgs_is_below(pgs_gk_before[stream], pgs_gk_written[stream]);
}

/* True if there is space in a stream that the round may emit to. */
bool pgs_chunks_have_space(const uint stream_count)
{
    bool more = pgs_chunks_has_space(0u);
    if (stream_count > 1u)
        more = more || pgs_chunks_has_space(1u);
    if (stream_count > 2u)
        more = more || pgs_chunks_has_space(2u);
    if (stream_count > 3u)
        more = more || pgs_chunks_has_space(3u);
    return more;
}

bool pgs_chunks_find_place(const uint stream)
{
    const uvec2 before = pgs_gk_before[stream];
    const uvec2 place = pgs_add(before, pgs_scan_exclusive(pgs_gc_place[stream]));
    const bool has_space = pgs_chunks_has_space(stream);
    const bool captures = pgs_scan_total != 0u && has_space;
    pgs_gc_place[stream] = mix(PGS_GC_NOWHERE, place.x, pgs_is_below(place, PGS_GC_NOWHERE));
    pgs_gk_before[stream] = pgs_add(before, pgs_scan_total);
    return captures;
}

/* After a round has been counted: pgs_gc_place becomes the number of the GS invocation's first
 * primitive. True: some primitives of the round are captured. Called by the whole workgroup. */
bool pgs_chunks_find_places(const uint stream_count)
{
    bool captures = pgs_chunks_find_place(0u);
    if (stream_count > 1u)
        captures = pgs_chunks_find_place(1u) || captures;
    if (stream_count > 2u)
        captures = pgs_chunks_find_place(2u) || captures;
    if (stream_count > 3u)
        captures = pgs_chunks_find_place(3u) || captures;
    return captures;
}

void pgs_chunks_write_sum(const uint stream, const uint stream_count)
{
    pgs_chunks_sum_ref(pgs_chunks_sum(gl_WorkGroupID.x, stream, stream_count)).primitives = pgs_gk_before[stream];
}

void pgs_chunks_write_sums(const uint stream_count)
{
    pgs_chunks_write_sum(0u, stream_count);
    if (stream_count > 1u)
        pgs_chunks_write_sum(1u, stream_count);
    if (stream_count > 2u)
        pgs_chunks_write_sum(2u, stream_count);
    if (stream_count > 3u)
        pgs_chunks_write_sum(3u, stream_count);
}

/* Called in a loop by the whole workgroup. True: all invocations run their GS invocation of the
 * round. */
bool pgs_chunks_next(const uint stream_count)
{
    const bool captures = pgs_push.root.mode == PGS_CHUNKS_CAPTURE;
    bool more = pgs_gk_counted;
    pgs_gk_counted = false;
    if (more)
        more = pgs_chunks_find_places(stream_count) && captures;
    if (more) {
        pgs_gc_written = pgs_gk_written;
    } else {
        const uint next = pgs_gk_first + PGS_SHADER_GROUP_EL;
        const bool have_space = pgs_chunks_have_space(stream_count);
        more = next < pgs_gk_end && (!captures || have_space);
        if (more) {
            pgs_gk_counted = true;
            pgs_gk_first = next;
            pgs_gc_written = uint[PGS_MAX_STREAMS](0u, 0u, 0u, 0u);
            pgs_gc_place = uint[PGS_MAX_STREAMS](0u, 0u, 0u, 0u);
        } else if (!captures && PGS_LOCAL_ID == 0u) {
            pgs_chunks_write_sums(stream_count);
        }
    }
    return more;
}

/* The first call of a GS invocation. False: this invocation has none in the round. topology, flags:
 * as for pgs_geometry_find_invocation. */
bool pgs_chunks_find_invocation(const uint input_vertices, const uint invocations, const uint in_stride_w,
                                const uint topology, const uint flags)
{
    const uint gs_invocation = pgs_gk_first + PGS_LOCAL_ID;
    bool exists = gs_invocation < pgs_gk_end;
    if (exists) {
        pgs_geometry_capture_start();
        exists = pgs_geometry_find_invocation(gs_invocation, invocations, input_vertices,
                                              in_stride_w, topology, flags);
    }
    return exists;
}

#endif
