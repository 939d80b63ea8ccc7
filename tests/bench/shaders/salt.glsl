/* SPDX-License-Identifier: MIT
 * SALT is a constant too small to be seen. pgs-bench changes it in the compiled shader, so that no cache knows the
 * shader from an earlier run. */
#ifdef SALT
#define SALTED(color) ((color) + SALT)
#else
#define SALTED(color) (color)
#endif
