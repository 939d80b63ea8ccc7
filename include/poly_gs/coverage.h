/* SPDX-License-Identifier: MIT
 *
 * Flags of draw records for triangles that draw nothing though they lie in the clip volume: the
 * geometry stage leaves out strips that wait (PGS_DRAW_HOLDS, planes.h) if all their triangles
 * cover no sample or face away. Pixels have one sample, in their middle. For C and GLSL.
 */
#ifndef PGS_COVERAGE_H
#define PGS_COVERAGE_H

/* Of geometry stages: they look for such triangles. Of records: pgs_draw_record.polygons has half
 * the width and half the height of the viewport in pixels, as floats above 0. The viewport begins
 * between two pixels. */
#define PGS_DRAW_COVERAGE 0x8000000u

/* In place of it where strips do not wait: they are cut. A second plane of strip_ends says which
 * triangles are drawn: bit n stands for the one that ends with vertex n. Vertices of no such
 * triangle are not listed. A strip goes on only at a vertex with an even number in it, so that
 * triangles keep turning alike: where the second one of a pair is drawn, so is the first one. */
#define PGS_DRAW_CUTS 0x80000000u

/* With either, of records: triangles are culled that are clockwise, and those that are not, where x
 * grows to the right and y, as the height above 0 says, downward. */
#define PGS_DRAW_CULLS_CLOCKWISE 0x10000000u
#define PGS_DRAW_CULLS_COUNTER_CLOCKWISE 0x20000000u

/* Larger viewports have no such draws: a float tells their pixels apart by less than the margin. */
#define PGS_COVERAGE_MOST_PX 16384

/* Strips with a w beyond these are drawn. */
#define PGS_COVERAGE_LEAST_W 1e-30
#define PGS_COVERAGE_MOST_W 1e30

#endif
