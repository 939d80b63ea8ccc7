/* SPDX-License-Identifier: MIT */
#include "pipeline/make_variants.h"

#include "base/log.h"
#include "base/workers.h"
#include "pipeline/compile.h"
#include "pipeline/compute_recipe.h"
#include "pipeline/device.h"
#include "pipeline/raster_module.h"
#include "pipeline/raster_recipe.h"

#include <stddef.h>

/* Removes the variant from the available ones, and adds those that replace it. */
static void lose(struct pgs_variants *variants, enum pgs_variant variant)
{
    uint32_t available = atomic_load(&variants->available);
    const bool fuses = (available & PGS_VARIANT_BIT(PGS_VARIANT_FUSED)) &&
                       !atomic_load(&variants->made[PGS_VARIANT_FUSED]);
    if (variant == PGS_VARIANT_XFB && fuses) /* the two shaders cannot be combined */
        variant = PGS_VARIANT_FUSED;
    available &= ~PGS_VARIANT_BIT(variant);
    if (variant == PGS_VARIANT_FUSED)
        available |= PGS_VARIANT_BIT(PGS_VARIANT_VERTEX) | PGS_VARIANT_BIT(PGS_VARIANT_GEOMETRY);
    if (variant == PGS_VARIANT_FUSED_CONTROL)
        available |= PGS_VARIANT_BIT(PGS_VARIANT_VERTEX) | PGS_VARIANT_BIT(PGS_VARIANT_CONTROL);
    atomic_store(&variants->available, available);
}

void pgs_log_uncounted(void)
{
    pgs_log(PGS_LOG_ERROR, "falling back to the driver's own pipeline: queries do not count its "
                           "draws");
}

/* Draws of a native pipeline work without our variants, so it may fall back. A pipeline that
 * captures may not. */
static bool falls_back_to_native(const struct pgs_emulated_pipeline *pipeline, VkResult result)
{
    if (!pipeline->native_raster || pipeline->gs.xfb.enabled || !pgs_refuses_shaders(result))
        return false;
    pgs_log_uncounted();
    atomic_store(&pipeline->variants->uncounted, true);
    return true;
}

/* One variant in the making. Threads that work ahead may run it: it reads what does not change
 * while variants are made, and shares objects through tables that are thread-safe. */
struct part {
    struct pgs_task task;
    struct pgs_pipeline_source *source;
    enum pgs_variant variant;
    VkResult result;
    struct pgs_made made;
};

static struct part *part_of(struct pgs_task *task)
{
    return (struct part *)((char *)task - offsetof(struct part, task));
}

static bool is_raster(const struct part *part)
{
    return (PGS_VARIANT_BIT(part->variant) & PGS_VARIANTS_RASTER) != 0;
}

static void run_part(struct pgs_task *task)
{
    struct part *part = part_of(task);
    part->result = is_raster(part)
                       ? pgs_raster_recipe_make(part->source, part->variant, &part->made)
                       : pgs_compute_recipe_make(part->source, part->variant, &part->made);
}

/* Waking a thread takes longer than to find what other pipelines have. */
static bool is_long(const struct part *part)
{
    return is_raster(part) || !pgs_compute_recipe_is_made(part->source, part->variant);
}

/* The caller begins with the first part. Raster variants share a module that the first of them
 * makes, so two of them never run at once. */
static void offer(struct pgs_workers *workers, struct part *parts, uint32_t count)
{
    bool raster = is_raster(&parts[0]), is_worth = is_long(&parts[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (!is_long(&parts[i]))
            continue;
        if (is_worth && !raster)
            pgs_workers_offer(workers, &parts[i].task);
        is_worth = true;
        raster |= is_raster(&parts[i]);
    }
}

static void release(const struct part *part)
{
    if (part->result != VK_SUCCESS)
        return;
    if (part->made.shared)
        pgs_shared_release(part->made.shared);
    else
        part->source->dev->vk.DestroyPipeline(part->source->dev->handle, part->made.pipeline, NULL);
}

/* A generic variant stays, as command buffers may have it, but draws take the pipeline's own, which
 * has the same group. */
bool pgs_variants_put(struct pgs_variants *variants, enum pgs_variant variant,
                      const struct pgs_made *made, bool is_generic)
{
    const uint32_t bit = PGS_VARIANT_BIT(variant);
    pthread_mutex_lock(&variants->put_lock);
    const bool is_made = atomic_load(&variants->made_mask) & bit;
    const bool replaces = !is_generic && (atomic_load(&variants->generic_mask) & bit);
    if (replaces) {
        atomic_fetch_and(&variants->generic_mask, ~bit);
        variants->generic[variant] = variants->shared[variant];
    } else if (!is_made) {
        atomic_fetch_or(&variants->generic_mask, is_generic ? bit : 0);
        variants->groups[variant] = made->group;
    }
    if (replaces || !is_made) {
        variants->shared[variant] = made->shared;
        atomic_store_explicit(&variants->made[variant], made->pipeline, memory_order_release);
        atomic_fetch_or_explicit(&variants->made_mask, bit, memory_order_release);
    }
    pthread_mutex_unlock(&variants->put_lock);
    return replaces || !is_made;
}

/* Takes over what was made. */
static VkResult take(struct pgs_variants *variants, const struct part *part, bool *lost)
{
    const enum pgs_variant variant = part->variant;
    const bool refused = pgs_variant_is_optional(variant) && pgs_refuses_shaders(part->result);
    if (part->result != VK_SUCCESS && !refused)
        return part->result;
    if (refused || part->made.unsupported) {
        release(part);
        lose(variants, variant);
        *lost = true;
        return VK_SUCCESS;
    }
    if (!pgs_variants_put(variants, variant, &part->made, false)) /* it has come meanwhile */
        release(part);
    return VK_SUCCESS;
}

/* After a variant is lost others may be wanted, so nothing more is made. */
static VkResult finish(struct pgs_variants *variants, struct part *parts, uint32_t count,
                       bool *lost)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        struct pgs_workers *workers = parts[i].source->dev->pipelines->workers;
        if (result == VK_SUCCESS && !*lost) {
            pgs_workers_finish(workers, &parts[i].task);
            result = take(variants, &parts[i], lost);
        } else if (!pgs_workers_drop(workers, &parts[i].task)) {
            release(&parts[i]);
        }
    }
    return result;
}

/* Under the lock. `mask` is of available variants that are not made. */
static VkResult make(struct pgs_variants *variants, uint32_t mask, enum pgs_task_rank rank,
                     bool *lost)
{
    struct part parts[PGS_VARIANT_COUNT];
    uint32_t count = 0;
    for (int v = 0; v < PGS_VARIANT_COUNT; v++) {
        if (mask & PGS_VARIANT_BIT(v))
            parts[count++] = (struct part){.task = {.run = run_part, .rank = rank},
                                           .source = variants->source,
                                           .variant = (enum pgs_variant)v};
    }
    if (count > 1 && pgs_pipeline_source_is_shareable(variants->source))
        offer(variants->source->dev->pipelines->workers, parts, count);
    return finish(variants, parts, count, lost);
}

VkResult pgs_variants_try(const struct pgs_emulated_pipeline *pipeline, uint32_t mask, bool *lost)
{
    struct pgs_variants *variants = pipeline->variants;
    VkResult result = VK_SUCCESS;
    *lost = false;
    for (int v = 0; v < PGS_VARIANT_COUNT && result == VK_SUCCESS && !*lost; v++) {
        if (!(mask & PGS_VARIANT_BIT(v)))
            continue;
        const enum pgs_variant variant = (enum pgs_variant)v;
        result = (PGS_VARIANT_BIT(v) & PGS_VARIANTS_RASTER)
                     ? pgs_raster_modules_try(variants->source, variant, lost)
                     : pgs_compute_recipe_try(variants->source, variant, lost);
        if (*lost)
            lose(variants, variant);
    }
    return result;
}

static bool has_made(const struct pgs_variants *variants, uint32_t mask)
{
    return !(mask & ~atomic_load_explicit(&variants->made_mask, memory_order_acquire));
}

/* keeps: a generic variant will do. */
static VkResult make_missing(const struct pgs_emulated_pipeline *pipeline, uint32_t mask,
                             bool keeps, bool *lost)
{
    struct pgs_variants *variants = pipeline->variants;
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&variants->lock);
    mask &= ~(atomic_load_explicit(&variants->made_mask, memory_order_relaxed) &
              ~(keeps ? 0 : atomic_load(&variants->generic_mask)));
    if (mask & ~atomic_load(&variants->available))
        *lost = true;
    else
        result =
            make(variants, mask, keeps ? PGS_TASK_WANTED : variants->source->ahead.task.rank, lost);
    if (result != VK_SUCCESS && falls_back_to_native(pipeline, result)) {
        *lost = true;
        result = VK_SUCCESS;
    }
    pthread_mutex_unlock(&variants->lock);
    return result;
}

VkResult pgs_variants_make(const struct pgs_emulated_pipeline *pipeline, uint32_t mask, bool *lost)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    *lost = false;
    if (has_made(pipeline->variants, mask))
        return VK_SUCCESS;
    /* Maybe a thread is at it. */
    pgs_workers_await(source->dev->pipelines->workers, &source->ahead.task);
    pgs_workers_await(source->dev->pipelines->workers, &source->stored_ahead.task);
    return has_made(pipeline->variants, mask) ? VK_SUCCESS
                                              : make_missing(pipeline, mask, true, lost);
}

VkResult pgs_variants_make_ahead(const struct pgs_emulated_pipeline *pipeline, uint32_t mask,
                                 bool *lost)
{
    *lost = false;
    if (has_made(pipeline->variants, mask) &&
        !(mask & atomic_load_explicit(&pipeline->variants->generic_mask, memory_order_relaxed)))
        return VK_SUCCESS;
    return make_missing(pipeline, mask, false, lost);
}
