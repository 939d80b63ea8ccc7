/* SPDX-License-Identifier: MIT
 *
 * Primitives of input assembly (Vulkan specification, "Primitive Topologies"). Pure.
 * shaders/lib/topology.glsl does the same on the GPU.
 */
#ifndef PGS_DRAW_TOPOLOGY_H
#define PGS_DRAW_TOPOLOGY_H

#include <vulkan/vulkan_core.h>

/* Complete primitives of `count` vertices without restart, which is an upper bound with restart,
 * since a restart never adds primitives. 0 for patch lists and unknown topologies. */
uint32_t pgs_input_primitives(VkPrimitiveTopology topology, uint32_t count);

/* Vertices of one primitive that a geometry shader sees; 0 for patch lists and unknown
 * topologies. */
uint32_t pgs_input_vertices(VkPrimitiveTopology topology);

/* Like pgs_input_vertices, without adjacent vertices. */
uint32_t pgs_main_vertices(VkPrimitiveTopology topology);

/* Positions in a draw: the first one, and one behind the last. */
struct pgs_positions {
    uint32_t begin, end;
};

/* The positions of an instance of `vertices` that its primitives from `first` to `last` read,
 * without restart. Not for patch lists and unknown topologies. */
struct pgs_positions pgs_primitive_positions(VkPrimitiveTopology topology, uint32_t vertices,
                                             uint32_t first, uint32_t last);

#endif
