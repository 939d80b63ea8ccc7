/* SPDX-License-Identifier: MIT
 *
 * A hash of bytes for tables that compare their keys as well. It resists no attacker.
 */
#ifndef PGS_BASE_HASH_H
#define PGS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of size_B bytes, which goes on from `seed`, the hash of what came before or 0. bytes may
 * be NULL if size_B is 0. Depends on the byte order of the machine. Thread-safe. */
uint64_t pgs_hash(const void *bytes, size_t size_B, uint64_t seed);

#endif
