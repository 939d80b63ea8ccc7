/* SPDX-License-Identifier: MIT
 *
 * What compute shaders on CPUs have as push constants behind struct pgs_root: n in the place n, for
 * each hexadecimal digit of a number that has to be made of push constants (shaders/lib/record.glsl).
 * For C and GLSL.
 */
#ifndef PGS_DIGITS_H
#define PGS_DIGITS_H

#define PGS_ROOT_DIGITS 16
#define PGS_ROOT_DIGITS_B (PGS_ROOT_DIGITS * 4)

#endif
