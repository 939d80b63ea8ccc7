/* SPDX-License-Identifier: MIT
 *
 * How input assembly counts (Vulkan specification, "Primitive Topologies"): the CPU's half, pure.
 * The other one is shaders/lib/topology.glsl.
 */
#ifndef PGS_DRAW_TOPOLOGY_H
#define PGS_DRAW_TOPOLOGY_H

#include <vulkan/vulkan_core.h>

/* Complete primitives of `count` vertices without restart. With restart this is an upper bound:
 * cutting a run never makes more of it. 0 for patch lists and unknown topologies. */
uint32_t pgs_input_primitives(VkPrimitiveTopology topology, uint32_t count);

/* Vertices that a geometry shader sees of one primitive; 0 for patch lists and unknown topologies.
 */
uint32_t pgs_input_vertices(VkPrimitiveTopology topology);

/* The same without the vertices of neighbours. */
uint32_t pgs_main_vertices(VkPrimitiveTopology topology);

#endif
