/* SPDX-License-Identifier: MIT */
#include "gpu/topology_table.h"

#include <string.h>

uint32_t topology_vertices(VkPrimitiveTopology topology)
{
    static const uint8_t vertices[] = {1, 2, 2, 3, 3, 3, 4, 4, 6, 6};
    return vertices[topology];
}

uint32_t topology_primitives(VkPrimitiveTopology topology, uint32_t count)
{
    switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        return count < 2 ? 0 : count - 1;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return count < 3 ? 0 : count - 2;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return count < 4 ? 0 : count - 3;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return count < 4 ? 0 : (count - 4) / 2;
    default:
        return count / topology_vertices(topology);
    }
}

static void strip_adjacency(uint32_t primitives, uint32_t i, uint32_t p[6])
{
    const bool last = i + 1 == primitives, odd = i & 1;
    const uint32_t at = 2 * i;
    const uint32_t far_side = last ? at + 5 : at + 6;
    if (i == 0) {
        const uint32_t first[6] = {0, 1, 2, far_side, 4, 3};
        memcpy(p, first, sizeof(first));
    } else if (odd) {
        const uint32_t middle[6] = {at, at + 3, at + 4, far_side, at + 2, at - 2};
        memcpy(p, middle, sizeof(middle));
    } else {
        const uint32_t middle[6] = {at, at - 2, at + 2, far_side, at + 4, at + 3};
        memcpy(p, middle, sizeof(middle));
    }
}

void topology_primitive(VkPrimitiveTopology topology, uint32_t count, uint32_t i, uint32_t p[6])
{
    const uint32_t vertices = topology_vertices(topology);
    switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        for (uint32_t k = 0; k < vertices; k++)
            p[k] = i + k;
        break;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
        p[0] = i;
        p[1] = i + 1 + (i & 1);
        p[2] = i + 2 - (i & 1);
        break;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        p[0] = i + 1;
        p[1] = i + 2;
        p[2] = 0;
        break;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        strip_adjacency(topology_primitives(topology, count), i, p);
        break;
    default:
        for (uint32_t k = 0; k < vertices; k++)
            p[k] = vertices * i + k;
    }
}

void topology_turn(VkPrimitiveTopology topology, uint32_t i, uint32_t p[6])
{
    const bool odd = i & 1;
    if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN ||
        (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP && odd)) {
        const uint32_t turned[3] = {p[2], p[0], p[1]};
        memcpy(p, turned, sizeof(turned));
    } else if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY && odd) {
        const uint32_t turned[6] = {p[4], p[5], p[0], p[1], p[2], p[3]};
        memcpy(p, turned, sizeof(turned));
    }
}

uint32_t topology_captured(VkPrimitiveTopology topology, uint32_t i, bool provoking_last,
                           uint32_t p[3])
{
    const uint32_t odd = i & 1;
    switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY: {
        const uint32_t step = topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ? 1 : 2;
        p[0] = step * (i + (provoking_last ? odd : 0));
        p[1] = step * (i + (provoking_last ? 1 - odd : 1 + odd));
        p[2] = step * (i + (provoking_last ? 2 : 2 - odd));
        return 3;
    }
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        p[0] = provoking_last ? 0 : i + 1;
        p[1] = provoking_last ? i + 1 : i + 2;
        p[2] = provoking_last ? i + 2 : 0;
        return 3;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        p[0] = (topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ? 4 * i : i) + 1;
        p[1] = p[0] + 1;
        return 2;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
        for (uint32_t k = 0; k < 3; k++)
            p[k] = 6 * i + 2 * k;
        return 3;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        p[0] = i;
        p[1] = i + 1;
        return 2;
    default:
        for (uint32_t k = 0; k < topology_vertices(topology); k++)
            p[k] = topology_vertices(topology) * i + k;
        return topology_vertices(topology);
    }
}
