/* SPDX-License-Identifier: MIT
 *
 * Which vertices form which primitive: the equations of the ten topologies in front of a geometry
 * shader. Pure arithmetic, compiles as C, too.
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

/* Three bits for each topology, from the lowest: the vertices from one primitive to the next, and
 * those that the first primitive has beside them. Triangle strips with adjacency have six vertices
 * at first, of which the division drops up to one pair. */
#define PGS_TOPOLOGY_BITS(t, bits) (bits << (3u * t))
#define PGS_TOPOLOGY_STEPS                                                                                             \
    (PGS_TOPOLOGY_BITS(PGS_POINT_LIST, 1u) | PGS_TOPOLOGY_BITS(PGS_LINE_LIST, 2u) |                                    \
     PGS_TOPOLOGY_BITS(PGS_LINE_STRIP, 1u) | PGS_TOPOLOGY_BITS(PGS_TRIANGLE_LIST, 3u) |                                \
     PGS_TOPOLOGY_BITS(PGS_TRIANGLE_STRIP, 1u) | PGS_TOPOLOGY_BITS(PGS_TRIANGLE_FAN, 1u) |                             \
     PGS_TOPOLOGY_BITS(PGS_LINE_LIST_ADJACENCY, 4u) | PGS_TOPOLOGY_BITS(PGS_LINE_STRIP_ADJACENCY, 1u) |                \
     PGS_TOPOLOGY_BITS(PGS_TRIANGLE_LIST_ADJACENCY, 6u) | PGS_TOPOLOGY_BITS(PGS_TRIANGLE_STRIP_ADJACENCY, 2u))
#define PGS_TOPOLOGY_FIRST                                                                                             \
    (PGS_TOPOLOGY_BITS(PGS_LINE_STRIP, 1u) | PGS_TOPOLOGY_BITS(PGS_TRIANGLE_STRIP, 2u) |                               \
     PGS_TOPOLOGY_BITS(PGS_TRIANGLE_FAN, 2u) | PGS_TOPOLOGY_BITS(PGS_LINE_STRIP_ADJACENCY, 3u) |                       \
     PGS_TOPOLOGY_BITS(PGS_TRIANGLE_STRIP_ADJACENCY, 4u))

/* Complete primitives of `count` vertices without a restart. */
PGS_PURE pgs_u32 pgs_topology_primitives(const pgs_u32 topology, const pgs_u32 count)
{
    const pgs_u32 of_patch = topology >> PGS_PATCH_VERTICES_LOG2;
    const pgs_u32 shift = 3u * (topology & 15u) & 31u;
    const pgs_u32 step = of_patch != 0u ? of_patch : PGS_TOPOLOGY_STEPS >> shift & 7u;
    const pgs_u32 first = of_patch != 0u ? 0u : PGS_TOPOLOGY_FIRST >> shift & 7u;
    return step != 0u && count > first ? (count - first) / step : 0u;
}

/* Vertex k of triangle i of a strip with adjacency. Even k are the triangle, odd k its adjacent
 * vertices. For the first and the last triangle one of these is a vertex of its own instead of one
 * of the strip. */
PGS_PURE pgs_u32 pgs_topology_strip_adjacency(const pgs_u32 i, const pgs_u32 k, const bool last)
{
    const pgs_u32 base = 2u * i;
    const bool odd = (i & 1u) != 0u;
    /* Adjacent vertices: across the edge to the previous triangle, to the next one, and outside the
     * strip. */
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

/* Order of the inputs of a primitive. Hexadecimal digit k, from the lowest, is the position of
 * input k in the tables of the specification ("Primitive Topologies"), which begin with the
 * provoking vertex. */
#define PGS_ORDER_OF_TABLE 0x543210u
#define PGS_ORDER_TURNED 0x102u
#define PGS_ORDER_TURNED_ADJACENCY 0x321054u

/* With a last provoking vertex, triangles are rotated so that it comes last among the vertices that
 * are not adjacent ones. Transform feedback and VK_KHR_fragment_shader_barycentric require that.
 * Geometry shaders may see any rotation; this is the one of OpenGL and of drivers. */
PGS_PURE pgs_u32 pgs_topology_order(const pgs_u32 topology, const pgs_u32 i, const bool provoking_last)
{
    const bool odd = (i & 1u) != 0u;
    if ((topology == PGS_TRIANGLE_FAN || (topology == PGS_TRIANGLE_STRIP && odd)) && provoking_last)
        return PGS_ORDER_TURNED;
    if (topology == PGS_TRIANGLE_STRIP_ADJACENCY && odd && provoking_last)
        return PGS_ORDER_TURNED_ADJACENCY;
    return PGS_ORDER_OF_TABLE;
}

/* The vertex at position k of primitive i in the tables, counted from the start of the segment.
 * last: i is the last primitive of the segment (used by strips with adjacency only). */
PGS_PURE pgs_u32 pgs_topology_in_table(const pgs_u32 topology, const pgs_u32 i, const pgs_u32 k,
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
    /* Points, and strips whose primitives are a sliding window. */
    return i + k;
}

/* The vertex at input k of primitive i, counted from the start of the segment. */
PGS_PURE pgs_u32 pgs_topology_vertex(const pgs_u32 topology, const pgs_u32 i, const pgs_u32 k,
                                     const bool last, const bool provoking_last)
{
    const pgs_u32 order = pgs_topology_order(topology, i, provoking_last);
    const pgs_u32 place = order == PGS_ORDER_OF_TABLE ? k : (order >> (4u * k)) & 15u;
    return pgs_topology_in_table(topology, i, place, last);
}

/* The input that is vertex k of the primitive without its adjacent vertices. */
PGS_PURE pgs_u32 pgs_topology_main(const pgs_u32 topology, const pgs_u32 k)
{
    switch (topology) {
    case PGS_LINE_LIST_ADJACENCY:
    case PGS_LINE_STRIP_ADJACENCY:
        return k + 1u;
    case PGS_TRIANGLE_LIST_ADJACENCY:
    case PGS_TRIANGLE_STRIP_ADJACENCY:
        return k * 2u;
    }
    return k;
}

/* Vertices of a primitive without its adjacent vertices. No patches. */
PGS_PURE pgs_u32 pgs_topology_main_vertices(const pgs_u32 topology)
{
    switch (topology) {
    case PGS_POINT_LIST:
        return 1u;
    case PGS_LINE_LIST:
    case PGS_LINE_STRIP:
    case PGS_LINE_LIST_ADJACENCY:
    case PGS_LINE_STRIP_ADJACENCY:
        return 2u;
    }
    return 3u;
}

#endif
