/* SPDX-License-Identifier: MIT
 *
 * The entries of a queue. Only for its generated and hand-written code.
 */
#ifndef PGS_VULKAN_QUEUE_ENTRY_H
#define PGS_VULKAN_QUEUE_ENTRY_H

#include "base/arena.h"
#include "vulkan/dispatch.h"

#include <stdint.h>

/* Zero-initialised is a valid empty queue. */
struct pgs_queue {
    struct pgs_arena entries; /* packed, in order of recording */
    struct pgs_arena data;    /* what the entries point to */
};

/* First member of every entry. */
struct pgs_entry {
    uint16_t type;
    uint16_t size_B; /* to the next entry; a multiple of 8 */
};

/* Types of the hand-written ones; the generated ones follow. */
#define PGS_ENTRY_CUSTOM 0
#define PGS_ENTRY_SET 1

/* A callback: see pgs_enqueue_custom. */
typedef void (*pgs_queue_call)(void *payload, VkCommandBuffer cb,
                               const struct pgs_device_dispatch *vk, void *context);
struct pgs_entry_custom {
    struct pgs_entry header;
    pgs_queue_call call;
    void *payload;
};

static inline void pgs_queue_replay_custom(const struct pgs_entry *header, VkCommandBuffer cb,
                                           const struct pgs_device_dispatch *vk, void *context)
{
    const struct pgs_entry_custom *entry = (const void *)header;
    entry->call(entry->payload, cb, vk, context);
}

/* See pgs_enqueue_set. */
struct pgs_entry_set {
    struct pgs_entry header;
    uint32_t index;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static inline void pgs_queue_replay_set(const struct pgs_entry *header, VkCommandBuffer cb,
                                        const struct pgs_device_dispatch *vk)
{
    const struct pgs_entry_set *entry = (const void *)header;
    vk->CmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, entry->layout, entry->index, 1,
                              &entry->set, 0, NULL);
}

/* Uninitialised except its header; NULL: out of memory. Entries have multiples of 8 bytes, so the
 * cursor needs no padding; an arena without a block has no bytes left. */
static inline void *pgs_queue_entry(struct pgs_queue *queue, uint16_t type, size_t size_B)
{
    struct pgs_arena *entries = &queue->entries;
    struct pgs_entry *entry = (struct pgs_entry *)entries->cursor;
    size_B = (size_B + 7) & ~(size_t)7;
    if (__builtin_expect((size_t)(entries->end - entries->cursor) >= size_B, 1))
        entries->cursor += size_B;
    else
        entry = pgs_arena_alloc_block(entries, size_B, 8);
    if (entry)
        *entry = (struct pgs_entry){.type = type, .size_B = (uint16_t)size_B};
    return entry;
}

#endif
