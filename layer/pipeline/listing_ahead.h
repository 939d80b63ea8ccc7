/* SPDX-License-Identifier: MIT
 *
 * The variant that lists what it emits (poly_gs/listing.h), compiled behind draws that a kernel
 * lists until it is there: no first draw waits for it.
 */
#ifndef PGS_PIPELINE_LISTING_AHEAD_H
#define PGS_PIPELINE_LISTING_AHEAD_H

#include "pipeline/pipeline.h"

/* True if a draw can have it. Thread-safe, as the next. */
static inline bool pgs_listing_is_made(const struct pgs_emulated_pipeline *pipeline)
{
    return atomic_load_explicit(&pipeline->variants->made[PGS_VARIANT_LISTING],
                                memory_order_acquire);
}

/* Offers the variant to the device's threads, the first time that it is called, where there are
 * any. What fails is left at that. Of pipelines that have it. */
void pgs_listing_expect(const struct pgs_emulated_pipeline *pipeline);

/* Before the pipeline is destroyed: no thread works on it any more. */
void pgs_listing_ahead_end(struct pgs_emulated_pipeline *pipeline);

#endif
