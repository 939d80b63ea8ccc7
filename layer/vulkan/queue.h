/* SPDX-License-Identifier: MIT
 *
 * A queue of recorded commands: the contents of a render pass or of a secondary command buffer.
 * They are copied when the application records them, and replayed into the driver later, any number
 * of times. Not thread-safe, but several threads may replay one queue.
 */
#ifndef PGS_VULKAN_QUEUE_H
#define PGS_VULKAN_QUEUE_H

#include "vulkan/dispatch.h"
#include "vulkan/queue_commands.h" /* generated: VkResult pgs_enqueue_Cmd...(struct pgs_queue *, ...) */
#include "vulkan/queue_entry.h"

#include <stdbool.h>

void pgs_queue_init(struct pgs_queue *queue);
void pgs_queue_finish(struct pgs_queue *queue);

/* Empties the queue and keeps its blocks. */
void pgs_queue_reset(struct pgs_queue *queue);

static inline bool pgs_queue_is_empty(const struct pgs_queue *queue)
{
    const struct pgs_arena *entries = &queue->entries;
    return entries->current == entries->first &&
           (!entries->first || entries->cursor == entries->first->data);
}

/* Where the next command will be: differs if one has been added. Compare it only before a reset. */
static inline const void *pgs_queue_end(const struct pgs_queue *queue)
{
    return queue->entries.cursor;
}

/* Adds a callback to the commands. Each replay calls it with the payload and the context of the
 * replay. size_B > 0: the payload is copied, aligned to 8; 0: the pointer is kept. */
VkResult pgs_enqueue_custom(struct pgs_queue *queue, pgs_queue_call call, const void *payload,
                            size_t size_B);

/* The same with a pointer that is kept, for what is queued often. */
static inline VkResult pgs_enqueue_call(struct pgs_queue *queue, pgs_queue_call call, void *payload)
{
    struct pgs_entry_custom *entry = pgs_queue_entry(queue, PGS_ENTRY_CUSTOM, sizeof(*entry));
    if (!entry)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    entry->call = call;
    entry->payload = payload;
    return VK_SUCCESS;
}

/* As pgs_enqueue_CmdBindDescriptorSets for one set of graphics without dynamic offsets. Quick. */
static inline VkResult pgs_enqueue_set(struct pgs_queue *queue, VkPipelineLayout layout,
                                       uint32_t index, VkDescriptorSet set)
{
    struct pgs_entry_set *entry = pgs_queue_entry(queue, PGS_ENTRY_SET, sizeof(*entry));
    if (!entry)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    entry->index = index;
    entry->layout = layout;
    entry->set = set;
    return VK_SUCCESS;
}

/* Records all commands into cb through vk. */
void pgs_queue_replay(const struct pgs_queue *queue, VkCommandBuffer cb,
                      const struct pgs_device_dispatch *vk, void *context);

/* Like pgs_queue_replay, but skips commands that vk lacks, in order to inspect the others. */
void pgs_queue_scan(const struct pgs_queue *queue, VkCommandBuffer cb,
                    const struct pgs_device_dispatch *vk, void *context);

/* Takes out of a table for scans what draws, synchronises, or begins or ends something: what is
 * left binds and sets. */
void pgs_queue_keep_state(struct pgs_device_dispatch *vk);

#endif
