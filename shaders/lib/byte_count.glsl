/* SPDX-License-Identifier: MIT
 *
 * vkCmdDrawIndirectByteCountEXT: vertices and primitives from a counter.
 */
#ifndef PGS_BYTE_COUNT_GLSL
#define PGS_BYTE_COUNT_GLSL

#include "poly_gs/xfb.h"
#include "address.glsl"
#include "topology.glsl"

uint pgs_byte_count_vertices(const uint counter_B, const uint offset_B, const uint stride_B)
{
    return counter_B > offset_B ? (counter_B - offset_B) / max(stride_B, 1u) : 0u;
}

/* Primitives per instance of a draw whose capture has the counter. */
uint pgs_byte_count_primitives(const pgs_byte_count count, const uint topology)
{
    const uint vertices = pgs_byte_count_vertices(pgs_read(count.counter), count.offset_B, count.stride_B);
    return pgs_topology_primitives(topology, min(vertices, count.most_el));
}

#endif
