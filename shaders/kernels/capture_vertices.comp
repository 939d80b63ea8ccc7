/* SPDX-License-Identifier: MIT
 *
 * Copies the primitives that feedback found room for from a vertex stage without a geometry shader behind it: one
 * invocation per input primitive of the draw. One workgroup per tile of instance_count * primitive_count.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/feedback.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"
#include "topology.glsl"

void main()
{
    const uint place = pgs_linear_id(PGS_TILE_EL);
    if (place >= PGS_CAPTURE.written[0])
        return;
    pgs_draw_ref record = pgs_draw_ref(PGS_CAPTURE.draw);
    const uint topology = record.draw.topology;
    const bool restart = (record.draw.flags & PGS_DRAW_RESTART) != 0u;
    uint primitives = record.draw.primitive_count;
    if (restart)
        primitives = min(primitives, pgs_read(record.draw.restart_count));
    const uint instance = place / max(primitives, 1u);
    uint run_start = 0u;
    uint in_run = place - instance * primitives;
    /* The last of a strip with adjacency has another neighbour; its main vertices are where all have them. */
    if (restart) {
        const uvec2 entry = pgs_mul_add(record.draw.primitive_list, in_run, 8u);
        run_start = pgs_read(entry);
        in_run = pgs_read(pgs_add(entry, 4u)) & ~PGS_PRIMITIVE_LAST;
    }

    const uint first = instance * record.draw.vertex_count + run_start;
    const uvec2 vertices = record.draw.vertices;
    const uint stride_B = PGS_CAPTURE.vertex_stride_w * 4u;
    const uint corners = min(PGS_CAPTURE.corners, 3u);
    const bool provoking_last = (record.draw.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    uvec2 captured[3];
    for (uint k = 0u; k < 3u; k++) {
        const uint input_k = pgs_topology_main(topology, in_run, min(k, corners - 1u), provoking_last);
        const uint vertex = first + pgs_topology_vertex(topology, in_run, input_k, false);
        captured[k] = pgs_mul_add(vertices, vertex, stride_B);
    }
    pgs_capture_primitive(0u, place, corners, captured);
}
