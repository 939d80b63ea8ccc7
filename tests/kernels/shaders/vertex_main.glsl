/* SPDX-License-Identifier: MIT
 *
 * Appended to lib/vertex.glsl: stores all that the library can tell of a vertex, or with CAPTURE captures words of what
 * the test has stored.
 */
#ifdef CAPTURE
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer run_ref
{
    pgs_xfb_copy run;
};

void main()
{
    if (!pgs_vertex_capture_begin(15u, PGS_TOPOLOGY_ANY, 0xFFFFFFFFu))
        return;
    pgs_self_capture_ref ref = pgs_self_capture_ref(pgs_self_capture_address());
    const uint instance = pgs_instance_index() - pgs_base_instance();
    const uint stored = instance * PGS_DRAW.vertex_count + pgs_vertex_index() - pgs_base_vertex();
    const uvec2 vertex = pgs_mul_add(PGS_DRAW.vertices, stored, ref.capture.vertex_stride_w * 4u);
    for (uint i = 0u; i < ref.capture.copy_count; i++) {
        const pgs_xfb_copy run = run_ref(pgs_mul_add(ref.capture.copies, i, 16u)).run;
        const uint stride_B = ref.capture.stride_B[run.buffer_index];
        const uvec2 from = pgs_add(vertex, run.source_w * 4u);
        if (!pgs_self_capture_to(run.buffer_index, stride_B))
            continue;
        if (run.count_w == 4u && ((run.target_w * 4u | stride_B) & 15u) == 0u) {
            pgs_self_capture_store4(run.target_w, uvec4(pgs_read_at(from, 0u), pgs_read_at(from, 1u),
                                                        pgs_read_at(from, 2u), pgs_read_at(from, 3u)));
            continue;
        }
        for (uint w = 0u; w < run.count_w; w++)
            pgs_self_capture_store(run.target_w + w, pgs_read_at(from, w));
    }
}
#else
void main()
{
    if (!pgs_vertex_begin(20u, 0xFFFFFFFFu))
        return;
    pgs_vertex_store4(0u, pgs_fetch(0u, PGS_FORMAT_DYNAMIC));
    pgs_vertex_store4(4u, pgs_fetch_wide(1u, PGS_FORMAT_DYNAMIC, 0u));
    pgs_vertex_store4(8u, pgs_fetch_wide(1u, PGS_FORMAT_DYNAMIC, 1u));
    pgs_vertex_store4(12u, uvec4(pgs_vertex_index(), pgs_instance_index(), pgs_base_vertex(), pgs_base_instance()));
    pgs_vertex_store(16u, pgs_draw_index());
    pgs_vertex_store(17u, pgs_read(pgs_add(pgs_push_address(), 12u)));
}
#endif
