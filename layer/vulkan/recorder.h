/* SPDX-License-Identifier: MIT
 *
 * The seam between the generated queueing hooks and command/: the first member of command's struct
 * per command buffer, found from the handle.
 */
#ifndef PGS_VULKAN_RECORDER_H
#define PGS_VULKAN_RECORDER_H

#include "vulkan/dispatch.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Within glibc a small variable always finds room in the static block, which spares a call per
 * access. */
#ifdef __GLIBC__
#define PGS_FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define PGS_FAST_TLS
#endif
#define PGS_SLOW __attribute__((noinline))
#define PGS_HIDDEN __attribute__((visibility("hidden")))

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

/* What a thread asked for last. */
struct pgs_recorder_memory {
    VkCommandBuffer handle;
    struct pgs_recorder *recorder;
    uint64_t generation;
};
extern _Thread_local struct pgs_recorder_memory pgs_recorder_last PGS_FAST_TLS PGS_HIDDEN;

/* Bumped whenever a handle dies, so that no thread trusts what it remembers of it. */
extern _Atomic uint64_t pgs_recorder_generation PGS_HIDDEN;

/* NULL for command buffers that were not registered, as those of inactive devices. Cheap when a
 * thread asks for the same command buffer again and again. */
struct pgs_recorder *pgs_recorder_find(VkCommandBuffer handle);

/* The shortest way, to be tried first by hooks that programs call for every draw: the recorder that
 * the thread asked for last, if that is this command buffer's and has no queue. NULL says nothing.
 * All else then belongs into a PGS_SLOW function, called last, or registers are saved for it on the
 * short way too. */
static inline struct pgs_recorder *pgs_recorder_direct(VkCommandBuffer handle)
{
    const uint64_t now = atomic_load_explicit(&pgs_recorder_generation, memory_order_acquire);
    const struct pgs_recorder_memory *last = &pgs_recorder_last;
    if (__builtin_expect(last->handle != handle || last->generation != now, 0))
        return NULL;
    return __builtin_expect(!last->recorder->queue, 1) ? last->recorder : NULL;
}

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
