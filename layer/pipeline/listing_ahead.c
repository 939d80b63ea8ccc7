/* SPDX-License-Identifier: MIT */
#include "pipeline/listing_ahead.h"

#include "pipeline/ahead.h"
#include "pipeline/device.h"
#include "pipeline/make_variants.h"

#include <stddef.h>

static void run(struct pgs_task *task)
{
    const struct pgs_stored_ahead *ahead =
        (const struct pgs_stored_ahead *)((char *)task - offsetof(struct pgs_stored_ahead, task));
    bool lost;
    pgs_variants_make_ahead(ahead->pipeline, PGS_VARIANT_BIT(PGS_VARIANT_LISTING), &lost);
}

void pgs_listing_expect(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (!source || !pgs_compiles_ahead(source->dev->physical))
        return;
    struct pgs_stored_ahead *ahead = &source->listing_ahead;
    if (atomic_load_explicit(&ahead->is_begun, memory_order_relaxed) ||
        atomic_exchange(&ahead->is_begun, true))
        return;
    ahead->pipeline = pipeline;
    ahead->task.run = run;
    ahead->task.rank = PGS_TASK_GUESS;
    pgs_workers_offer(source->dev->pipelines->workers, &ahead->task);
}

void pgs_listing_ahead_end(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_workers *workers = source->dev->pipelines->workers;
    if (workers && atomic_load(&source->listing_ahead.is_begun))
        pgs_workers_drop(workers, &source->listing_ahead.task);
}
