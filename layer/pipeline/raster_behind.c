/* SPDX-License-Identifier: MIT */
#include "pipeline/raster_behind.h"

#include "base/alloc.h"
#include "pipeline/device.h"

#include <stdatomic.h>

struct pgs_raster_behind *pgs_raster_behind_find(struct pgs_device *dev,
                                                 struct pgs_raster_behind *const *place)
{
    pthread_mutex_lock(&dev->pipelines->front_lock);
    struct pgs_raster_behind *found = *place;
    if (found)
        pgs_raster_behind_refer(found);
    pthread_mutex_unlock(&dev->pipelines->front_lock);
    return found;
}

struct pgs_raster_behind *
pgs_raster_behind_add(struct pgs_device *dev, struct pgs_raster_behind **place, VkPipeline library)
{
    struct pgs_raster_behind *made = pgs_calloc(1, sizeof(*made));
    if (!made) {
        dev->vk.DestroyPipeline(dev->handle, library, NULL);
        return NULL;
    }
    made->handle = library;
    atomic_init(&made->refs, 1);
    pthread_mutex_lock(&dev->pipelines->front_lock);
    struct pgs_raster_behind *known = *place;
    if (!known)
        *place = made;
    pgs_raster_behind_refer(*place);
    pthread_mutex_unlock(&dev->pipelines->front_lock);
    if (known)
        pgs_raster_behind_release(dev, made);
    return known ? known : made;
}

struct pgs_raster_behind *pgs_raster_behind_refer(struct pgs_raster_behind *behind)
{
    atomic_fetch_add(&behind->refs, 1);
    return behind;
}

void pgs_raster_behind_release(struct pgs_device *dev, struct pgs_raster_behind *behind)
{
    if (!behind || atomic_fetch_sub(&behind->refs, 1) != 1)
        return;
    dev->vk.DestroyPipeline(dev->handle, behind->handle, NULL);
    pgs_free(behind);
}
