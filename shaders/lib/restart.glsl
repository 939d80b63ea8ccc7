/* SPDX-License-Identifier: MIT
 *
 * How restart indices divide a draw into segments, as a reduction over ranges of positions: the
 * summaries of two adjacent ranges combine to that of both. Pure arithmetic, compiles as C, too.
 * For the restart kernels.
 */
#ifndef PGS_RESTART_GLSL
#define PGS_RESTART_GLSL

#include "topology.glsl"

#ifdef PGS_GLSL
#define PGS_RESTART_TILE pgs_restart_tile
#else
#define PGS_RESTART_TILE struct pgs_restart_tile
#endif

/* Summary of one position. restarts: it has a restart index. The summary before position 0 is that of a
 * restart. */
PGS_PURE PGS_RESTART_TILE pgs_restart_of_position(const bool restarts)
{
    PGS_RESTART_TILE one;
    one.restarts = restarts ? 1u : 0u;
    one.head_el = restarts ? 0u : 1u;
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
