/* SPDX-License-Identifier: MIT
 *
 * Several queues of a family. Emulated draws keep their records and scratch in memory of the
 * command buffer, and barriers order its executions on one queue only. With SIMULTANEOUS_USE two
 * queues may execute a command buffer, or the same secondary in two others, at the same time. Such
 * submissions take turns: semaphores of the layer order those that have memory in common.
 *
 * A turn is given to a submission only when nothing can keep it from ending, or it could wait for a
 * semaphore that the application signals behind one that waits for its turn. So a submission that
 * waits for a timeline semaphore with a value that is still to come is kept at a gate, in its
 * queue, until it could run.
 */
#ifndef PGS_COMMAND_STATE_QUEUE_ORDER_H
#define PGS_COMMAND_STATE_QUEUE_ORDER_H

#include "vulkan/device.h"

struct pgs_command_buffer;
struct pgs_queue_order; /* NULL: no family that draws has several queues on this device */

/* Orders the queues of these families (a mask) that the device was created with, if a family has
 * several of them. timelineSemaphore must be enabled then. Errors: out of host or device memory,
 * and others of semaphores and threads. */
VkResult pgs_queue_order_create(struct pgs_device *dev, const VkDeviceCreateInfo *info,
                                uint64_t families, struct pgs_queue_order **order);
/* All queues must be idle. NULL is fine. */
void pgs_queue_order_destroy(struct pgs_device *dev, struct pgs_queue_order *order);

/* Call it when a semaphore has been created, or before it is destroyed. Thread-safe. */
VkResult pgs_queue_order_note_semaphore(struct pgs_queue_order *order,
                                        const VkSemaphoreCreateInfo *info, VkSemaphore semaphore);
void pgs_queue_order_forget_semaphore(struct pgs_queue_order *order, VkSemaphore semaphore);

/* Call it when cb has been told to execute the secondary. */
void pgs_queue_order_note_secondary(struct pgs_command_buffer *cb,
                                    struct pgs_command_buffer *secondary);

/* One of both is not NULL. */
struct pgs_submits {
    const VkSubmitInfo *infos;
    const VkSubmitInfo2 *infos2;
    uint32_t count;
};

/* vkQueueSubmit or vkQueueSubmit2, with dev->commands->order or without one. */
VkResult pgs_queue_order_submit(struct pgs_device *dev, VkQueue queue,
                                const struct pgs_submits *submits, VkFence fence);

/* Call it after vkQueueBindSparse. */
VkResult pgs_queue_order_note_sparse(struct pgs_device *dev, VkQueue queue, uint32_t count,
                                     const VkBindSparseInfo *infos);

#endif
