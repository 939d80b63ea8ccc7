/* SPDX-License-Identifier: MIT */
#include "pipeline/room.h"

#include "base/alloc.h"

#include <stdatomic.h>

VkResult pgs_pipeline_room_create(struct pgs_device *dev)
{
    struct pgs_pipeline_room *room = pgs_calloc(1, sizeof(*room));
    if (!room)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!pgs_map_init(&room->modules))
        goto fail_room;
    if (!pgs_map_init(&room->layouts))
        goto fail_modules;
    if (!pgs_map_init(&room->pipelines))
        goto fail_layouts;
    if (!pgs_map_init(&room->dynamic_sets))
        goto fail_pipelines;
    if (pthread_mutex_init(&room->kernel_lock, NULL))
        goto fail_sets;
    dev->pipelines = room;
    return VK_SUCCESS;
fail_sets:
    pgs_map_finish(&room->dynamic_sets, NULL, NULL);
fail_pipelines:
    pgs_map_finish(&room->pipelines, NULL, NULL);
fail_layouts:
    pgs_map_finish(&room->layouts, NULL, NULL);
fail_modules:
    pgs_map_finish(&room->modules, NULL, NULL);
fail_room:
    pgs_free(room);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* What the application left undestroyed. */
static void free_module(uint64_t key, void *value, void *context)
{
    (void)key;
    (void)context;
    pgs_module_free(value);
}

static void free_layout(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_layout_release(context, value);
}

static void free_pipeline(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_emulated_pipeline_destroy(context, value, NULL);
}

void pgs_pipeline_room_destroy(struct pgs_device *dev)
{
    struct pgs_pipeline_room *room = dev->pipelines;
    if (!room)
        return;
    pgs_map_finish(&room->pipelines, free_pipeline, dev);
    pgs_map_finish(&room->dynamic_sets, NULL, NULL);
    pgs_map_finish(&room->layouts, free_layout, dev);
    pgs_map_finish(&room->modules, free_module, NULL);
    for (int i = 0; i < PGS_KERNEL_COUNT; i++)
        dev->vk.DestroyPipeline(dev->handle, room->kernels[i], NULL);
    dev->vk.DestroyPipelineLayout(dev->handle, room->kernel_layout, NULL);
    pthread_mutex_destroy(&room->kernel_lock);
    pgs_free(room);
    dev->pipelines = NULL;
}

bool pgs_pipelines_possible(const struct pgs_device *dev)
{
    return atomic_load_explicit(&dev->pipelines->possible, memory_order_acquire);
}

const _Atomic bool *pgs_pipelines_possible_flag(const struct pgs_device *dev)
{
    return &dev->pipelines->possible;
}

void pgs_pipelines_note_possible(struct pgs_device *dev)
{
    atomic_store_explicit(&dev->pipelines->possible, true, memory_order_release);
}
