/* SPDX-License-Identifier: MIT
 *
 * Writes what is known only at execution, conditions and byte counts, into draw records or into the
 * arguments of a native draw.
 *
 * One invocation. Root: pgs_setup. Step STEP_SETUP (layer/draw/record_compute.c), and
 * pgs_condition_record.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = 1) in;

#include "record.glsl"
#include "setup.glsl"
#include "topology.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer pgs_patched_draw_ref
{
    pgs_draw_record draw;
};

void main()
{
    const uint instance_count = pgs_setup_instances();
    const uint most = PGS_SETUP.vertex_count;
    const uint vertex_count = pgs_setup_vertices();
    pgs_setup_args(vertex_count, instance_count);
    const uint in_records = min(vertex_count, most);
    const uint primitive_count = pgs_topology_primitives(PGS_SETUP.topology, in_records);
    const uint record_count = PGS_SETUP.records != uvec2(0u) ? PGS_SETUP.record_count : 0u;
    for (uint i = 0u; i < record_count; i++) {
        pgs_patched_draw_ref record =
            pgs_patched_draw_ref(pgs_mul_add(PGS_SETUP.records, i, PGS_SETUP.record_stride_B));
        record.draw.vertex_count = in_records;
        record.draw.instance_count = instance_count;
        record.draw.primitive_count = primitive_count;
    }
}
