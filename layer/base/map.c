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

static struct pgs_table_slots *slots_of(const struct pgs_table *table)
{
    return atomic_load_explicit(&table->slots, memory_order_acquire);
}

static void *value_of(const struct pgs_table_slot *slot)
{
    return atomic_load_explicit(&slot->value, memory_order_acquire);
}

static uint64_t key_of(const struct pgs_table_slot *slot)
{
    return atomic_load_explicit(&slot->key, memory_order_acquire);
}

static void write_slot(struct pgs_table_slot *slot, uint64_t key, void *value)
{
    atomic_store_explicit(&slot->key, key, memory_order_release);
    atomic_store_explicit(&slot->value, value, memory_order_release);
}

static size_t home_of(const struct pgs_table_slots *slots, uint64_t key)
{
    return (size_t)hash_key(key) & (slots->capacity - 1);
}

/* The slot of the key, or the free slot for it. While others change the table there may seem to be
 * neither: NULL. */
static struct pgs_table_slot *probe(struct pgs_table_slots *slots, uint64_t key)
{
    size_t i = home_of(slots, key);
    for (size_t n = 0; n < slots->capacity; n++, i = (i + 1) & (slots->capacity - 1)) {
        struct pgs_table_slot *slot = &slots->at[i];
        if (!value_of(slot) || key_of(slot) == key)
            return slot;
    }
    return NULL;
}

static bool grow(struct pgs_table *table)
{
    struct pgs_table_slots *old = slots_of(table);
    const size_t capacity = old ? old->capacity * 2 : 16;
    struct pgs_table_slots *grown = pgs_calloc(1, sizeof(*grown) + capacity * sizeof(grown->at[0]));
    if (!grown)
        return false;
    *grown =
        (struct pgs_table_slots){.at = (struct pgs_table_slot *)(grown + 1), .capacity = capacity};
    for (size_t i = 0; old && i < old->capacity; i++) {
        void *value = value_of(&old->at[i]);
        if (value)
            write_slot(probe(grown, key_of(&old->at[i])), key_of(&old->at[i]), value);
    }
    if (table->shared)
        grown->former = old;
    else
        pgs_free(old);
    atomic_store_explicit(&table->slots, grown, memory_order_release);
    return true;
}

void pgs_table_finish(struct pgs_table *table, pgs_map_visit visit, void *context)
{
    if (visit)
        pgs_table_each(table, visit, context);
    struct pgs_table_slots *slots = slots_of(table);
    while (slots != table->shared) {
        struct pgs_table_slots *former = slots->former;
        pgs_free(slots);
        slots = former;
    }
    for (size_t i = 0; slots && i < slots->capacity; i++)
        write_slot(&slots->at[i], 0, NULL);
    *table = (struct pgs_table){.slots = slots, .shared = table->shared};
}

bool pgs_table_insert(struct pgs_table *table, uint64_t key, void *value)
{
    struct pgs_table_slots *slots = slots_of(table);
    if ((!slots || (table->count + 1) * 4 > slots->capacity * 3) && !grow(table))
        return false;
    struct pgs_table_slot *slot = probe(slots_of(table), key);
    table->count += value_of(slot) == NULL;
    write_slot(slot, key, value);
    return true;
}

void *pgs_table_find(const struct pgs_table *table, uint64_t key)
{
    struct pgs_table_slots *slots = slots_of(table);
    const struct pgs_table_slot *slot = slots ? probe(slots, key) : NULL;
    return slot ? value_of(slot) : NULL;
}

/* Moves later members of the run up into the gap, so that no tombstones are needed. */
static void close_gap(struct pgs_table_slots *slots, size_t gap)
{
    const size_t mask = slots->capacity - 1;
    for (size_t i = (gap + 1) & mask; value_of(&slots->at[i]); i = (i + 1) & mask) {
        const uint64_t key = key_of(&slots->at[i]);
        if (((i - home_of(slots, key)) & mask) >= ((i - gap) & mask)) {
            write_slot(&slots->at[gap], key, value_of(&slots->at[i]));
            gap = i;
        }
    }
    write_slot(&slots->at[gap], 0, NULL);
}

void *pgs_table_remove(struct pgs_table *table, uint64_t key)
{
    struct pgs_table_slots *slots = slots_of(table);
    struct pgs_table_slot *slot = slots ? probe(slots, key) : NULL;
    void *value = slot ? value_of(slot) : NULL;
    if (!value)
        return NULL;
    table->count--;
    close_gap(slots, (size_t)(slot - slots->at));
    if (!table->count && !table->shared)
        pgs_table_finish(table, NULL, NULL);
    return value;
}

void pgs_table_each(const struct pgs_table *table, pgs_map_visit visit, void *context)
{
    const struct pgs_table_slots *slots = slots_of(table);
    for (size_t i = 0; slots && i < slots->capacity; i++) {
        void *value = value_of(&slots->at[i]);
        if (value)
            visit(key_of(&slots->at[i]), value, context);
    }
}

/* Shards use the top bits, tables the low ones. */
static struct pgs_map_shard *shard_of(struct pgs_map *map, uint64_t key)
{
    return &map->shards[hash_key(key) >> (64 - PGS_MAP_SHARDS_LOG2)];
}

bool pgs_map_init(struct pgs_map *map)
{
    *map = (struct pgs_map){0};
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
        struct pgs_map_shard *shard = &map->shards[i];
        shard->first = (struct pgs_table_slots){shard->first_slots, PGS_MAP_FIRST_SLOTS, NULL};
        shard->table = (struct pgs_table){.slots = &shard->first, .shared = &shard->first};
        if (pthread_mutex_init(&shard->lock, NULL)) {
            while (i--)
                pthread_mutex_destroy(&map->shards[i].lock);
            return false;
        }
    }
    return true;
}

void pgs_map_finish(struct pgs_map *map, pgs_map_visit visit, void *context)
{
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
        pgs_table_finish(&map->shards[i].table, visit, context);
        pthread_mutex_destroy(&map->shards[i].lock);
    }
}

/* What is written to slots between these two is written with release, and read with acquire. So who
 * sees some of it also sees that `changes` is another one. */
static void begin_change(struct pgs_map_shard *shard)
{
    pthread_mutex_lock(&shard->lock);
    const uint64_t changes = atomic_load_explicit(&shard->changes, memory_order_relaxed);
    atomic_store_explicit(&shard->changes, changes + 1, memory_order_relaxed);
}

static void end_change(struct pgs_map_shard *shard)
{
    const uint64_t changes = atomic_load_explicit(&shard->changes, memory_order_relaxed);
    atomic_store_explicit(&shard->changes, changes + 1, memory_order_release);
    pthread_mutex_unlock(&shard->lock);
}

bool pgs_map_insert(struct pgs_map *map, uint64_t key, void *value)
{
    struct pgs_map_shard *shard = shard_of(map, key);
    begin_change(shard);
    const bool done = pgs_table_insert(&shard->table, key, value);
    end_change(shard);
    return done;
}

static __attribute__((noinline)) void *find_locked(struct pgs_map_shard *shard, uint64_t key)
{
    pthread_mutex_lock(&shard->lock);
    void *value = pgs_table_find(&shard->table, key);
    pthread_mutex_unlock(&shard->lock);
    return value;
}

void *pgs_map_find(struct pgs_map *map, uint64_t key)
{
    struct pgs_map_shard *shard = shard_of(map, key);
    const uint64_t changes = atomic_load_explicit(&shard->changes, memory_order_acquire);
    void *value = pgs_table_find(&shard->table, key);
    if (changes % 2 == 0 && atomic_load_explicit(&shard->changes, memory_order_relaxed) == changes)
        return value;
    return find_locked(shard, key);
}

void *pgs_map_remove(struct pgs_map *map, uint64_t key)
{
    struct pgs_map_shard *shard = shard_of(map, key);
    begin_change(shard);
    void *value = pgs_table_remove(&shard->table, key);
    end_change(shard);
    return value;
}

void pgs_map_trim(struct pgs_map *map)
{
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
        pthread_mutex_lock(&map->shards[i].lock);
        if (!map->shards[i].table.count)
            pgs_table_finish(&map->shards[i].table, NULL, NULL);
        pthread_mutex_unlock(&map->shards[i].lock);
    }
}

void pgs_map_each(struct pgs_map *map, pgs_map_visit visit, void *context)
{
    for (size_t i = 0; i < 1 << PGS_MAP_SHARDS_LOG2; i++) {
        pthread_mutex_lock(&map->shards[i].lock);
        pgs_table_each(&map->shards[i].table, visit, context);
        pthread_mutex_unlock(&map->shards[i].lock);
    }
}
