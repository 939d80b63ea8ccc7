/* SPDX-License-Identifier: MIT */
#include "pipeline/pipeline_device.h"

#include "base/alloc.h"
#include "base/disk_cache.h"
#include "pipeline/descriptor_set.h"
#include "pipeline/device.h"
#include "pipeline/emulated.h"
#include "pipeline/instanced.h"
#include "pipeline/kept_samplers.h"
#include "pipeline/layout.h"
#include "pipeline/library.h"
#include "pipeline/module.h"
#include "pipeline/object_pipelines.h"
#include "pipeline/own_cache.h"
#include "pipeline/serial.h"
#include "pipeline/shader_object.h"
#include "pipeline/topologies.h"

/* All tables, so that creation and destruction agree. */
#define TABLE_COUNT 14
static void list_tables(struct pgs_pipeline_device *objects, struct pgs_map *tables[TABLE_COUNT])
{
    struct pgs_map *const all[TABLE_COUNT] = {
        &objects->modules,          &objects->layouts,       &objects->pipelines,
        &objects->set_layouts,      &objects->sets,          &objects->descriptor_pools,
        &objects->update_templates, &objects->render_passes, &objects->libraries,
        &objects->shader_objects,   &objects->wide,          &objects->restarting,
        &objects->instanced,        &objects->topologies};
    for (int i = 0; i < TABLE_COUNT; i++)
        tables[i] = all[i];
}

static bool init_tables(struct pgs_pipeline_device *objects)
{
    struct pgs_map *tables[TABLE_COUNT];
    list_tables(objects, tables);
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (pgs_map_init(tables[i]))
            continue;
        while (i--)
            pgs_map_finish(tables[i], NULL, NULL);
        return false;
    }
    return true;
}

static bool init_locks(struct pgs_pipeline_device *objects)
{
    if (pthread_mutex_init(&objects->kernel_lock, NULL))
        return false;
    if (pthread_mutex_init(&objects->ahead.lock, NULL))
        goto fail_ahead;
    if (pthread_cond_init(&objects->ahead.settled, NULL))
        goto fail_settled;
    if (pthread_mutex_init(&objects->mirror_lock, NULL))
        goto fail_mirror;
    if (pthread_mutex_init(&objects->front_lock, NULL))
        goto fail_front;
    if (!pgs_object_pipelines_init(&objects->object_pipelines))
        goto fail_pipelines;
    if (pthread_mutex_init(&objects->samplers.lock, NULL))
        goto fail_samplers;
    if (pgs_own_cache_init(&objects->own_cache))
        return true;
    pthread_mutex_destroy(&objects->samplers.lock);
fail_samplers:
    pthread_mutex_destroy(&objects->object_pipelines.lock);
fail_pipelines:
    pthread_mutex_destroy(&objects->front_lock);
fail_front:
    pthread_mutex_destroy(&objects->mirror_lock);
fail_mirror:
    pthread_cond_destroy(&objects->ahead.settled);
fail_settled:
    pthread_mutex_destroy(&objects->ahead.lock);
fail_ahead:
    pthread_mutex_destroy(&objects->kernel_lock);
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
    return pgs_descriptor_limits_are_ample(limits);
}

#define KEPT_ON_DISK_B (UINT64_C(64) << 20)

static struct pgs_disk_cache *open_disk_cache(const struct pgs_device *dev)
{
    const char *folder = dev->physical->instance->settings.cache_dir;
    return folder ? pgs_disk_cache_open(folder, KEPT_ON_DISK_B) : NULL;
}

VkResult pgs_pipeline_device_create(struct pgs_device *dev)
{
    struct pgs_pipeline_device *objects = pgs_calloc(1, sizeof(*objects));
    if (!objects)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!init_locks(objects))
        goto fail_device;
    objects->workers = pgs_workers_create(pgs_compile_threads(dev->physical));
    if (!objects->workers)
        goto fail_locks;
    if (!pgs_shared_table_init(&objects->shared, dev))
        goto fail_workers;
    if (!init_tables(objects))
        goto fail_shared;
    pgs_descriptor_limits_init(dev, &objects->descriptor_limits);
    pgs_robustness_of_device(dev, &objects->robustness);
    objects->widens_set_layouts = widens(dev, &objects->descriptor_limits);
    objects->disk = open_disk_cache(dev);
    atomic_init(&objects->possible, dev->physical->traits.keeps_passes);
    dev->pipelines = objects;
    if (dev->physical->traits.guards & PGS_GUARD_SERIAL_PIPELINES)
        pgs_serial_begin(dev);
    return VK_SUCCESS;
fail_shared:
    pgs_shared_table_finish(&objects->shared);
fail_workers:
    pgs_workers_destroy(objects->workers);
fail_locks:
    pgs_own_cache_finish(dev, &objects->own_cache);
    pgs_kept_samplers_finish(&objects->samplers);
    pthread_mutex_destroy(&objects->object_pipelines.lock);
    pthread_mutex_destroy(&objects->front_lock);
    pthread_mutex_destroy(&objects->mirror_lock);
    pthread_cond_destroy(&objects->ahead.settled);
    pthread_mutex_destroy(&objects->ahead.lock);
    pthread_mutex_destroy(&objects->kernel_lock);
fail_device:
    pgs_free(objects);
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

static void free_library(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_library_free(context, value);
}

static void free_shader_object(uint64_t key, void *value, void *context)
{
    (void)key;
    pgs_shader_object_free(context, value);
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

void pgs_pipeline_device_destroy(struct pgs_device *dev)
{
    struct pgs_pipeline_device *objects = dev->pipelines;
    if (!objects)
        return;
    pgs_object_pipelines_finish(dev);
    pgs_workers_destroy(objects->workers);
    objects->workers = NULL;
    pgs_map_finish(&objects->shader_objects, free_shader_object, dev);
    pgs_map_finish(&objects->topologies, pgs_topologies_free, dev);
    pgs_map_finish(&objects->pipelines, free_pipeline, dev);
    pgs_map_finish(&objects->libraries, free_library, dev);
    pgs_map_finish(&objects->wide, NULL, NULL); /* they are among the pipelines */
    pgs_map_finish(&objects->restarting, NULL, NULL);
    pgs_map_finish(&objects->instanced, pgs_instanced_free, dev);
    pgs_map_finish(&objects->layouts, free_layout, dev);
    pgs_map_finish(&objects->descriptor_pools, free_descriptor_pool, dev);
    pgs_map_finish(&objects->sets, NULL, NULL);
    pgs_map_finish(&objects->set_layouts, free_set_layout, dev);
    pgs_shared_table_finish(&objects->shared); /* nobody refers to its objects any more */
    pgs_map_finish(&objects->update_templates, free_block, NULL);
    pgs_map_finish(&objects->render_passes, free_block, NULL);
    pgs_map_finish(&objects->modules, free_module, NULL);
    for (int i = 0; i < PGS_KERNEL_COUNT; i++)
        dev->vk.DestroyPipeline(dev->handle, objects->kernels[i], NULL);
    dev->vk.DestroyPipelineLayout(dev->handle, objects->kernel_layout, NULL);
    if (objects->bound_set_layout)
        dev->vk.DestroyDescriptorSetLayout(dev->handle, objects->bound_set_layout, NULL);
    if (objects->empty_set_layout)
        dev->vk.DestroyDescriptorSetLayout(dev->handle, objects->empty_set_layout, NULL);
    pgs_kept_samplers_finish(&objects->samplers);
    pgs_disk_cache_close(objects->disk);
    pgs_own_cache_finish(dev, &objects->own_cache);
    pthread_mutex_destroy(&objects->front_lock);
    pthread_mutex_destroy(&objects->mirror_lock);
    pthread_cond_destroy(&objects->ahead.settled);
    pthread_mutex_destroy(&objects->ahead.lock);
    pthread_mutex_destroy(&objects->kernel_lock);
    pgs_free(objects);
    dev->pipelines = NULL;
}

bool pgs_pipeline_widens_set_layouts(const struct pgs_device *dev)
{
    return dev->pipelines->widens_set_layouts;
}
