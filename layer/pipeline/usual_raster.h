/* SPDX-License-Identifier: MIT
 *
 * The raster pipeline that is bound with an application's pipeline: switching to another one costs
 * a GPU as much as a small draw. A public header of pipeline/.
 */
#ifndef PGS_PIPELINE_USUAL_RASTER_H
#define PGS_PIPELINE_USUAL_RASTER_H

#include "pipeline/pipeline.h"

/* That of the last draw, before there is one that of usual draws if it is finished; else the
 * handle. Not of native pipelines. Thread-safe. */
static inline VkPipeline pgs_usual_handle(const struct pgs_emulated_pipeline *of)
{
    const VkPipeline drawn = atomic_load_explicit(&of->variants->drawn, memory_order_acquire);
    if (drawn)
        return drawn;
    const VkPipeline usual = pgs_variant_handle(of, of->usual_raster);
    return usual ? usual : of->handle;
}

/* Notes the raster pipeline that a draw binds. Thread-safe. */
static inline void pgs_note_drawn(const struct pgs_emulated_pipeline *of, VkPipeline bound)
{
    _Atomic(VkPipeline) *drawn = &of->variants->drawn;
    if (atomic_load_explicit(drawn, memory_order_relaxed) != bound)
        atomic_store_explicit(drawn, bound, memory_order_release);
}

#endif
