/* SPDX-License-Identifier: MIT
 *
 * Which vertices make which primitive: the equations of the ten topologies that a geometry shader can follow.
 * Compiles as C too.
 */
#ifndef PGS_TOPOLOGY_GLSL
#define PGS_TOPOLOGY_GLSL

#include "portable.glsl"

/* Values of VkPrimitiveTopology. */
#define PGS_POINT_LIST 0u
#define PGS_LINE_LIST 1u
#define PGS_LINE_STRIP 2u
#define PGS_TRIANGLE_LIST 3u
#define PGS_TRIANGLE_STRIP 4u
#define PGS_TRIANGLE_FAN 5u
#define PGS_LINE_LIST_ADJACENCY 6u
#define PGS_LINE_STRIP_ADJACENCY 7u
#define PGS_TRIANGLE_LIST_ADJACENCY 8u
#define PGS_TRIANGLE_STRIP_ADJACENCY 9u
#define PGS_PATCH_LIST 10u /* | vertices of a patch << PGS_PATCH_VERTICES_LOG2 */

/* Complete primitives of a run of count vertices. */
PGS_PURE pgs_u32 pgs_topology_primitives(const pgs_u32 topology, const pgs_u32 count)
{
    if (topology >> PGS_PATCH_VERTICES_LOG2 != 0u)
        return count / (topology >> PGS_PATCH_VERTICES_LOG2);
    switch (topology) {
    case PGS_POINT_LIST:
        return count;
    case PGS_LINE_LIST:
        return count / 2u;
    case PGS_LINE_STRIP:
        return count < 2u ? 0u : count - 1u;
    case PGS_TRIANGLE_LIST:
        return count / 3u;
    case PGS_TRIANGLE_STRIP:
    case PGS_TRIANGLE_FAN:
        return count < 3u ? 0u : count - 2u;
    case PGS_LINE_LIST_ADJACENCY:
        return count / 4u;
    case PGS_LINE_STRIP_ADJACENCY:
        return count < 4u ? 0u : count - 3u;
    case PGS_TRIANGLE_LIST_ADJACENCY:
        return count / 6u;
    case PGS_TRIANGLE_STRIP_ADJACENCY:
        return count < 6u ? 0u : (count - 4u) / 2u;
    }
    return 0u;
}

/* Input k of triangle i of a strip with adjacency. Even k are the triangle, odd k its neighbours; the first and the
 * last triangle have an outer neighbour where the others have the strip. */
PGS_PURE pgs_u32 pgs_topology_strip_adjacency(const pgs_u32 i, const pgs_u32 k, const bool last)
{
    const pgs_u32 base = 2u * i;
    const bool odd = (i & 1u) != 0u;
    /* The neighbour across the edge to the previous triangle, to the next one, and at the strip's outer side. */
    const pgs_u32 previous = i == 0u ? 1u : base - 2u;
    const pgs_u32 next = last ? base + 5u : base + 6u;
    const pgs_u32 outer = base + 3u;
    switch (k) {
    case 0u:
        return base;
    case 1u:
        return odd ? outer : previous;
    case 2u:
        return odd ? base + 4u : base + 2u;
    case 3u:
        return next;
    case 4u:
        return odd ? base + 2u : base + 4u;
    }
    return odd ? previous : outer;
}

/* The vertex, counted from the begin of its run, that is input k of primitive i. last: i is the last primitive of
 * the run (only strips with adjacency ask). */
PGS_PURE pgs_u32 pgs_topology_vertex(const pgs_u32 topology, const pgs_u32 i, const pgs_u32 k,
                                     const bool last)
{
    switch (topology) {
    case PGS_LINE_LIST:
        return 2u * i + k;
    case PGS_TRIANGLE_LIST:
        return 3u * i + k;
    case PGS_TRIANGLE_STRIP:
        /* Odd triangles: 0, 2, 1. */
        return i + (k == 0u ? 0u : ((k - 1u) ^ (i & 1u)) + 1u);
    case PGS_TRIANGLE_FAN:
        return k == 2u ? 0u : i + k + 1u;
    case PGS_LINE_LIST_ADJACENCY:
        return 4u * i + k;
    case PGS_TRIANGLE_LIST_ADJACENCY:
        return 6u * i + k;
    case PGS_TRIANGLE_STRIP_ADJACENCY:
        return pgs_topology_strip_adjacency(i, k, last);
    }
    /* Points and the strips whose primitives are a sliding window. */
    return i + k;
}

/* Which input of primitive i is vertex k of what a rasterizer draws of it: neighbours are left out, and the provoking
 * vertex comes first, or last. Inputs have it first; triangles are turned where it does not come last by itself. */
PGS_PURE pgs_u32 pgs_topology_main(const pgs_u32 topology, const pgs_u32 i, const pgs_u32 k,
                                   const bool provoking_last)
{
    const bool strip = topology == PGS_TRIANGLE_STRIP || topology == PGS_TRIANGLE_STRIP_ADJACENCY;
    const bool turned =
        provoking_last && (topology == PGS_TRIANGLE_FAN || (strip && (i & 1u) != 0u));
    const pgs_u32 corner = !turned ? k : k == 0u ? 2u : k - 1u;
    switch (topology) {
    case PGS_LINE_LIST_ADJACENCY:
    case PGS_LINE_STRIP_ADJACENCY:
        return corner + 1u;
    case PGS_TRIANGLE_LIST_ADJACENCY:
    case PGS_TRIANGLE_STRIP_ADJACENCY:
        return corner * 2u;
    }
    return corner;
}

#endif
