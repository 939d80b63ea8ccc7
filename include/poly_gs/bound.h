/* SPDX-License-Identifier: MIT
 *
 * Buffers that compute shaders reach by descriptors of the layer's own, in a set behind those of the
 * application: where a driver takes longer for what lies at an address (shaders/lib/bound.glsl). For C
 * and GLSL.
 */
#ifndef PGS_BOUND_H
#define PGS_BOUND_H

/* Bindings of the set, all of words. */
#define PGS_BOUND_ATTRIBUTES 0
#define PGS_BOUND_INDICES 1
#define PGS_BOUND_VERTICES 2 /* what is stored */
#define PGS_BOUND_BUFFERS 3

/* The number of the set in libraries, in place of which shaders have that of their pipeline's. */
#define PGS_BOUND_SET 62

/* Push constants behind those of digits.h: the low word of the address where each begins. */
#define PGS_BOUND_BASES_B (PGS_BOUND_BUFFERS * 4)

#endif
