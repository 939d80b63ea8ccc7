/* SPDX-License-Identifier: MIT */
#include "pipeline/generic.h"

#include "base/log.h"
#include "pipeline/ahead.h"
#include "pipeline/compute_recipe.h"
#include "pipeline/device.h"
#include "pipeline/kernels.h"
#include "pipeline/library_part.h"
#include "pipeline/make_variants.h"
#include "pipeline/raster_link.h"
#include "pipeline/stored_ahead.h"
#include "pipeline/variant_choice.h"

static bool pays(const struct pgs_device *dev)
{
    return dev->pipeline_libraries && !pgs_runs_on_cpu(dev->physical) &&
           pgs_compiles_ahead(dev->physical);
}

/* Compute variants of draws that store what they rasterize, and of usual ones. */
static uint32_t wanted_variants(const struct pgs_pipeline_source *source)
{
    return (pgs_storing_variants(source->pipeline) | pgs_usual_variants(source)) &
           ~PGS_VARIANTS_RASTER & atomic_load(&source->pipeline->variants->available);
}

static uint32_t not_made(const struct pgs_emulated_pipeline *pipeline, uint32_t variants)
{
    return variants & ~atomic_load_explicit(&pipeline->variants->made_mask, memory_order_acquire);
}

/* -- with the library -- */

/* Behind the call an allocator may not be called, and a cache only if several threads may use it;
 * else the layer's own does. */
static void leave_call(struct pgs_pipeline_source *source)
{
    if (!pgs_pipeline_source_is_shareable(source))
        source->cache = VK_NULL_HANDLE;
    source->allocator = NULL;
}

bool pgs_generic_begin(struct pgs_emulated_pipeline *guess)
{
    struct pgs_pipeline_source *source = guess->variants->source;
    const struct pgs_library_part *part = source->link->part;
    if (!pays(source->dev) || !guess->layout)
        return false;
    source->is_generic =
        guess->attribute_count &&
        !(part->parts & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT);
    pgs_kernels_expect(source->dev, pgs_usual_kernels(source, pgs_storing_variants(guess)));
    leave_call(source);
    source->ahead.mask = wanted_variants(source);
    source->ahead.rest = wanted_variants;
    source->ahead.task.rank = PGS_TASK_LIKELY;
    pgs_ahead_begin(guess);
    return true;
}

/* -- with a pipeline -- */

static void take(struct pgs_pipeline_source *source, const struct pgs_layout *layout,
                 enum pgs_variant variant)
{
    struct pgs_made made;
    bool is_generic;
    if (pgs_compute_recipe_find(source, layout, variant, &made, &is_generic) &&
        !pgs_variants_put(source->pipeline->variants, variant, &made, is_generic))
        pgs_shared_release(made.shared);
}

/* layout: of the library, or NULL. */
static void take_all(struct pgs_pipeline_source *source, const struct pgs_layout *layout)
{
    struct pgs_variants *variants = source->pipeline->variants;
    const uint32_t before = atomic_load(&variants->generic_mask);
    const uint32_t wanted = not_made(source->pipeline, wanted_variants(source));
    for (int v = 0; v < PGS_VARIANT_STORED_0; v++)
        if (wanted >> v & 1)
            take(source, layout, (enum pgs_variant)v);
    const uint32_t generic = atomic_load(&variants->generic_mask) & ~before;
    if (generic)
        pgs_log(PGS_LOG_DEBUG, "a linked pipeline begins with generic variants (mask 0x%x)",
                generic);
}

static const struct pgs_layout *layout_of_link(const struct pgs_pipeline_source *source)
{
    return source->link ? source->link->part->layout : NULL;
}

bool pgs_generic_suffices(const struct pgs_pipeline_source *source)
{
    const uint32_t wanted = wanted_variants(source);
    struct pgs_made made;
    bool is_generic, suffices = source->link && pays(source->dev) && source->pipeline->layout;
    for (int v = 0; v < PGS_VARIANT_STORED_0 && suffices; v++) {
        if (!(wanted >> v & 1))
            continue;
        suffices = pgs_compute_recipe_find(source, layout_of_link(source), (enum pgs_variant)v,
                                           &made, &is_generic);
        pgs_shared_release(made.shared);
    }
    return suffices;
}

/* True if threads still compile of the library. */
static bool goes_on(const struct pgs_library_part *part)
{
    struct pgs_pipeline_source *source = part->guess->variants->source;
    return !pgs_workers_are_done(source->dev->pipelines->workers, &source->ahead.task);
}

/* True if all that the pipeline lacks will come of its library. */
static bool comes(const struct pgs_pipeline_source *source, uint32_t missing)
{
    const struct pgs_library_part *part = source->link ? source->link->part : NULL;
    if (!missing || !part || !part->guess || !goes_on(part))
        return false;
    const struct pgs_pipeline_source *guess = part->guess->variants->source;
    bool all = !(missing & ~wanted_variants(guess));
    for (int v = 0; v < PGS_VARIANT_STORED_0 && all; v++)
        all = !(missing >> v & 1) ||
              pgs_compute_recipe_suits(source, part->layout, (enum pgs_variant)v, guess);
    return all;
}

void pgs_generic_take(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (!pays(source->dev) || pipeline->native_raster || !pipeline->layout)
        return;
    /* It may become one of those that are made between the two. */
    const bool awaits = comes(source, not_made(pipeline, wanted_variants(source)));
    take_all(source, layout_of_link(source));
    if (awaits && not_made(pipeline, wanted_variants(source)))
        atomic_store(&source->awaited, pgs_library_part_refer(source->link->part));
    pipeline->bridges = awaits || pgs_stored_is_made(pipeline);
}

/* -- with a draw -- */

/* The reference is the caller's; NULL: nothing more is to come. */
static struct pgs_library_part *awaited_by(struct pgs_pipeline_source *source)
{
    pthread_mutex_lock(&source->dev->pipelines->front_lock);
    struct pgs_library_part *part = atomic_load(&source->awaited);
    if (part)
        pgs_library_part_refer(part);
    pthread_mutex_unlock(&source->dev->pipelines->front_lock);
    return part;
}

static void forget_library(struct pgs_pipeline_source *source)
{
    pthread_mutex_lock(&source->dev->pipelines->front_lock);
    struct pgs_library_part *part = atomic_exchange(&source->awaited, NULL);
    pthread_mutex_unlock(&source->dev->pipelines->front_lock);
    pgs_library_part_release(source->dev, part);
}

/* Takes what is made. False: that was all. */
static bool take_some(struct pgs_pipeline_source *source, const struct pgs_library_part *part)
{
    const bool more = goes_on(part); /* now, as what it finishes meanwhile may not be found */
    take_all(source, part->layout);
    return more && not_made(source->pipeline, wanted_variants(source));
}

/* What a draw waits for. */
struct race {
    const struct pgs_pipeline_source *source;
    const struct pgs_layout *layout; /* of the library */
    uint32_t variants, instead;
};

static bool is_over(const void *context)
{
    const struct race *race = context;
    const uint32_t missing = not_made(race->source->pipeline, race->instead);
    bool has_instead = true;
    for (int v = 0; v < PGS_VARIANT_STORED_0 && has_instead; v++)
        has_instead = !(missing >> v & 1) ||
                      pgs_compute_recipe_has(race->source, race->layout, (enum pgs_variant)v);
    return has_instead || !not_made(race->source->pipeline, race->variants);
}

/* What makes the pipeline's own variants; NULL: no thread would. */
static struct pgs_task *task_of(struct pgs_pipeline_source *source, uint32_t missing)
{
    if (!(missing & ~source->ahead.mask))
        return &source->ahead.task;
    if (missing & ~pgs_storing_variants(source->pipeline))
        return NULL;
    pgs_stored_expect(source->pipeline);
    return &source->stored_ahead.task;
}

static void wait(const struct race *race)
{
    struct pgs_pipeline_source *source = race->source->pipeline->variants->source;
    const uint32_t instead = not_made(source->pipeline, race->instead);
    struct pgs_task *own = NULL;
    if (!(instead & ~wanted_variants(source))) /* else it does not come of the library */
        own = task_of(source, not_made(source->pipeline, race->variants));
    if (own)
        pgs_workers_await_unless(source->dev->pipelines->workers, own, is_over, race);
}

void pgs_generic_await(const struct pgs_emulated_pipeline *pipeline, uint32_t variants,
                       uint32_t instead)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (!atomic_load_explicit(&source->awaited, memory_order_relaxed) ||
        !not_made(pipeline, variants))
        return;
    struct pgs_library_part *part = awaited_by(source);
    if (!part)
        return;
    bool more = take_some(source, part);
    if (more && not_made(pipeline, variants) && not_made(pipeline, instead)) {
        wait(&(struct race){source, part->layout, variants, instead});
        more = take_some(source, part);
    }
    if (!more && !goes_on(part)) /* else its end would wait for what it still compiles */
        forget_library(source);
    pgs_library_part_release(source->dev, part);
}

void pgs_generic_end(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    pgs_library_part_release(source->dev, atomic_exchange(&source->awaited, NULL));
}

void pgs_generic_replace(const struct pgs_emulated_pipeline *pipeline, uint32_t variants)
{
    if (variants & ~pipeline->variants->source->ahead.mask)
        pgs_stored_expect(pipeline);
}
