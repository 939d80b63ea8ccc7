/* SPDX-License-Identifier: MIT */
#include "pipeline/stored_ahead.h"

#include "pipeline/device.h"
#include "pipeline/kernels.h"
#include "pipeline/make_variants.h"
#include "pipeline/variant_choice.h"

#include <stddef.h>

bool pgs_stored_is_made(const struct pgs_emulated_pipeline *pipeline)
{
    const uint32_t made =
        atomic_load_explicit(&pipeline->variants->made_mask, memory_order_relaxed);
    return !(pgs_storing_variants(pipeline) & ~made);
}

static const struct pgs_stored_ahead *ahead_of(const struct pgs_task *task)
{
    return (const struct pgs_stored_ahead *)((const char *)task -
                                             offsetof(struct pgs_stored_ahead, task));
}

static void run(struct pgs_task *task)
{
    const struct pgs_stored_ahead *ahead = ahead_of(task);
    bool lost;
    pgs_variants_make_ahead(ahead->pipeline, ahead->mask, &lost);
}

/* What the driver would compile for nothing waits until the first shader says that the geometry
 * shader picks vertices. */
static void run_pick(struct pgs_task *task)
{
    const struct pgs_emulated_pipeline *pipeline = ahead_of(task)->pipeline;
    struct pgs_device *dev = pipeline->variants->source->dev;
    bool lost;
    if (pgs_variants_make_ahead(pipeline, PGS_VARIANT_BIT(PGS_VARIANT_PICK), &lost) != VK_SUCCESS ||
        lost)
        return;
    pgs_kernels_expect(dev,
                       PGS_KERNEL_BIT(PGS_KERNEL_PICK_SCAN) | PGS_KERNEL_BIT(PGS_KERNEL_PICK_LIST));
    pgs_variants_make_ahead(pipeline, PGS_PICK_VARIANTS, &lost);
}

/* True the first time. */
static bool begins(struct pgs_stored_ahead *ahead)
{
    return !atomic_load_explicit(&ahead->is_begun, memory_order_relaxed) &&
           !atomic_exchange(&ahead->is_begun, true);
}

static void offer(const struct pgs_emulated_pipeline *pipeline, uint32_t mask,
                  enum pgs_task_rank rank, void (*work)(struct pgs_task *task),
                  struct pgs_stored_ahead *ahead)
{
    ahead->pipeline = pipeline;
    ahead->mask = mask;
    ahead->task.run = work;
    ahead->task.rank = rank;
    pgs_workers_offer(pipeline->variants->source->dev->pipelines->workers, &ahead->task);
}

void pgs_stored_expect(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (!begins(&source->stored_ahead))
        return;
    const uint32_t mask =
        pgs_storing_variants(pipeline) |
        atomic_load_explicit(&pipeline->variants->generic_mask, memory_order_relaxed);
    pgs_kernels_expect(source->dev, pgs_usual_kernels(source, mask));
    offer(pipeline, mask, PGS_TASK_WANTED, run, &source->stored_ahead);
}

void pgs_listing_expect(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (source && pgs_compiles_ahead(source->dev->physical) && begins(&source->listing_ahead))
        offer(pipeline, PGS_VARIANT_BIT(PGS_VARIANT_LISTING), PGS_TASK_GUESS, run,
              &source->listing_ahead);
}

void pgs_bound_expect(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (source && pgs_compiles_ahead(source->dev->physical) && begins(&source->bound_ahead))
        offer(pipeline, PGS_VARIANT_BIT(PGS_VARIANT_BOUND), PGS_TASK_GUESS, run,
              &source->bound_ahead);
}

void pgs_sift_expect(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (!source || !pgs_compiles_ahead(source->dev->physical) || !begins(&source->sift_ahead))
        return;
    pgs_kernels_expect(source->dev,
                       PGS_KERNEL_BIT(PGS_KERNEL_SIFT_SCAN) | PGS_KERNEL_BIT(PGS_KERNEL_SIFT_LIST));
    offer(pipeline, PGS_VARIANT_BIT(PGS_VARIANT_SIFT), PGS_TASK_WANTED, run, &source->sift_ahead);
}

void pgs_pick_expect(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (source && pgs_compiles_ahead(source->dev->physical) && begins(&source->pick_ahead))
        offer(pipeline, PGS_PICK_VARIANTS, PGS_TASK_WANTED, run_pick, &source->pick_ahead);
}

static void end(struct pgs_workers *workers, struct pgs_stored_ahead *ahead)
{
    if (workers && atomic_load(&ahead->is_begun))
        pgs_workers_drop(workers, &ahead->task);
}

void pgs_stored_ahead_end(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_workers *workers = source->dev->pipelines->workers;
    end(workers, &source->stored_ahead);
    end(workers, &source->listing_ahead);
    end(workers, &source->sift_ahead);
    end(workers, &source->bound_ahead);
    end(workers, &source->pick_ahead);
}
