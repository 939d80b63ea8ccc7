/* SPDX-License-Identifier: MIT
 *
 * Maps from a 64-bit key (a handle) to a pointer that is not NULL. pgs_table has a single owner.
 * pgs_map is split into shards with a lock each, for tables that all threads share; who only looks
 * something up takes no lock.
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
    _Atomic uint64_t key;
    _Atomic(void *) value; /* NULL: free */
};

/* The slots that a table has at a time. */
struct pgs_table_slots {
    _Alignas(struct pgs_table_slot) struct pgs_table_slot *at; /* may lie right behind this */
    size_t capacity;                                           /* a power of two */
    struct pgs_table_slots *former; /* half as many, that others may still look at */
};

/* Open addressing, linear probing, at most 3/4 full. Zero-initialised is a valid empty table; an
 * empty table owns no memory, unless it is shared. Not thread-safe. */
struct pgs_table {
    size_t count;
    _Atomic(struct pgs_table_slots *) slots; /* NULL: none yet */
    struct pgs_table_slots *shared; /* not NULL: what it begins with, and does not own. Then all
                                     * slots stay where they are until pgs_table_finish */
};

/* Calls visit, unless NULL, for every pair that is left. */
void pgs_table_finish(struct pgs_table *table, pgs_map_visit visit, void *context);

/* Replaces the value of an existing key. False: out of memory, nothing changed. */
bool pgs_table_insert(struct pgs_table *table, uint64_t key, void *value);

/* Of a shared table, any thread may ask while another one changes it. The answer is wrong then,
 * and means nothing, but no memory is touched that is not the table's. */
void *pgs_table_find(const struct pgs_table *table, uint64_t key);

/* Returns the removed value, or NULL. */
void *pgs_table_remove(struct pgs_table *table, uint64_t key);

/* In any order. visit must not change the table. */
void pgs_table_each(const struct pgs_table *table, pgs_map_visit visit, void *context);

#define PGS_MAP_SHARDS_LOG2 4
#define PGS_MAP_FIRST_SLOTS 4 /* most shards of most maps have fewer objects */

struct pgs_map_shard {
    pthread_mutex_t lock;     /* of who changes it */
    _Atomic uint64_t changes; /* odd while the table is changed */
    struct pgs_table table;
    struct pgs_table_slots first;
    struct pgs_table_slot first_slots[PGS_MAP_FIRST_SLOTS];
};

/* Does not move. */
struct pgs_map {
    struct pgs_map_shard shards[1 << PGS_MAP_SHARDS_LOG2];
};

/* False: the system has no more locks. */
bool pgs_map_init(struct pgs_map *map);

/* Like pgs_table_finish. No other thread may use the map any more. */
void pgs_map_finish(struct pgs_map *map, pgs_map_visit visit, void *context);

/* Like the pgs_table_ functions, but thread-safe. The map does not keep the values alive.
 * pgs_map_find executes no locked instruction, unless the shard is just being changed: they wait
 * until all that was written to device memory has got there. */
bool pgs_map_insert(struct pgs_map *map, uint64_t key, void *value);
void *pgs_map_find(struct pgs_map *map, uint64_t key);
void *pgs_map_remove(struct pgs_map *map, uint64_t key);

/* Gives back the memory of shards that are empty. No other thread may look anything up. */
void pgs_map_trim(struct pgs_map *map);

/* visit runs under the lock of a shard, so it must not use the map or call the driver. */
void pgs_map_each(struct pgs_map *map, pgs_map_visit visit, void *context);

#endif
