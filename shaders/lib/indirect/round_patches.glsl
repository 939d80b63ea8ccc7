/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect_patches: patches as the elements of round.glsl. They take memory for what vertex and
 * control shaders store. What becomes of them is not known yet: tess_round finds memory for that, or
 * leaves patches to the next round, whose control shaders run again.
 */
#ifndef PGS_ROUND_PATCHES_GLSL
#define PGS_ROUND_PATCHES_GLSL

/* Half of the pool is for tess_round. */
#define PGS_ROUND_PART ((pgs_call.flags & PGS_INDIRECT_TESS_ROUND) != 0u ? 2u : 1u)

/* What is the same for all records of the call. */
struct pgs_round_shape {
    uint flags, in_stride_w, patch_vertices, patch_stride_w;
    uint most; /* patches that a record may have */
};

pgs_round_shape pgs_round_shape_of(pgs_allot_draw_ref record)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
    pgs_round_shape of;
    of.flags = record.draw.flags;
    of.in_stride_w = record.draw.in_stride_w;
    of.patch_vertices = made.tessellation.patch_vertices_in;
    of.patch_stride_w = made.tessellation.patch_stride_w;
    of.most = PGS_MAX_PATCHES;
    return of;
}

/* Elements of `vertices` that patches read, `count` from `from` on: the first one, and one behind the
 * last. Only kernels that run later know the patches between restarts. */
uvec2 stored_vertices_of(const pgs_round_shape of, const uint local, const uint from, const uint count)
{
    const uint vertices = pgs_round_vertices[local], primitives = pgs_round_primitives[local];
    uvec2 stored = uvec2(0u);
    if ((of.flags & PGS_DRAW_RESTART) != 0u) {
        stored.y = vertices * pgs_round_instances[local];
    } else if (count != 0u) {
        const uint last = from + (count - 1u);
        const uint first_instance = from / primitives, last_instance = last / primitives;
        stored.x = first_instance * vertices + (from - first_instance * primitives) * of.patch_vertices;
        stored.y = last_instance * vertices + (last - last_instance * primitives + 1u) * of.patch_vertices;
    }
    return stored;
}

/* Quads of what each round has for all patches of a record, in the order in which they lie. */
struct quads_of_all {
    uint starts, tiles, primitive_list, restart_tiles;
};

quads_of_all quads_for_all(const pgs_round_shape of, const uint local)
{
    const uint patches = pgs_round_primitives[local] * pgs_round_instances[local];
    quads_of_all all;
    all.starts = pgs_quads(patches, 2u);
    all.tiles = pgs_quads(pgs_tiles_of(patches), 2u);
    all.primitive_list = 0u;
    all.restart_tiles = 0u;
    if ((of.flags & PGS_DRAW_RESTART) != 0u) {
        all.primitive_list = pgs_quads(pgs_round_primitives[local], 2u);
        all.restart_tiles = pgs_quads(pgs_tiles_of(pgs_round_vertices[local]), 4u);
    }
    return all;
}

uint sum_of(const quads_of_all all)
{
    return pgs_quads_add(pgs_quads_add(all.starts, all.tiles), pgs_quads_add(all.primitive_list, all.restart_tiles));
}

/* Quads of the patches alone. */
uint own_quads(const pgs_round_shape of, const uvec2 stored, const uint count)
{
    return pgs_quads_add(pgs_quads(stored.y - stored.x, of.in_stride_w), pgs_quads(count, of.patch_stride_w));
}

/* Units of the pool that patches take. */
uint pgs_round_units(const pgs_round_shape of, const uint local, const uint from, const uint count)
{
    const uint own = own_quads(of, stored_vertices_of(of, local, from, count), count);
    return pgs_quads_to_units(pgs_quads_add(own, sum_of(quads_for_all(of, local))));
}

/* Patches of a record of the chunk, or PGS_COUNT_MAX: it is too large. */
uint pgs_round_all(const pgs_round_shape of, const uint local)
{
    const uint all = pgs_multiply_limited(pgs_round_primitives[local], pgs_round_instances[local]);
    const uint vertices = pgs_multiply_limited(pgs_round_vertices[local], pgs_round_instances[local]);
    return vertices <= PGS_MAX_INVOCATIONS && all <= PGS_MAX_PATCHES ? all : PGS_COUNT_MAX;
}

/* Takes the memory of a record's share. False: the pool has less than it said. */
bool pgs_round_take_share(pgs_allot_draw_ref record, const uint local)
{
    const pgs_round_shape of = pgs_round_shape_of(record);
    const uint from = pgs_round_from[local], count = pgs_round_count[local];
    const uint patches = pgs_round_primitives[local] * pgs_round_instances[local];
    const uvec2 stored = stored_vertices_of(of, local, from, count);
    const quads_of_all all = quads_for_all(of, local);
    uvec2 place;
    const bool fits = pgs_allot(record, 0u, pgs_quads_add(own_quads(of, stored, count), sum_of(all)), place);
    if (fits) {
        pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
        const uvec2 vertices = pgs_allot_next(place, pgs_quads(stored.y - stored.x, of.in_stride_w));
        const uvec2 own = pgs_allot_next(place, pgs_quads(count, of.patch_stride_w));
        record.draw.vertices = pgs_round_before(vertices, stored.x, of.in_stride_w);
        record.draw.restart_tiles = stored;
        record.draw.gs_invocation_first = 0u;
        made.tessellation.patches = pgs_round_before(own, from, of.patch_stride_w);
        made.tessellation.starts = pgs_allot_next(place, all.starts);
        made.tessellation.tile_sums = pgs_allot_next(place, all.tiles);
        made.tessellation.patch_first = from;
        made.tessellation.patch_count = count;
        if ((of.flags & PGS_DRAW_RESTART) != 0u) {
            record.draw.primitive_list = pgs_allot_next(place, all.primitive_list);
            record.draw.restart_tiles = place;
            pgs_raise_grid(PGS_GRID_RESTART, pgs_tiles_of(pgs_round_vertices[local]));
        }
        pgs_raise_grid(PGS_GRID_VERTEX, pgs_groups_of(stored.y - stored.x, PGS_SHADER_GROUP_EL));
        pgs_raise_grid(PGS_GRID_CONTROL, from + count);
        pgs_raise_grid(PGS_GRID_PATCHES, pgs_tiles_of(patches));
    }
    return fits;
}

#endif
