/* SPDX-License-Identifier: MIT */
#include "vulkan/recorder.h"

#include "base/map.h"
#include "vulkan/device.h"

#include <pthread.h>

/* Handles of command buffers are pointers from the loader, unique across devices. */
static struct pgs_map recorders;
static pthread_once_t recorders_once = PTHREAD_ONCE_INIT;
static bool recorders_ready;

_Thread_local struct pgs_recorder_memory pgs_recorder_memory PGS_FAST_TLS;

/* The memories of all threads. */
static struct pgs_recorder_memory *memories;
static pthread_mutex_t memories_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t memory_key; /* its destructor runs when a thread ends */
static bool memory_key_ready;

static _Thread_local struct pgs_recorder unregistered PGS_FAST_TLS;

/* Later destructors of the thread may still record; they look the recorder up each time. */
static void close_memory(void *value)
{
    struct pgs_recorder_memory *memory = value;
    pthread_mutex_lock(&memories_lock);
    if (memory->prev)
        memory->prev->next = memory->next;
    else
        memories = memory->next;
    if (memory->next)
        memory->next->prev = memory->prev;
    pthread_mutex_unlock(&memories_lock);
    *memory = (struct pgs_recorder_memory){.state = PGS_MEMORY_CLOSED};
}

/* Without being listed, a thread must remember nothing, since no other thread could clear it. */
static bool list_memory(struct pgs_recorder_memory *memory)
{
    if (memory->state != PGS_MEMORY_NEW)
        return memory->state == PGS_MEMORY_LISTED;
    if (!memory_key_ready || pthread_setspecific(memory_key, memory) != 0)
        return false;
    pthread_mutex_lock(&memories_lock);
    memory->next = memories;
    if (memory->next)
        memory->next->prev = memory;
    memories = memory;
    pthread_mutex_unlock(&memories_lock);
    memory->state = PGS_MEMORY_LISTED;
    return true;
}

static void take_out(_Atomic(VkCommandBuffer) *from, VkCommandBuffer handle)
{
    VkCommandBuffer expected = handle;
    atomic_compare_exchange_strong_explicit(from, &expected, NULL, memory_order_relaxed,
                                            memory_order_relaxed);
}

/* The owning thread may write its memory at the same time, when it switches to another command
 * buffer, but it can only overwrite this handle. External synchronisation ensures that it does not
 * find the handle afterwards. */
static void forget(VkCommandBuffer handle, bool dies)
{
    pthread_mutex_lock(&memories_lock);
    for (struct pgs_recorder_memory *memory = memories; memory; memory = memory->next) {
        take_out(&memory->direct, handle);
        if (dies)
            take_out(&memory->last, handle);
    }
    pthread_mutex_unlock(&memories_lock);
}

/* Without a device there is no command buffer that a thread could look for. */
static void release_recorders(void)
{
    pgs_map_trim(&recorders);
}

static void init_recorders(void)
{
    recorders_ready = pgs_map_init(&recorders);
    if (recorders_ready)
        pgs_registry_when_no_device(release_recorders);
    memory_key_ready = pthread_key_create(&memory_key, close_memory) == 0;
}

bool pgs_recorder_register(VkCommandBuffer handle, struct pgs_recorder *recorder)
{
    pthread_once(&recorders_once, init_recorders);
    return recorders_ready && pgs_map_insert(&recorders, (uintptr_t)handle, recorder);
}

void pgs_recorder_unregister(VkCommandBuffer handle)
{
    pgs_map_remove(&recorders, (uintptr_t)handle);
    forget(handle, true);
}

struct pgs_recorder *pgs_recorder_search(VkCommandBuffer handle)
{
    pthread_once(&recorders_once, init_recorders);
    struct pgs_recorder_memory *memory = &pgs_recorder_memory;
    struct pgs_recorder *recorder =
        recorders_ready ? pgs_map_find(&recorders, (uintptr_t)handle) : NULL;
    if (recorder && list_memory(memory)) {
        atomic_store_explicit(&memory->direct, NULL, memory_order_relaxed);
        atomic_store_explicit(&memory->last, handle, memory_order_relaxed);
        memory->recorder = recorder;
    }
    return recorder;
}

void pgs_recorder_start_queue(struct pgs_recorder *recorder, VkCommandBuffer handle,
                              struct pgs_queue *queue)
{
    recorder->queue = queue;
    if (recorder->direct)
        forget(handle, false);
    recorder->direct = false;
}

struct pgs_recorder *pgs_recorder_get(VkCommandBuffer handle)
{
    struct pgs_recorder *recorder = pgs_recorder_find(handle);
    if (__builtin_expect(recorder != NULL, 1))
        return recorder;
    unregistered = (struct pgs_recorder){.vk = &pgs_device_from_handle(handle)->vk};
    return &unregistered;
}
