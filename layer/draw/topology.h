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

#endif
