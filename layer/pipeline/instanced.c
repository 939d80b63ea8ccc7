/* SPDX-License-Identifier: MIT */
#include "pipeline/instanced.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/compile.h"
#include "pipeline/device.h"
#include "pipeline/device_views.h"
#include "pipeline/find.h"
#include "pipeline/vertex_needs.h"

#include <pthread.h>

struct pgs_instanced {
    pthread_mutex_t lock;                 /* makes it once */
    struct pgs_emulated_pipeline *unmade; /* NULL: the first draw was there */
    VkPipeline handle;                    /* then; VK_NULL_HANDLE: it cannot be made */
    VkResult result;                      /* of making it: what has failed fails for every draw */
};

static void warn(void)
{
    pgs_log_once(PGS_LOG_WARN, "indirect draws of a pipeline that cannot be emulated begin with "
                               "instance 0: the driver lacks drawIndirectFirstInstance");
}

/* If the create info cannot be kept, makes the pipeline now. Neither: it cannot be emulated. */
static VkResult begin(const struct pgs_create_call *call, struct pgs_emulated_pipeline **unmade,
                      VkPipeline *made)
{
    struct pgs_device_views views;
    struct pgs_create_call changed = *call;
    const bool has_views = pgs_device_views_concern(call->info);
    VkResult result = VK_SUCCESS;
    changed.allocator = NULL;
    *unmade = NULL;
    *made = VK_NULL_HANDLE;
    if (has_views) {
        result = pgs_device_views_init(&views, call->dev, call->info);
        changed.info = &views.info;
    }
    if (result == VK_SUCCESS)
        result = pgs_emulated_pipeline_reflect(&changed, unmade);
    if (result == VK_SUCCESS && !*unmade)
        result = pgs_emulated_pipeline_create(&changed, made);
    if (has_views)
        pgs_device_views_finish(&views, call->dev);
    if (!pgs_refuses_shaders(result))
        return result;
    warn();
    return VK_SUCCESS;
}

static void finish(struct pgs_device *dev, struct pgs_instanced *instanced)
{
    if (instanced->unmade)
        pgs_emulated_pipeline_destroy(dev, instanced->unmade);
    if (instanced->handle) {
        pgs_emulated_pipeline_forget(dev, instanced->handle);
        dev->vk.DestroyPipeline(dev->handle, instanced->handle, NULL);
    }
    pthread_mutex_destroy(&instanced->lock);
    pgs_free(instanced);
}

VkResult pgs_instanced_note(const struct pgs_create_call *call, VkPipeline pipeline)
{
    const struct pgs_emulated_pipeline *known = pgs_emulated_pipeline_find(call->dev, pipeline);
    if (!pipeline || (known && !known->native_raster) ||
        !pgs_info_reads_instances(call->dev, call->info))
        return VK_SUCCESS;
    struct pgs_instanced *instanced = pgs_calloc(1, sizeof(*instanced));
    if (!instanced || pthread_mutex_init(&instanced->lock, NULL)) {
        pgs_free(instanced);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    VkResult result = begin(call, &instanced->unmade, &instanced->handle);
    if (result == VK_SUCCESS && (instanced->unmade || instanced->handle)) {
        if (pgs_map_insert(&call->dev->pipelines->instanced, (uint64_t)pipeline, instanced))
            return VK_SUCCESS;
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    finish(call->dev, instanced);
    return result;
}

/* Under the lock. The pipeline is gone if that fails. */
static VkResult make(struct pgs_instanced *instanced)
{
    const VkResult result = pgs_emulated_pipeline_make_later(instanced->unmade, &instanced->handle);
    instanced->unmade = NULL;
    if (!pgs_refuses_shaders(result))
        return result;
    warn();
    return VK_SUCCESS;
}

VkResult pgs_instanced_get(const struct pgs_device *dev, VkPipeline pipeline, VkPipeline *handle)
{
    struct pgs_instanced *instanced =
        pipeline ? pgs_map_find(&dev->pipelines->instanced, (uint64_t)pipeline) : NULL;
    *handle = VK_NULL_HANDLE;
    if (!instanced)
        return VK_SUCCESS;
    pthread_mutex_lock(&instanced->lock);
    if (instanced->unmade)
        instanced->result = make(instanced);
    const VkResult result = instanced->result;
    *handle = instanced->handle;
    pthread_mutex_unlock(&instanced->lock);
    return result;
}

void pgs_instanced_forget(struct pgs_device *dev, VkPipeline pipeline)
{
    struct pgs_instanced *instanced =
        dev->physical->lacks_first_instance
            ? pgs_map_remove(&dev->pipelines->instanced, (uint64_t)pipeline)
            : NULL;
    if (instanced)
        finish(dev, instanced);
}

void pgs_instanced_free(uint64_t key, void *value, void *context)
{
    struct pgs_instanced *instanced = value;
    (void)key;
    instanced->handle = VK_NULL_HANDLE; /* among the pipelines */
    finish(context, instanced);
}
