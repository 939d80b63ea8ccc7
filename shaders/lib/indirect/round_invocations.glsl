/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect_round: GS invocations as the elements of round.glsl.
 */
#ifndef PGS_ROUND_INVOCATIONS_GLSL
#define PGS_ROUND_INVOCATIONS_GLSL

#define PGS_ROUND_PART 1u /* all of the pool */

/* What is the same for all records of the call. */
struct pgs_round_shape {
    pgs_allot_shape shape;
    uint flags, topology, invocations, in_stride_w;
    uint most; /* GS invocations that a record may have */
};

pgs_round_shape pgs_round_shape_of(pgs_allot_draw_ref record)
{
    pgs_round_shape of;
    of.shape = pgs_allot_shape_of(record);
    of.flags = record.draw.flags;
    of.topology = record.draw.topology;
    of.invocations = max(record.draw.invocations, 1u);
    of.in_stride_w = record.draw.in_stride_w;
    of.most = record.draw.max_gs_invocations;
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
    const uint vertices = pgs_round_vertices[local], primitives = pgs_round_primitives[local];
    uvec2 stored = uvec2(0u);
    if (of.in_stride_w != 0u && count != 0u) {
        const uint first = from / of.invocations, last = (from + (count - 1u)) / of.invocations;
        const uint first_instance = first / primitives, last_instance = last / primitives;
        stored.x = first_instance * vertices +
                   positions_of(of.topology, vertices, first - first_instance * primitives, primitives - 1u).x;
        stored.y = last_instance * vertices + positions_of(of.topology, vertices, 0u, last - last_instance * primitives).y;
        if ((of.flags & PGS_DRAW_RESTART) != 0u)
            stored = uvec2(0u, vertices * pgs_round_instances[local]);
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
    return restart ? uvec2(pgs_quads(pgs_round_primitives[local], 2u), pgs_quads(pgs_tiles_of(pgs_round_vertices[local]), 4u)) :
                     uvec2(0u);
}

/* Units of the pool that GS invocations take. */
uint pgs_round_units(const pgs_round_shape of, const uint local, const uint from, const uint count)
{
    const uvec2 restart = restart_quads(of, local);
    uint quads = pgs_allot_sum(pgs_allot_sizes_of(of.shape, count));
    quads = pgs_quads_add(quads, stored_quads(of, stored_vertices_of(of, local, from, count)));
    quads = pgs_quads_add(quads, pgs_quads_add(restart.x, restart.y));
    return pgs_quads_to_units(quads);
}

/* GS invocations of a record of the chunk, or PGS_COUNT_MAX: it is too large. */
uint pgs_round_all(const pgs_round_shape of, const uint local)
{
    const uint in_order = pgs_multiply_limited(pgs_round_primitives[local], pgs_round_instances[local]);
    const uint all = pgs_multiply_limited(in_order, of.invocations);
    const uint vertices = pgs_multiply_limited(pgs_round_vertices[local], pgs_round_instances[local]);
    return max(all, vertices) <= PGS_MAX_INVOCATIONS ? all : PGS_COUNT_MAX;
}

/* Takes the memory of a record's share. False: the pool has less than it said. */
bool pgs_round_take_share(pgs_allot_draw_ref record, const uint local)
{
    const pgs_round_shape of = pgs_round_shape_of(record);
    const uint from = pgs_round_from[local], count = pgs_round_count[local];
    const uvec2 stored = stored_vertices_of(of, local, from, count);
    const uint vertices = stored_quads(of, stored);
    const uvec2 restart = restart_quads(of, local);
    uvec2 place;
    const bool fits = pgs_allot(record, count, pgs_quads_add(vertices, pgs_quads_add(restart.x, restart.y)), place);
    if (fits) {
        const uvec2 before = pgs_round_before(pgs_allot_next(place, vertices), stored.x, of.in_stride_w);
        record.draw.vertices = of.in_stride_w != 0u ? before : uvec2(0u);
        record.draw.restart_tiles = stored;
        record.draw.gs_invocation_first = from;
        if ((of.flags & PGS_DRAW_RESTART) != 0u) {
            record.draw.primitive_list = pgs_allot_next(place, restart.x);
            record.draw.restart_tiles = place;
            pgs_raise_grid(PGS_GRID_RESTART, pgs_tiles_of(pgs_round_vertices[local]));
        }
        pgs_raise_grid(PGS_GRID_VERTEX, pgs_groups_of(stored.y - stored.x, PGS_SHADER_GROUP_EL));
        pgs_raise_grid(PGS_GRID_GEOMETRY, pgs_groups_of(count, PGS_SHADER_GROUP_EL));
        pgs_raise_grid(PGS_GRID_TILES, pgs_tiles_of(count));
    }
    return fits;
}

#endif
