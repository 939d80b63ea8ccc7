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

static void run(struct pgs_task *task)
{
    const struct pgs_stored_ahead *ahead =
        (const struct pgs_stored_ahead *)((char *)task - offsetof(struct pgs_stored_ahead, task));
    bool lost;
    pgs_variants_make_ahead(ahead->pipeline, ahead->mask, &lost);
}

void pgs_stored_expect(const struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_stored_ahead *ahead = &source->stored_ahead;
    if (atomic_load_explicit(&ahead->is_begun, memory_order_relaxed) ||
        atomic_exchange(&ahead->is_begun, true))
        return;
    ahead->pipeline = pipeline;
    ahead->mask = pgs_storing_variants(pipeline) |
                  atomic_load_explicit(&pipeline->variants->generic_mask, memory_order_relaxed);
    ahead->task.run = run;
    pgs_kernels_expect(source->dev, pgs_usual_kernels(source, ahead->mask));
    pgs_workers_offer(source->dev->pipelines->workers, &ahead->task);
}

void pgs_stored_ahead_end(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_workers *workers = source->dev->pipelines->workers;
    if (workers && atomic_load(&source->stored_ahead.is_begun))
        pgs_workers_drop(workers, &source->stored_ahead.task);
}
