/* SPDX-License-Identifier: MIT */
#include "pipeline/ahead.h"

#include "base/log.h"
#include "pipeline/device.h"
#include "pipeline/make_variants.h"
#include "pipeline/raster_recipe.h"

#include <stddef.h>

/* -- what may wait -- */

static bool may_wait(const struct pgs_pipeline_source *source)
{
    const bool must_not_compile =
        source->flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    return pgs_compiles_ahead(source->dev->physical) && !source->pipeline->native_raster &&
           (!must_not_compile || source->draws_at_once) && pgs_pipeline_source_is_shareable(source);
}

/* A link takes what it is linked of, if that is there; the shader alone would be compiled. */
static bool knows_raster(struct pgs_pipeline_source *source, enum pgs_variant variant)
{
    bool found;
    if (!source->link)
        return pgs_raster_recipe_is_known(source, variant);
    return pgs_raster_recipe_prepare_link(source, source->link, VK_NULL_HANDLE, variant, false,
                                          &found) == VK_SUCCESS &&
           found;
}

/* Waking a thread takes longer than to find what other pipelines have. */
static uint32_t without_known(struct pgs_pipeline_source *source, uint32_t mask)
{
    for (int v = 0; v < PGS_VARIANT_COUNT; v++) {
        const enum pgs_variant variant = (enum pgs_variant)v;
        if (!(mask & PGS_VARIANT_BIT(v)))
            continue;
        if ((PGS_VARIANT_BIT(v) & PGS_VARIANTS_RASTER)
                ? knows_raster(source, variant)
                : pgs_compute_recipe_is_made(source, variant))
            mask &= ~PGS_VARIANT_BIT(v);
    }
    return mask;
}

/* Nobody makes the others before creation returns, known or not. */
uint32_t pgs_ahead_choose(struct pgs_pipeline_source *source, uint32_t usual, uint32_t others)
{
    const uint32_t may = ~PGS_VARIANTS_RASTER | PGS_VARIANT_BIT(PGS_VARIANT_INLINE);
    return may_wait(source) ? without_known(source, usual & may) | (others & ~usual & may) : 0;
}

/* -- the list -- */

/* Under the lock. */
static void leave_list(struct pgs_ahead *ahead)
{
    if (!ahead->link)
        return;
    *ahead->link = ahead->next;
    if (ahead->next)
        ahead->next->link = ahead->link;
    ahead->link = NULL;
}

static void list_add(struct pgs_ahead_list *list, struct pgs_ahead *ahead)
{
    pthread_mutex_lock(&list->lock);
    ahead->number = list->added++;
    ahead->next = list->first;
    ahead->link = &list->first;
    if (ahead->next)
        ahead->next->link = &ahead->next;
    list->first = ahead;
    pthread_mutex_unlock(&list->lock);
}

/* Nobody looks at it any more then. */
static void list_remove(struct pgs_ahead_list *list, struct pgs_ahead *ahead)
{
    pthread_mutex_lock(&list->lock);
    leave_list(ahead);
    while (ahead->settling_count)
        pthread_cond_wait(&list->settled, &list->lock);
    pthread_mutex_unlock(&list->lock);
}

/* Of the cache, the first that was there before so many had been added. Under the lock. */
static struct pgs_ahead *find_of_cache(const struct pgs_ahead_list *list, VkPipelineCache cache,
                                       uint64_t added)
{
    struct pgs_ahead *at = list->first;
    while (at && (at->cache != cache || at->number >= added))
        at = at->next;
    return at;
}

/* -- work -- */

/* What fails or is lost here is planned again by the draw that wants it, which can tell. */
static void run(struct pgs_task *task)
{
    struct pgs_ahead *ahead = (struct pgs_ahead *)((char *)task - offsetof(struct pgs_ahead, task));
    struct pgs_variants *variants = ahead->pipeline->variants;
    bool lost;
    VkResult result = pgs_variants_make_ahead(ahead->pipeline, ahead->mask, &lost);
    while (result == VK_SUCCESS && lost && ahead->rest)
        result = pgs_variants_make_ahead(ahead->pipeline, ahead->rest(variants->source), &lost);
    if (result != VK_SUCCESS)
        pgs_log(PGS_LOG_DEBUG,
                "a thread could not compile ahead (VkResult %d): who wants it tries again",
                (int)result);
    pthread_mutex_lock(&variants->lock);
    variants->source->cache = VK_NULL_HANDLE;
    pthread_mutex_unlock(&variants->lock);
}

void pgs_ahead_begin(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_ahead *ahead = &source->ahead;
    if (!ahead->mask)
        return;
    ahead->pipeline = pipeline;
    ahead->task.run = run;
    ahead->cache = source->cache;
    if (ahead->cache)
        list_add(&source->dev->pipelines->ahead, ahead);
    pgs_workers_offer(source->dev->pipelines->workers, &ahead->task);
}

void pgs_ahead_finish(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    pgs_workers_finish(source->dev->pipelines->workers, &source->ahead.task);
}

void pgs_ahead_end(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_pipeline_device *objects = source->dev->pipelines;
    struct pgs_ahead *ahead = &source->ahead;
    if (!ahead->pipeline || !objects->workers) /* none is left to work on it */
        return;
    /* What the cache would have of a library that is gone, links compile if there are any. */
    if (!ahead->cache || ahead->task.rank == PGS_TASK_LIKELY)
        pgs_workers_drop(objects->workers, &ahead->task);
    else
        pgs_workers_finish(objects->workers, &ahead->task);
    /* Not before: who destroys the cache meanwhile has to find what is compiled through it. Who
     * completes it may run even what was dropped, and is waited for. */
    if (ahead->cache)
        list_remove(&objects->ahead, ahead);
}

/* Without the lock while something is compiled: others make and destroy pipelines meanwhile, and
 * who destroys this one waits. What they add is not waited for. */
void pgs_ahead_settle(struct pgs_device *dev, VkPipelineCache cache)
{
    struct pgs_ahead_list *list = &dev->pipelines->ahead;
    struct pgs_ahead *at;
    pthread_mutex_lock(&list->lock);
    const uint64_t added = list->added;
    while ((at = find_of_cache(list, cache, added))) {
        at->settling_count++;
        pthread_mutex_unlock(&list->lock);
        pgs_workers_finish(dev->pipelines->workers, &at->task);
        pthread_mutex_lock(&list->lock);
        leave_list(at);
        if (!--at->settling_count)
            pthread_cond_broadcast(&list->settled);
    }
    pthread_mutex_unlock(&list->lock);
}
