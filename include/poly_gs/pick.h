/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that pick vertices, drawn with the application's own vertices: a compute shader
 * finds out which ones are emitted, and a kernel lists their indices. For C and GLSL.
 *
 * One invocation of the shader, which the layer makes of the vertex and the geometry shader, is one
 * primitive. Its record has these members of its own:
 * - gs_invocation_bound: primitives. There is one instance.
 * - counts: [primitives], what is emitted: PGS_PICK_BITS for each vertex, from the lowest on, 0
 *   behind the last one; else its corner + 1, with PGS_PICK_END if it ends its strip.
 * - tile_sums: [groups of PGS_SHADER_GROUP_EL primitives], output primitives, and after pick_scan
 *   those of all groups in front.
 * - indices: [primitives][most output primitives of one][out_kind], of points, lines or triangles in
 *   the application's order, with nothing in between.
 * - packed_vertices: slices (slices.h), or 0 for one draw.
 * - draw_args: [slices] VkDrawIndexedIndirectCommand.
 */
#ifndef PGS_PICK_H
#define PGS_PICK_H

/* Vertices that an invocation may emit, and that a primitive may have: they fit in one word. */
#define PGS_PICK_VERTICES 8u
#define PGS_PICK_CORNERS 6u
#define PGS_PICK_BITS 4u
#define PGS_PICK_END 8u

/* Groups of primitives, which are counted together. */
#define PGS_PICK_GROUPS(primitives) (((primitives) + PGS_SHADER_GROUP_EL - 1u) / PGS_SHADER_GROUP_EL)

#endif
