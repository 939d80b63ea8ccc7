/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect_inline: what the three steps of `indirect` do for calls that are always inline,
 * and of which nothing is captured, counted or restarted.
 */
#ifndef PGS_INDIRECT_INLINE_RECORDS_GLSL
#define PGS_INDIRECT_INLINE_RECORDS_GLSL

#include "indirect/fallback.glsl"

/* Copies the arguments of a draw into its record; one that is not drawn, or has no primitive,
 * becomes empty. Returns its GS invocations. */
uint read_inline(pgs_allot_draw_ref record, const uint number, const bool is_drawn)
{
    uvec2 vertices_instances = uvec2(0u);
    if (is_drawn)
        vertices_instances = read_arguments(record, number, (record.draw.flags & PGS_DRAW_INDEXED) != 0u);
    uint primitives = pgs_topology_primitives(record.draw.topology, vertices_instances.x);
    if (vertices_instances.y == 0u)
        primitives = 0u;
    if (primitives == 0u)
        vertices_instances = uvec2(0u);
    else
        atomicMax(pgs_drawn_end, number + 1u);
    record.draw.vertex_count = vertices_instances.x;
    record.draw.instance_count = vertices_instances.y;
    record.draw.primitive_count = primitives;
    const uint all = gs_invocations_of_draw(record);
    const bool fits = pgs_can_fall_back(all);
    pgs_refused = pgs_refused || !fits;
    return fits ? all : 0u;
}

/* Reads the arguments of all records, and numbers their GS invocations. Returns how many there are.
 * Called by the whole workgroup. */
uint pgs_read_inline_records(const uint first)
{
    const uint count = draw_count();
    uint total = 0u;
    for (uint chunk = 0u; chunk < pgs_call.record_count; chunk += PGS_INDIRECT_GROUP_EL) {
        const uint number = chunk + first;
        const bool is_record = number < pgs_call.record_count;
        pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(number));
        uint gs_invocations = 0u;
        if (is_record)
            gs_invocations = read_inline(record, number, number < count);
        const uint before = number_gs_invocations(gs_invocations, total);
        if (is_record)
            record.draw.gs_invocation_first = before;
    }
    return total;
}

#endif
