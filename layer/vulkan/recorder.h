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
#define PGS_HOT __attribute__((hot, aligned(64))) /* a hook that programs call for every draw */
/* For all conditions of the short way of such a hook: a jump that is taken on it costs as much as
 * all of its comparing. */
#define PGS_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define PGS_HIDDEN __attribute__((visibility("hidden")))

struct pgs_queue;

struct pgs_recorder {
    const struct pgs_device_dispatch *vk;
    struct pgs_queue *queue; /* where commands go; NULL: straight down. See pgs_recorder_queue */
    VkResult result;         /* first error of a vkCmd*, to be returned by vkEndCommandBuffer */
    bool direct;             /* threads may remember that it has no queue */
};

/* False when out of memory. The recorder must stay where it is until it is unregistered. */
bool pgs_recorder_register(VkCommandBuffer handle, struct pgs_recorder *recorder);

/* Before the handle goes down to be freed. */
void pgs_recorder_unregister(VkCommandBuffer handle);

/* What a thread asked for last. Other threads only take handles out: of command buffers that die or
 * get a queue, which the application may do anywhere as long as it records nothing meanwhile. */
struct pgs_recorder_memory {
    _Atomic(VkCommandBuffer) direct; /* NULL, or as last, where that has no queue */
    /* Of direct: where its commands go, the most frequent ones without another load. */
    PFN_vkCmdDraw draw;
    PFN_vkCmdDrawIndexed draw_indexed;
    PFN_vkCmdPushConstants push_constants;
    PFN_vkCmdBindVertexBuffers bind_vertex_buffers;
    const struct pgs_device_dispatch *vk;
    struct pgs_recorder *recorder;           /* of last */
    _Atomic(VkCommandBuffer) last;           /* NULL: nothing is remembered */
    struct pgs_recorder_memory *next, *prev; /* of all threads */
    enum { PGS_MEMORY_NEW, PGS_MEMORY_LISTED, PGS_MEMORY_CLOSED } state;
};
extern _Thread_local struct pgs_recorder_memory pgs_recorder_memory PGS_FAST_TLS PGS_HIDDEN;

/* NULL for command buffers that were not registered, as those of inactive devices. Cheap when a
 * thread asks for the same command buffer again and again. */
struct pgs_recorder *pgs_recorder_find(VkCommandBuffer handle);

/* From here on this thread takes the shortest way. The recorder was just found and has no queue. */
void pgs_recorder_go_direct(struct pgs_recorder *recorder, VkCommandBuffer handle);

/* Gives the recorder a queue: no thread takes the shortest way any more. */
void pgs_recorder_start_queue(struct pgs_recorder *recorder, VkCommandBuffer handle,
                              struct pgs_queue *queue);

/* The shortest way, to be tried first by hooks that programs call for every draw: is this the
 * command buffer whose pass the thread records, without a queue? Then pgs_recorder_memory is about
 * it. False says nothing. All else then belongs into a PGS_SLOW function, called last, or registers
 * are saved for it on the short way too. */
static inline bool pgs_recorder_is_direct(VkCommandBuffer handle)
{
    const struct pgs_recorder_memory *memory = &pgs_recorder_memory;
    return PGS_LIKELY(atomic_load_explicit(&memory->direct, memory_order_relaxed) == handle);
}

/* Its recorder then, or NULL. */
static inline struct pgs_recorder *pgs_recorder_direct(VkCommandBuffer handle)
{
    if (!pgs_recorder_is_direct(handle))
        return NULL;
    struct pgs_recorder *recorder = pgs_recorder_memory.recorder;
    if (!recorder)
        __builtin_unreachable(); /* spares the caller's branch */
    return recorder;
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
