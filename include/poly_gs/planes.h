/* SPDX-License-Identifier: MIT
 *
 * Flags of draw records for the planes of the clip volume: the geometry stage leaves out strips of
 * triangles of which all vertices lie behind the same one of those that are set. For C and GLSL.
 */
#ifndef PGS_PLANES_H
#define PGS_PLANES_H

#define PGS_DRAW_PLANES_LOG2 16u
#define PGS_DRAW_PLANE_LEFT 0x10000u   /* x < -w */
#define PGS_DRAW_PLANE_RIGHT 0x20000u  /* x > w */
#define PGS_DRAW_PLANE_TOP 0x40000u    /* y < -w */
#define PGS_DRAW_PLANE_BOTTOM 0x80000u /* y > w */
#define PGS_DRAW_PLANE_FAR 0x100000u   /* z > w */
#define PGS_DRAW_PLANE_NEAR 0x200000u  /* z < 0 */
#define PGS_DRAW_PLANE_BEGIN 0x400000u /* z < -w, in place of it with VK_EXT_depth_clip_control */
#define PGS_DRAW_PLANES_SIDES 0xF0000u
#define PGS_DRAW_PLANES 0x7F0000u

/* Of geometry stages, never of records: no strip has more than PGS_HELD_EL vertices, and they are stored
 * when it ends, unless it is left out. A vertex has no more quads than these in each array. */
#define PGS_DRAW_HOLDS 0x800000u
#define PGS_HELD_EL 4u
#define PGS_HELD_QUADS 4u

#endif
