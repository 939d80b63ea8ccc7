/* SPDX-License-Identifier: MIT
 *
 * Linear allocation from chunks of the heap or of commons.
 */
#include "memory/linear.h"

#include "base/alloc.h"
#include "base/log.h"

struct pgs_linear {
    struct pgs_device *dev;
    enum pgs_memory_kind kind;
    struct pgs_commons *commons; /* has the chunks; NULL: they are its own */
    struct pgs_chunk *chunks;
    size_t chunk_count, chunk_capacity;
    size_t current;       /* the chunk that is being filled */
    VkDeviceSize used_B;  /* of that chunk */
    VkDeviceSize total_B; /* of all chunks */
    /* What was in use at once since the reset, and before it: a command buffer is mostly recorded
     * with the same draws again, which then find all their memory in one piece. */
    VkDeviceSize most_B, expected_B;
};

VkResult pgs_linear_create(struct pgs_device *dev, enum pgs_memory_kind kind,
                           struct pgs_linear **linear)
{
    struct pgs_linear *l = pgs_calloc(1, sizeof(*l));
    if (!l)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    l->dev = dev;
    l->kind = kind;
    *linear = l;
    return VK_SUCCESS;
}

void pgs_linear_share(struct pgs_linear *linear, struct pgs_commons *commons)
{
    linear->commons = commons;
}

bool pgs_linear_is_shared(const struct pgs_linear *linear)
{
    return linear->commons != NULL;
}

void pgs_linear_destroy(struct pgs_linear *linear)
{
    if (!linear)
        return;
    pgs_linear_reset(linear);
    pgs_free(linear->chunks);
    pgs_free(linear);
}

/* With what is left at the ends of earlier chunks. */
static VkDeviceSize used_B(const struct pgs_linear *linear)
{
    VkDeviceSize sum_B = linear->used_B;
    for (size_t i = 0; i < linear->current && i < linear->chunk_count; i++)
        sum_B += linear->chunks[i].range.size_B;
    return sum_B;
}

static void note_use(struct pgs_linear *linear)
{
    const VkDeviceSize now_B = used_B(linear);
    if (linear->most_B < now_B)
        linear->most_B = now_B;
}

void pgs_linear_rewind(struct pgs_linear *linear)
{
    note_use(linear);
    linear->current = 0;
    linear->used_B = 0;
}

/* Begins anew with what is there. */
static void restart(struct pgs_linear *linear)
{
    note_use(linear);
    linear->expected_B = linear->most_B;
    linear->most_B = 0;
    linear->current = 0;
    linear->used_B = 0;
}

static void give_all(struct pgs_linear *linear)
{
    for (size_t i = 0; i < linear->chunk_count; i++) {
        if (linear->commons)
            pgs_commons_give(linear->commons, &linear->chunks[i]);
        else
            pgs_heap_give(linear->dev, &linear->chunks[i]);
    }
    linear->chunk_count = 0;
    linear->total_B = 0;
}

/* A larger chunk has a block of its own, which small draws would keep from being empty. */
void pgs_linear_restart(struct pgs_linear *linear)
{
    restart(linear);
    if (linear->commons || linear->chunk_count != 1 ||
        linear->total_B > pgs_heap_block_size(linear->dev, linear->kind) ||
        linear->total_B != pgs_heap_chunk_size(linear->kind, linear->expected_B))
        give_all(linear);
}

void pgs_linear_give_unused(struct pgs_linear *linear)
{
    if (linear->most_B || used_B(linear))
        return;
    give_all(linear);
    linear->expected_B = 0;
}

void pgs_linear_reset(struct pgs_linear *linear)
{
    restart(linear);
    give_all(linear);
}

static bool reserve_chunk(struct pgs_linear *linear)
{
    if (linear->chunk_count < linear->chunk_capacity)
        return true;
    const size_t capacity = linear->chunk_capacity ? 2 * linear->chunk_capacity : 4;
    struct pgs_chunk *grown = pgs_realloc(linear->chunks, capacity * sizeof(*grown));
    if (!grown)
        return false;
    linear->chunks = grown;
    linear->chunk_capacity = capacity;
    return true;
}

/* Chunks grow with the command buffer up to the size of a block, if memory allows it; the first is
 * as large as all were before the reset. */
static VkResult take_own(struct pgs_linear *linear, VkDeviceSize size_B, enum pgs_need need,
                         struct pgs_chunk *chunk)
{
    const VkDeviceSize block_B = pgs_heap_block_size(linear->dev, linear->kind);
    VkDeviceSize wish_B = linear->total_B ? linear->total_B : linear->expected_B;
    if (wish_B > block_B)
        wish_B = block_B;
    if (wish_B < size_B)
        wish_B = size_B;
    VkResult result = pgs_heap_take(linear->dev, linear->kind, wish_B,
                                    wish_B > size_B ? PGS_NEED_SOME : need, chunk);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && wish_B > size_B)
        result = pgs_heap_take(linear->dev, linear->kind, size_B, need, chunk);
    return result;
}

/* Adds a chunk that holds size_B and makes it current. */
static VkResult grow(struct pgs_linear *linear, VkDeviceSize size_B, enum pgs_need need)
{
    if (!reserve_chunk(linear))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct pgs_chunk *chunk = &linear->chunks[linear->chunk_count];
    const VkResult result = linear->commons
                                ? pgs_commons_take(linear->commons, size_B, need, linear->chunks,
                                                   linear->chunk_count, chunk)
                                : take_own(linear, size_B, need, chunk);
    if (result != VK_SUCCESS)
        return result;
    linear->current = linear->chunk_count++;
    linear->used_B = 0;
    linear->total_B += chunk->range.size_B;
    return VK_SUCCESS;
}

static struct pgs_range part_of(const struct pgs_range *whole, VkDeviceSize at_B,
                                VkDeviceSize size_B)
{
    return (struct pgs_range){
        .buffer = whole->buffer,
        .offset_B = whole->offset_B + at_B,
        .size_B = size_B,
        .address = whole->address + at_B,
        .mapped = whole->mapped ? (unsigned char *)whole->mapped + at_B : NULL,
    };
}

static VkDeviceSize aligned(VkDeviceSize size_B, VkDeviceSize align_B)
{
    return (size_B + align_B - 1) & ~(align_B - 1);
}

/* Takes the range from the current chunk. False: it does not fit. */
static bool cut(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                struct pgs_range *range)
{
    const struct pgs_range *whole = &linear->chunks[linear->current].range;
    /* Chunks start at multiples of their size, so an aligned offset gives an address that is
     * aligned as far as the buffer is. */
    const VkDeviceSize start_B = aligned(linear->used_B, align_B);
    if (start_B > whole->size_B || whole->size_B - start_B < size_B)
        return false;
    *range = part_of(whole, start_B, size_B);
    linear->used_B = start_B + size_B;
    return true;
}

struct pgs_linear_mark pgs_linear_mark(const struct pgs_linear *linear, VkDeviceSize align_B)
{
    return (struct pgs_linear_mark){.chunk = linear->current,
                                    .used_B = aligned(linear->used_B, align_B)};
}

bool pgs_linear_since(const struct pgs_linear *linear, const struct pgs_linear_mark *mark,
                      struct pgs_range *range)
{
    if (linear->current != mark->chunk || linear->used_B <= mark->used_B)
        return false;
    *range = part_of(&linear->chunks[linear->current].range, mark->used_B,
                     linear->used_B - mark->used_B);
    return true;
}

bool pgs_linear_grow(struct pgs_linear *linear, struct pgs_range *range, VkDeviceSize size_B)
{
    const struct pgs_range *whole = &linear->chunks[linear->current].range;
    const VkDeviceSize end_B = whole->offset_B + linear->used_B;
    if (range->buffer != whole->buffer || range->offset_B + range->size_B != end_B ||
        whole->size_B - linear->used_B < size_B - range->size_B)
        return false;
    linear->used_B += size_B - range->size_B;
    range->size_B = size_B;
    return true;
}

VkDeviceSize pgs_linear_held_B(const struct pgs_linear *linear)
{
    return linear->total_B;
}

VkDeviceSize pgs_linear_left_B(const struct pgs_linear *linear)
{
    return linear->total_B - used_B(linear);
}

VkDeviceSize pgs_linear_own_B(const struct pgs_linear *linear)
{
    return linear->commons ? 0 : linear->total_B;
}

VkDeviceSize pgs_linear_within_reach_B(const struct pgs_linear *linear)
{
    return linear->commons ? pgs_commons_held_B(linear->commons) : linear->total_B;
}

/* Of the current chunk. */
static bool fits(const struct pgs_linear *linear, VkDeviceSize size_B)
{
    return linear->current < linear->chunk_count &&
           linear->chunks[linear->current].range.size_B - linear->used_B >= size_B;
}

void pgs_linear_prepare(struct pgs_linear *linear, VkDeviceSize size_B)
{
    const size_t current = linear->current;
    const VkDeviceSize used_B = linear->used_B;
    if (!linear->commons)
        return;
    while (linear->current < linear->chunk_count && !fits(linear, size_B)) {
        linear->current++;
        linear->used_B = 0;
    }
    if (linear->current < linear->chunk_count || grow(linear, size_B, PGS_NEED_SOME) == VK_SUCCESS)
        return;
    linear->current = current;
    linear->used_B = used_B;
}

static VkResult take(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                     enum pgs_need need, struct pgs_range *range)
{
    const size_t current = linear->current;
    const VkDeviceSize used_B = linear->used_B;
    while (linear->current < linear->chunk_count) {
        if (cut(linear, size_B, align_B, range))
            return VK_SUCCESS;
        linear->current++;
        linear->used_B = 0;
    }
    const VkResult result = grow(linear, size_B ? size_B : 1, need);
    if (result != VK_SUCCESS) { /* less may fit in what is there */
        linear->current = current;
        linear->used_B = used_B;
        return result;
    }
    cut(linear, size_B, align_B, range);
    return VK_SUCCESS;
}

VkResult pgs_linear_try(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                        struct pgs_range *range)
{
    return take(linear, size_B, align_B, PGS_NEED_SOME, range);
}

VkResult pgs_linear_insist(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                           struct pgs_range *range)
{
    return take(linear, size_B, align_B, PGS_NEED_ALL, range);
}

VkResult pgs_linear_alloc(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                          struct pgs_range *range)
{
    const VkResult result = pgs_linear_insist(linear, size_B, align_B, range);
    if (result != VK_SUCCESS)
        pgs_log(PGS_LOG_ERROR,
                "out of memory: cannot allocate %llu bytes of %s memory for emulated draws",
                (unsigned long long)size_B,
                linear->kind == PGS_MEMORY_SCRATCH ? "device" : "host-visible");
    return result;
}
