/* SPDX-License-Identifier: MIT */
#include "pipeline/front_ahead.h"

#include "pipeline/device.h"
#include "pipeline/library_part.h"
#include "pipeline/raster_link.h"
#include "pipeline/raster_recipe.h"

#include <stddef.h>

void pgs_front_ahead_choose(struct pgs_pipeline_source *source, uint32_t later)
{
    struct pgs_front_ahead *ahead = &source->front_ahead;
    /* A link whose lines may be wide has a second pipeline. */
    if (!source->link || source->widens || ahead->is_counted ||
        !(later & PGS_VARIANT_BIT(PGS_VARIANT_INLINE)))
        return;
    ahead->is_counted = true;
    struct pgs_library_part *part = source->link->part;
    if (atomic_fetch_add_explicit(&part->link_count, 1, memory_order_relaxed))
        ahead->part = pgs_library_part_refer(part);
}

/* Through the layer's own cache, as the application's may be gone. What fails is left to links. */
static void run(struct pgs_task *task)
{
    struct pgs_front_ahead *ahead =
        (struct pgs_front_ahead *)((char *)task - offsetof(struct pgs_front_ahead, task));
    struct pgs_raster_link link;
    bool found;
    if (ahead->source->kept && pgs_raster_link_init(&link, ahead->part))
        pgs_raster_recipe_prepare_link(ahead->source, &link, VK_NULL_HANDLE, PGS_VARIANT_INLINE,
                                       true, &found);
    pgs_library_part_release(ahead->source->dev, ahead->part);
    ahead->part = NULL;
}

void pgs_front_ahead_begin(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_front_ahead *ahead = &source->front_ahead;
    if (!ahead->part)
        return;
    ahead->source = source;
    ahead->task.run = run;
    ahead->task.rank = PGS_TASK_GUESS;
    pgs_workers_offer(source->dev->pipelines->workers, &ahead->task);
}

void pgs_front_ahead_end(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    struct pgs_front_ahead *ahead = &source->front_ahead;
    if (ahead->source && source->dev->pipelines->workers)
        pgs_workers_drop(source->dev->pipelines->workers, &ahead->task);
    pgs_library_part_release(source->dev, ahead->part);
    ahead->part = NULL;
}
