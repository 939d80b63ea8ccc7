/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/alloc.h"
#include "base/tls.h"

/* Handles are pointers or small counters, whose low bits alone would collide. */
static uint64_t hash_key(uint64_t key)
{
    key ^= key >> 32;
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key ^ (key >> 29);
}

static size_t first_out_vertex(const struct pgs_table *table, uint64_t key)
{
    return (size_t)hash_key(key) & (table->capacity - 1);
}

/* The slot of the key, or the free slot for it. */
static struct pgs_table_slot *probe(const struct pgs_table *table, uint64_t key)
{
    size_t i = first_out_vertex(table, key);
    while (table->slots[i].value && table->slots[i].key != key)
        i = (i + 1) & (table->capacity - 1);
    return &table->slots[i];
}

static bool grow(struct pgs_table *table)
{
    struct pgs_table grown = {.capacity = table->capacity ? table->capacity * 2 : 16,
                              .count = table->count};
    grown.slots = pgs_calloc(grown.capacity, sizeof(*grown.slots));
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->slots[i].value)
            *probe(&grown, table->slots[i].key) = table->slots[i];
    }
    pgs_free(table->slots);
    *table = grown;
    return true;
}

void pgs_table_finish(struct pgs_table *table, pgs_map_visit visit, void *context)
{
    if (visit)
        pgs_table_each(table, visit, context);
    pgs_free(table->slots);
    *table = (struct pgs_table){0};
}

bool pgs_table_insert(struct pgs_table *table, uint64_t key, void *value)
{
    if ((table->count + 1) * 4 > table->capacity * 3 && !grow(table))
        return false;
    struct pgs_table_slot *slot = probe(table, key);
    table->count += slot->value == NULL;
    *slot = (struct pgs_table_slot){.key = key, .value = value};
    return true;
}

void *pgs_table_find(const struct pgs_table *table, uint64_t key)
{
    return table->count ? probe(table, key)->value : NULL;
}

void *pgs_table_remove(struct pgs_table *table, uint64_t key)
{
    if (!table->count)
        return NULL;
    struct pgs_table_slot *slot = probe(table, key);
    void *value = slot->value;
    if (!value)
        return NULL;
    table->count--;
    /* Move later members of the run up into the gap, so that no tombstones are needed. */
    const size_t mask = table->capacity - 1;
    size_t gap = (size_t)(slot - table->slots);
    for (size_t i = (gap + 1) & mask; table->slots[i].value; i = (i + 1) & mask) {
        const size_t home = first_out_vertex(table, table->slots[i].key);
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            table->slots[gap] = table->slots[i];
            gap = i;
        }
    }
    table->slots[gap] = (struct pgs_table_slot){0};
    if (!table->count)
        pgs_table_finish(table, NULL, NULL);
    return value;
}

void pgs_table_each(const struct pgs_table *table, pgs_map_visit visit, void *context)
{
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->slots[i].value)
            visit(table->slots[i].key, table->slots[i].value, context);
    }
}

/* What a thread has found in any map, or not found (NULL). A shard that has got another generation
 * since has another value for some key, or is gone. Who uses a handle has to know that it was
 * created, so it also sees the generation that came with the end of an earlier object of that
 * handle. */
#define MEMO_SETS_LOG2 2
struct memo {
    uint64_t key, generation; /* 0: empty */
    void *value;
};
static _Thread_local struct memo memos[1 << MEMO_SETS_LOG2][2] PGS_FAST_TLS;

static uint64_t next_generation(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

/* Call it with the write lock, or before anybody else knows the shard. */
static void renew(struct pgs_map_shard *shard)
{
    atomic_store_explicit(&shard->missed, false, memory_order_relaxed);
    atomic_store_explicit(&shard->generation, next_generation(), memory_order_release);
}

/* Shards use the top bits, memos those below, tables the low ones. */
static struct pgs_map_shard *shard_of(struct pgs_map *map, uint64_t hash)
{
    return &map->shards[hash >> (64 - PGS_MAP_SHARDS_LOG2)];
}

/* The newer one, and the one before. */
static struct memo *memos_of(uint64_t hash)
{
    return memos[hash >> (64 - PGS_MAP_SHARDS_LOG2 - MEMO_SETS_LOG2) & ((1 << MEMO_SETS_LOG2) - 1)];
}

bool pgs_map_init(struct pgs_map *map)
{
    *map = (struct pgs_map){0};
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
        renew(&map->shards[i]);
        if (pthread_rwlock_init(&map->shards[i].lock, NULL)) {
            while (i--)
                pthread_rwlock_destroy(&map->shards[i].lock);
            return false;
        }
    }
    return true;
}

void pgs_map_finish(struct pgs_map *map, pgs_map_visit visit, void *context)
{
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
        pgs_table_finish(&map->shards[i].table, visit, context);
        pthread_rwlock_destroy(&map->shards[i].lock);
    }
}

bool pgs_map_insert(struct pgs_map *map, uint64_t key, void *value)
{
    struct pgs_map_shard *shard = shard_of(map, hash_key(key));
    pthread_rwlock_wrlock(&shard->lock);
    const size_t count = shard->table.count;
    const bool done = pgs_table_insert(&shard->table, key, value);
    const bool missed = atomic_load_explicit(&shard->missed, memory_order_relaxed);
    if (shard->table.count == count || missed) /* replaced, or nothing; or memos say it is absent */
        renew(shard);
    pthread_rwlock_unlock(&shard->lock);
    return done;
}

static __attribute__((noinline)) void *find_locked(struct pgs_map_shard *shard, uint64_t key,
                                                   struct memo *set)
{
    pthread_rwlock_rdlock(&shard->lock);
    void *value = pgs_table_find(&shard->table, key);
    const uint64_t generation = atomic_load_explicit(&shard->generation, memory_order_relaxed);
    if (!value)
        atomic_store_explicit(&shard->missed, true, memory_order_relaxed);
    pthread_rwlock_unlock(&shard->lock);
    set[1] = set[0];
    set[0] = (struct memo){.key = key, .generation = generation, .value = value};
    return value;
}

void *pgs_map_find(struct pgs_map *map, uint64_t key)
{
    const uint64_t hash = hash_key(key);
    struct pgs_map_shard *shard = shard_of(map, hash);
    struct memo *set = memos_of(hash);
    const uint64_t generation = atomic_load_explicit(&shard->generation, memory_order_acquire);
    for (int i = 0; i < 2; i++)
        if (set[i].key == key && set[i].generation == generation)
            return set[i].value;
    return find_locked(shard, key, set);
}

void *pgs_map_remove(struct pgs_map *map, uint64_t key)
{
    struct pgs_map_shard *shard = shard_of(map, hash_key(key));
    pthread_rwlock_wrlock(&shard->lock);
    void *value = pgs_table_remove(&shard->table, key);
    if (value)
        renew(shard);
    pthread_rwlock_unlock(&shard->lock);
    return value;
}

void pgs_map_each(struct pgs_map *map, pgs_map_visit visit, void *context)
{
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
        pthread_rwlock_rdlock(&map->shards[i].lock);
        pgs_table_each(&map->shards[i].table, visit, context);
        pthread_rwlock_unlock(&map->shards[i].lock);
    }
}
