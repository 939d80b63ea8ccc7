/* SPDX-License-Identifier: MIT
 *
 * A queue of recorded commands: the contents of a render pass, or of a secondary command buffer,
 * copied when the application records them and replayed into the driver later, as often as needed.
 * Not thread-safe; replaying one queue from several threads is fine.
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

/* Something of the caller's own in the order of the commands. At each replay `call` gets the
 * payload and the context of the replay. size_B > 0: the payload is copied, aligned to 8; 0: the
 * pointer itself is kept. */
typedef void (*pgs_queue_call)(void *payload, VkCommandBuffer cb,
                               const struct pgs_device_dispatch *vk, void *context);
VkResult pgs_enqueue_custom(struct pgs_queue *queue, pgs_queue_call call, const void *payload,
                            size_t size_B);

/* Records everything into cb through vk. */
void pgs_queue_replay(const struct pgs_queue *queue, VkCommandBuffer cb,
                      const struct pgs_device_dispatch *vk, void *context);

/* The same, without the commands that vk has not: to look at those that it has. */
void pgs_queue_scan(const struct pgs_queue *queue, VkCommandBuffer cb,
                    const struct pgs_device_dispatch *vk, void *context);

/* For the generated half: replays an entry of pgs_enqueue_custom. */
void pgs_queue_replay_custom(const struct pgs_entry *header, VkCommandBuffer cb,
                             const struct pgs_device_dispatch *vk, void *context);

#endif
