/* SPDX-License-Identifier: MIT
 *
 * Lists what GS invocations have emitted (poly_gs/pick.h).
 */
#ifndef PGS_PICKED_GLSL
#define PGS_PICKED_GLSL

#include "poly_gs/pick.h"

#include "index.glsl"
#include "topology.glsl"

#define PGS_PICK_LOWEST 0x11111111u /* bit of each vertex */

/* Output primitives of what a GS invocation has emitted: each has a last vertex. */
uint pgs_picked_primitives(const uint emits, const uint kind)
{
    const uint vertices = (emits | emits >> 1 | emits >> 2) & PGS_PICK_LOWEST;
    const uint goes_on = vertices & ~(emits >> 3);
    const uint lines = vertices & goes_on << PGS_PICK_BITS;
    return uint(bitCount(kind == 1u ? vertices : kind == 2u ? lines : lines & lines << PGS_PICK_BITS));
}

/* What all GS invocations have in common. */
struct pgs_picked_words
{
    bool indexed, last;
    uint topology, kind, bound;
};

pgs_picked_words pgs_picked_words_of()
{
    const uint flags = PGS_DRAW.flags;
    return pgs_picked_words((flags & PGS_DRAW_INDEXED) != 0u, (flags & PGS_DRAW_PROVOKING_LAST) != 0u, PGS_DRAW.topology,
                            PGS_DRAW.out_kind, PGS_DRAW.gs_invocation_bound);
}

/* The index of a corner of a primitive. */
uint pgs_picked_index(const pgs_picked_words c, const uint primitive, const uint corner)
{
    const bool ends = primitive + 1u == c.bound;
    const uint position = pgs_topology_vertex(c.topology, primitive, corner, ends, c.last);
    uint index = position;
    if (c.indexed)
        index = pgs_index_at(position);
    return index;
}

/* Lists the primitives. Of a strip's odd triangles two vertices are swapped; the provoking one stays first, or last.
 * Returns the place behind. */
uvec2 pgs_picked_write(const uvec2 indices, const pgs_picked_words c, const uint primitive, const uint emits)
{
    uvec2 place = indices;
    uint strip_el = 0u;
    uint before = 0u;
    uint newest = 0u;
    [[dont_unroll]] for (uint left = emits; left != 0u; left >>= PGS_PICK_BITS) {
        const uint here = pgs_picked_index(c, primitive, (left & (PGS_PICK_END - 1u)) - 1u);
        strip_el++;
        if (strip_el >= c.kind) {
            const bool odd = c.kind == 3u && (strip_el & 1u) == 0u;
            const uint second = odd ? (c.last ? before : here) : newest;
            const uint third = odd && !c.last ? newest : here;
            const uint first = c.kind == 3u ? (odd && c.last ? newest : before) : c.kind == 2u ? second : third;
            pgs_write_near(place, 0u, first);
            if (c.kind >= 2u)
                pgs_write_near(place, 1u, c.kind == 2u ? third : second);
            if (c.kind == 3u)
                pgs_write_near(place, 2u, third);
            place = pgs_add(place, c.kind * 4u);
        }
        before = newest;
        newest = here;
        strip_el = (left & PGS_PICK_END) != 0u ? 0u : strip_el;
    }
    return place;
}

#endif
