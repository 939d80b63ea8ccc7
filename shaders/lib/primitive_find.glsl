/* SPDX-License-Identifier: MIT
 *
 * Finds a primitive of a draw with primitive restart: in primitive_list; or if there was no memory
 * for it, in the tile of positions that completes it; or if there was none for restart_tiles either,
 * among all positions.
 */
#ifndef PGS_PRIMITIVE_FIND_GLSL
#define PGS_PRIMITIVE_FIND_GLSL

#include "index.glsl"
#include "topology.glsl"

/* Words of a pgs_restart_tile: the primitives of segments that ended before the tile, and the length
 * of the one that goes on. */
#define PGS_PF_INNER 2u
#define PGS_PF_TAIL 3u

/* The last tile in front of which there are not more than `number` primitives. */
uint pgs_primitive_find_tile(const uint topology, const uint number)
{
    const uvec2 tiles = PGS_DRAW.restart_tiles;
    uint low = 0u;
    uint high = PGS_DRAW.vertex_count / PGS_TILE_EL + (PGS_DRAW.vertex_count % PGS_TILE_EL != 0u ? 1u : 0u);
    [[dont_unroll]] while (high - low > 1u) {
        const uint middle = low + (high - low) / 2u;
        const uvec4 before = pgs_read4(pgs_mul_add(tiles, middle, 16u));
        const bool begun = before[PGS_PF_INNER] + pgs_topology_primitives(topology, before[PGS_PF_TAIL]) <= number;
        low = begun ? middle : low;
        high = begun ? high : middle;
    }
    return low;
}

/* What restart_emit would have written to primitive_list. */
uvec2 pgs_primitive_search(const uint number)
{
    const uint topology = PGS_DRAW.topology;
    const uint vertices = PGS_DRAW.vertex_count;
    uint position = 0u;
    uint before = 0u; /* primitives of segments that have ended */
    uint length_el = 0u;
    if (PGS_DRAW.restart_tiles != uvec2(0u)) {
        const uint tile = pgs_primitive_find_tile(topology, number);
        const uvec4 in_front = pgs_read4(pgs_mul_add(PGS_DRAW.restart_tiles, tile, 16u));
        position = tile * PGS_TILE_EL;
        before = in_front[PGS_PF_INNER];
        length_el = in_front[PGS_PF_TAIL];
    }
    [[dont_unroll]] for (; position < vertices; position++) {
        const bool restarts = pgs_restarts_at(position);
        const uint complete = pgs_topology_primitives(topology, restarts ? length_el : length_el + 1u);
        if (!restarts && before + complete > number)
            break;
        before += restarts ? complete : 0u;
        length_el = restarts ? 0u : length_el + 1u;
    }
    uint in_segment = number - before;
    /* The next primitive of a strip with adjacency takes two more positions. */
    if (topology == PGS_TRIANGLE_STRIP_ADJACENCY && (pgs_restarts_at(position + 1u) || pgs_restarts_at(position + 2u)))
        in_segment |= PGS_PRIMITIVE_LAST;
    return uvec2(position - length_el, in_segment);
}

/* The segment's first position, and the number of the primitive in it, | PGS_PRIMITIVE_LAST. number:
 * less than the primitives in restart_count. */
uvec2 pgs_primitive_find(const uint number)
{
    const uvec2 list = PGS_DRAW.primitive_list;
    if (list == uvec2(0u))
        return pgs_primitive_search(number);
    const uvec2 entry = pgs_mul_add(list, number, 8u);
    return uvec2(pgs_read(entry), pgs_read(pgs_add(entry, 4u)));
}

#endif
