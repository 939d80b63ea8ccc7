/* SPDX-License-Identifier: MIT
 *
 * What a vertex shader calls that captures its outputs itself: one invocation per captured vertex, that is
 * (primitive of the draw, corner). Behind lib/vertex.glsl, which has what else it calls.
 */
#ifndef PGS_VERTEX_CAPTURE_GLSL
#define PGS_VERTEX_CAPTURE_GLSL

#include "poly_gs/feedback.h"
#include "byte_count.glsl"
#include "topology.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_vertex_capture_ref
{
    pgs_capture capture;
};

uint pgs_v_captured;                            /* number of the vertex among those that the draw captures */
uvec2 pgs_v_target[PGS_MAX_FEEDBACK_BUFFERS];   /* where the first of them goes */

/* The capture lies before the record, so that finding it waits for nothing. */
uvec2 pgs_vertex_capture_address()
{
    return pgs_subtract(pgs_root_address(), PGS_CAPTURE_BEFORE_B);
}

/* First of all. False: this invocation has no vertex, or there is no room for its primitive, and it returns at once.
 * Loads come first, so that they wait for nothing but one another. */
bool pgs_vertex_capture_begin()
{
    pgs_vertex_capture_ref ref = pgs_vertex_capture_ref(pgs_vertex_capture_address());
    const uint written = ref.capture.written[0];
    const uint corners = clamp(ref.capture.corners, 1u, 3u);
    pgs_v_target = ref.capture.target;
    const uint flags = PGS_DRAW.flags;
    const uint topology = PGS_DRAW.topology;
    const uint instance_count = PGS_DRAW.instance_count;
    const pgs_byte_count count = ref.capture.count;
    uint primitives = PGS_DRAW.primitive_count;
    if (count.counter != uvec2(0u))
        primitives = pgs_byte_count_primitives(count, topology);
    const bool restart = (flags & PGS_DRAW_RESTART) != 0u;
    if (restart)
        primitives = min(primitives, pgs_read(PGS_DRAW.restart_count));

    const uint id = pgs_linear_id(PGS_SHADER_GROUP_EL);
    const uint place = id / corners;
    const uint instance = place / max(primitives, 1u);
    if (place >= written || instance >= instance_count || primitives == 0u)
        return false;
    uint run_start = 0u;
    uint in_run = place - instance * primitives;
    /* The last of a strip with adjacency has another neighbour; its main vertices are where all have them. */
    if (restart) {
        const uvec2 entry = pgs_mul_add(PGS_DRAW.primitive_list, in_run, 8u);
        run_start = pgs_read(entry);
        in_run = pgs_read(pgs_add(entry, 4u)) & ~PGS_PRIMITIVE_LAST;
    }
    const bool provoking_last = (flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    const uint input_k = pgs_topology_main(topology, in_run, id - place * corners, provoking_last);
    pgs_vertex_at(instance, run_start + pgs_topology_vertex(topology, in_run, input_k, false));
    pgs_v_captured = id;
    return true;
}

/* What is stored from now on goes to this buffer. False: nothing is bound there. */
bool pgs_vertex_capture_to(const uint index, const uint stride_B)
{
    const uvec2 target = pgs_v_target[index];
    pgs_v_output = pgs_mul_add(target, pgs_v_captured, stride_B);
    return target != uvec2(0u);
}

/* word: a multiple of 4, and the stride one of 16 bytes; the buffer may begin at any word. */
void pgs_vertex_capture4(const uint word, const uvec4 value)
{
    const uvec2 at = pgs_add(pgs_v_output, word * 4u);
    if ((pgs_v_output.x & 15u) == 0u) {
        pgs_write4(at, value);
        return;
    }
    for (uint k = 0u; k < 4u; k++)
        pgs_write(pgs_add(at, k * 4u), value[k]);
}

#endif
