/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/alloc.h"

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

static struct pgs_map_shard *shard_of(struct pgs_map *map, uint64_t key)
{
    /* Shards use the top bits, tables the low ones. */
    return &map->shards[hash_key(key) >> (64 - PGS_MAP_SHARDS_LOG2)];
}

bool pgs_map_init(struct pgs_map *map)
{
    *map = (struct pgs_map){0};
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
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
    struct pgs_map_shard *shard = shard_of(map, key);
    pthread_rwlock_wrlock(&shard->lock);
    const bool done = pgs_table_insert(&shard->table, key, value);
    pthread_rwlock_unlock(&shard->lock);
    return done;
}

void *pgs_map_find(struct pgs_map *map, uint64_t key)
{
    struct pgs_map_shard *shard = shard_of(map, key);
    pthread_rwlock_rdlock(&shard->lock);
    void *value = pgs_table_find(&shard->table, key);
    pthread_rwlock_unlock(&shard->lock);
    return value;
}

void *pgs_map_remove(struct pgs_map *map, uint64_t key)
{
    struct pgs_map_shard *shard = shard_of(map, key);
    pthread_rwlock_wrlock(&shard->lock);
    void *value = pgs_table_remove(&shard->table, key);
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
