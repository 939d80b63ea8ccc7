/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, first step: empties the records and copies the application's arguments into
 * them. Also allocates memory for primitive restart, which a record needs whether it is drawn
 * inline or not. A record without primitives draws nothing.
 */
#ifndef PGS_INDIRECT_ARGUMENTS_GLSL
#define PGS_INDIRECT_ARGUMENTS_GLSL

#include "record.glsl"
#include "topology.glsl"
#include "byte_count.glsl"
#include "tessellation.glsl"
#include "allot.glsl"
#include "indirect/grids.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_indirect_ref
{
    pgs_indirect indirect;
};

/* The root, and the pool of all its records. */
pgs_indirect pgs_call;
uvec2 pgs_call_pool;

/* What this invocation's records have to tell the pool. */
bool pgs_refused;
bool pgs_left_out;

/* Called first. */
void pgs_read_call()
{
    pgs_call = pgs_indirect_ref(pgs_root_address()).indirect;
    pgs_call_pool = pgs_allot_draw_ref(pgs_call.records).draw.pool;
    pgs_refused = false;
    pgs_left_out = false;
}

/* Called last. */
void pgs_tell_pool()
{
    if (pgs_refused)
        pgs_pool_refuse(pgs_call_pool);
    if (pgs_left_out)
        pgs_pool_leave_out(pgs_call_pool);
}

uvec2 pgs_record_address(const uint number)
{
    return pgs_mul_add(pgs_call.records, number, pgs_call.record_stride_B);
}

bool is_drawn()
{
    bool drawn = true;
    if ((pgs_call.flags & PGS_SETUP_CONDITION) != 0u)
        drawn = (pgs_read_readable(pgs_call.condition) != 0u) != ((pgs_call.flags & PGS_SETUP_INVERTED) != 0u);
    return drawn;
}

/* Number of records that draw. */
uint draw_count()
{
    uint count = is_drawn() ? min(pgs_call.record_count, pgs_call.args_count) : 0u;
    const uint in_call = pgs_read_readable(pgs_call.count);
    if (pgs_call.count != uvec2(0u)) {
        const uint before = pgs_call.first_draw;
        count = min(count, in_call - min(in_call, before));
    }
    return count;
}

void set_indices(pgs_allot_draw_ref record, const uint first)
{
    const uint before = min(first, pgs_call.index_bound_el);
    record.draw.index_bound_el = pgs_call.index_bound_el - before;
    record.draw.index_address = pgs_mul_add(pgs_call.indices, before, record.draw.index_size_B);
}

/* Writes the arguments into the record. Returns its vertices and instances. */
uvec2 read_arguments(pgs_allot_draw_ref record, const uint number, const bool indexed)
{
    const uvec2 args = pgs_mul_add(pgs_call.args, number, pgs_call.args_stride_B);
    uint next = 2u;
    if (indexed) {
        set_indices(record, pgs_read_near(args, 2u));
        next = 3u;
    }
    record.draw.first_vertex = pgs_read_near(args, next);
    record.draw.first_instance = pgs_read_near(args, next + 1u);
    return uvec2(pgs_read_near(args, 0u), pgs_read_near(args, 1u));
}

/* The same of a draw by byte count. */
uvec2 read_byte_count(pgs_allot_draw_ref record)
{
    const uint vertices = pgs_byte_count_vertices(pgs_read_readable(pgs_call.args), pgs_call.counter_offset_B, pgs_call.vertex_stride_B);
    record.draw.first_vertex = 0u;
    record.draw.first_instance = pgs_call.first_instance;
    return uvec2(vertices, pgs_call.instance_count);
}

/* Hands a draw by byte count to the driver, which draws it, too. */
void write_native_args(const uvec2 vertices_instances)
{
    const uvec2 args = pgs_call.native_args;
    if (args != uvec2(0u)) {
        pgs_write_at(args, 0u, vertices_instances.x);
        pgs_write_at(args, 1u, vertices_instances.y);
        pgs_write_at(args, 2u, 0u);
        pgs_write_at(args, 3u, pgs_call.first_instance);
    }
}

/* Invocations of a shader that captures by itself. The bound buffers limit them, so no draw is too
 * large. */
uint capturing_invocations(const uint primitives, const uint instances)
{
    uint high, in_order, high_of_all, of_all;
    umulExtended(primitives, instances, high, in_order);
    umulExtended(in_order, max(pgs_call.capture_el, 1u), high_of_all, of_all);
    return (high | high_of_all) != 0u ? pgs_call.capture_bound_el : min(of_all, pgs_call.capture_bound_el);
}

/* Allocates memory for primitive restart. False: there is too little. */
bool allot_restart(pgs_allot_draw_ref record, const uint primitives, const uint vertices)
{
    const bool readable = vertices <= PGS_MAX_INVOCATIONS;
    const uint list = pgs_quads(primitives, 2u);
    const uint tiles = pgs_tiles_of(vertices);
    const uint tile_list = pgs_quads(tiles, 4u);
    uvec2 place = uvec2(0u);
    if (readable)
        place = pgs_pool_take(pgs_call_pool, pgs_quads_to_units(pgs_quads_add(list, tile_list)));
    else
        pgs_refused = true;
    const bool fits = place != uvec2(0u);
    if (fits) {
        record.draw.primitive_list = pgs_allot_next(place, list);
        record.draw.restart_tiles = place;
        pgs_raise_grid(PGS_GRID_RESTART, tiles);
    }
    return fits;
}

/* Empties a record, and reads its arguments if it is one of the `count` that draw. Returns its
 * vertices and instances. */
uvec2 pgs_read_record(pgs_allot_draw_ref record, const uint number, const uint count)
{
    pgs_allot_nothing(record);
    uvec2 vertices_instances = uvec2(0u);
    if (number < count && (pgs_call.flags & PGS_INDIRECT_BYTE_COUNT) != 0u)
        vertices_instances = read_byte_count(record);
    else if (number < count)
        vertices_instances = read_arguments(record, number, (record.draw.flags & PGS_DRAW_INDEXED) != 0u);
    write_native_args(vertices_instances);
    /* The counter may have any value, for which a draw without memory would take the time. */
    if ((pgs_call.flags & PGS_INDIRECT_BYTE_COUNT) != 0u)
        vertices_instances.x = min(vertices_instances.x, pgs_call.most_vertices);
    return vertices_instances;
}

/* Primitives of each instance. */
uint pgs_primitives_of(pgs_allot_draw_ref record, const uvec2 vertices_instances)
{
    const uint primitives = pgs_topology_primitives(record.draw.topology, vertices_instances.x);
    return vertices_instances.y == 0u ? 0u : primitives;
}

/* Reads the arguments of this invocation's records. */
void pgs_read_records(const uint first)
{
    const uint count = draw_count();
    for (uint i = first; i < pgs_call.record_count; i += PGS_INDIRECT_GROUP_EL) {
        pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(i));
        const uint flags = record.draw.flags;
        const uvec2 vertices_instances = pgs_read_record(record, i, count);
        uint primitives = pgs_primitives_of(record, vertices_instances);
        if (primitives != 0u && (flags & PGS_DRAW_RESTART) != 0u && !allot_restart(record, primitives, vertices_instances.x)) {
            pgs_left_out = true;
            primitives = 0u;
        }
        record.draw.vertex_count = vertices_instances.x;
        record.draw.instance_count = vertices_instances.y;
        record.draw.primitive_count = primitives;
        if (primitives != 0u) {
            atomicMax(pgs_drawn_end, i + 1u);
            pgs_raise_grid(PGS_GRID_ONE, 1u);
        }
        if (primitives != 0u && (pgs_call.flags & PGS_INDIRECT_CAPTURE) != 0u)
            pgs_raise_grid(PGS_GRID_CAPTURE, pgs_groups_of(capturing_invocations(primitives, vertices_instances.y), PGS_SHADER_GROUP_EL));
    }
}

#endif
