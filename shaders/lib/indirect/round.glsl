/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect_round: shares the memory of the pool out among the records of a call, in order,
 * from where the last round stopped. Records are read and written by one invocation each; invocation
 * 0 decides for all.
 */
#ifndef PGS_INDIRECT_ROUND_GLSL
#define PGS_INDIRECT_ROUND_GLSL

#include "indirect/arguments.glsl"
#include "indirect/fallback.glsl"
#include "indirect/grids.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_indirect_progress_ref
{
    pgs_indirect_progress progress;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_indirect_kept_ref
{
    pgs_indirect_kept kept;
};

/* What a chunk of records draws, and the GS invocations that they get: which one is the first, and
 * how many. None: the record draws nothing in this round. */
shared uint round_vertices[PGS_INDIRECT_GROUP_EL];
shared uint round_instances[PGS_INDIRECT_GROUP_EL];
shared uint round_primitives[PGS_INDIRECT_GROUP_EL];
shared uint round_from[PGS_INDIRECT_GROUP_EL];
shared uint round_count[PGS_INDIRECT_GROUP_EL];

/* Of invocation 0. */
uvec2 round_next; /* the record, and the GS invocation of it, with which the next round begins */
bool round_stopped; /* the pool holds no more */
uint round_left_units;
uint round_size_units;
uint round_needed_units; /* of all records; saturates */

bool is_first_round()
{
    return (pgs_call.flags & PGS_INDIRECT_FIRST_ROUND) != 0u;
}

/* Called first, by all invocations: the last round wrote what is left. */
void pgs_round_begin()
{
    pgs_indirect_progress_ref at = pgs_indirect_progress_ref(pgs_call.progress);
    const uvec2 left = uvec2(at.progress.record, at.progress.gs_invocation);
    round_next = is_first_round() ? uvec2(0u) : left;
    round_stopped = false;
    round_size_units = pgs_pool_ref(pgs_call_pool).pool.size_units;
    round_left_units = round_size_units;
    round_needed_units = 0u;
}

pgs_indirect_kept_ref kept_of(const uint number)
{
    return pgs_indirect_kept_ref(pgs_mul_add(pgs_add(pgs_call.progress, PGS_INDIRECT_PROGRESS_B), number, PGS_INDIRECT_KEPT_B));
}

/* Reads the arguments of a record for this round and those to come. */
uvec2 read_first(pgs_allot_draw_ref record, const uint number, const uint count)
{
    const uvec2 vertices_instances = pgs_read_record(record, number, count);
    pgs_indirect_kept_ref at = kept_of(number);
    at.kept.index_address = record.draw.index_address;
    at.kept.index_bound_el = record.draw.index_bound_el;
    at.kept.first_vertex = record.draw.first_vertex;
    at.kept.first_instance = record.draw.first_instance;
    at.kept.vertices = vertices_instances.x;
    at.kept.instances = vertices_instances.y;
    return vertices_instances;
}

/* Takes what the first round has read. */
uvec2 read_again(pgs_allot_draw_ref record, const uint number)
{
    pgs_indirect_kept_ref at = kept_of(number);
    pgs_allot_nothing(record);
    record.draw.index_address = at.kept.index_address;
    record.draw.index_bound_el = at.kept.index_bound_el;
    record.draw.first_vertex = at.kept.first_vertex;
    record.draw.first_instance = at.kept.first_instance;
    return uvec2(at.kept.vertices, at.kept.instances);
}

/* Reads the arguments of this invocation's record in a chunk. */
void pgs_round_read(const uint number, const uint count)
{
    const uint local = gl_LocalInvocationIndex;
    uint primitives = 0u;
    if (number < pgs_call.record_count) {
        pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(number));
        uvec2 vertices_instances = uvec2(0u);
        if (is_first_round())
            vertices_instances = read_first(record, number, count);
        else
            vertices_instances = read_again(record, number);
        primitives = pgs_primitives_of(record, vertices_instances);
        round_vertices[local] = vertices_instances.x;
        round_instances[local] = vertices_instances.y;
    }
    round_primitives[local] = primitives;
    round_from[local] = 0u;
    round_count[local] = 0u;
}

/* What is the same for all records of the call. */
struct pgs_round_shape {
    pgs_allot_shape shape;
    uint flags, topology, invocations, in_stride_w, most_gs_invocations;
};

pgs_round_shape round_shape_of(pgs_allot_draw_ref record)
{
    pgs_round_shape of;
    of.shape = pgs_allot_shape_of(record);
    of.flags = record.draw.flags;
    of.topology = record.draw.topology;
    of.invocations = max(record.draw.invocations, 1u);
    of.in_stride_w = record.draw.in_stride_w;
    of.most_gs_invocations = record.draw.max_gs_invocations;
    return of;
}

/* The positions of an instance that its primitives from `first` to `last` read: the first one, and one
 * behind the last. */
uvec2 positions_of(const uint topology, const uint vertices, const uint first, const uint last)
{
    const uint shift = 3u * (topology & 15u) & 31u;
    const uint step = PGS_TOPOLOGY_STEPS >> shift & 7u;
    const bool strip_adjacency = topology == PGS_TRIANGLE_STRIP_ADJACENCY;
    /* Triangles of that strip also see the last pair and the next one. */
    uint begin = first * step - (strip_adjacency && first != 0u ? 2u : 0u);
    const uint end = (last + 1u) * step + (PGS_TOPOLOGY_FIRST >> shift & 7u) + (strip_adjacency ? 1u : 0u);
    if (topology == PGS_TRIANGLE_FAN)
        begin = 0u;
    return uvec2(begin, min(end, vertices));
}

/* Elements of `vertices` that GS invocations read, `count` from `from` on: the first one, and one
 * behind the last. Only kernels that run later know the primitives between restarts. */
uvec2 stored_vertices_of(const pgs_round_shape of, const uint local, const uint from, const uint count)
{
    const uint vertices = round_vertices[local], primitives = round_primitives[local];
    uvec2 stored = uvec2(0u);
    if (of.in_stride_w != 0u && count != 0u) {
        const uint first = from / of.invocations, last = (from + (count - 1u)) / of.invocations;
        const uint first_instance = first / primitives, last_instance = last / primitives;
        stored.x = first_instance * vertices +
                   positions_of(of.topology, vertices, first - first_instance * primitives, primitives - 1u).x;
        stored.y = last_instance * vertices + positions_of(of.topology, vertices, 0u, last - last_instance * primitives).y;
        if ((of.flags & PGS_DRAW_RESTART) != 0u)
            stored = uvec2(0u, vertices * round_instances[local]);
    }
    return stored;
}

/* Quads of the stored vertices; of primitive restart. */
uint stored_quads(const pgs_round_shape of, const uvec2 stored)
{
    return pgs_quads(stored.y - stored.x, of.in_stride_w);
}

uvec2 restart_quads(const pgs_round_shape of, const uint local)
{
    const bool restart = (of.flags & PGS_DRAW_RESTART) != 0u;
    return restart ? uvec2(pgs_quads(round_primitives[local], 2u), pgs_quads(pgs_tiles_of(round_vertices[local]), 4u)) :
                     uvec2(0u);
}

/* Units of the pool that GS invocations take. */
uint units_of(const pgs_round_shape of, const uint local, const uint from, const uint count)
{
    const uvec2 restart = restart_quads(of, local);
    uint quads = pgs_allot_sum(pgs_allot_sizes_of(of.shape, count));
    quads = pgs_quads_add(quads, stored_quads(of, stored_vertices_of(of, local, from, count)));
    quads = pgs_quads_add(quads, pgs_quads_add(restart.x, restart.y));
    return pgs_quads_to_units(quads);
}

/* The most GS invocations from `from` on, up to `most`, that the pool still holds. */
uint fitting(const pgs_round_shape of, const uint local, const uint from, const uint most)
{
    uint fits = 0u, too_many = most;
    if (units_of(of, local, from, most) <= round_left_units)
        fits = most;
    while (fits + 1u < too_many) {
        const uint middle = fits + (too_many - fits) / 2u;
        if (units_of(of, local, from, middle) <= round_left_units)
            fits = middle;
        else
            too_many = middle;
    }
    return fits;
}

/* GS invocations of a record of the chunk, or PGS_COUNT_MAX: it is too large. */
uint round_gs_invocations(const pgs_round_shape of, const uint local)
{
    const uint in_order = pgs_multiply_limited(round_primitives[local], round_instances[local]);
    const uint all = pgs_multiply_limited(in_order, of.invocations);
    const uint vertices = pgs_multiply_limited(round_vertices[local], round_instances[local]);
    return max(all, vertices) <= PGS_MAX_INVOCATIONS ? all : PGS_COUNT_MAX;
}

/* Gives a record what the pool holds of its GS invocations from `from` on. */
void share_with(const pgs_round_shape of, const uint number, const uint local, const uint from, const uint all)
{
    const uint most = min(all - from, of.most_gs_invocations);
    const uint count = fitting(of, local, from, most);
    if (count == 0u && round_left_units == round_size_units) { /* nor will any other round */
        pgs_left_out = true;
        return;
    }
    round_from[local] = from;
    round_count[local] = count;
    if (count != 0u)
        round_left_units -= units_of(of, local, from, count);
    round_stopped = count < all - from;
    if (round_stopped)
        round_next = uvec2(number, from + count);
}

/* Shares out what the pool holds among the records of a chunk. Called by invocation 0. */
void pgs_round_share(const uint chunk)
{
    const pgs_round_shape of = round_shape_of(pgs_allot_draw_ref(pgs_call.records));
    const uvec2 begin = round_next;
    for (uint local = 0u; local < PGS_INDIRECT_GROUP_EL; local++) {
        const uint number = chunk + local;
        if (round_primitives[local] == 0u)
            continue;
        const uint all = round_gs_invocations(of, local);
        const uint from = number == begin.x ? begin.y : 0u;
        if (all == PGS_COUNT_MAX) {
            pgs_refused = true;
            pgs_left_out = true;
            continue;
        }
        if (is_first_round())
            round_needed_units = min(round_needed_units + units_of(of, local, 0u, all), PGS_POOL_COUNT_MAX);
        if (number >= begin.x && !round_stopped && from < all)
            share_with(of, number, local, from, all);
    }
}

/* Says of a record that is counted whether this round is the first one that draws some of it. */
void count_input(pgs_allot_draw_ref record, const bool begins)
{
    const uvec2 capture = record.draw.capture;
    if (capture != uvec2(0u)) {
        pgs_allot_capture_ref counted = pgs_allot_capture_ref(capture);
        const uint others = counted.capture.flags & ~PGS_CAPTURE_STATISTICS;
        counted.capture.flags = others | (begins ? PGS_CAPTURE_STATISTICS : 0u);
    }
}

/* Takes the memory of a record's share. False: the pool has less than it said. */
bool take_share(pgs_allot_draw_ref record, const uint local)
{
    const pgs_round_shape of = round_shape_of(record);
    const uint from = round_from[local], count = round_count[local];
    const uvec2 stored = stored_vertices_of(of, local, from, count);
    const uint vertices = stored_quads(of, stored);
    const uvec2 restart = restart_quads(of, local);
    uvec2 place;
    const bool fits = pgs_allot(record, count, pgs_quads_add(vertices, pgs_quads_add(restart.x, restart.y)), place);
    if (fits) {
        uint high, low;
        umulExtended(stored.x, of.in_stride_w * 4u, high, low);
        uvec2 before = pgs_subtract(pgs_allot_next(place, vertices), low);
        before.y -= high;
        record.draw.vertices = of.in_stride_w != 0u ? before : uvec2(0u);
        record.draw.restart_tiles = stored;
        record.draw.gs_invocation_first = from;
        if ((of.flags & PGS_DRAW_RESTART) != 0u) {
            record.draw.primitive_list = pgs_allot_next(place, restart.x);
            record.draw.restart_tiles = place;
            pgs_raise_grid(PGS_GRID_RESTART, pgs_tiles_of(round_vertices[local]));
        }
        pgs_raise_grid(PGS_GRID_VERTEX, pgs_groups_of(stored.y - stored.x, PGS_SHADER_GROUP_EL));
        pgs_raise_grid(PGS_GRID_GEOMETRY, pgs_groups_of(count, PGS_SHADER_GROUP_EL));
        pgs_raise_grid(PGS_GRID_TILES, pgs_tiles_of(count));
    }
    return fits;
}

/* Lets this invocation's record of a chunk draw its share, or nothing. */
void pgs_round_take(const uint number)
{
    const uint local = gl_LocalInvocationIndex;
    if (number >= pgs_call.record_count)
        return;
    pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(number));
    bool draws = round_count[local] != 0u;
    if (draws) {
        draws = take_share(record, local);
        pgs_left_out = pgs_left_out || !draws;
    }
    count_input(record, draws && round_from[local] == 0u);
    record.draw.vertex_count = round_vertices[local];
    record.draw.instance_count = round_instances[local];
    record.draw.primitive_count = draws ? round_primitives[local] : 0u;
    if (draws) {
        atomicMax(pgs_drawn_end, number + 1u);
        pgs_raise_grid(PGS_GRID_ONE, 1u);
    } else {
        pgs_draw_nothing(record);
    }
}

/* Called last, by invocation 0. */
void pgs_round_end()
{
    pgs_indirect_progress_ref at = pgs_indirect_progress_ref(pgs_call.progress);
    const uint used = round_size_units - round_left_units;
    if (!round_stopped)
        round_next = uvec2(pgs_call.record_count, 0u);
    at.progress.record = round_next.x;
    at.progress.gs_invocation = round_next.y;
    const uint before = is_first_round() ? 0u : at.progress.rounds;
    at.progress.rounds = before + (used != 0u ? 1u : 0u);
    if (is_first_round()) {
        at.progress.needed_units = max(at.progress.needed_units, round_needed_units);
        if (round_needed_units > used)
            pgs_pool_count_refused(pgs_pool_ref(pgs_call_pool), round_needed_units - used);
    }
    if (round_stopped && (pgs_call.flags & PGS_INDIRECT_LAST_ROUND) != 0u)
        pgs_left_out = true;
}

#endif
