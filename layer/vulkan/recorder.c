/* SPDX-License-Identifier: MIT */
#include "vulkan/recorder.h"

#include "base/map.h"
#include "vulkan/device.h"

#include <pthread.h>
#include <stdatomic.h>

/* Within glibc a small variable always finds room in the static block, which spares a call per
 * access. */
#ifdef __GLIBC__
#define FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define FAST_TLS
#endif

/* Handles of command buffers are pointers that the loader gave out: unique over all devices. */
static struct pgs_map recorders;
static pthread_once_t recorders_once = PTHREAD_ONCE_INIT;
static bool recorders_ready;

/* Bumped whenever a handle dies, so that no thread trusts what it remembers of it. */
static _Atomic uint64_t generation = 1;

static _Thread_local struct {
    VkCommandBuffer handle;
    struct pgs_recorder *recorder;
    uint64_t generation;
} last FAST_TLS;

static _Thread_local struct pgs_recorder unregistered FAST_TLS;

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
    atomic_fetch_add_explicit(&generation, 1, memory_order_release);
}

static struct pgs_recorder *find_slowly(VkCommandBuffer handle, uint64_t now)
{
    pthread_once(&recorders_once, init_recorders);
    struct pgs_recorder *recorder =
        recorders_ready ? pgs_map_find(&recorders, (uintptr_t)handle) : NULL;
    if (recorder) {
        last.handle = handle;
        last.recorder = recorder;
        last.generation = now;
    }
    return recorder;
}

struct pgs_recorder *pgs_recorder_find(VkCommandBuffer handle)
{
    /* Read before the search: a death during the search then makes the memory stale at once. */
    const uint64_t now = atomic_load_explicit(&generation, memory_order_acquire);
    if (__builtin_expect(last.handle == handle && last.generation == now, 1))
        return last.recorder;
    return find_slowly(handle, now);
}

struct pgs_recorder *pgs_recorder_get(VkCommandBuffer handle)
{
    struct pgs_recorder *recorder = pgs_recorder_find(handle);
    if (__builtin_expect(recorder != NULL, 1))
        return recorder;
    unregistered = (struct pgs_recorder){.vk = &pgs_device_from_handle(handle)->vk};
    return &unregistered;
}
