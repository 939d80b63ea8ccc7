/* SPDX-License-Identifier: MIT
 *
 * vkCmdDrawIndirectByteCountEXT: vertices and primitives from a counter.
 */
#ifndef PGS_BYTE_COUNT_GLSL
#define PGS_BYTE_COUNT_GLSL

#include "poly_gs/xfb.h"
#include "record.glsl"
#include "topology.glsl"

uint pgs_byte_count_vertices(const uint counter_B, const uint offset_B, const uint stride_B)
{
    return counter_B > offset_B ? (counter_B - offset_B) / max(stride_B, 1u) : 0u;
}

/* Primitives per instance of a draw whose record has primitive_count and whose capture has `count`. */
uint pgs_byte_count_primitives(const pgs_byte_count count, const uint topology, const uint primitive_count)
{
    const uint counter_B = pgs_read_readable(count.counter);
    uint primitives = primitive_count;
    if (count.counter != uvec2(0u)) {
        const uint vertices = pgs_byte_count_vertices(counter_B, count.offset_B, count.stride_B);
        primitives = pgs_topology_primitives(topology, min(vertices, count.most_el));
    }
    return primitives;
}

#endif
