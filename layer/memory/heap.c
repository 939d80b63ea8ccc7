/* SPDX-License-Identifier: MIT */
#include "memory/heap.h"

#include "base/alloc.h"
#include "base/log.h"
#include "memory/limit.h"
#include "memory/spans.h"

#include <pthread.h>
#include <stdatomic.h>

struct pgs_block {
    struct pgs_block *next;
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    unsigned char *mapped; /* NULL for device-only memory */
    uint64_t size_B;
    uint64_t emptied_at; /* pgs_heap.gives when the block became empty */
    struct pgs_spans spans;
};

struct pgs_heap {
    pthread_mutex_t lock; /* guards what follows and every block's spans */
    struct pgs_block *blocks[PGS_MEMORY_KINDS];
    uint64_t gives;           /* chunks returned so far: the clock of the heap */
    _Atomic uint32_t submits; /* likewise, more slowly */
    uint64_t held_B;          /* size of the blocks, also of those that are being made */
    uint64_t most_B;          /* it was once */
    _Atomic uint64_t lent_B;  /* size of the chunks; changed under the lock */
    uint64_t limit_B;         /* pgs_memory_limit_B, which is the same for the device's lifetime */
    VkDeviceSize scratch_block_B;
};

/* What the host writes and reads, and the GPU, too. */
#define MAPPED_USAGE                                                                               \
    (VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |                    \
     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |                \
     VK_BUFFER_USAGE_TRANSFER_DST_BIT)
#define MAPPED_MEMORY (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

/* The differences between the kinds. Memory properties are tried in order. */
static const struct kind {
    VkDeviceSize block_B, chunk_B;
    VkBufferUsageFlags usage;
    bool mapped;
    VkMemoryPropertyFlags wanted[2];
    VkMemoryPropertyFlags needed;
} kinds[] = {
    [PGS_MEMORY_UPLOAD] =
        {
            .block_B = PGS_UPLOAD_BLOCK_B,
            .chunk_B = PGS_UPLOAD_CHUNK_B,
            .usage =
                VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT | MAPPED_USAGE,
            .mapped = true,
            .wanted = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
            .needed = MAPPED_MEMORY,
        },
    [PGS_MEMORY_QUERIES] =
        {
            .block_B = PGS_QUERIES_BLOCK_B,
            .chunk_B = PGS_QUERIES_CHUNK_B,
            .usage = MAPPED_USAGE,
            .mapped = true,
            .wanted = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
            .needed = MAPPED_MEMORY,
        },
    [PGS_MEMORY_SCRATCH] =
        {
            .block_B = PGS_SCRATCH_BLOCK_B,
            .chunk_B = PGS_SCRATCH_CHUNK_B,
            .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
            .wanted = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
        },
};

VkDeviceSize pgs_heap_chunk_size(enum pgs_memory_kind kind, VkDeviceSize size_B)
{
    const VkDeviceSize chunk_B = kinds[kind].chunk_B;
    return (size_B + chunk_B - 1) / chunk_B * chunk_B;
}

VkDeviceSize pgs_heap_block_size(const struct pgs_device *dev, enum pgs_memory_kind kind)
{
    return kind == PGS_MEMORY_SCRATCH ? dev->heap->scratch_block_B : kinds[kind].block_B;
}

uint64_t pgs_heap_lent_B(const struct pgs_device *dev)
{
    return atomic_load_explicit(&dev->heap->lent_B, memory_order_relaxed);
}

uint64_t pgs_heap_left_B(const struct pgs_device *dev)
{
    const struct pgs_heap *heap = dev->heap;
    const uint64_t lent_B = pgs_heap_lent_B(dev);
    if (heap->limit_B == UINT64_MAX)
        return UINT64_MAX;
    return heap->limit_B > lent_B ? heap->limit_B - lent_B : 0;
}

/* A sixteenth of what the layer may take or the device has, in chunks. */
static VkDeviceSize scratch_block_size(uint64_t limit_B)
{
    const uint64_t part_B = limit_B / 16 / PGS_SCRATCH_CHUNK_B * PGS_SCRATCH_CHUNK_B;
    return part_B > PGS_SCRATCH_BLOCK_B   ? PGS_SCRATCH_BLOCK_B
           : part_B < PGS_SCRATCH_CHUNK_B ? PGS_SCRATCH_CHUNK_B
                                          : part_B;
}

VkResult pgs_heap_create(struct pgs_device *dev)
{
    struct pgs_heap *heap = pgs_calloc(1, sizeof(*heap));
    if (!heap)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (pthread_mutex_init(&heap->lock, NULL)) {
        pgs_free(heap);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    heap->limit_B = pgs_memory_limit_B(dev->physical);
    const uint64_t there_B = pgs_largest_heap_B(dev->physical);
    heap->scratch_block_B =
        scratch_block_size(there_B && there_B < heap->limit_B ? there_B : heap->limit_B);
    dev->heap = heap;
    return VK_SUCCESS;
}

/* Also destroys half-built blocks. */
static void block_destroy(struct pgs_device *dev, struct pgs_block *block)
{
    if (!block)
        return;
    dev->vk.DestroyBuffer(dev->handle, block->buffer, NULL);
    dev->vk.FreeMemory(dev->handle, block->memory, NULL); /* unmaps */
    pgs_spans_finish(&block->spans);
    pgs_free(block);
}

void pgs_heap_destroy(struct pgs_device *dev)
{
    struct pgs_heap *heap = dev->heap;
    if (!heap)
        return;
    for (size_t kind = 0; kind < PGS_MEMORY_KINDS; kind++) {
        while (heap->blocks[kind]) {
            struct pgs_block *block = heap->blocks[kind];
            heap->blocks[kind] = block->next;
            block_destroy(dev, block);
        }
    }
    if (heap->most_B)
        pgs_log(PGS_LOG_INFO, "the device took at most %llu KiB of memory for emulated draws",
                (unsigned long long)(heap->most_B >> 10));
    pthread_mutex_destroy(&heap->lock);
    pgs_free(heap);
    dev->heap = NULL;
}

/* Allocates from the first memory type that has the properties and room, also in the budget of its
 * heap if `budgeted`. */
static VkResult allocate_within(struct pgs_device *dev, const struct kind *kind,
                                const VkMemoryRequirements *needs, bool budgeted,
                                VkDeviceMemory *memory)
{
    const VkPhysicalDeviceMemoryProperties *types = &dev->physical->memory;
    const VkMemoryPropertyFlags unusable = VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                           VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                           VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    uint32_t tried = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        const VkMemoryPropertyFlags flags = kind->wanted[pass] | kind->needed;
        for (uint32_t i = 0; i < types->memoryTypeCount; i++) {
            const uint32_t bit = UINT32_C(1) << i;
            const VkMemoryPropertyFlags has = types->memoryTypes[i].propertyFlags;
            if (!(needs->memoryTypeBits & bit) || (tried & bit) || (has & flags) != flags ||
                (has & unusable))
                continue;
            tried |= bit;
            if (budgeted &&
                needs->size > pgs_memory_budget_B(dev->physical, types->memoryTypes[i].heapIndex))
                continue;
            const VkMemoryAllocateFlagsInfo address = {
                .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
            };
            const VkMemoryAllocateInfo info = {
                .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                .pNext = dev->physical->address == PGS_ADDRESS_EXT ? NULL : &address,
                .allocationSize = needs->size,
                .memoryTypeIndex = i,
            };
            result = dev->vk.AllocateMemory(dev->handle, &info, NULL, memory);
            if (result == VK_SUCCESS)
                return result;
            *memory = VK_NULL_HANDLE;
        }
    }
    return result == VK_ERROR_OUT_OF_HOST_MEMORY ? result : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VkResult allocate_memory(struct pgs_device *dev, const struct kind *kind,
                                const VkMemoryRequirements *needs, enum pgs_need need,
                                VkDeviceMemory *memory)
{
    const bool budgeted = dev->physical->has_memory_budget;
    const VkResult result = allocate_within(dev, kind, needs, budgeted, memory);
    if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY || !budgeted || need == PGS_NEED_SOME)
        return result;
    pgs_log_once(PGS_LOG_WARN, "emulated draws take more memory than VK_EXT_memory_budget leaves");
    return allocate_within(dev, kind, needs, false, memory);
}

/* Uploaded words may be conditions if conditional rendering is enabled. */
static VkBufferUsageFlags usage_of(const struct pgs_device *dev, const struct kind *kind)
{
    return kind->mapped && dev->vk.CmdBeginConditionalRenderingEXT
               ? kind->usage | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT
               : kind->usage;
}

static VkResult block_create(struct pgs_device *dev, const struct kind *kind, VkDeviceSize size_B,
                             enum pgs_need need, struct pgs_block **out)
{
    struct pgs_block *block = pgs_calloc(1, sizeof(*block));
    if (!block)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    block->size_B = size_B;
    if (!pgs_spans_init(&block->spans, size_B))
        goto fail;

    const VkBufferCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size_B,
        .usage = usage_of(dev, kind),
    };
    result = dev->vk.CreateBuffer(dev->handle, &buffer_info, NULL, &block->buffer);
    if (result != VK_SUCCESS) {
        block->buffer = VK_NULL_HANDLE;
        goto fail;
    }
    VkMemoryRequirements needs;
    dev->vk.GetBufferMemoryRequirements(dev->handle, block->buffer, &needs);
    result = allocate_memory(dev, kind, &needs, need, &block->memory);
    if (result != VK_SUCCESS)
        goto fail;
    result = dev->vk.BindBufferMemory(dev->handle, block->buffer, block->memory, 0);
    if (result != VK_SUCCESS)
        goto fail;
    if (kind->mapped) {
        void *mapped = NULL;
        result = dev->vk.MapMemory(dev->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
        if (result != VK_SUCCESS)
            goto fail;
        block->mapped = mapped;
    }
    const VkBufferDeviceAddressInfo address_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = block->buffer,
    };
    block->address = dev->vk.GetBufferDeviceAddress(dev->handle, &address_info);
    *out = block;
    return VK_SUCCESS;
fail:
    block_destroy(dev, block);
    return result == VK_ERROR_OUT_OF_HOST_MEMORY ? result : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* A block larger than usual was made for one large chunk. Small ones, which come and go all the
 * time, would keep it from ever being empty. */
static bool may_hold(const struct pgs_device *dev, const struct pgs_block *block,
                     enum pgs_memory_kind kind, VkDeviceSize size_B)
{
    const VkDeviceSize usual_B = pgs_heap_block_size(dev, kind);
    return block->size_B <= usual_B || (size_B > usual_B && size_B >= block->size_B / 2);
}

static enum pgs_spans_result take_from(struct pgs_block *block, enum pgs_memory_kind kind,
                                       VkDeviceSize size_B, struct pgs_chunk *chunk)
{
    uint64_t offset_B;
    const enum pgs_spans_result result = pgs_spans_take(&block->spans, size_B, &offset_B);
    if (result == PGS_SPANS_OK)
        *chunk = (struct pgs_chunk){
            .block = block,
            .kind = kind,
            .range = {.buffer = block->buffer,
                      .offset_B = offset_B,
                      .size_B = size_B,
                      .address = block->address + offset_B,
                      .mapped = block->mapped ? block->mapped + offset_B : NULL},
        };
    return result;
}

/* Unlinks the blocks of a kind that have been empty for `idle_gives` chunks or more, and puts them
 * in front of a list, which it returns. Called with the lock held. */
static struct pgs_block *retire_of(struct pgs_heap *heap, enum pgs_memory_kind kind,
                                   uint64_t idle_gives, struct pgs_block *retired)
{
    struct pgs_block **link = &heap->blocks[kind];
    while (*link) {
        struct pgs_block *block = *link;
        if (!pgs_spans_all_free(&block->spans) || heap->gives - block->emptied_at < idle_gives) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        heap->held_B -= block->size_B;
        block->next = retired;
        retired = block;
    }
    return retired;
}

static struct pgs_block *retire(struct pgs_heap *heap, uint64_t idle_gives)
{
    struct pgs_block *retired = NULL;
    for (int kind = 0; kind < PGS_MEMORY_KINDS; kind++)
        retired = retire_of(heap, kind, idle_gives, retired);
    return retired;
}

static void destroy_list(struct pgs_device *dev, struct pgs_block *list)
{
    while (list) {
        struct pgs_block *next = list->next;
        block_destroy(dev, list);
        list = next;
    }
}

/* Counts a new block of size_B, or of least_B if the limit leaves no more. False: it leaves less
 * than that. */
static bool reserve(struct pgs_heap *heap, VkDeviceSize least_B, enum pgs_need need,
                    VkDeviceSize *size_B)
{
    pthread_mutex_lock(&heap->lock);
    const uint64_t left_B = heap->limit_B > heap->held_B ? heap->limit_B - heap->held_B : 0;
    if (*size_B > left_B)
        *size_B = least_B;
    const bool fits = *size_B <= left_B || need == PGS_NEED_ALL;
    if (fits)
        heap->held_B += *size_B;
    if (heap->most_B < heap->held_B)
        heap->most_B = heap->held_B;
    const bool beyond = heap->held_B > heap->limit_B;
    pthread_mutex_unlock(&heap->lock);
    if (fits && beyond)
        pgs_log_once(PGS_LOG_WARN,
                     "emulated draws take more than %llu MiB of memory: they cannot be drawn in "
                     "another way (VK_POLY_GS_MEMORY)",
                     (unsigned long long)(heap->limit_B >> 20));
    return fits;
}

static void unreserve(struct pgs_heap *heap, VkDeviceSize size_B)
{
    pthread_mutex_lock(&heap->lock);
    heap->held_B -= size_B;
    pthread_mutex_unlock(&heap->lock);
}

/* Makes a block of the usual size, or of least_B if limit, budget or driver leave no more. */
static VkResult try_block(struct pgs_device *dev, enum pgs_memory_kind kind, VkDeviceSize least_B,
                          enum pgs_need need, struct pgs_block **block)
{
    const VkDeviceSize usual_B = pgs_heap_block_size(dev, kind);
    VkDeviceSize size_B = least_B > usual_B ? least_B : usual_B;
    if (!reserve(dev->heap, least_B, need, &size_B))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    VkResult result = block_create(dev, &kinds[kind], size_B, need, block);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && size_B > least_B) {
        unreserve(dev->heap, size_B - least_B);
        size_B = least_B;
        result = block_create(dev, &kinds[kind], size_B, need, block);
    }
    if (result != VK_SUCCESS)
        unreserve(dev->heap, size_B);
    return result;
}

/* True if blocks that were empty are free now. */
static bool free_idle(struct pgs_device *dev)
{
    pthread_mutex_lock(&dev->heap->lock);
    struct pgs_block *retired = retire(dev->heap, 0);
    pthread_mutex_unlock(&dev->heap->lock);
    destroy_list(dev, retired);
    return retired != NULL;
}

/* Chunks that are given back while a block stays empty, before one that does not suit is freed for
 * another: what a program takes in turns stays. */
#define OUTGROWN_GIVES 64

/* Frees blocks of the kind that have been empty for a while. They do not suit what is wanted now,
 * so a program whose needs change does not keep all that it ever had. */
static void free_outgrown(struct pgs_device *dev, enum pgs_memory_kind kind)
{
    pthread_mutex_lock(&dev->heap->lock);
    struct pgs_block *retired = retire_of(dev->heap, kind, OUTGROWN_GIVES, NULL);
    pthread_mutex_unlock(&dev->heap->lock);
    destroy_list(dev, retired);
}

/* Makes a new block. If memory is short, first frees all blocks that are empty, and only then goes
 * beyond limit and budget. */
static VkResult grow(struct pgs_device *dev, enum pgs_memory_kind kind, VkDeviceSize size_B,
                     enum pgs_need need, struct pgs_block **block)
{
    VkResult result = try_block(dev, kind, size_B, PGS_NEED_SOME, block);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && free_idle(dev))
        result = try_block(dev, kind, size_B, PGS_NEED_SOME, block);
    const bool limited = dev->heap->limit_B != UINT64_MAX || dev->physical->has_memory_budget;
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && need == PGS_NEED_ALL && limited)
        result = try_block(dev, kind, size_B, PGS_NEED_ALL, block);
    return result;
}

/* Under the lock. */
static void count_lent(struct pgs_heap *heap, int64_t change_B)
{
    const uint64_t lent_B = atomic_load_explicit(&heap->lent_B, memory_order_relaxed);
    atomic_store_explicit(&heap->lent_B, lent_B + (uint64_t)change_B, memory_order_relaxed);
}

VkResult pgs_heap_take(struct pgs_device *dev, enum pgs_memory_kind kind, VkDeviceSize size_B,
                       enum pgs_need need, struct pgs_chunk *chunk)
{
    struct pgs_heap *heap = dev->heap;
    if (size_B > UINT64_MAX - kinds[kind].chunk_B)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    size_B = pgs_heap_chunk_size(kind, size_B);

    enum pgs_spans_result taken = PGS_SPANS_FULL;
    pthread_mutex_lock(&heap->lock);
    for (struct pgs_block *b = heap->blocks[kind]; b && taken == PGS_SPANS_FULL; b = b->next)
        if (may_hold(dev, b, kind, size_B))
            taken = take_from(b, kind, size_B, chunk);
    if (taken == PGS_SPANS_OK)
        count_lent(heap, (int64_t)size_B);
    pthread_mutex_unlock(&heap->lock);
    if (taken != PGS_SPANS_FULL)
        return taken == PGS_SPANS_OK ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;

    free_outgrown(dev, kind);
    struct pgs_block *block = NULL;
    const VkResult result = grow(dev, kind, size_B, need, &block);
    if (result != VK_SUCCESS)
        return result;
    taken = take_from(block, kind, size_B, chunk); /* no other thread knows the block yet */
    if (taken != PGS_SPANS_OK) {
        unreserve(heap, block->size_B);
        block_destroy(dev, block);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    pthread_mutex_lock(&heap->lock);
    count_lent(heap, (int64_t)size_B);
    block->next = heap->blocks[kind];
    heap->blocks[kind] = block;
    pthread_mutex_unlock(&heap->lock);
    return VK_SUCCESS;
}

void pgs_heap_trim(struct pgs_device *dev)
{
    free_idle(dev);
}

/* So many submissions are counted at once. */
#define SUBMITS 256

void pgs_heap_note_submit(struct pgs_device *dev)
{
    struct pgs_heap *heap = dev->heap;
    if (!heap)
        return;
    const uint32_t count = atomic_fetch_add_explicit(&heap->submits, 1, memory_order_relaxed) + 1;
    if (count % SUBMITS)
        return;
    pthread_mutex_lock(&heap->lock);
    heap->gives += SUBMITS / PGS_IDLE_SUBMITS;
    struct pgs_block *retired = retire(heap, PGS_IDLE_GIVES);
    pthread_mutex_unlock(&heap->lock);
    destroy_list(dev, retired);
}

void pgs_heap_give(struct pgs_device *dev, const struct pgs_chunk *chunk)
{
    struct pgs_heap *heap = dev->heap;
    pthread_mutex_lock(&heap->lock);
    heap->gives++;
    count_lent(heap, -(int64_t)chunk->range.size_B);
    pgs_spans_give(&chunk->block->spans, chunk->range.offset_B, chunk->range.size_B);
    if (pgs_spans_all_free(&chunk->block->spans))
        chunk->block->emptied_at = heap->gives;
    struct pgs_block *retired = retire(heap, PGS_IDLE_GIVES);
    pthread_mutex_unlock(&heap->lock);
    destroy_list(dev, retired);
}
