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

/* Words of the vertex at source to the captured vertex at target. A run that leaves the vertex is cut off, so that
 * nothing is ever written beyond what feedback found room for. */
void pgs_capture_copy(const uvec2 source, const uvec2 target, const pgs_capture_run run, const uint stride_w)
{
    const uint first_w = min(run.target_w, stride_w);
    const uint count_w = min(run.count_w, stride_w - first_w);
    uvec2 from = pgs_mul_add(source, run.source_w, 4u);
    uvec2 to = pgs_mul_add(target, first_w, 4u);
    for (uint w = 0u; w < count_w; w++) {
        pgs_write(to, pgs_read(from));
        from = pgs_add(from, 4u);
        to = pgs_add(to, 4u);
    }
}

/* One vertex of a captured primitive: the vertex at source becomes vertex `place` of what this draw captures of the
 * stream. */
void pgs_capture_vertex(const uint stream, const uvec2 source, const uint place)
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
        pgs_capture_copy(source, pgs_mul_add(base, place, stride_B), run, stride_B / 4u);
    }
}

#endif
