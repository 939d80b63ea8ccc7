/* SPDX-License-Identifier: MIT */
#include "vulkan/recorder.h"

#include "base/map.h"
#include "vulkan/device.h"

#include <pthread.h>
#include <stdatomic.h>

/* Handles of command buffers are pointers that the loader gave out: unique over all devices. */
static struct pgs_map recorders;
static pthread_once_t recorders_once = PTHREAD_ONCE_INIT;
static bool recorders_ready;

_Atomic uint64_t pgs_recorder_generation = 1;
_Thread_local struct pgs_recorder_memory pgs_recorder_last PGS_FAST_TLS;

static _Thread_local struct pgs_recorder unregistered PGS_FAST_TLS;

static void init_recorders(void)
{
    recorders_ready = pgs_map_init(&recorders);
}

bool pgs_recorder_register(VkCommandBuffer handle, struct pgs_recorder *recorder)
{
    pthread_once(&recorders_once, init_recorders);
    return recorders_ready && pgs_map_insert(&recorders, (uintptr_t)handle, recorder);
}

void pgs_recorder_unregister(VkCommandBuffer handle)
{
    pgs_map_remove(&recorders, (uintptr_t)handle);
    atomic_fetch_add_explicit(&pgs_recorder_generation, 1, memory_order_release);
}

static struct pgs_recorder *search(VkCommandBuffer handle, uint64_t now)
{
    pthread_once(&recorders_once, init_recorders);
    struct pgs_recorder *recorder =
        recorders_ready ? pgs_map_find(&recorders, (uintptr_t)handle) : NULL;
    if (recorder)
        pgs_recorder_last = (struct pgs_recorder_memory){handle, recorder, now};
    return recorder;
}

struct pgs_recorder *pgs_recorder_find(VkCommandBuffer handle)
{
    /* Read before the search: a death during the search then makes the memory stale at once. */
    const uint64_t now = atomic_load_explicit(&pgs_recorder_generation, memory_order_acquire);
    const struct pgs_recorder_memory *last = &pgs_recorder_last;
    if (__builtin_expect(last->handle == handle && last->generation == now, 1))
        return last->recorder;
    return search(handle, now);
}

struct pgs_recorder *pgs_recorder_get(VkCommandBuffer handle)
{
    struct pgs_recorder *recorder = pgs_recorder_find(handle);
    if (__builtin_expect(recorder != NULL, 1))
        return recorder;
    unregistered = (struct pgs_recorder){.vk = &pgs_device_from_handle(handle)->vk};
    return &unregistered;
}
