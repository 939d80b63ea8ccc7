/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, first step: copies the application's arguments into the records, and empties
 * records that draw nothing. Also allocates memory for primitive restart, which a record needs
 * whether it is drawn inline or not.
 */
#ifndef PGS_INDIRECT_ARGUMENTS_GLSL
#define PGS_INDIRECT_ARGUMENTS_GLSL

#include "record.glsl"
#include "topology.glsl"
#include "tessellation.glsl"
#include "allot.glsl"
#include "indirect/grids.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_indirect_ref
{
    pgs_indirect indirect;
};

#define PGS_INDIRECT pgs_indirect_ref(pgs_root_address()).indirect

bool is_drawn()
{
    const uint flags = PGS_INDIRECT.flags;
    if ((flags & PGS_SETUP_CONDITION) == 0u)
        return true;
    return (pgs_read(PGS_INDIRECT.condition) != 0u) != ((flags & PGS_SETUP_INVERTED) != 0u);
}

/* Number of records that draw. */
uint draw_count()
{
    if (!is_drawn())
        return 0u;
    uint count = min(PGS_INDIRECT.record_count, PGS_INDIRECT.args_count);
    if (PGS_INDIRECT.count != uvec2(0u)) {
        const uint in_call = pgs_read(PGS_INDIRECT.count);
        const uint before = PGS_INDIRECT.first_draw;
        count = min(count, in_call - min(in_call, before));
    }
    return count;
}

void read_indices(pgs_allot_draw_ref record, const uint first)
{
    const uint bound_el = PGS_INDIRECT.index_bound_el;
    record.draw.index_bound_el = bound_el - min(first, bound_el);
    record.draw.index_address = pgs_mul_add(PGS_INDIRECT.indices, min(first, bound_el), record.draw.index_size_B);
}

void read_arguments(pgs_allot_draw_ref record, const uint number)
{
    const uvec2 args = pgs_mul_add(PGS_INDIRECT.args, number, PGS_INDIRECT.args_stride_B);
    record.draw.vertex_count = pgs_read_at(args, 0u);
    record.draw.instance_count = pgs_read_at(args, 1u);
    const bool indexed = (record.draw.flags & PGS_DRAW_INDEXED) != 0u;
    if (indexed)
        read_indices(record, pgs_read_at(args, 2u));
    record.draw.first_vertex = pgs_read_at(args, indexed ? 3u : 2u);
    record.draw.first_instance = pgs_read_at(args, indexed ? 4u : 3u);
}

/* Empties a record: no later dispatch does anything for it. */
void pgs_draw_nothing(pgs_allot_draw_ref record, const uvec2 address)
{
    uvec2 none;
    pgs_allot(address, 0u, 0u, none);
    record.draw.vertex_count = 0u;
    record.draw.instance_count = 0u;
    record.draw.primitive_count = 0u;
    if ((record.draw.flags & PGS_DRAW_RESTART) != 0u) {
        pgs_write_at(record.draw.restart_count, 0u, 0u);
        pgs_write_at(record.draw.restart_count, 1u, 0u);
    }
    if ((record.draw.flags & PGS_DRAW_TESSELLATED) != 0u) {
        pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
        made.tessellation.vertex_count = 0u;
        made.tessellation.primitive_count = 0u;
        /* tess_allot does not visit records after the last one that draws. */
        const uint args_w = (made.tessellation.flags & PGS_TESS_INLINE) != 0u ? 4u : 0u;
        for (uint word = 0u; word < args_w; word++)
            pgs_write_at(made.tessellation.inline_args, word, 0u);
    }
}

/* Invocations of a shader that captures by itself. The bound buffers limit them, so no draw is too
 * large. */
uint capturing_invocations(pgs_allot_draw_ref record)
{
    const uint of_primitive = max(PGS_INDIRECT.capture_el, 1u);
    const uint bound_el = PGS_INDIRECT.capture_bound_el;
    uint high, primitives;
    umulExtended(record.draw.primitive_count, record.draw.instance_count, high, primitives);
    return high != 0u || primitives > bound_el / of_primitive ? bound_el : primitives * of_primitive;
}

/* Counts the primitives of a record and allocates memory for primitive restart. False: the record
 * draws nothing. */
bool prepare(pgs_allot_draw_ref record)
{
    const uint primitives = pgs_topology_primitives(record.draw.topology, record.draw.vertex_count);
    if (primitives == 0u || record.draw.instance_count == 0u)
        return false;
    record.draw.primitive_count = primitives;
    if ((record.draw.flags & PGS_DRAW_RESTART) == 0u)
        return true;
    const uint list = pgs_quads(primitives, 2u);
    const uint tiles = pgs_quads(pgs_tiles_of(record.draw.vertex_count), 4u);
    const bool readable = record.draw.vertex_count <= PGS_MAX_INVOCATIONS;
    uvec2 place = uvec2(0u);
    if (readable)
        place = pgs_pool_take(record.draw.pool, pgs_quads_to_units(pgs_quads_add(list, tiles)));
    else
        pgs_pool_refuse(record.draw.pool);
    if (place == uvec2(0u)) {
        pgs_pool_leave_out(record.draw.pool);
        return false;
    }
    record.draw.primitive_list = pgs_allot_next(place, list);
    record.draw.restart_tiles = pgs_allot_next(place, tiles);
    atomicMax(pgs_most_restart, pgs_tiles_of(record.draw.vertex_count));
    return true;
}

/* Reads the arguments of this invocation's records. */
void pgs_read_records(const uint first)
{
    const uint count = draw_count();
    const uint record_count = PGS_INDIRECT.record_count;
    const bool captures = (PGS_INDIRECT.flags & PGS_INDIRECT_CAPTURE) != 0u;
    for (uint i = first; i < record_count; i += PGS_INDIRECT_GROUP_EL) {
        const uvec2 address = pgs_mul_add(PGS_INDIRECT.records, i, PGS_INDIRECT.record_stride_B);
        pgs_allot_draw_ref record = pgs_allot_draw_ref(address);
        if (i < count)
            read_arguments(record, i);
        else
            record.draw.vertex_count = 0u;
        if (!prepare(record)) {
            pgs_draw_nothing(record, address);
            continue;
        }
        atomicMax(pgs_drawn_end, i + 1u);
        if (captures)
            atomicMax(pgs_most_capture, pgs_groups_of(capturing_invocations(record), PGS_SHADER_GROUP_EL));
    }
}

#endif
