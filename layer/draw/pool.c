/* SPDX-License-Identifier: MIT */
#include "draw/pool.h"

#include "base/log.h"
#include "base/numbers.h"
#include "draw/record.h"
#include "memory/limit.h"

#include <string.h>

/* Worst cases seldom come true, so they must not take more than this from programs. */
#define PGS_POOLS_SHARE_B (UINT64_C(4) << 30)
/* Smaller pools are not worth trying. */
#define PGS_POOL_LEAST_B (UINT64_C(1) << 20)
#define PGS_POOL_ALIGN_B 16
/* Draws of unknown levels seldom differ more from those before them; these must be some. */
#define PGS_POOL_GROWTH 8
#define PGS_POOL_READS_LEAST 16
/* What one gets of unknown draws where others hold all that they should. */
#define PGS_POOL_SCARCE_B (UINT64_C(8) << 20)
/* Times what the bound buffers say once that a draw takes which can have them read several times.
 */
#define PGS_POOL_REPEATS 64
/* Most that a pool gets whatever the others hold, since something is lost without. */
#define PGS_POOL_VITAL_B (UINT64_C(16) << 20)

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t round_up(uint64_t size_B)
{
    return (size_B + PGS_POOL_UNIT_B - 1) / PGS_POOL_UNIT_B * PGS_POOL_UNIT_B;
}

static unsigned mib_of(uint32_t units)
{
    const uint32_t in_mib = (UINT32_C(1) << 20) / PGS_POOL_UNIT_B;
    return units / in_mib + (units % in_mib != 0);
}

/* A quarter of the largest heap, or the limit for all that the layer takes. */
static uint64_t most_B(const struct pgs_device *dev)
{
    const uint64_t quarter_B = pgs_largest_heap_B(dev->physical) / 4;
    return pgs_least_of(most_of(quarter_B, PGS_POOL_LEAST_B), pgs_memory_limit_B(dev->physical));
}

uint64_t pgs_draw_pool_limit_B(const struct pgs_device *dev)
{
    return pgs_least_of(most_B(dev), PGS_ALLOWED_BUFFER_B);
}

uint64_t pgs_draw_pool_setting_B(const struct pgs_device *dev)
{
    const struct pgs_settings *settings = &dev->physical->instance->settings;
    const uint64_t setting_B = (uint64_t)settings->pool_MiB << 20;
    const uint64_t part_B = pgs_memory_limit_B(dev->physical) / 16;
    return settings->scales_pools ? pgs_least_of(setting_B, most_of(part_B, PGS_POOL_LEAST_B))
                                  : setting_B;
}

/* Limit for what all pools of the device take together for worst cases. */
static uint64_t share_of(const struct pgs_device *dev)
{
    return pgs_least_of(most_B(dev), PGS_POOLS_SHARE_B);
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

static uint64_t bytes_of(_Atomic uint32_t *units)
{
    return (uint64_t)atomic_load_explicit(units, memory_order_relaxed) * PGS_POOL_UNIT_B;
}

/* Size of a pool if nothing is known of its draws. The setting 0 allows none more than a unit. */
static uint64_t usual_size(struct pgs_device *dev, uint64_t limit_B)
{
    const uint64_t setting_B = pgs_draw_pool_setting_B(dev);
    if (!setting_B)
        return PGS_POOL_UNIT_B;
    return pgs_least_of(most_of(bytes_of(&dev->pool_units), setting_B), limit_B);
}

/* What pools of the device hold, what they have in common once. */
static uint64_t all_held_B(const struct pgs_device *dev)
{
    return atomic_load_explicit(&dev->pools_held_B, memory_order_relaxed) + pgs_commons_all_B(dev);
}

/* What is left for all pools, with what a pool in `scratch` may reuse. */
static uint64_t left_of(const struct pgs_device *dev, const struct pgs_linear *scratch)
{
    const uint64_t all_B = all_held_B(dev), reach_B = pgs_linear_within_reach_B(scratch);
    const uint64_t held_B = all_B > reach_B ? all_B - reach_B : 0;
    const uint64_t share_B = share_of(dev);
    return share_B > held_B ? share_B - held_B : 0;
}

/* What a pool gets for worst cases, which seldom come true: half of what is left for all pools, and
 * no more than half of VK_POLY_GS_HEAP. */
static uint64_t cautious_B(const struct pgs_device *dev, const struct pgs_linear *scratch)
{
    const uint64_t half_B = left_of(dev, scratch) / 2, heap_B = dev->physical->traits.heap_B;
    return heap_B ? pgs_least_of(half_B, heap_B / 2) : half_B;
}

/* What earlier pools of a kind needed, many times, and no less than a quarter more; `unknown_B` or
 * that: too few were read. */
static uint64_t grown_B(_Atomic uint32_t *needed_units, _Atomic uint32_t *read, uint64_t unknown_B)
{
    const uint64_t needed_B = bytes_of(needed_units);
    return atomic_load_explicit(read, memory_order_relaxed) < PGS_POOL_READS_LEAST
               ? most_of(unknown_B, needed_B + needed_B / 4)
               : needed_B * PGS_POOL_GROWTH;
}

/* Command buffers may be many that have nothing in common, such as secondaries. Pools of their own
 * are together not much larger than VK_POLY_GS_HEAP, unless draws are known to need more. */
static uint64_t own_size(struct pgs_device *dev, enum pgs_pool_kind kind,
                         const struct pgs_linear *scratch, uint64_t size_B)
{
    const uint64_t heap_B = dev->physical->traits.heap_B,
                   held_B = atomic_load_explicit(&dev->pools_held_B, memory_order_relaxed) -
                            pgs_linear_own_B(scratch);
    if (!heap_B || pgs_linear_is_shared(scratch))
        return size_B;
    const uint64_t known_B =
        kind == PGS_POOL_OPEN
            ? grown_B(&dev->open_pool_units, &dev->open_pools_read, PGS_POOL_SCARCE_B)
            : grown_B(&dev->large_pool_units, &dev->large_pools_read, PGS_POOL_SCARCE_B);
    const uint64_t room_B = heap_B > held_B ? heap_B - held_B : 0;
    return pgs_least_of(size_B, most_of(most_of(known_B, PGS_POOL_LEAST_B), room_B));
}

/* What earlier pools needed and a quarter more. Beyond that some for the worst case, until it is
 * known how far from it draws are. */
static uint64_t large_size(struct pgs_device *dev, uint64_t wanted_B,
                           const struct pgs_linear *scratch)
{
    const uint64_t needed_B = bytes_of(&dev->large_pool_units);
    const uint64_t usual_B =
        most_of(usual_size(dev, pgs_draw_pool_limit_B(dev)), needed_B + needed_B / 4);
    const uint64_t beyond_B =
        pgs_least_of(cautious_B(dev, scratch),
                     grown_B(&dev->large_pool_units, &dev->large_pools_read, UINT64_MAX));
    if (!dev->physical->instance->settings.pool_MiB)
        return PGS_POOL_UNIT_B;
    return pgs_least_of(wanted_B, most_of(usual_B, beyond_B));
}

/* Small draws may take more beside each other than is likely. */
#define LEAST_VITAL_B (64u << 10)

/* What a pool insists on without which draws would be lost: what earlier pools needed and a quarter
 * more, and a part of what the layer may take, if so much is probable. Other command buffers may
 * hold all of that. */
static uint64_t vital_least(struct pgs_device *dev, uint64_t probable_B)
{
    const uint64_t needed_B = bytes_of(&dev->vital_pool_units);
    const uint64_t part_B =
        pgs_least_of(most_of(most_B(dev) / 16, PGS_POOL_LEAST_B), PGS_POOL_VITAL_B);
    const uint64_t likely_B = probable_B ? most_of(probable_B, LEAST_VITAL_B) : 0;
    return most_of(needed_B + needed_B / 4, pgs_least_of(likely_B, part_B));
}

/* That or the setting. Beyond it likewise, if so much is probable. Without it draws would be lost,
 * so the setting 0 allows that, too. */
static uint64_t vital_size(struct pgs_device *dev, uint64_t probable_B,
                           const struct pgs_linear *scratch)
{
    const uint64_t least_B =
        most_of(usual_size(dev, pgs_draw_pool_limit_B(dev)), vital_least(dev, probable_B));
    return most_of(least_B, pgs_least_of(probable_B, left_of(dev, scratch) / 2));
}

uint64_t pgs_draw_pool_round_B(struct pgs_device *dev, const struct pgs_linear *scratch)
{
    const uint64_t limit_B = pgs_draw_pool_limit_B(dev);
    return pgs_least_of(most_of(usual_size(dev, limit_B), cautious_B(dev, scratch)), limit_B);
}

uint64_t pgs_draw_pool_share_B(struct pgs_device *dev, const struct pgs_linear *scratch,
                               uint64_t likely_B, uint64_t least_B)
{
    const uint64_t limit_B = pgs_draw_pool_limit_B(dev), heap_B = dev->physical->traits.heap_B / 2;
    const uint64_t left_B = left_of(dev, scratch) / 2;
    const uint64_t usual_B = most_of(usual_size(dev, limit_B), PGS_POOL_LEAST_B);
    const uint64_t size_B = most_of(usual_B, pgs_least_of(likely_B, left_B));
    const uint64_t bound_B = heap_B ? pgs_least_of(heap_B, limit_B) : limit_B;
    return round_up(most_of(pgs_least_of(size_B, bound_B), pgs_least_of(least_B, limit_B)));
}

uint64_t pgs_draw_pool_left_B(const struct pgs_draw_pool *sure, struct pgs_device *dev)
{
    const uint64_t size_B = usual_size(dev, pgs_draw_pool_limit_B(dev)),
                   taken_B = sure ? sure->wanted_B : 0;
    return taken_B < size_B ? size_B - taken_B : 0;
}

enum pgs_pool_kind pgs_draw_pool_kind(const struct pgs_draw_pool *sure, struct pgs_device *dev,
                                      uint64_t worst_B)
{
    if (worst_B == PGS_POOL_UNKNOWN_B)
        return PGS_POOL_OPEN;
    return worst_B <= pgs_draw_pool_left_B(sure, dev) ? PGS_POOL_SURE : PGS_POOL_LARGE;
}

static uint64_t size_of(const struct pgs_draw_pool *pool, struct pgs_device *dev,
                        const struct pgs_linear *scratch, uint64_t limit_B)
{
    uint64_t size_B = pool->wanted_B;
    if (pool->kind == PGS_POOL_OPEN)
        size_B = own_size(dev, pool->kind, scratch, usual_size(dev, limit_B));
    else if (pool->kind == PGS_POOL_LARGE)
        size_B = own_size(dev, pool->kind, scratch, large_size(dev, size_B, scratch));
    else if (pool->kind == PGS_POOL_VITAL)
        size_B = vital_size(dev, size_B, scratch);
    return round_up(pgs_least_of(size_B, limit_B));
}

static VkResult take_size(struct pgs_draw_pool *pool, struct pgs_linear *scratch, uint64_t size_B,
                          bool insists)
{
    return insists ? pgs_linear_insist(scratch, size_B, PGS_POOL_ALIGN_B, &pool->range)
                   : pgs_linear_try(scratch, size_B, PGS_POOL_ALIGN_B, &pool->range);
}

/* Bytes that the pool takes even beyond what the layer may take. Draws that count on the worst case
 * are lost without it, so only the driver limits what they take. */
static uint64_t insisted_B(const struct pgs_draw_pool *pool, struct pgs_device *dev,
                           uint64_t wish_B)
{
    switch (pool->kind) {
    case PGS_POOL_SURE:
    case PGS_POOL_ROUND:
        return wish_B;
    case PGS_POOL_VITAL:
    case PGS_POOL_SHARE:
        return pgs_least_of(round_up(most_of(vital_least(dev, pool->wanted_B), pool->least_B)),
                            wish_B);
    case PGS_POOL_LARGE:
    case PGS_POOL_OPEN:
    case PGS_POOL_KINDS:
        break;
    }
    return 0;
}

/* Half of a size, but not past what is insisted on. */
static uint64_t smaller(uint64_t size_B, uint64_t sure_B)
{
    const uint64_t half_B = size_B / 2 / PGS_POOL_UNIT_B * PGS_POOL_UNIT_B;
    return size_B > sure_B && half_B < sure_B ? sure_B : half_B;
}

/* Takes a smaller pool if the device has less memory. */
static VkResult take(struct pgs_draw_pool *pool, struct pgs_device *dev, struct pgs_linear *scratch,
                     uint64_t wish_B)
{
    const uint64_t own_B = pgs_linear_own_B(scratch), sure_B = insisted_B(pool, dev, wish_B);
    const bool whole = pool->kind == PGS_POOL_ROUND;
    uint64_t size_B = wish_B;
    VkResult result = take_size(pool, scratch, size_B, size_B <= sure_B);
    while (!whole && result == VK_ERROR_OUT_OF_DEVICE_MEMORY &&
           smaller(size_B, sure_B) >= PGS_POOL_LEAST_B) {
        size_B = smaller(size_B, sure_B);
        result = take_size(pool, scratch, size_B, size_B <= sure_B);
    }
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && !whole) /* a little, whatever the limits are */
        result = take_size(pool, scratch, size_B, true);
    if (result != VK_SUCCESS || size_B < wish_B)
        pgs_log(result == VK_SUCCESS ? PGS_LOG_WARN : PGS_LOG_ERROR,
                "out of device memory: the indirect and tessellated draws of a render pass get %u "
                "MiB instead of %u. Free some, or use VK_POLY_GS_PLAN=vertex",
                result == VK_SUCCESS ? mib_of((uint32_t)(size_B / PGS_POOL_UNIT_B)) : 0,
                mib_of((uint32_t)(wish_B / PGS_POOL_UNIT_B)));
    atomic_fetch_add_explicit(&dev->pools_held_B, pgs_linear_own_B(scratch) - own_B,
                              memory_order_relaxed);
    return result;
}

void pgs_draw_pools_prepare(struct pgs_draw_pool *const pools[PGS_POOL_KINDS],
                            struct pgs_device *dev, struct pgs_linear *scratch)
{
    const uint64_t limit_B = pgs_draw_pool_limit_B(dev);
    uint64_t sum_B = 0;
    for (int kind = 0; kind < PGS_POOL_KINDS; kind++)
        if (pools[kind] && !pools[kind]->sealed)
            sum_B += size_of(pools[kind], dev, scratch, limit_B);
    if (sum_B && sum_B <= PGS_ALLOWED_BUFFER_B) /* else each takes what it can have */
        pgs_linear_prepare(scratch, sum_B);
}

VkResult pgs_draw_pool_seal(struct pgs_draw_pool *pool, struct pgs_device *dev,
                            struct pgs_linear *scratch)
{
    if (pool->sealed)
        return VK_SUCCESS;
    const uint64_t limit_B = pgs_draw_pool_limit_B(dev);
    const VkResult result = take(pool, dev, scratch, size_of(pool, dev, scratch, limit_B));
    if (result != VK_SUCCESS)
        return result;
    const struct pgs_pool header = {
        .first = pool->range.address,
        .index_base =
            pool->range.address - pool->range.offset_B + pgs_index_bind_offset(&pool->range),
        .size_units = (uint32_t)(pool->range.size_B / PGS_POOL_UNIT_B),
        .limit_units = (uint32_t)(limit_B / PGS_POOL_UNIT_B),
    };
    memcpy(pool->header.mapped, &header, sizeof(header));
    pool->sealed = true;
    return VK_SUCCESS;
}

void pgs_draw_pool_release(struct pgs_device *dev, struct pgs_linear *scratch)
{
    atomic_fetch_sub_explicit(&dev->pools_held_B, pgs_linear_own_B(scratch), memory_order_relaxed);
    pgs_linear_reset(scratch);
}

static void log_share(const struct pgs_pool *header)
{
    pgs_log_once(PGS_LOG_INFO,
                 "an indirect draw needed %u MiB of memory and went in rounds of %u MiB",
                 mib_of(header->needed_units), mib_of(header->size_units));
}

static void raise_to(_Atomic uint32_t *most, uint32_t units)
{
    uint32_t known = atomic_load_explicit(most, memory_order_relaxed);
    while (units > known && !atomic_compare_exchange_weak_explicit(
                                most, &known, units, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* For grown_B. */
static void note_need(_Atomic uint32_t *most, _Atomic uint32_t *read, uint32_t units)
{
    raise_to(most, units);
    atomic_fetch_add_explicit(read, 1, memory_order_relaxed);
}

/* Twice as many as so far; ten times that. */
static void more_rounds(struct pgs_device *dev)
{
    const uint32_t log2 = atomic_load_explicit(&dev->rounds_log2, memory_order_relaxed);
    raise_to(&dev->rounds_log2, log2 < 10 ? log2 + 1 : log2);
}

/* Some draw has grown more than was expected of it, by what it needed before or what the bound
 * buffers say: the next ones have all rounds. */
static void forget_needs(struct pgs_device *dev)
{
    pgs_forget_learned(&dev->learned, PGS_LEARNED_ROUNDS);
    atomic_store_explicit(&dev->bounds_unsure, true, memory_order_relaxed);
}

void pgs_draw_pool_read(const struct pgs_draw_pool *pool, struct pgs_device *dev)
{
    if (!pool->sealed)
        return;
    struct pgs_pool header;
    memcpy(&header, pool->header.mapped, sizeof(header));
    if (header.too_large && header.left_out)
        pgs_log(PGS_LOG_ERROR,
                "an indirect or tessellated draw is too large for the layer: some of it was not "
                "drawn, or not captured and counted");
    const uint32_t needed_units =
        header.needed_units < header.limit_units ? header.needed_units : header.limit_units;
    if (pool->kind == PGS_POOL_LARGE && needed_units)
        note_need(&dev->large_pool_units, &dev->large_pools_read, needed_units);
    if (pool->kind == PGS_POOL_OPEN && needed_units)
        note_need(&dev->open_pool_units, &dev->open_pools_read, needed_units);
    if (pool->kind == PGS_POOL_VITAL && header.left_out)
        forget_needs(dev);
    if (pool->kind == PGS_POOL_VITAL)
        raise_to(&dev->vital_pool_units, needed_units);
    if (pool->kind == PGS_POOL_ROUND && header.needed_units > header.size_units)
        more_rounds(dev);
    if (header.needed_units <= header.size_units &&
        !(pool->kind == PGS_POOL_SHARE && header.left_out))
        return;
    if (pool->kind == PGS_POOL_SHARE && !header.left_out) {
        log_share(&header);
        return;
    }
    pgs_log(header.left_out ? PGS_LOG_ERROR : PGS_LOG_INFO,
            "the indirect and tessellated draws of a render pass needed %u MiB of memory and had "
            "%u MiB: some were %s%s",
            mib_of(header.needed_units), mib_of(header.size_units),
            header.left_out ? "not drawn, or not captured and counted"
                            : "drawn in a slower way that needs none",
            header.size_units < header.limit_units
                ? ". Passes recorded from now on get more; VK_POLY_GS_POOL=MiB gives more at once"
                : "");
    if (pool->kind == PGS_POOL_OPEN)
        raise_to(&dev->pool_units, needed_units);
}

uint64_t pgs_draw_most_stored_B(const struct pgs_device *dev, const struct pgs_linear *scratch)
{
    const uint64_t left_B = pgs_heap_left_B(dev);
    if (left_B == UINT64_MAX)
        return 0;
    const uint64_t most_B = left_B + pgs_linear_left_B(scratch);
    return most_B ? most_B : 1;
}

static uint64_t within_limit_B(const struct pgs_device *dev, uint64_t held_B)
{
    const uint64_t left_B = pgs_heap_left_B(dev);
    return left_B == UINT64_MAX ? UINT64_MAX : left_B + held_B;
}

uint64_t pgs_draw_least_share_B(const struct pgs_device *dev, const struct pgs_linear *scratch)
{
    const uint64_t heap_B = dev->physical->traits.heap_B;
    const uint64_t limit_B = within_limit_B(dev, pgs_linear_held_B(scratch));
    return heap_B ? pgs_least_of(heap_B / 2, limit_B) : limit_B;
}

/* Half of the heap at least, whatever other command buffers hold of it. */
uint64_t pgs_draw_share_B(const struct pgs_device *dev, const struct pgs_linear *scratch)
{
    const uint64_t heap_B = dev->physical->traits.heap_B, held_B = pgs_linear_held_B(scratch);
    const uint64_t limit_B = within_limit_B(dev, held_B);
    if (!heap_B)
        return limit_B;
    const uint64_t lent_B = pgs_heap_lent_B(dev);
    const uint64_t own_B = held_B + all_held_B(dev);
    const uint64_t others_B = lent_B > own_B ? lent_B - own_B : 0;
    const uint64_t share_B = others_B < heap_B / 2 ? heap_B - others_B : heap_B / 2;
    return pgs_least_of(share_B, limit_B);
}
