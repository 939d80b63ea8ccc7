/* SPDX-License-Identifier: MIT
 *
 * For kernels whose root is a pgs_capture: the capture, and copying stored vertices to transform
 * feedback buffers.
 */
#ifndef PGS_CAPTURE_GLSL
#define PGS_CAPTURE_GLSL

#include "record.glsl"
#include "allot_sizes.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_capture_ref
{
    pgs_capture capture;
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pgs_xfb_copy_ref
{
    pgs_xfb_copy copy;
};

#define PGS_CAPTURE pgs_capture_ref(pgs_root_address()).capture

/* Primitives that a workgroup copies per round. */
#define PGS_CAPTURE_ROUND_EL 512

/* The stored vertex from which each captured vertex is copied. */
shared uint pgs_capture_sources[PGS_CAPTURE_ROUND_EL * 3];

/* Copies the first `count` of pgs_capture_sources, which are vertices of the array `stored`, or with
 * head_w of it and of `rest` (pgs_draw_record.out_head_w), to the vertices from first_vertex on that
 * this draw captures of the stream. No copy is of words of both arrays. Called by the whole
 * workgroup after a barrier. Adjacent invocations copy adjacent words. A copy that would leave its
 * vertex is shortened, so that nothing is written beyond the space that xfb_program found. */
void pgs_capture_copy(const uint stream, const uvec2 stored, const uvec2 rest, const uint head_w, const uint first_vertex,
                      const uint count)
{
    const uint vertex_stride_w = PGS_CAPTURE.vertex_stride_w;
    const uint copy_count = PGS_CAPTURE.copy_count;
    const uvec2 copies = PGS_CAPTURE.copies;
    for (uint i = 0u; i < copy_count; i++) {
        const uvec2 copy_address = pgs_add(copies, min(i, copy_count - 1u) * 16u);
        const pgs_xfb_copy copy = pgs_xfb_copy_ref(pgs_readable(copies, copy_address)).copy;
        const uint index = copy.buffer_index % PGS_MAX_XFB_BUFFERS;
        const uvec2 base = PGS_CAPTURE.target[index];
        const bool is_captured = base != uvec2(0u) && PGS_CAPTURE.stream[index] == stream;
        const uint stride_B = PGS_CAPTURE.stride_B[index];
        const uint first_w = min(copy.target_w, stride_B / 4u);
        const uint size_B = min(copy.count_w, stride_B / 4u - first_w) * 4u;
        const bool of_rest = head_w != 0u && copy.source_w >= head_w;
        const uint stored_B = (of_rest ? vertex_stride_w - head_w : head_w != 0u ? head_w : vertex_stride_w) * 4u;
        const uvec2 from = pgs_add(of_rest ? rest : stored, (copy.source_w - (of_rest ? head_w : 0u)) * 4u);
        const uvec2 to = pgs_add(pgs_mul_add(base, first_vertex, stride_B), first_w * 4u);
        const bool quads = ((from.x | to.x | stored_B | stride_B | size_B) & 15u) == 0u;
        const uint step_B = quads ? 16u : 4u;
        const uint steps = size_B / step_B;
        const uint total = is_captured ? count * steps : 0u;
        for (uint n = PGS_LOCAL_ID; n < total; n += PGS_TILE_EL) {
            const uint vertex = n / steps;
            const uint in_vertex_B = (n - vertex * steps) * step_B;
            const uvec2 source = pgs_add(pgs_mul_add(from, pgs_capture_sources[vertex], stored_B), in_vertex_B);
            const uvec2 target = pgs_add(to, vertex * stride_B + in_vertex_B);
            if (quads)
                pgs_write4(target, pgs_read4(source));
            else
                pgs_write(target, pgs_read(source));
        }
    }
}

#endif
