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
#include "topology.glsl"
#include "byte_count.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_setup_ref
{
    pgs_setup setup;
};

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer pgs_patched_draw_ref
{
    pgs_draw_record draw;
};

#define PGS_SETUP pgs_setup_ref(pgs_root_address()).setup

/* Conditional rendering. */
bool is_drawn()
{
    const uint flags = PGS_SETUP.flags;
    if ((flags & PGS_SETUP_CONDITION) == 0u)
        return true;
    return (pgs_read_readable(PGS_SETUP.condition) != 0u) != ((flags & PGS_SETUP_INVERTED) != 0u);
}

void main()
{
    const uint instance_count = is_drawn() ? PGS_SETUP.instance_count : 0u;
    const uint most = PGS_SETUP.vertex_count;
    uint vertex_count = most;
    if ((PGS_SETUP.flags & PGS_SETUP_BYTE_COUNT) != 0u)
        vertex_count = pgs_byte_count_vertices(pgs_read_readable(PGS_SETUP.counter), PGS_SETUP.counter_offset_B,
                                               PGS_SETUP.vertex_stride_B);

    const uvec2 args = PGS_SETUP.args; /* VkDrawIndirectCommand */
    if (args != uvec2(0u)) {
        pgs_write_at(args, 0u, vertex_count);
        pgs_write_at(args, 1u, instance_count);
        pgs_write_at(args, 2u, 0u);
        pgs_write_at(args, 3u, PGS_SETUP.first_instance);
    }
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
