/* SPDX-License-Identifier: MIT */
#include "pipeline/shared.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

/* -- the list of unused objects, under the lock -- */

static void list_add(struct pgs_shared_table *table, struct pgs_shared *object)
{
    object->newer = NULL;
    object->older = table->newest;
    if (table->newest)
        table->newest->newer = object;
    else
        table->oldest = object;
    table->newest = object;
    table->unused_count++;
}

static void list_remove(struct pgs_shared_table *table, struct pgs_shared *object)
{
    *(object->newer ? &object->newer->older : &table->newest) = object->older;
    *(object->older ? &object->older->newer : &table->oldest) = object->newer;
    table->unused_count--;
}

/* -- the table, under the lock -- */

static bool keys_match(const struct pgs_shared_key *a, const struct pgs_shared_key *b)
{
    return a->size_B == b->size_B && a->large_B == b->large_B &&
           !memcmp(a->bytes, b->bytes, a->size_B) &&
           (a->large == b->large || !memcmp(a->large, b->large, a->large_B));
}

static struct pgs_shared *find(const struct pgs_shared_table *table,
                               const struct pgs_shared_kind *kind, const struct pgs_shared_key *key,
                               uint64_t hash)
{
    struct pgs_shared *object = pgs_table_find(&table->objects, hash);
    while (object && (object->kind != kind || !keys_match(&object->key, key)))
        object = object->next;
    return object;
}

static bool insert(struct pgs_shared_table *table, struct pgs_shared *object)
{
    object->next = pgs_table_find(&table->objects, object->hash);
    return pgs_table_insert(&table->objects, object->hash, object);
}

static void remove_object(struct pgs_shared_table *table, struct pgs_shared *object)
{
    struct pgs_shared *first = pgs_table_find(&table->objects, object->hash);
    if (first == object && !object->next) {
        pgs_table_remove(&table->objects, object->hash);
    } else if (first == object) { /* replacing a value takes no memory */
        pgs_table_insert(&table->objects, object->hash, object->next);
    } else {
        while (first->next != object)
            first = first->next;
        first->next = object->next;
    }
}

static void refer(struct pgs_shared_table *table, struct pgs_shared *object)
{
    if (object->refs++ == 0)
        list_remove(table, object);
}

/* -- making -- */

/* With the key behind the object. */
static struct pgs_shared *object_new(struct pgs_shared_table *table,
                                     const struct pgs_shared_kind *kind,
                                     const struct pgs_shared_key *key, uint64_t hash)
{
    const size_t align_B = alignof(max_align_t);
    const size_t object_B = (kind->object_B + align_B - 1) / align_B * align_B;
    struct pgs_shared *object = pgs_calloc(1, object_B + key->size_B);
    if (!object)
        return NULL;
    unsigned char *bytes = (unsigned char *)object + object_B;
    memcpy(bytes, key->bytes, key->size_B);
    object->table = table;
    object->kind = kind;
    object->key = *key;
    object->key.bytes = bytes;
    object->hash = hash;
    object->refs = 1;
    return object;
}

/* Waits, under the lock, for the thread that makes the object. NULL: it failed. */
static struct pgs_shared *await(struct pgs_shared_table *table, struct pgs_shared *object)
{
    refer(table, object);
    while (object->state == PGS_SHARED_MAKING)
        pthread_cond_wait(&table->changed, &table->lock);
    if (object->state == PGS_SHARED_MADE)
        return object;
    if (--object->refs == 0)
        pgs_free(object);
    return NULL;
}

/* Finds the object, or puts one into the table that the caller has to make (*is_new). Both NULL and
 * *is_new: out of memory. Under the lock. */
static struct pgs_shared *find_or_insert(struct pgs_shared_table *table,
                                         const struct pgs_shared_kind *kind,
                                         const struct pgs_shared_key *key, bool *is_new)
{
    const uint64_t hash = pgs_hash(key->bytes, key->size_B, kind->object_B);
    struct pgs_shared *object = NULL, *found;
    *is_new = false;
    while (!object && (found = find(table, kind, key, hash)))
        object = await(table, found);
    if (object)
        return object;
    *is_new = true;
    object = object_new(table, kind, key, hash);
    if (object && !insert(table, object)) {
        pgs_free(object);
        object = NULL;
    }
    return object;
}

static VkResult make(struct pgs_shared *object, void *context)
{
    struct pgs_shared_table *table = object->table;
    const VkResult result = object->kind->make(table->dev, object, context);
    bool is_free = false;
    pthread_mutex_lock(&table->lock);
    object->state = result == VK_SUCCESS ? PGS_SHARED_MADE : PGS_SHARED_FAILED;
    if (result != VK_SUCCESS) {
        remove_object(table, object);
        is_free = --object->refs == 0;
    }
    pthread_cond_broadcast(&table->changed);
    pthread_mutex_unlock(&table->lock);
    if (is_free) /* otherwise those who wait free it */
        pgs_free(object);
    return result;
}

VkResult pgs_shared_get(struct pgs_shared_table *table, const struct pgs_shared_kind *kind,
                        struct pgs_shared_key key, void *context, struct pgs_shared **object)
{
    bool is_new;
    pthread_mutex_lock(&table->lock);
    *object = find_or_insert(table, kind, &key, &is_new);
    pthread_mutex_unlock(&table->lock);
    if (!is_new)
        return VK_SUCCESS;
    const VkResult result = *object ? make(*object, context) : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS)
        *object = NULL;
    return result;
}

enum pgs_shared_state pgs_shared_look_up(struct pgs_shared_table *table,
                                         const struct pgs_shared_kind *kind,
                                         struct pgs_shared_key key, struct pgs_shared **made)
{
    const uint64_t hash = pgs_hash(key.bytes, key.size_B, kind->object_B);
    pthread_mutex_lock(&table->lock);
    struct pgs_shared *object = find(table, kind, &key, hash);
    const enum pgs_shared_state state = object ? object->state : PGS_SHARED_FAILED;
    if (made) {
        *made = state == PGS_SHARED_MADE ? object : NULL;
        if (*made)
            refer(table, object);
    }
    pthread_mutex_unlock(&table->lock);
    return state;
}

/* -- life -- */

struct pgs_shared *pgs_shared_acquire(struct pgs_shared *object)
{
    struct pgs_shared_table *table = object->table;
    pthread_mutex_lock(&table->lock);
    refer(table, object);
    pthread_mutex_unlock(&table->lock);
    return object;
}

/* Takes the oldest unused object out of the table if there are more than `limit`. Under the lock.
 */
static struct pgs_shared *take_oldest(struct pgs_shared_table *table, uint32_t limit)
{
    struct pgs_shared *object = table->unused_count > limit ? table->oldest : NULL;
    if (object) {
        list_remove(table, object);
        remove_object(table, object);
    }
    return object;
}

/* Without the lock: it may release others. */
static void destroy(struct pgs_shared *object)
{
    if (!object)
        return;
    object->kind->finish(object->table->dev, object);
    pgs_free(object);
}

void pgs_shared_release(struct pgs_shared *object)
{
    struct pgs_shared *oldest = NULL;
    if (!object)
        return;
    struct pgs_shared_table *table = object->table;
    pthread_mutex_lock(&table->lock);
    if (--object->refs == 0) {
        list_add(table, object);
        oldest = take_oldest(table, table->unused_limit);
    }
    pthread_mutex_unlock(&table->lock);
    destroy(oldest);
}

bool pgs_shared_table_init(struct pgs_shared_table *table, struct pgs_device *dev)
{
    *table = (struct pgs_shared_table){.dev = dev, .unused_limit = PGS_SHARED_UNUSED};
    if (pthread_mutex_init(&table->lock, NULL))
        return false;
    if (!pthread_cond_init(&table->changed, NULL))
        return true;
    pthread_mutex_destroy(&table->lock);
    return false;
}

void pgs_shared_table_finish(struct pgs_shared_table *table)
{
    struct pgs_shared *object;
    while ((object = take_oldest(table, 0)))
        destroy(object);
    pgs_table_finish(&table->objects, NULL, NULL);
    pthread_cond_destroy(&table->changed);
    pthread_mutex_destroy(&table->lock);
}
