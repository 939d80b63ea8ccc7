/* SPDX-License-Identifier: MIT
 *
 * What tells one build of the layer from another.
 */
#ifndef PGS_BASE_BUILD_ID_H
#define PGS_BASE_BUILD_ID_H

#include <stddef.h>

#define PGS_BUILD_ID_MAX_B 32

/* Copies the id that the linker wrote into the library (a note, `ld --build-id`), and returns its
 * size. 0: it has none. Thread-safe. */
size_t pgs_build_id(unsigned char id[PGS_BUILD_ID_MAX_B]);

#endif
