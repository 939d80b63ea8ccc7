/* SPDX-License-Identifier: MIT
 *
 * Maps from a 64-bit key (a handle) to a pointer that is not NULL. pgs_table has a single owner.
 * pgs_map is split into shards with a read-write lock each, for tables that all threads share.
 */
#ifndef PGS_BASE_MAP_H
#define PGS_BASE_MAP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*pgs_map_visit)(uint64_t key, void *value, void *context);

struct pgs_table_slot {
    uint64_t key;
    void *value; /* NULL: free */
};

/* Open addressing, linear probing, at most 3/4 full. Zero-initialised is a valid empty table; an
 * empty table owns no memory. Not thread-safe. */
struct pgs_table {
    struct pgs_table_slot *slots;
    size_t count, capacity; /* capacity: 0 or a power of two */
};

/* Calls visit, unless NULL, for every pair that is left. */
void pgs_table_finish(struct pgs_table *table, pgs_map_visit visit, void *context);

/* Replaces the value of an existing key. False: out of memory, nothing changed. */
bool pgs_table_insert(struct pgs_table *table, uint64_t key, void *value);
void *pgs_table_find(const struct pgs_table *table, uint64_t key);

/* Returns the removed value, or NULL. */
void *pgs_table_remove(struct pgs_table *table, uint64_t key);

/* In any order. visit must not change the table. */
void pgs_table_each(const struct pgs_table *table, pgs_map_visit visit, void *context);

#define PGS_MAP_SHARDS_LOG2 4

struct pgs_map_shard {
    pthread_rwlock_t lock;
    /* Another one whenever a value is replaced or removed, or added after somebody looked for one
     * in vain (missed); no two shards of the process ever have the same one. */
    _Atomic uint64_t generation;
    _Atomic bool missed;
    struct pgs_table table;
};

struct pgs_map {
    struct pgs_map_shard shards[1 << PGS_MAP_SHARDS_LOG2];
};

/* False: the system has no more locks. */
bool pgs_map_init(struct pgs_map *map);

/* Like pgs_table_finish. No other thread may use the map any more. */
void pgs_map_finish(struct pgs_map *map, pgs_map_visit visit, void *context);

/* Like the pgs_table_ functions, but thread-safe. The map does not keep the values alive. A thread
 * finds again what it found last without a lock: locked instructions wait until all that was
 * written to device memory has got there. */
bool pgs_map_insert(struct pgs_map *map, uint64_t key, void *value);
void *pgs_map_find(struct pgs_map *map, uint64_t key);
void *pgs_map_remove(struct pgs_map *map, uint64_t key);

/* visit runs under the read lock of a shard, so it must not use the map or call the driver. */
void pgs_map_each(struct pgs_map *map, pgs_map_visit visit, void *context);

#endif
