/* SPDX-License-Identifier: MIT */
#include "pipeline/raster_front.h"

#include "base/alloc.h"
#include "pipeline/device.h"

#include <string.h>

/* Under the lock. */
static struct pgs_raster_front *find(const struct pgs_raster_fronts *fronts,
                                     const struct pgs_raster_front_key *key)
{
    struct pgs_raster_front *front = fronts->first;
    while (front && memcmp(&front->key, key, sizeof(*key)) != 0)
        front = front->next;
    if (front)
        atomic_fetch_add(&front->refs, 1);
    return front;
}

struct pgs_raster_front *pgs_raster_front_find(struct pgs_device *dev,
                                               struct pgs_raster_fronts *fronts,
                                               const struct pgs_raster_front_key *key)
{
    pthread_mutex_lock(&dev->pipelines->front_lock);
    struct pgs_raster_front *front = find(fronts, key);
    pthread_mutex_unlock(&dev->pipelines->front_lock);
    return front;
}

struct pgs_raster_front *pgs_raster_front_add(struct pgs_device *dev,
                                              struct pgs_raster_fronts *fronts,
                                              const struct pgs_raster_front_key *key,
                                              VkPipeline library)
{
    struct pgs_raster_front *made = pgs_calloc(1, sizeof(*made));
    if (!made) {
        dev->vk.DestroyPipeline(dev->handle, library, NULL);
        return NULL;
    }
    memcpy(&made->key, key, sizeof(*key));
    made->key.vertex = pgs_shared_acquire(key->vertex);
    made->handle = library;
    atomic_init(&made->refs, 1);
    pthread_mutex_lock(&dev->pipelines->front_lock);
    struct pgs_raster_front *known = find(fronts, key);
    if (!known) {
        atomic_fetch_add(&made->refs, 1);
        made->next = fronts->first;
        fronts->first = made;
    }
    pthread_mutex_unlock(&dev->pipelines->front_lock);
    if (known)
        pgs_raster_front_release(dev, made);
    return known ? known : made;
}

void pgs_raster_front_release(struct pgs_device *dev, struct pgs_raster_front *front)
{
    if (!front || atomic_fetch_sub(&front->refs, 1) != 1)
        return;
    dev->vk.DestroyPipeline(dev->handle, front->handle, NULL);
    pgs_shared_release(front->key.vertex);
    pgs_free(front);
}

void pgs_raster_fronts_finish(struct pgs_device *dev, struct pgs_raster_fronts *fronts)
{
    while (fronts->first) {
        struct pgs_raster_front *next = fronts->first->next;
        pgs_raster_front_release(dev, fronts->first);
        fronts->first = next;
    }
}
