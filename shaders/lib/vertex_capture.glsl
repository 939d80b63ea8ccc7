/* SPDX-License-Identifier: MIT
 *
 * For a vertex shader that captures its outputs itself: one invocation per captured vertex, that is
 * (primitive of the draw, vertex of the primitive). Included by vertex.glsl, which has the other
 * calls.
 */
#ifndef PGS_VERTEX_CAPTURE_GLSL
#define PGS_VERTEX_CAPTURE_GLSL

#include "byte_count.glsl"
#include "self_capture.glsl"
#include "topology.glsl"

/* The first call. False: this invocation has no vertex, or its primitive does not fit in the
 * buffers; the shader must return. Loads come first, so that no branch delays them. buffers: mask of
 * those that are captured to. known_topology, possible_flags: of all draws, as for
 * pgs_geometry_find_invocation. */
bool pgs_vertex_capture_begin(const uint buffers, const uint known_topology, const uint possible_flags)
{
    pgs_keep_root();
    pgs_self_capture_ref ref = pgs_self_capture_ref(pgs_self_capture_address());
    const uint written = ref.capture.written[0];
    const uint topology = known_topology == PGS_TOPOLOGY_ANY ? PGS_DRAW.topology : known_topology;
    const uint vertices_per_primitive = known_topology == PGS_TOPOLOGY_ANY
                                            ? clamp(ref.capture.vertices_per_primitive, 1u, 3u)
                                            : pgs_topology_main_vertices(known_topology);
    pgs_self_capture_find(buffers);
    const uint flags = PGS_DRAW.flags & possible_flags;
    const uint instance_count = PGS_DRAW.instance_count;
    const pgs_byte_count count = ref.capture.count;
    uint primitives = pgs_byte_count_primitives(count, topology, PGS_DRAW.primitive_count);
    const bool restart = (flags & PGS_DRAW_RESTART) != 0u;
    if (restart)
        primitives = min(primitives, pgs_read_readable(PGS_DRAW.restart_count));

    const uint id = pgs_linear_id(PGS_SHADER_GROUP_EL);
    const uint place = id / vertices_per_primitive;
    const uint instance = place / max(primitives, 1u);
    const bool exists = place < written && instance < instance_count && primitives != 0u;
    if (exists) {
        uint segment_start = 0u;
        uint in_segment = place - instance * primitives;
        /* PGS_PRIMITIVE_LAST concerns adjacent vertices only, which are not captured. */
        if (restart) {
            const uvec2 entry = pgs_mul_add(PGS_DRAW.primitive_list, in_segment, 8u);
            segment_start = pgs_read(entry);
            in_segment = pgs_read(pgs_add(entry, 4u)) & ~PGS_PRIMITIVE_LAST;
        }
        const bool provoking_last = (flags & PGS_DRAW_PROVOKING_LAST) != 0u;
        const uint input_k = pgs_topology_main(topology, id - place * vertices_per_primitive);
        pgs_vertex_at(instance,
                      segment_start + pgs_topology_vertex(topology, in_segment, input_k, false, provoking_last));
        pgs_sc_vertex = id;
    }
    return exists;
}

#endif
