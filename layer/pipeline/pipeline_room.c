/* SPDX-License-Identifier: MIT */
#include "pipeline/pipeline_room.h"

#include "base/alloc.h"
#include "pipeline/descriptor_set.h"
#include "pipeline/emulated.h"
#include "pipeline/layout.h"
#include "pipeline/module.h"
#include "pipeline/room.h"

/* All tables, so that creation and destruction agree. */
#define TABLE_COUNT 8
static void list_tables(struct pgs_pipeline_room *room, struct pgs_map *tables[TABLE_COUNT])
{
    struct pgs_map *const all[TABLE_COUNT] = {
        &room->modules, &room->layouts,          &room->pipelines,        &room->set_layouts,
        &room->sets,    &room->descriptor_pools, &room->update_templates, &room->render_passes};
    for (int i = 0; i < TABLE_COUNT; i++)
        tables[i] = all[i];
}

static bool init_tables(struct pgs_pipeline_room *room)
{
    struct pgs_map *tables[TABLE_COUNT];
    list_tables(room, tables);
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (pgs_map_init(tables[i]))
            continue;
        while (i--)
            pgs_map_finish(tables[i], NULL, NULL);
        return false;
    }
    return true;
}

static bool init_locks(struct pgs_pipeline_room *room)
{
    if (pthread_mutex_init(&room->kernel_lock, NULL))
        return false;
    if (!pthread_mutex_init(&room->mirror_lock, NULL))
        return true;
    pthread_mutex_destroy(&room->kernel_lock);
    return false;
}

static bool widens(const struct pgs_device *dev, const struct pgs_descriptor_counts *limits)
{
    switch (dev->physical->instance->settings.descriptors) {
    case PGS_DESCRIPTORS_WIDEN:
        return true;
    case PGS_DESCRIPTORS_MIRROR:
        return false;
    case PGS_DESCRIPTORS_AUTO:
        break;
    }
    return pgs_descriptor_limits_are_roomy(limits);
}

VkResult pgs_pipeline_room_create(struct pgs_device *dev)
{
    struct pgs_pipeline_room *room = pgs_calloc(1, sizeof(*room));
    if (!room)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!init_locks(room))
        goto fail_room;
    if (!init_tables(room))
        goto fail_locks;
    pgs_descriptor_limits_init(dev, &room->descriptor_limits);
    room->widens_set_layouts = widens(dev, &room->descriptor_limits);
    dev->pipelines = room;
    return VK_SUCCESS;
fail_locks:
    pthread_mutex_destroy(&room->mirror_lock);
    pthread_mutex_destroy(&room->kernel_lock);
fail_room:
    pgs_free(room);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* For objects that the application did not destroy. */
static void free_module(uint64_t key, void *value, void *context)
{
    (void)key;
    (void)context;
    pgs_module_release(value);
}

static void free_layout(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_layout_release(context, value);
}

static void free_pipeline(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_emulated_pipeline_destroy(context, value);
}

static void free_set_layout(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_set_layout_release(context, value);
}

static void free_descriptor_pool(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_descriptor_pool_free(context, value);
}

static void free_block(uint64_t key, void *value, void *context)
{
    (void)key;
    (void)context;
    pgs_free(value);
}

void pgs_pipeline_room_destroy(struct pgs_device *dev)
{
    struct pgs_pipeline_room *room = dev->pipelines;
    if (!room)
        return;
    pgs_map_finish(&room->pipelines, free_pipeline, dev);
    pgs_map_finish(&room->layouts, free_layout, dev);
    pgs_map_finish(&room->descriptor_pools, free_descriptor_pool, dev);
    pgs_map_finish(&room->sets, NULL, NULL);
    pgs_map_finish(&room->set_layouts, free_set_layout, dev);
    pgs_map_finish(&room->update_templates, free_block, NULL);
    pgs_map_finish(&room->render_passes, free_block, NULL);
    pgs_map_finish(&room->modules, free_module, NULL);
    for (int i = 0; i < PGS_KERNEL_COUNT; i++)
        dev->vk.DestroyPipeline(dev->handle, room->kernels[i], NULL);
    dev->vk.DestroyPipelineLayout(dev->handle, room->kernel_layout, NULL);
    if (room->empty_set_layout)
        dev->vk.DestroyDescriptorSetLayout(dev->handle, room->empty_set_layout, NULL);
    pthread_mutex_destroy(&room->mirror_lock);
    pthread_mutex_destroy(&room->kernel_lock);
    pgs_free(room);
    dev->pipelines = NULL;
}

bool pgs_pipeline_widens_set_layouts(const struct pgs_device *dev)
{
    return dev->pipelines->widens_set_layouts;
}
