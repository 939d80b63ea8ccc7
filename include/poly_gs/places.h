/* SPDX-License-Identifier: MIT
 *
 * Flags of draw records for the places of stored vertices within the slots of their GS invocations,
 * where many are stored (shaders/lib/out_vertices.glsl). For C and GLSL.
 */
#ifndef PGS_PLACES_H
#define PGS_PLACES_H

/* Vertices of the same number of a few GS invocations lie beside each other in out_vertices, so
 * that what these store at once does. */
#define PGS_DRAW_SPREAD 0x2000000u

/* With planes and PGS_DRAW_HOLDS (planes.h), of shaders that draw one strip at most: strips that are
 * drawn lie without gaps from the first slot of their workgroup on. Where is in the higher half of
 * their word of strip_ends, whose vertices are few. */
#define PGS_DRAW_GATHERED 0x4000000u
#define PGS_GATHERED_EL 5u /* that many vertices cannot be two triangle strips */

#endif
