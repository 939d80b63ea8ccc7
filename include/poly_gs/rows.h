/* SPDX-License-Identifier: MIT
 *
 * Kernels of CPUs, of which an invocation goes through a row of a tile (shaders/lib/rows.glsl). For
 * C and GLSL.
 */
#ifndef PGS_ROWS_H
#define PGS_ROWS_H

#define PGS_TILE_ROWS 8 /* invocations of a workgroup, which makes a tile */

#endif
