/* SPDX-License-Identifier: MIT
 *
 * Indirect draws: reads the arguments, finds out how much work and memory each draw is, takes the memory from the pool and
 * writes the grids of what follows. One workgroup for a call; the root is a pgs_indirect. The arguments are the
 * application's, so whatever they say, nothing is written elsewhere: where one draw is too large, all of the call are placed
 * (pgs_placed) if they can be, or else that one is left out.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/indirect.h"
layout(local_size_x = PGS_INDIRECT_GROUP_EL) in;

#include "record.glsl"
#include "topology.glsl"
#include "tessellation.glsl"
#include "allot.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_indirect_ref
{
    pgs_indirect indirect;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_placed_ref
{
    pgs_placed placed;
};

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer pgs_grids_ref
{
    pgs_grids grids;
};

#define PGS_INDIRECT pgs_indirect_ref(pgs_root_address()).indirect

/* What the largest draws need, in workgroups. */
shared uint most_vertex;
shared uint most_restart;
shared uint most_patches;
shared uint most_geometry;
shared uint most_tiles;
shared uint most_capture;
shared uint any_chunks;   /* not 0: a record has no memory and goes in chunks */
shared uint drawn_end; /* one more than the last record that draws */
shared uint placed;    /* not 0: the records are drawn without memory */
shared uint units_of[PGS_INDIRECT_GROUP_EL];

bool is_drawn()
{
    const uint flags = PGS_INDIRECT.flags;
    if ((flags & PGS_SETUP_CONDITION) == 0u)
        return true;
    return (pgs_read(PGS_INDIRECT.condition) != 0u) != ((flags & PGS_SETUP_INVERTED) != 0u);
}

/* Records that draw. */
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

uint groups_of(const uint elements, const uint group_el)
{
    return elements / group_el + (elements % group_el != 0u ? 1u : 0u);
}

/* False where the product is more than a draw may have. */
bool multiply(const uint a, const uint b, out uint product)
{
    uint high;
    umulExtended(a, b, high, product);
    return high == 0u && product <= PGS_MAX_INVOCATIONS;
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

void draw_nothing(pgs_allot_draw_ref record, const uvec2 address)
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
        /* tess_allot does not come to records behind the last that draws. */
        const uint args_w = (made.tessellation.flags & PGS_TESS_PLACED) != 0u ? 4u : 0u;
        for (uint word = 0u; word < args_w; word++)
            pgs_write_at(made.tessellation.placed_args, word, 0u);
    }
}

#define COUNT_MAX 0xFFFFFFFFu

uint add_limited(const uint a, const uint b)
{
    const uint sum = a + b;
    return sum < a ? COUNT_MAX : sum;
}

uint multiply_limited(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high != 0u ? COUNT_MAX : low;
}

/* Units of a draw; more than COUNT_MAX count as this. */
uint units_of_draw(pgs_allot_draw_ref record)
{
    const uint in_order = multiply_limited(record.draw.primitive_count, record.draw.instance_count);
    return multiply_limited(in_order, record.draw.invocations);
}

/* A draw that has no memory: it is captured and counted in chunks, or not at all. Nobody has to where that is known. */
void count_bare(pgs_allot_draw_ref record)
{
    if (record.draw.primitive_count == 0u || record.draw.capture == uvec2(0u))
        return;
    const bool chunks = (PGS_INDIRECT.flags & PGS_INDIRECT_CHUNKS) != 0u;
    if (chunks) /* also for draws that are too large for that: somebody has to write that nothing is counted */
        atomicMax(any_chunks, 1u);
    if (!chunks || units_of_draw(record) > PGS_CHUNKS_MAX_UNITS)
        pgs_pool_leave_out(record.draw.pool);
}

/* A draw that has no memory and cannot be placed. What does without goes on: counts, and shaders that capture by
 * themselves. */
void leave_out(pgs_allot_draw_ref record, const uvec2 address)
{
    if ((record.draw.flags & PGS_DRAW_TESSELLATED) != 0u) {
        pgs_pool_leave_out(record.draw.pool);
        draw_nothing(record, address);
        return;
    }
    if (record.draw.draw_args != uvec2(0u))
        pgs_pool_leave_out(record.draw.pool);
    pgs_allot_nothing(record);
    record.draw.vertices = uvec2(0u);
    count_bare(record);
}

/* How much a draw is. Patches and units are those of all instances; of a tessellated draw tess_allot finds the units. */
struct work {
    uint vertices;
    uint patches;
    uint units;
};

/* Invocations of the shader that captures by itself. Room bounds them: no draw is too large. */
uint capturing_invocations(pgs_allot_draw_ref record)
{
    const uint of_primitive = max(PGS_INDIRECT.capture_el, 1u);
    const uint bound_el = PGS_INDIRECT.capture_bound_el;
    uint high, primitives;
    umulExtended(record.draw.primitive_count, record.draw.instance_count, high, primitives);
    return high != 0u || primitives > bound_el / of_primitive ? bound_el : primitives * of_primitive;
}

/* False: more than a draw may be. */
bool count_work(pgs_allot_draw_ref record, out work counted)
{
    const uint primitives = record.draw.primitive_count;
    const uint instances = record.draw.instance_count;
    const uint flags = record.draw.flags;
    counted = work(0u, 0u, 0u);
    if ((PGS_INDIRECT.flags & PGS_INDIRECT_STORES) == 0u)
        return true;
    uint in_order;
    if (!multiply(record.draw.vertex_count, instances, counted.vertices) ||
        !multiply(primitives, instances, in_order))
        return false;
    if ((flags & PGS_DRAW_TESSELLATED) != 0u) {
        counted.patches = in_order;
        return in_order <= PGS_MAX_PATCHES;
    }
    return multiply(in_order, record.draw.invocations, counted.units);
}

/* What the arguments make of the record; false: it draws nothing. What primitive restart needs comes first: placed draws do
 * not go without it either. */
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
    atomicMax(most_restart, pgs_tiles_of(record.draw.vertex_count));
    return true;
}

/* False: the memory is not there. */
bool take_memory(pgs_allot_draw_ref record, const uvec2 address, const work counted)
{
    const bool tessellated = (record.draw.flags & PGS_DRAW_TESSELLATED) != 0u;
    pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
    const uint vertices = pgs_quads(counted.vertices, record.draw.in_stride_w);
    const uint patches = tessellated ? pgs_quads(counted.patches, made.tessellation.patch_stride_w) : 0u;
    const uint starts = pgs_quads(counted.patches, 2u);
    const uint patch_tiles = pgs_quads(pgs_tiles_of(counted.patches), 2u);
    const uint sum = pgs_quads_add(pgs_quads_add(vertices, patches), pgs_quads_add(starts, patch_tiles));
    uvec2 place;
    if (!pgs_allot(address, counted.units, sum, place))
        return false;
    record.draw.vertices = pgs_allot_next(place, vertices);
    if (tessellated) {
        made.tessellation.patches = pgs_allot_next(place, patches);
        made.tessellation.starts = pgs_allot_next(place, starts);
        made.tessellation.tile_sums = pgs_allot_next(place, patch_tiles);
    }
    return true;
}

/* False: the draw is larger than it may be, or than there is memory for. */
bool allot(pgs_allot_draw_ref record, const uvec2 address)
{
    work counted;
    record.draw.unit_first = 0u;
    if (!count_work(record, counted)) {
        pgs_pool_refuse(record.draw.pool);
        return false;
    }
    if (!take_memory(record, address, counted))
        return false;
    atomicMax(most_vertex, groups_of(counted.vertices, PGS_SHADER_GROUP_EL));
    atomicMax(most_patches, counted.patches);
    atomicMax(most_geometry, groups_of(counted.units, PGS_SHADER_GROUP_EL));
    atomicMax(most_tiles, pgs_tiles_of(counted.units));
    return true;
}

/* Could the draw be placed? What is drawn must end, so there is a limit to the vertices. */
bool can_place(pgs_allot_draw_ref record)
{
    if (PGS_INDIRECT.placed == uvec2(0u))
        return false;
    const uint corners = pgs_placed_ref(PGS_INDIRECT.placed).placed.corners;
    return multiply_limited(units_of_draw(record), max(corners, 1u)) != COUNT_MAX;
}

/* What is drawn of a record. */
uint placed_units(pgs_allot_draw_ref record)
{
    return can_place(record) ? units_of_draw(record) : 0u;
}

/* Where each record's units begin among those of all; how many those are. All invocations together. */
uint place_units()
{
    const uint local = gl_LocalInvocationIndex;
    uint total = 0u;
    for (uint chunk = 0u; chunk < drawn_end; chunk += PGS_INDIRECT_GROUP_EL) {
        const uint number = chunk + local;
        pgs_allot_draw_ref record =
            pgs_allot_draw_ref(pgs_mul_add(PGS_INDIRECT.records, number, PGS_INDIRECT.record_stride_B));
        units_of[local] = number < drawn_end ? placed_units(record) : 0u;
        barrier();
        if (number < drawn_end) {
            uint before = total;
            for (uint i = 0u; i < local; i++)
                before = add_limited(before, units_of[i]);
            record.draw.unit_first = before;
        }
        for (uint i = 0u; i < PGS_INDIRECT_GROUP_EL; i++)
            total = add_limited(total, units_of[i]);
        barrier();
    }
    return total;
}

/* All draws of the call as one, of so many units. By one invocation. */
void write_placed(pgs_placed_ref at, const uint units)
{
    const bool in_line = at.placed.in_line != 0u;
    const uint vertices = in_line ? multiply_limited(units, at.placed.corners) : at.placed.corners;
    at.placed.record_count = drawn_end;
    pgs_write_at(at.placed.args, 0u, vertices);
    pgs_write_at(at.placed.args, 1u, in_line ? 1u : units);
    pgs_write_at(at.placed.args, 2u, 0u);
    pgs_write_at(at.placed.args, 3u, 0u);
    if (max(units, vertices) != COUNT_MAX)
        return;
    const uvec2 pool = pgs_allot_draw_ref(PGS_INDIRECT.records).draw.pool;
    pgs_pool_refuse(pool);
    pgs_pool_leave_out(pool);
}

/* Where the draws are placed nothing else is done for them, and what is captured and counted of them is lost. */
void forget_work(pgs_allot_draw_ref record, const uvec2 address)
{
    if (!can_place(record)) {
        pgs_pool_refuse(record.draw.pool);
        leave_out(record, address);
        return;
    }
    pgs_allot_nothing(record);
    record.draw.vertices = uvec2(0u);
    count_bare(record);
}

void write_grids(const uvec2 address)
{
    const uint records = drawn_end;
    pgs_grids_ref at = pgs_grids_ref(address);
    at.grids.vertex = pgs_grid_of(most_vertex, records);
    at.grids.restart = pgs_grid_of(most_restart, records);
    at.grids.control = pgs_grid_of(most_patches, records);
    at.grids.patches = pgs_grid_of(pgs_tiles_of(most_patches), records);
    at.grids.evaluation = pgs_grid(0u, 0u, records);
    at.grids.geometry = pgs_grid_of(most_geometry, records);
    at.grids.tiles = pgs_grid_of(most_tiles, records);
    at.grids.one = pgs_grid_of(records != 0u ? 1u : 0u, records);
    at.grids.capture = pgs_grid_of(most_capture, records);
    at.grids.chunks = pgs_grid(any_chunks != 0u ? PGS_CHUNKS : 0u, 1u, records);
}

void clear_shared()
{
    most_vertex = 0u;
    most_restart = 0u;
    most_patches = 0u;
    most_geometry = 0u;
    most_tiles = 0u;
    most_capture = 0u;
    any_chunks = 0u;
    drawn_end = 0u;
    placed = (PGS_INDIRECT.flags & PGS_INDIRECT_STORES) == 0u && PGS_INDIRECT.placed != uvec2(0u) ? 1u : 0u;
}

/* Reads the arguments of this invocation's records. */
void read_records(const uint first)
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
            draw_nothing(record, address);
            continue;
        }
        atomicMax(drawn_end, i + 1u);
        if (captures)
            atomicMax(most_capture, groups_of(capturing_invocations(record), PGS_SHADER_GROUP_EL));
    }
}

/* Takes memory for them. */
void allot_records(const uint first)
{
    for (uint i = first; i < drawn_end; i += PGS_INDIRECT_GROUP_EL) {
        const uvec2 address = pgs_mul_add(PGS_INDIRECT.records, i, PGS_INDIRECT.record_stride_B);
        pgs_allot_draw_ref record = pgs_allot_draw_ref(address);
        if (record.draw.primitive_count == 0u || allot(record, address))
            continue;
        if (can_place(record))
            atomicMax(placed, 1u);
        else
            leave_out(record, address);
    }
}

/* All invocations together. */
void place_records(const uint first)
{
    for (uint i = first; i < drawn_end; i += PGS_INDIRECT_GROUP_EL) {
        const uvec2 address = pgs_mul_add(PGS_INDIRECT.records, i, PGS_INDIRECT.record_stride_B);
        forget_work(pgs_allot_draw_ref(address), address);
    }
    const uint units = place_units();
    if (first != 0u)
        return;
    most_vertex = 0u;
    most_geometry = 0u;
    most_tiles = 0u;
    write_placed(pgs_placed_ref(PGS_INDIRECT.placed), units);
}

void main()
{
    const uint local = gl_LocalInvocationIndex;
    if (local == 0u)
        clear_shared();
    barrier();
    read_records(local);
    barrier();
    if (placed == 0u)
        allot_records(local);
    barrier();
    if (placed != 0u)
        place_records(local);
    else if (local == 0u && PGS_INDIRECT.placed != uvec2(0u))
        write_placed(pgs_placed_ref(PGS_INDIRECT.placed), 0u);
    barrier();
    if (local == 0u)
        write_grids(pgs_allot_draw_ref(PGS_INDIRECT.records).draw.grids);
}
