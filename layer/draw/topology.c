/* SPDX-License-Identifier: MIT */
#include "draw/topology.h"

#include <stdbool.h>

static uint32_t beyond(uint32_t count, uint32_t used)
{
    return count > used ? count - used : 0;
}

uint32_t pgs_input_primitives(VkPrimitiveTopology topology, uint32_t count)
{
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return count;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
        return count / 2;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        return beyond(count, 1);
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
        return count / 3;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return beyond(count, 2);
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
        return count / 4;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return beyond(count, 3);
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
        return count / 6;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return beyond(count, 4) / 2;
    default:
        return 0;
    }
}

uint32_t pgs_input_vertices(VkPrimitiveTopology topology)
{
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return 1;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        return 2;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return 3;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return 4;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return 6;
    default:
        return 0;
    }
}

uint32_t pgs_main_vertices(VkPrimitiveTopology topology)
{
    const uint32_t vertices = pgs_input_vertices(topology);
    return vertices > 3 ? vertices == 4 ? 2 : 3 : vertices;
}

/* Positions from one primitive to the next. */
static uint32_t step_of(VkPrimitiveTopology topology)
{
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return 1;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return 2;
    default:
        return pgs_input_vertices(topology);
    }
}

struct pgs_positions pgs_primitive_positions(VkPrimitiveTopology topology, uint32_t vertices,
                                             uint32_t first, uint32_t last)
{
    const uint32_t step = step_of(topology);
    /* Triangles of that strip also see the last pair and the next one. */
    const bool sees_pairs = topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
    const uint64_t end = (uint64_t)last * step + pgs_input_vertices(topology) + sees_pairs;
    struct pgs_positions positions = {
        .begin = first * step - (sees_pairs && first ? 2 : 0),
        .end = end < vertices ? (uint32_t)end : vertices,
    };
    if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)
        positions.begin = 0;
    return positions;
}
