/* SPDX-License-Identifier: MIT
 *
 * How restart indices divide the positions of a draw into runs, as a sum over ranges of positions: the summaries
 * of two neighbouring ranges give that of both. Pure, compiles as C too; a summary is (cuts, head_el,
 * inner_primitives, tail_el) of struct pgs_restart_tile, combined field by field.
 */
#ifndef PGS_RESTART_GLSL
#define PGS_RESTART_GLSL

#include "topology.glsl"

#ifdef PGS_GLSL
#define PGS_RESTART_TILE pgs_restart_tile
#else
#define PGS_RESTART_TILE struct pgs_restart_tile
#endif

/* What comes before the first position, where the draw begins as after a cut, is pgs_restart_of_position(true). */
PGS_PURE PGS_RESTART_TILE pgs_restart_of_position(const bool cut)
{
    PGS_RESTART_TILE one;
    one.restarts = cut ? 1u : 0u;
    one.head_el = cut ? 0u : 1u;
    one.inner_primitives = 0u;
    one.tail_el = 0u;
    return one;
}

PGS_PURE PGS_RESTART_TILE pgs_restart_combine(const pgs_u32 topology, const PGS_RESTART_TILE a,
                                              const PGS_RESTART_TILE b)
{
    PGS_RESTART_TILE sum;
    sum.restarts = a.restarts + b.restarts;
    sum.head_el = a.restarts != 0u ? a.head_el : a.head_el + b.head_el;
    sum.tail_el = b.restarts != 0u ? b.tail_el : a.restarts != 0u ? a.tail_el + b.head_el : 0u;
    sum.inner_primitives = a.inner_primitives + b.inner_primitives;
    if (a.restarts != 0u && b.restarts != 0u)
        sum.inner_primitives += pgs_topology_primitives(topology, a.tail_el + b.head_el);
    return sum;
}

#endif
