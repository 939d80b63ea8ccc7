/* SPDX-License-Identifier: MIT
 *
 * Copies the primitives that feedback found room for from a vertex stage without a geometry shader behind it: one
 * invocation per input primitive of the draw finds its vertices. One workgroup per tile of
 * instance_count * primitive_count.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/feedback.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "capture.glsl"
#include "topology.glsl"

void find_vertices(const uint place, const uint corners)
{
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
    const bool provoking_last = (record.draw.flags & PGS_DRAW_PROVOKING_LAST) != 0u;
    for (uint k = 0u; k < corners; k++) {
        const uint input_k = pgs_topology_main(topology, in_run, k, provoking_last);
        pgs_capture_sources[gl_LocalInvocationIndex * corners + k] =
            first + pgs_topology_vertex(topology, in_run, input_k, false);
    }
}

void main()
{
    const uint place = pgs_linear_id(PGS_TILE_EL);
    const uint first = place - gl_LocalInvocationIndex;
    const uint written = PGS_CAPTURE.written[0];
    if (first >= written)
        return; /* the whole workgroup */
    const uint corners = min(PGS_CAPTURE.corners, 3u);
    if (place < written)
        find_vertices(place, corners);
    barrier();
    const uvec2 vertices = pgs_draw_ref(PGS_CAPTURE.draw).draw.vertices;
    pgs_capture_copy(0u, vertices, first * corners, min(written - first, PGS_TILE_EL) * corners);
}
