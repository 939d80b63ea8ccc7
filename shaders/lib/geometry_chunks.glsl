/* SPDX-License-Identifier: MIT
 *
 * For a geometry shader that captures its output itself although its emits are not static.
 * PGS_CHUNKS workgroups each process one chunk of the draw, of which each invocation has as many GS
 * invocations in a row. PGS_CHUNKS_COUNT counts the primitives of each chunk; PGS_CHUNKS_CAPTURE
 * counts them again, so that each invocation knows its place, and then captures them. Included by
 * geometry_capture.glsl, which has the other calls.
 */
#ifndef PGS_GEOMETRY_CHUNKS_GLSL
#define PGS_GEOMETRY_CHUNKS_GLSL

uint pgs_gk_first;  /* GS invocation of the invocation */
uint pgs_gk_round;  /* which of its GS invocations it runs; uniform in the workgroup */
uint pgs_gk_rounds; /* how many each invocation has, if the draw has them */
uint pgs_gk_end;    /* GS invocations of the draw */
bool pgs_gk_counts; /* nothing is captured yet */

/* Primitives of each invocation. */
shared uint pgs_gk_counted[PGS_SHADER_GROUP_EL];

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

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_chunks_sums_ref
{
    uvec2 sums[]; /* [chunk][stream]: see pgs_capture.chunks */
};

uvec2 pgs_chunks_sums()
{
    return pgs_self_capture_ref(pgs_self_capture_address()).capture.chunks;
}

uint pgs_chunks_written(const uint stream)
{
    return pgs_self_capture_ref(pgs_self_capture_address()).capture.written[stream];
}

/* Element of this workgroup's chunk. */
uint pgs_chunks_element(const uint stream, const uint stream_count)
{
    const uvec3 group = gl_WorkGroupID;
    return group.x * stream_count + stream;
}

/* There is space behind the earlier chunks. Any if these are not counted yet. */
bool pgs_chunks_has_space(const uint stream, const uint stream_count)
{
    const uint before = pgs_chunks_sums_ref(pgs_chunks_sums()).sums[pgs_chunks_element(stream, stream_count)].y;
    return before < pgs_chunks_written(stream);
}

/* True: something has to be captured. */
bool pgs_chunks_have_space(const uint stream_count)
{
    bool more = pgs_chunks_has_space(0u, stream_count);
    if (stream_count > 1u)
        more = pgs_chunks_has_space(1u, stream_count) || more;
    if (stream_count > 2u)
        more = pgs_chunks_has_space(2u, stream_count) || more;
    if (stream_count > 3u)
        more = pgs_chunks_has_space(3u, stream_count) || more;
    return more;
}

/* The first call. False: this workgroup has nothing to do. stream_count: as in the record. buffers:
 * mask of those that are captured to. tessellated: not 0 if an evaluation shader runs in front.
 * flags: as for pgs_geometry_find_invocation. */
bool pgs_chunks_begin(const uint invocations, const uint stream_count, const uint buffers, const uint tessellated,
                      const uint flags)
{
    pgs_keep_root();
    const uvec3 group = gl_WorkGroupID;
    const uint bound = PGS_DRAW.gs_invocation_bound;
    const bool counts = pgs_push.root.mode == PGS_CHUNKS_COUNT;
    const bool space = pgs_chunks_have_space(stream_count);
    const bool works = bound == 0u && (counts || space);
    if (works) {
        const uint groups_el = PGS_CHUNKS * PGS_SHADER_GROUP_EL;
        pgs_geometry_capture_load(0u, buffers);
        pgs_gk_end = pgs_chunks_gs_invocations(invocations, tessellated != 0u, flags);
        pgs_gk_rounds = (pgs_gk_end + (groups_el - 1u)) / groups_el; /* there are far less than 2^32 */
        pgs_gk_first = (group.x * PGS_SHADER_GROUP_EL + PGS_LOCAL_ID) * pgs_gk_rounds;
        pgs_gk_round = 0xFFFFFFFFu; /* as if one had been before */
        pgs_gk_counts = true;
        pgs_gc_place = uint[PGS_MAX_STREAMS](0u, 0u, 0u, 0u);
        pgs_gc_written = uint[PGS_MAX_STREAMS](0u, 0u, 0u, 0u); /* no space while it counts */
    }
    return works;
}

/* pgs_gc_place becomes the number of the invocation's first primitive, and the sum of the chunk is written. */
void pgs_chunks_find_place(const uint stream, const uint stream_count)
{
    const uint local = PGS_LOCAL_ID;
    const uint counted = pgs_gc_place[stream];
    uint before = 0u;
    pgs_gk_counted[local] = counted;
    barrier();
    for (uint i = 0u; i < local; i++)
        before += pgs_gk_counted[i];
    if (stream_count > 1u)
        barrier();
    pgs_chunks_sums_ref ref = pgs_chunks_sums_ref(pgs_chunks_sums());
    const uint element = pgs_chunks_element(stream, stream_count);
    const uint of_chunk = ref.sums[element].y;
    const uint place = of_chunk + before;
    pgs_gc_place[stream] = mix(place, PGS_GC_NOWHERE, place < before);
    pgs_gc_written[stream] = pgs_chunks_written(stream);
    if (local == PGS_SHADER_GROUP_EL - 1u)
        ref.sums[element].x = before + counted;
}

void pgs_chunks_find_places(const uint stream_count)
{
    pgs_chunks_find_place(0u, stream_count);
    if (stream_count > 1u)
        pgs_chunks_find_place(1u, stream_count);
    if (stream_count > 2u)
        pgs_chunks_find_place(2u, stream_count);
    if (stream_count > 3u)
        pgs_chunks_find_place(3u, stream_count);
}

/* Called in a loop by the whole workgroup. True: all invocations run their GS invocation of the
 * round. */
bool pgs_chunks_next(const uint stream_count)
{
    bool more = ++pgs_gk_round < pgs_gk_rounds;
    if (!more && pgs_gk_counts) {
        pgs_chunks_find_places(stream_count);
        pgs_gk_counts = false;
        pgs_gk_round = 0u;
        more = pgs_push.root.mode == PGS_CHUNKS_CAPTURE;
    }
    return more;
}

/* The first call of a GS invocation. False: this invocation has none in the round. topology, flags:
 * as for pgs_geometry_find_invocation. */
bool pgs_chunks_find_invocation(const uint input_vertices, const uint invocations, const uint in_stride_w,
                                const uint topology, const uint flags)
{
    const uint gs_invocation = pgs_gk_first + pgs_gk_round;
    const bool exists = gs_invocation < pgs_gk_end;
    if (exists) {
        pgs_geometry_capture_start();
        pgs_geometry_find_invocation(gs_invocation, invocations, input_vertices, in_stride_w, topology, flags);
    }
    return exists;
}

#endif
