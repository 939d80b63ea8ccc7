/* SPDX-License-Identifier: MIT
 *
 * The seam between the generated queueing hooks and command/: the first member of command's struct
 * per command buffer, found from the handle.
 */
#ifndef PGS_VULKAN_RECORDER_H
#define PGS_VULKAN_RECORDER_H

#include "vulkan/dispatch.h"

#include <stdbool.h>

struct pgs_queue;

struct pgs_recorder {
    const struct pgs_device_dispatch *vk;
    struct pgs_queue *queue; /* where commands go; NULL: straight down */
    VkResult result;         /* first error of a vkCmd*, to be returned by vkEndCommandBuffer */
};

/* False when out of memory. The recorder must stay where it is until it is unregistered. */
bool pgs_recorder_register(VkCommandBuffer handle, struct pgs_recorder *recorder);

/* Before the handle goes down to be freed. */
void pgs_recorder_unregister(VkCommandBuffer handle);

/* NULL for command buffers that were not registered, as those of inactive devices. Cheap when a
 * thread asks for the same command buffer again and again. */
struct pgs_recorder *pgs_recorder_find(VkCommandBuffer handle);

/* For hooks that may be called on an inactive device: as pgs_recorder_find, but never NULL. What
 * stands for an unregistered command buffer is not part of anything and only good for its vk and
 * (NULL) queue. */
struct pgs_recorder *pgs_recorder_get(VkCommandBuffer handle);

static inline void pgs_recorder_latch(struct pgs_recorder *recorder, VkResult result)
{
    if (__builtin_expect(result != VK_SUCCESS, 0) && recorder->result == VK_SUCCESS)
        recorder->result = result;
}

#endif
