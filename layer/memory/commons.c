/* SPDX-License-Identifier: MIT */
#include "memory/commons.h"

#include "base/alloc.h"
#include "base/array.h"

#include <pthread.h>
#include <stdatomic.h>

/* So many times parts are taken until what had been wanted before is forgotten. */
#define WINDOW 256

struct part {
    struct pgs_chunk chunk;
    size_t users;
};

struct pgs_commons {
    struct pgs_device *dev;
    pthread_mutex_t lock; /* guards the parts, also while one is made, so that none is made twice */
    PGS_ARRAY(struct part) parts;
    uint32_t takes;          /* in this window */
    VkDeviceSize most_B[2];  /* that was wanted in this window and the one before */
    VkDeviceSize refused_B;  /* the least that was refused in this window; 0: nothing */
    _Atomic uint64_t held_B; /* changed under the lock */
};

struct pgs_all_commons {
    uint32_t count;
    struct pgs_commons *of_family[]; /* NULL: none */
};

static struct pgs_commons *commons_new(struct pgs_device *dev)
{
    struct pgs_commons *made = pgs_calloc(1, sizeof(*made));
    if (made && pthread_mutex_init(&made->lock, NULL)) {
        pgs_free(made);
        return NULL;
    }
    if (made)
        made->dev = dev;
    return made;
}

VkResult pgs_commons_create(struct pgs_device *dev, const VkDeviceCreateInfo *info)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++)
        if (count <= info->pQueueCreateInfos[i].queueFamilyIndex)
            count = info->pQueueCreateInfos[i].queueFamilyIndex + 1;
    struct pgs_all_commons *all =
        pgs_calloc(1, sizeof(*all) + count * sizeof(struct pgs_commons *));
    if (!all)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    all->count = count;
    dev->commons = all;
    for (uint32_t i = 0; i < count; i++) {
        if (pgs_queue_count_of(info, i) != 1)
            continue;
        all->of_family[i] = commons_new(dev);
        if (!all->of_family[i]) {
            pgs_commons_destroy(dev);
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    return VK_SUCCESS;
}

void pgs_commons_destroy(struct pgs_device *dev)
{
    for (uint32_t i = 0; dev->commons && i < dev->commons->count; i++) {
        struct pgs_commons *commons = dev->commons->of_family[i];
        if (!commons)
            continue;
        pgs_array_finish(&commons->parts);
        pthread_mutex_destroy(&commons->lock);
        pgs_free(commons);
    }
    pgs_free(dev->commons);
    dev->commons = NULL;
}

struct pgs_commons *pgs_commons_of(const struct pgs_device *dev, uint32_t family)
{
    return dev->commons && family < dev->commons->count ? dev->commons->of_family[family] : NULL;
}

static bool is_same(const struct pgs_chunk *a, const struct pgs_chunk *b)
{
    return a->block == b->block && a->range.offset_B == b->range.offset_B;
}

static bool has(const struct pgs_chunk *held, size_t held_count, const struct pgs_chunk *chunk)
{
    for (size_t i = 0; i < held_count; i++)
        if (is_same(&held[i], chunk))
            return true;
    return false;
}

/* Under the lock. The largest part of these sizes, so that smaller ones fall out of use; NULL:
 * there is none. */
static struct part *find(struct pgs_commons *commons, VkDeviceSize least_B, VkDeviceSize most_B,
                         const struct pgs_chunk *held, size_t held_count)
{
    struct part *largest = NULL;
    for (size_t i = 0; i < commons->parts.count; i++) {
        struct part *part = &commons->parts.items[i];
        const VkDeviceSize part_B = part->chunk.range.size_B;
        if (part_B >= least_B && part_B <= most_B &&
            (!largest || part_B > largest->chunk.range.size_B) &&
            !has(held, held_count, &part->chunk))
            largest = part;
    }
    return largest;
}

/* Under the lock. */
static void count_held(struct pgs_commons *commons, int64_t change_B)
{
    const uint64_t held_B = atomic_load_explicit(&commons->held_B, memory_order_relaxed);
    atomic_store_explicit(&commons->held_B, held_B + (uint64_t)change_B, memory_order_relaxed);
}

/* Under the lock. */
static void note_wanted(struct pgs_commons *commons, VkDeviceSize size_B)
{
    if (commons->takes++ == WINDOW) {
        commons->takes = 0;
        commons->most_B[1] = commons->most_B[0];
        commons->most_B[0] = 0;
        commons->refused_B = 0;
    }
    if (commons->most_B[0] < size_B)
        commons->most_B[0] = size_B;
}

/* The most that anybody has wanted of late. */
static VkDeviceSize wanted_B(const struct pgs_commons *commons)
{
    return commons->most_B[0] > commons->most_B[1] ? commons->most_B[0] : commons->most_B[1];
}

/* Up to an eighth more, so that needs which differ a little find the same part. */
static VkDeviceSize rounded(VkDeviceSize size_B)
{
    VkDeviceSize step_B = PGS_SCRATCH_CHUNK_B;
    while (size_B >= 16 * step_B)
        step_B *= 2;
    return (size_B + step_B - 1) / step_B * step_B;
}

/* What a new part should have: what others want, too. If command buffers that last have smaller
 * parts, it is so much larger than these that all together are not many times as large. */
static VkDeviceSize wish_of(const struct pgs_commons *commons, VkDeviceSize size_B)
{
    VkDeviceSize wish_B = wanted_B(commons);
    for (size_t i = 0; i < commons->parts.count; i++) {
        const VkDeviceSize part_B = commons->parts.items[i].chunk.range.size_B;
        if (part_B <= size_B && wish_B < part_B + part_B / 4)
            wish_B = part_B + part_B / 4;
    }
    wish_B = rounded(wish_B);
    if (wish_B <= PGS_ALLOWED_BUFFER_B)
        return wish_B;
    return size_B > PGS_ALLOWED_BUFFER_B ? size_B : PGS_ALLOWED_BUFFER_B;
}

/* Under the lock. */
static VkResult make(struct pgs_commons *commons, VkDeviceSize size_B, enum pgs_need need,
                     struct part **made)
{
    struct part part = {0};
    if (!pgs_array_reserve(&commons->parts, 1))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result =
        pgs_heap_take(commons->dev, PGS_MEMORY_SCRATCH, size_B, need, &part.chunk);
    if (result != VK_SUCCESS)
        return result;
    count_held(commons, (int64_t)part.chunk.range.size_B);
    *made = &commons->parts.items[commons->parts.count++];
    **made = part;
    return VK_SUCCESS;
}

/* Under the lock. What was refused is not asked for again at each take, which calls the driver and
 * frees all blocks that are empty, unless the taker itself needs so much. */
static VkResult make_wished(struct pgs_commons *commons, VkDeviceSize size_B, struct part **made)
{
    VkDeviceSize wish_B = wish_of(commons, size_B);
    if (commons->refused_B && wish_B >= commons->refused_B)
        wish_B = size_B;
    const VkResult result = make(commons, wish_B, PGS_NEED_SOME, made);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY &&
        (!commons->refused_B || wish_B < commons->refused_B))
        commons->refused_B = wish_B;
    else if (result == VK_SUCCESS && rounded(wish_B) >= commons->refused_B)
        commons->refused_B = 0; /* there is about as much again */
    return result;
}

/* Under the lock. A part far larger than anybody needs is avoided, or it would never be without
 * users; where memory is short it is better than a new one. */
static VkResult find_or_make(struct pgs_commons *commons, VkDeviceSize size_B, enum pgs_need need,
                             const struct pgs_chunk *held, size_t held_count, struct part **part)
{
    *part = find(commons, size_B, 2 * wanted_B(commons), held, held_count);
    if (*part)
        return VK_SUCCESS;
    VkResult result = make_wished(commons, size_B, part);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
        *part = find(commons, size_B, UINT64_MAX, held, held_count);
    if (*part)
        return VK_SUCCESS;
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? make(commons, size_B, need, part) : result;
}

VkResult pgs_commons_take(struct pgs_commons *commons, VkDeviceSize size_B, enum pgs_need need,
                          const struct pgs_chunk *held, size_t held_count, struct pgs_chunk *chunk)
{
    struct part *part;
    pthread_mutex_lock(&commons->lock);
    note_wanted(commons, size_B);
    const VkResult result = find_or_make(commons, size_B, need, held, held_count, &part);
    if (result == VK_SUCCESS) {
        part->users++;
        *chunk = part->chunk;
    }
    pthread_mutex_unlock(&commons->lock);
    return result;
}

void pgs_commons_give(struct pgs_commons *commons, const struct pgs_chunk *chunk)
{
    bool last = false;
    pthread_mutex_lock(&commons->lock);
    for (size_t i = 0; i < commons->parts.count && !last; i++) {
        struct part *part = &commons->parts.items[i];
        if (!is_same(&part->chunk, chunk))
            continue;
        last = --part->users == 0;
        if (!last)
            break;
        count_held(commons, -(int64_t)chunk->range.size_B);
        *part = commons->parts.items[--commons->parts.count];
    }
    pthread_mutex_unlock(&commons->lock);
    if (last)
        pgs_heap_give(commons->dev, chunk);
}

uint64_t pgs_commons_held_B(const struct pgs_commons *commons)
{
    return atomic_load_explicit(&commons->held_B, memory_order_relaxed);
}

uint64_t pgs_commons_all_B(const struct pgs_device *dev)
{
    uint64_t sum_B = 0;
    for (uint32_t i = 0; dev->commons && i < dev->commons->count; i++)
        if (dev->commons->of_family[i])
            sum_B += pgs_commons_held_B(dev->commons->of_family[i]);
    return sum_B;
}
