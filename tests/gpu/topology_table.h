/* SPDX-License-Identifier: MIT
 *
 * Which vertices make which input primitive of a geometry shader: the table of the specification
 * ("Primitive Topologies" and "Geometry Shader Input Primitives"), for one segment between
 * restarts.
 */
#ifndef PGS_TESTS_GPU_TOPOLOGY_TABLE_H
#define PGS_TESTS_GPU_TOPOLOGY_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

/* Vertices of one input primitive: 1 to 6. */
uint32_t topology_vertices(VkPrimitiveTopology topology);
/* Primitives of a segment of `count` vertices. */
uint32_t topology_primitives(VkPrimitiveTopology topology, uint32_t count);
/* Positions in the segment of primitive i, in the order in which a geometry shader sees them while
 * the first vertex is the provoking one. */
void topology_primitive(VkPrimitiveTopology topology, uint32_t count, uint32_t i,
                        uint32_t positions[6]);
/* Puts them in the order in which it sees them while the last vertex is. The specification leaves
 * that open, up to the winding; this is the order of OpenGL and of every Mesa driver: the provoking
 * vertex comes last among those that are drawn. */
void topology_turn(VkPrimitiveTopology topology, uint32_t i, uint32_t positions[6]);

/* Positions in the segment of the vertices that transform feedback captures of primitive i, in the
 * order of a provoking vertex that comes first or last. Returns their number. */
uint32_t topology_captured(VkPrimitiveTopology topology, uint32_t i, bool provoking_last,
                           uint32_t positions[3]);

#endif
