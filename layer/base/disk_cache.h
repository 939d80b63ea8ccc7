/* SPDX-License-Identifier: MIT
 *
 * A folder of values that are costly to compute, each found by the bytes that it was computed from.
 * An entry holds these bytes and is read only if they are equal, so neither a collision of hashes
 * nor a damaged, truncated or foreign file gives a wrong value: it is a miss.
 *
 * Processes may share a folder. Files appear complete or not at all (rename), and when the folder
 * grows beyond its limit, those that were not used for longest are removed.
 */
#ifndef PGS_BASE_DISK_CACHE_H
#define PGS_BASE_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgs_disk_cache;

/* Opens the folder, and makes it and its parents if they are not there (mode 0700). limit_B: of all
 * files together; several processes may exceed it by what they write at once. NULL, with a line in
 * the log: the folder cannot be used, belongs to somebody else, or others may write to it. */
struct pgs_disk_cache *pgs_disk_cache_open(const char *folder, uint64_t limit_B);

/* cache may be NULL. */
void pgs_disk_cache_close(struct pgs_disk_cache *cache);

/* Reads the value of a key. The caller frees *value with pgs_free. False: there is none. cache may
 * be NULL. Thread-safe. */
bool pgs_disk_cache_read(struct pgs_disk_cache *cache, const void *key, size_t key_B, void **value,
                         size_t *value_B);

/* Stores a value. Failure is no error: the value is computed again next time. cache may be NULL.
 * Thread-safe. */
void pgs_disk_cache_write(struct pgs_disk_cache *cache, const void *key, size_t key_B,
                          const void *value, size_t value_B);

#endif
