/* SPDX-License-Identifier: MIT
 *
 * Kernels indirect_round and indirect_patches: share the memory of the pool out among the records of
 * a call, in order, from where the last round stopped. What is shared out are GS invocations, or with
 * PGS_ROUND_PATCHES patches: the *elements* of a record, numbered over all instances. Records are
 * read and written by one invocation each; invocation 0 decides for all.
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

/* What a chunk of records draws, and the elements that they get: which one is the first, and how many.
 * None: the record draws nothing in this round. */
shared uint pgs_round_vertices[PGS_INDIRECT_GROUP_EL];
shared uint pgs_round_instances[PGS_INDIRECT_GROUP_EL];
shared uint pgs_round_primitives[PGS_INDIRECT_GROUP_EL];
shared uint pgs_round_from[PGS_INDIRECT_GROUP_EL];
shared uint pgs_round_count[PGS_INDIRECT_GROUP_EL];

/* Of invocation 0. */
uvec2 round_next; /* the record, and the element of it, with which the next round begins */
bool round_stopped; /* the pool holds no more */
uint round_left_units;
uint round_size_units;
uint round_needed_units; /* of all records; saturates */

/* Where an array would begin of which only the part from element `first` on is there. */
uvec2 pgs_round_before(const uvec2 part, const uint first, const uint stride_w)
{
    uint high, low;
    umulExtended(first, stride_w * 4u, high, low);
    uvec2 begin = pgs_subtract(part, low);
    begin.y -= high;
    return begin;
}

#ifdef PGS_ROUND_PATCHES
#include "indirect/round_patches.glsl"
#else
#include "indirect/round_invocations.glsl"
#endif

bool is_first_round()
{
    return (pgs_call.flags & PGS_INDIRECT_FIRST_ROUND) != 0u;
}

/* Called first, by all invocations: the last round wrote what is left. */
void begin_round()
{
    pgs_indirect_progress_ref at = pgs_indirect_progress_ref(pgs_call.progress);
    const uvec2 left = uvec2(at.progress.record, at.progress.element);
    round_next = is_first_round() ? uvec2(0u) : left;
    round_stopped = false;
    round_size_units = pgs_pool_ref(pgs_call_pool).pool.size_units / PGS_ROUND_PART;
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
void read_chunk(const uint number, const uint count)
{
    const uint local = PGS_LOCAL_ID;
    uint primitives = 0u;
    if (number < pgs_call.record_count) {
        pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(number));
        uvec2 vertices_instances = uvec2(0u);
        if (is_first_round())
            vertices_instances = read_first(record, number, count);
        else
            vertices_instances = read_again(record, number);
        primitives = pgs_primitives_of(record, vertices_instances);
        pgs_round_vertices[local] = vertices_instances.x;
        pgs_round_instances[local] = vertices_instances.y;
    }
    pgs_round_primitives[local] = primitives;
    pgs_round_from[local] = 0u;
    pgs_round_count[local] = 0u;
}

/* The most elements from `from` on, up to `most`, that the pool still holds. */
uint fitting(const pgs_round_shape of, const uint local, const uint from, const uint most)
{
    uint fits = 0u, too_many = most;
    if (pgs_round_units(of, local, from, most) <= round_left_units)
        fits = most;
    while (fits + 1u < too_many) {
        const uint middle = fits + (too_many - fits) / 2u;
        if (pgs_round_units(of, local, from, middle) <= round_left_units)
            fits = middle;
        else
            too_many = middle;
    }
    return fits;
}

/* Gives a record what the pool holds of its elements from `from` on. */
void share_with(const pgs_round_shape of, const uint number, const uint local, const uint from, const uint all)
{
    const uint most = min(all - from, of.most);
    const uint count = fitting(of, local, from, most);
    if (count == 0u && round_left_units == round_size_units) { /* nor will any other round */
        pgs_left_out = true;
        return;
    }
    pgs_round_from[local] = from;
    pgs_round_count[local] = count;
    if (count != 0u)
        round_left_units -= pgs_round_units(of, local, from, count);
    round_stopped = count < all - from;
    if (round_stopped)
        round_next = uvec2(number, from + count);
}

/* Shares out what the pool holds among the records of a chunk. Called by invocation 0. */
void share_out(const uint chunk)
{
    const pgs_round_shape of = pgs_round_shape_of(pgs_allot_draw_ref(pgs_call.records));
    const uvec2 begin = round_next;
    for (uint local = 0u; local < PGS_INDIRECT_GROUP_EL; local++) {
        const uint number = chunk + local;
        if (pgs_round_primitives[local] == 0u)
            continue;
        const uint all = pgs_round_all(of, local);
        const uint from = number == begin.x ? begin.y : 0u;
        if (all == PGS_COUNT_MAX) {
            pgs_refused = true;
            pgs_left_out = true;
            continue;
        }
        if (is_first_round())
            round_needed_units = min(round_needed_units + pgs_round_units(of, local, 0u, all), PGS_POOL_COUNT_MAX);
        if (number >= begin.x && !round_stopped && from < all)
            share_with(of, number, local, from, all);
    }
}

/* Lets this invocation's record of a chunk draw its share, or nothing. */
void take_chunk(const uint number)
{
    const uint local = PGS_LOCAL_ID;
    if (number >= pgs_call.record_count)
        return;
    pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(number));
    bool draws = pgs_round_count[local] != 0u;
    if (draws) {
        draws = pgs_round_take_share(record, local);
        pgs_left_out = pgs_left_out || !draws;
    }
    pgs_count_input(record, draws && pgs_round_from[local] == 0u);
    record.draw.vertex_count = pgs_round_vertices[local];
    record.draw.instance_count = pgs_round_instances[local];
    record.draw.primitive_count = draws ? pgs_round_primitives[local] : 0u;
    if (draws) {
        atomicMax(pgs_drawn_end, number + 1u);
        pgs_raise_grid(PGS_GRID_ONE, 1u);
    } else {
        pgs_draw_nothing(record);
    }
}

/* Called last, by invocation 0. */
void end_round()
{
    pgs_indirect_progress_ref at = pgs_indirect_progress_ref(pgs_call.progress);
    const uint used = round_size_units - round_left_units;
    if (!round_stopped)
        round_next = uvec2(pgs_call.record_count, 0u);
    at.progress.record = round_next.x;
    at.progress.element = round_next.y;
    const uint before = is_first_round() ? 0u : at.progress.rounds;
    at.progress.rounds = before + (used != 0u ? 1u : 0u);
    if (is_first_round()) {
        at.progress.needed_units = max(at.progress.needed_units, round_needed_units);
        at.progress.setup_units = round_needed_units;
        at.progress.made_units = 0u;
        if (round_needed_units > used)
            pgs_pool_count_refused(pgs_pool_ref(pgs_call_pool), round_needed_units - used);
    }
    if (round_stopped && (pgs_call.flags & PGS_INDIRECT_LAST_ROUND) != 0u)
        pgs_left_out = true;
}

/* The kernel. */
void pgs_round_main()
{
    const uint local = PGS_LOCAL_ID;
    pgs_read_call();
    pgs_grids_clear(local);
    begin_round();
    barrier();
    const uint count = draw_count();
    for (uint chunk = 0u; chunk < pgs_call.record_count; chunk += PGS_INDIRECT_GROUP_EL) {
        read_chunk(chunk + local, count);
        barrier();
        if (local == 0u)
            share_out(chunk);
        barrier();
        take_chunk(chunk + local);
    }
    barrier();
    if (local == 0u)
        end_round();
    pgs_grids_write(local, pgs_allot_draw_ref(pgs_call.records).draw.grids, true);
    pgs_tell_pool();
}

#endif
