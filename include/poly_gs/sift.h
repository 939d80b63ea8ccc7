/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders of one vertex, drawn by the application's own draw: compute shaders sift the
 * strips, and list for each strip's number the primitives of which that strip may be seen. For C and
 * GLSL.
 *
 * One invocation of the first shader, which the layer makes of the vertex and the geometry shader,
 * is one primitive. Its record has these members of its own:
 * - max_vertices: strips of a primitive.
 * - gs_invocation_bound: primitives. There is one instance.
 * - counts: [primitives], bit s is set if strip s may be seen.
 * - tile_sums: [strips][groups of PGS_SHADER_GROUP_EL primitives], strips that may be seen, and after
 *   sift_scan those of all groups in front.
 * - indices: [strips][3 * primitives], of triangles in the application's order.
 * - draw_args: [strips] VkDrawIndexedIndirectCommand.
 */
#ifndef PGS_SIFT_H
#define PGS_SIFT_H

/* Strips of a primitive: more are drawn as they are. */
#define PGS_SIFT_STRIPS 32u

/* Groups of primitives, which are counted together. */
#define PGS_SIFT_GROUPS(primitives) (((primitives) + PGS_SHADER_GROUP_EL - 1u) / PGS_SHADER_GROUP_EL)

/* A vertex counts as outside of a plane if it is farther away than this part of its coordinates: the
 * shader that draws may be compiled otherwise, and round otherwise. */
#define PGS_SIFT_MARGIN 0.0009765625

#endif
