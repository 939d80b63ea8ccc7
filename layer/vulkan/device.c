/* SPDX-License-Identifier: MIT */
#include "vulkan/device.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdatomic.h>

#define SLOTS_PER_CHUNK 8

/* Few keys, found on every call: a list of chunks that only grows, searched from the front without
 * a lock. A slot is published by its key. Only the owner of a live handle looks it up, so a slot
 * cannot change under a reader that would have matched it. */
struct slot {
    _Atomic(const void *) key;
    _Atomic(void *) value;
};

struct chunk {
    struct slot slots[SLOTS_PER_CHUNK];
    _Atomic(struct chunk *) next;
};

struct registry {
    struct chunk first;
    pthread_mutex_t lock;            /* of writers */
    _Atomic(void (*)(void)) emptied; /* called with the lock when the last key has gone; or NULL */
};

static struct registry instances = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct registry physical_devices = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct registry devices = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct slot *find_slot(struct registry *registry, const void *key)
{
    for (struct chunk *chunk = &registry->first; chunk;
         chunk = atomic_load_explicit(&chunk->next, memory_order_acquire)) {
        for (int i = 0; i < SLOTS_PER_CHUNK; i++) {
            if (atomic_load_explicit(&chunk->slots[i].key, memory_order_acquire) == key)
                return &chunk->slots[i];
        }
    }
    return NULL;
}

static void *look_up(struct registry *registry, const void *key)
{
    struct slot *slot = find_slot(registry, key);
    return slot ? atomic_load_explicit(&slot->value, memory_order_relaxed) : NULL;
}

static struct slot *add_chunk(struct registry *registry)
{
    struct chunk *fresh = pgs_calloc(1, sizeof(*fresh));
    if (!fresh)
        return NULL;
    struct chunk *last = &registry->first;
    for (struct chunk *next; (next = atomic_load(&last->next));)
        last = next;
    atomic_store_explicit(&last->next, fresh, memory_order_release);
    return &fresh->slots[0];
}

static VkResult add(struct registry *registry, const void *key, void *value)
{
    pthread_mutex_lock(&registry->lock);
    struct slot *slot = find_slot(registry, NULL);
    if (!slot)
        slot = add_chunk(registry);
    if (slot) {
        atomic_store_explicit(&slot->value, value, memory_order_relaxed);
        atomic_store_explicit(&slot->key, key, memory_order_release);
    }
    pthread_mutex_unlock(&registry->lock);
    return slot ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* With the last key gone there is no handle left that anybody could look up, so the chunks can go
 * too. */
static void release_if_empty(struct registry *registry)
{
    for (struct chunk *chunk = &registry->first; chunk; chunk = atomic_load(&chunk->next)) {
        for (int i = 0; i < SLOTS_PER_CHUNK; i++) {
            if (atomic_load(&chunk->slots[i].key))
                return;
        }
    }
    struct chunk *chunk = atomic_exchange(&registry->first.next, NULL);
    while (chunk) {
        struct chunk *next = atomic_load(&chunk->next);
        pgs_free(chunk);
        chunk = next;
    }
    void (*emptied)(void) = atomic_load(&registry->emptied);
    if (emptied)
        emptied();
}

static void remove_value(struct registry *registry, const void *key)
{
    pthread_mutex_lock(&registry->lock);
    struct slot *slot = key ? find_slot(registry, key) : NULL;
    if (slot) {
        atomic_store_explicit(&slot->key, NULL, memory_order_release);
        release_if_empty(registry);
    }
    pthread_mutex_unlock(&registry->lock);
}

/* The loader stores the same pointer first in an instance or a device and in everything that is
 * made from it. */
static const void *dispatch_key(const void *dispatchable)
{
    return *(const void *const *)dispatchable;
}

VkResult pgs_registry_add_instance(struct pgs_instance *instance)
{
    return add(&instances, dispatch_key(instance->handle), instance);
}

VkResult pgs_registry_add_physical_device(struct pgs_physical_device *physical)
{
    return add(&physical_devices, physical->handle, physical);
}

VkResult pgs_registry_add_device(struct pgs_device *dev)
{
    return add(&devices, dispatch_key(dev->handle), dev);
}

void pgs_registry_remove_instance(const struct pgs_instance *instance)
{
    remove_value(&instances, dispatch_key(instance->handle));
}

void pgs_registry_remove_physical_device(const struct pgs_physical_device *physical)
{
    remove_value(&physical_devices, physical->handle);
}

void pgs_registry_remove_device(const struct pgs_device *dev)
{
    remove_value(&devices, dispatch_key(dev->handle));
}

void pgs_registry_when_no_device(void (*emptied)(void))
{
    atomic_store(&devices.emptied, emptied);
}

struct pgs_device *pgs_device_from_handle(const void *dispatchable)
{
    return look_up(&devices, dispatch_key(dispatchable));
}

struct pgs_instance *pgs_instance_from_handle(const void *dispatchable)
{
    return look_up(&instances, dispatch_key(dispatchable));
}

struct pgs_physical_device *pgs_physical_device_from_handle(VkPhysicalDevice handle)
{
    return look_up(&physical_devices, handle);
}
