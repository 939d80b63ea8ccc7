/* SPDX-License-Identifier: MIT
 *
 * Command buffers of the harness, which vkt.h includes: all but the thread's come from its pool and
 * live until vkt_finish.
 */
#ifndef PGS_TESTS_COMMON_VKT_COMMANDS_H
#define PGS_TESTS_COMMON_VKT_COMMANDS_H

#include <volk.h>

#include <pthread.h>

struct vkt;
struct vkt_target;

VkCommandBuffer vkt_commands(struct vkt *t); /* primary */
void vkt_begin(VkCommandBuffer cmd, VkCommandBufferUsageFlags flags);
/* Ends the command buffer, submits it and waits for the end. */
void vkt_submit(struct vkt *t, VkCommandBuffer cmd);
/* The same of a pass, which clears the target and executes secondaries. */
void vkt_submit_secondaries(struct vkt *t, const struct vkt_target *target,
                            const VkCommandBuffer *secondaries, uint32_t count);

/* Secondary ones, begun. _in: continues subpass 0 of a pass, which is added to the flags. */
VkCommandBuffer vkt_secondary(struct vkt *t, VkCommandBufferUsageFlags flags,
                              const VkCommandBufferInheritanceInfo *inheritance);
VkCommandBuffer vkt_secondary_in(struct vkt *t, VkRenderPass pass, VkCommandBufferUsageFlags flags);

/* Everything before is visible to everything after, the host included. */
void vkt_barrier_all(VkCommandBuffer cmd);

/* What a thread records and submits with, on a device that others use, too. */
struct vkt_thread {
    struct vkt *t;
    pthread_mutex_t *queue_lock; /* of all threads of the device */
    VkCommandPool pool;
    VkFence fence;
};
void vkt_thread_open(struct vkt_thread *thread, struct vkt *t, pthread_mutex_t *queue_lock);
void vkt_thread_close(struct vkt_thread *thread);
VkCommandBuffer vkt_thread_commands(const struct vkt_thread *thread); /* primary */
/* Submits an ended command buffer and waits for the end. */
void vkt_thread_submit(const struct vkt_thread *thread, VkCommandBuffer cmd);

#endif
