/* SPDX-License-Identifier: MIT */
#include "vulkan/queue.h"

void pgs_queue_init(struct pgs_queue *queue)
{
    pgs_arena_init(&queue->entries);
    pgs_arena_init(&queue->data);
}

void pgs_queue_finish(struct pgs_queue *queue)
{
    pgs_arena_finish(&queue->entries);
    pgs_arena_finish(&queue->data);
}

void pgs_queue_reset(struct pgs_queue *queue)
{
    pgs_arena_reset(&queue->entries);
    pgs_arena_reset(&queue->data);
}

VkResult pgs_enqueue_custom(struct pgs_queue *queue, pgs_queue_call call, const void *payload,
                            size_t size_B)
{
    void *kept = (void *)payload;
    if (size_B) {
        kept = pgs_arena_copy(&queue->data, payload, 1, size_B, sizeof(uint64_t));
        if (!kept)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return pgs_enqueue_call(queue, call, kept);
}
