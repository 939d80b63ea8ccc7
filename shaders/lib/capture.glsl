/* SPDX-License-Identifier: MIT
 *
 * The capture of the entry point, and copying stored vertices to the buffers of transform feedback.
 */
#ifndef PGS_CAPTURE_GLSL
#define PGS_CAPTURE_GLSL

#include "record.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_capture_ref
{
    pgs_capture capture;
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pgs_capture_run_ref
{
    pgs_capture_run run;
};

#define PGS_CAPTURE pgs_capture_ref(pgs_root.root).capture

uint pgs_tile_count(const uint count_el)
{
    return count_el / PGS_TILE_EL + (count_el % PGS_TILE_EL != 0u ? 1u : 0u);
}

/* count_w words, as many at a time as their places allow. */
void pgs_capture_copy(const uvec2 source, const uvec2 target, const uint count_w)
{
    uvec2 from = source;
    uvec2 to = target;
    uint left_w = count_w;
    if (((from.x | to.x) & 15u) == 0u) {
        for (; left_w >= 4u; left_w -= 4u) {
            pgs_write4(to, pgs_read4(from));
            from = pgs_add(from, 16u);
            to = pgs_add(to, 16u);
        }
    }
    for (; left_w > 0u; left_w--) {
        pgs_write(to, pgs_read(from));
        from = pgs_add(from, 4u);
        to = pgs_add(to, 4u);
    }
}

/* Primitive `place` of what this draw captures of the stream; its vertices are stored at the first `corners` of the
 * addresses. A run that leaves the captured vertex is cut off, so that nothing is ever written beyond what feedback
 * found room for. */
void pgs_capture_primitive(const uint stream, const uint place, const uint corners, const uvec2 vertices[3])
{
    uvec2 run_address = PGS_CAPTURE.runs;
    const uint run_count = PGS_CAPTURE.run_count;
    for (uint i = 0u; i < run_count; i++) {
        const pgs_capture_run run = pgs_capture_run_ref(run_address).run;
        run_address = pgs_add(run_address, 16u);
        const uint index = run.buffer_index % PGS_MAX_FEEDBACK_BUFFERS;
        const uvec2 base = PGS_CAPTURE.target[index];
        if (base == uvec2(0u) || PGS_CAPTURE.stream[index] != stream)
            continue;
        const uint stride_B = PGS_CAPTURE.stride_B[index];
        const uint first_w = min(run.target_w, stride_B / 4u);
        const uint count_w = min(run.count_w, stride_B / 4u - first_w);
        uvec2 to = pgs_add(pgs_mul_add(base, place, stride_B * corners), first_w * 4u);
        for (uint k = 0u; k < corners; k++) {
            pgs_capture_copy(pgs_add(vertices[k], run.source_w * 4u), to, count_w);
            to = pgs_add(to, stride_B);
        }
    }
}

#endif
