/* SPDX-License-Identifier: MIT */
#include "draw/pool.h"

#include "base/log.h"
#include "draw/record.h"

#include <string.h>

/* As much as every driver lets be one buffer. */
#define PGS_POOL_MOST_B (UINT64_C(1) << 30)
/* Less is not worth a try. */
#define PGS_POOL_LEAST_B (UINT64_C(1) << 20)
#define PGS_POOL_ALIGN_B 16

/* A quarter of the memory that the device has for such things. */
static uint64_t limit_of(const struct pgs_device *dev)
{
    const VkPhysicalDeviceMemoryProperties *memory = &dev->physical->memory;
    uint64_t largest_B = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++)
        if ((memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            memory->memoryHeaps[i].size > largest_B)
            largest_B = memory->memoryHeaps[i].size;
    if (largest_B / 4 >= PGS_POOL_MOST_B)
        return PGS_POOL_MOST_B;
    return largest_B / 4 > PGS_POOL_LEAST_B ? largest_B / 4 : PGS_POOL_LEAST_B;
}

VkResult pgs_draw_pool_create(struct pgs_arena *arena, struct pgs_linear *upload,
                              enum pgs_pool_kind kind, struct pgs_draw_pool **pool)
{
    struct pgs_draw_pool *made =
        pgs_arena_alloc(arena, sizeof(*made), _Alignof(struct pgs_draw_pool));
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *made = (struct pgs_draw_pool){.kind = kind};
    const VkResult result =
        pgs_linear_alloc(upload, sizeof(struct pgs_pool), PGS_POOL_ALIGN_B, &made->header);
    if (result != VK_SUCCESS)
        return result;
    memset(made->header.mapped, 0, sizeof(struct pgs_pool));
    *pool = made;
    return VK_SUCCESS;
}

void pgs_draw_pool_want(struct pgs_draw_pool *pool, uint64_t worst_B)
{
    pool->wanted_B = worst_B < PGS_POOL_UNKNOWN_B - pool->wanted_B ? pool->wanted_B + worst_B
                                                                   : PGS_POOL_UNKNOWN_B;
}

/* What the next pool is to have at most. */
static uint64_t size_of(struct pgs_device *dev, uint64_t limit_B)
{
    const uint64_t setting_B = (uint64_t)dev->physical->instance->settings.pool_MiB << 20;
    const uint64_t learned_B =
        (uint64_t)atomic_load_explicit(&dev->pool_units, memory_order_relaxed) * PGS_POOL_UNIT_B;
    const uint64_t wish_B = learned_B > setting_B ? learned_B : setting_B;
    return wish_B < limit_B ? wish_B : limit_B;
}

enum pgs_pool_kind pgs_draw_pool_kind(const struct pgs_draw_pool *sure, struct pgs_device *dev,
                                      uint64_t worst_B)
{
    if (worst_B == PGS_POOL_UNKNOWN_B)
        return PGS_POOL_OPEN;
    const uint64_t size_B = size_of(dev, limit_of(dev)), taken_B = sure ? sure->wanted_B : 0;
    return taken_B <= size_B && worst_B <= size_B - taken_B ? PGS_POOL_SURE : PGS_POOL_LARGE;
}

VkResult pgs_draw_pool_seal(struct pgs_draw_pool *pool, struct pgs_device *dev,
                            struct pgs_linear *scratch)
{
    if (pool->sealed)
        return VK_SUCCESS;
    const uint64_t limit_B = limit_of(dev);
    uint64_t size_B = pool->wanted_B < PGS_POOL_UNKNOWN_B ? pool->wanted_B : size_of(dev, limit_B);
    if (size_B > limit_B)
        size_B = limit_B;
    size_B = (size_B + PGS_POOL_UNIT_B - 1) / PGS_POOL_UNIT_B * PGS_POOL_UNIT_B;
    VkResult result = pgs_linear_alloc(scratch, size_B, PGS_POOL_ALIGN_B, &pool->range);
    while (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && size_B / 2 >= PGS_POOL_LEAST_B) {
        size_B = size_B / 2 / PGS_POOL_UNIT_B * PGS_POOL_UNIT_B;
        result = pgs_linear_alloc(scratch, size_B, PGS_POOL_ALIGN_B, &pool->range);
    }
    if (result != VK_SUCCESS)
        return result;
    const struct pgs_pool header = {
        .first = pool->range.address,
        .index_base =
            pool->range.address - pool->range.offset_B + pgs_index_bind_offset(&pool->range),
        .size_units = (uint32_t)(size_B / PGS_POOL_UNIT_B),
        .limit_units = (uint32_t)(limit_B / PGS_POOL_UNIT_B),
    };
    memcpy(pool->header.mapped, &header, sizeof(header));
    pool->sealed = true;
    return VK_SUCCESS;
}

static void raise_size(struct pgs_device *dev, uint32_t units)
{
    uint32_t known = atomic_load_explicit(&dev->pool_units, memory_order_relaxed);
    while (units > known &&
           !atomic_compare_exchange_weak_explicit(&dev->pool_units, &known, units,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

static unsigned mib_of(uint32_t units)
{
    const uint32_t in_mib = (UINT32_C(1) << 20) / PGS_POOL_UNIT_B;
    return units / in_mib + (units % in_mib != 0);
}

void pgs_draw_pool_read(const struct pgs_draw_pool *pool, struct pgs_device *dev)
{
    if (!pool->sealed)
        return;
    struct pgs_pool header;
    memcpy(&header, pool->header.mapped, sizeof(header));
    if (header.too_large)
        pgs_log(PGS_LOG_ERROR,
                "an indirect or tessellated draw is too large to be emulated: it was left out");
    if (header.needed_units <= header.size_units)
        return;
    pgs_log(PGS_LOG_ERROR,
            "indirect and tessellated draws of a pass needed %u MiB of working memory and had "
            "%u: some were left out%s",
            mib_of(header.needed_units), mib_of(header.size_units),
            header.size_units < header.limit_units ? ". What is recorded from now on gets more"
                                                   : "");
    raise_size(dev,
               header.needed_units < header.limit_units ? header.needed_units : header.limit_units);
}
