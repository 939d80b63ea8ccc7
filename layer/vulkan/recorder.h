/* SPDX-License-Identifier: MIT
 *
 * Links generated queueing hooks to command/: the first member of its struct for a command buffer,
 * found by handle.
 */
#ifndef PGS_VULKAN_RECORDER_H
#define PGS_VULKAN_RECORDER_H

#include "base/branch.h"
#include "base/tls.h"
#include "vulkan/dispatch.h"

#include <stdatomic.h>
#include <stdbool.h>

#define PGS_HIDDEN __attribute__((visibility("hidden")))

struct pgs_queue;

struct pgs_recorder {
    const struct pgs_device_dispatch *vk;
    struct pgs_queue *queue; /* where commands go; NULL: to the driver. See pgs_recorder_queue */
    VkResult result;         /* first error of a vkCmd*, which vkEndCommandBuffer returns */
    bool direct;             /* threads may remember that it has no queue */
};

/* False when out of memory. The recorder must stay where it is until it is unregistered. */
bool pgs_recorder_register(VkCommandBuffer handle, struct pgs_recorder *recorder);

/* Call it before the driver frees the handle. */
void pgs_recorder_unregister(VkCommandBuffer handle);

/* What a thread looked up last. Other threads only clear handles: of command buffers that are freed
 * or get a queue, which the application may do on any thread that records nothing into them. */
struct pgs_recorder_memory {
    _Atomic(VkCommandBuffer) direct; /* NULL, or `last` if that has no queue */
    /* Driver functions for `direct`; the most frequent ones need no other load. */
    PFN_vkCmdDraw draw;
    PFN_vkCmdDrawIndexed draw_indexed;
    PFN_vkCmdPushConstants push_constants;
    PFN_vkCmdBindVertexBuffers bind_vertex_buffers;
    const struct pgs_device_dispatch *vk;
    struct pgs_recorder *recorder;           /* recorder of `last` */
    _Atomic(VkCommandBuffer) last;           /* NULL: empty */
    struct pgs_recorder_memory *next, *prev; /* of all threads */
    enum { PGS_MEMORY_NEW, PGS_MEMORY_LISTED, PGS_MEMORY_CLOSED } state;
};
extern _Thread_local struct pgs_recorder_memory pgs_recorder_memory PGS_FAST_TLS PGS_HIDDEN;

/* For pgs_recorder_find: looks among all of them, and remembers what it finds. */
struct pgs_recorder *pgs_recorder_search(VkCommandBuffer handle);

/* NULL: not registered, as on inactive devices. Fast if a thread asks for the same command buffer
 * repeatedly. */
static inline struct pgs_recorder *pgs_recorder_find(VkCommandBuffer handle)
{
    const struct pgs_recorder_memory *memory = &pgs_recorder_memory;
    return PGS_LIKELY(atomic_load_explicit(&memory->last, memory_order_relaxed) == handle)
               ? memory->recorder
               : pgs_recorder_search(handle);
}

/* The recorder if this thread asked for it last, without a call. NULL means nothing. */
static inline struct pgs_recorder *pgs_recorder_last(VkCommandBuffer handle)
{
    const struct pgs_recorder_memory *memory = &pgs_recorder_memory;
    return PGS_LIKELY(atomic_load_explicit(&memory->last, memory_order_relaxed) == handle)
               ? memory->recorder
               : NULL;
}

/* Gives the recorder a queue: no thread takes the fast path any more. */
void pgs_recorder_start_queue(struct pgs_recorder *recorder, VkCommandBuffer handle,
                              struct pgs_queue *queue);

/* For hooks that programs call for every draw, to be tried first. True if this thread records the
 * command buffer's pass without a queue; pgs_recorder_memory then describes it. False means
 * nothing. Put all else into a PGS_SLOW function and call it last, or the fast path saves registers
 * for it, too. */
static inline bool pgs_recorder_is_unqueued(VkCommandBuffer handle)
{
    const struct pgs_recorder_memory *memory = &pgs_recorder_memory;
    return PGS_LIKELY(atomic_load_explicit(&memory->direct, memory_order_relaxed) == handle);
}

/* Lets this thread take the fast path. The recorder was just found and has no queue. */
static inline void pgs_recorder_go_direct(struct pgs_recorder *recorder, VkCommandBuffer handle)
{
    struct pgs_recorder_memory *memory = &pgs_recorder_memory;
    if (PGS_LIKELY(pgs_recorder_is_unqueued(handle)) ||
        atomic_load_explicit(&memory->last, memory_order_relaxed) != handle)
        return;
    recorder->direct = true;
    memory->vk = recorder->vk;
    memory->draw = recorder->vk->CmdDraw;
    memory->draw_indexed = recorder->vk->CmdDrawIndexed;
    memory->push_constants = recorder->vk->CmdPushConstants;
    memory->bind_vertex_buffers = recorder->vk->CmdBindVertexBuffers;
    atomic_store_explicit(&memory->direct, handle, memory_order_relaxed);
}

/* The recorder if pgs_recorder_is_unqueued, else NULL. */
static inline struct pgs_recorder *pgs_recorder_direct(VkCommandBuffer handle)
{
    if (!pgs_recorder_is_unqueued(handle))
        return NULL;
    struct pgs_recorder *recorder = pgs_recorder_memory.recorder;
    if (!recorder)
        __builtin_unreachable(); /* saves the caller's branch */
    return recorder;
}

/* Like pgs_recorder_find, but never NULL. An unregistered command buffer, of an inactive device,
 * gets a shared recorder that has only a vk and a NULL queue. */
struct pgs_recorder *pgs_recorder_get(VkCommandBuffer handle);

static inline void pgs_recorder_latch(struct pgs_recorder *recorder, VkResult result)
{
    if (__builtin_expect(result != VK_SUCCESS, 0) && recorder->result == VK_SUCCESS)
        recorder->result = result;
}

#endif
