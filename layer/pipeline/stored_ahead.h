/* SPDX-License-Identifier: MIT
 *
 * What draws with stored vertices take, compiled behind draws that do without until it is there:
 * inline ones, those whose indices a kernel lists, and instanced ones of all strips.
 */
#ifndef PGS_PIPELINE_STORED_AHEAD_H
#define PGS_PIPELINE_STORED_AHEAD_H

#include "pipeline/pipeline.h"

/* True if all variants are made that a draw with stored vertices runs. Not of native pipelines.
 * Thread-safe. */
bool pgs_stored_is_made(const struct pgs_emulated_pipeline *pipeline);

/* Offers these variants, and their kernels, to the device's threads, the first time that it is
 * called. What fails is made, and told, by the draw that wants it. Likewise. */
void pgs_stored_expect(const struct pgs_emulated_pipeline *pipeline);

/* True if a draw can have the variant that lists what it emits (poly_gs/listing.h). Thread-safe. */
static inline bool pgs_listing_is_made(const struct pgs_emulated_pipeline *pipeline)
{
    return atomic_load_explicit(&pipeline->variants->made[PGS_VARIANT_LISTING],
                                memory_order_acquire);
}

/* Offers that variant likewise, where there are threads. What fails is left at that. Of pipelines
 * that have it. Thread-safe. */
void pgs_listing_expect(const struct pgs_emulated_pipeline *pipeline);

/* The same of the variant that sifts instanced draws (poly_gs/sift.h), with its kernels. */
static inline bool pgs_sift_is_made(const struct pgs_emulated_pipeline *pipeline)
{
    return atomic_load_explicit(&pipeline->variants->made[PGS_VARIANT_SIFT], memory_order_acquire);
}

void pgs_sift_expect(const struct pgs_emulated_pipeline *pipeline);

/* The same of the variant with descriptors for what it reads and stores (poly_gs/bound.h). */
static inline bool pgs_bound_is_made(const struct pgs_emulated_pipeline *pipeline)
{
    return atomic_load_explicit(&pipeline->variants->made[PGS_VARIANT_BOUND], memory_order_acquire);
}

void pgs_bound_expect(const struct pgs_emulated_pipeline *pipeline);

/* The same of the two variants of picked draws (poly_gs/pick.h), with their kernels. Whether the
 * geometry shader picks vertices is found out then: if it does not, the pipeline has them no more.
 */
#define PGS_PICK_VARIANTS (PGS_VARIANT_BIT(PGS_VARIANT_PICK) | PGS_VARIANT_BIT(PGS_VARIANT_PICKED))
static inline bool pgs_pick_is_made(const struct pgs_emulated_pipeline *pipeline)
{
    const struct pgs_variants *variants = pipeline->variants;
    return atomic_load_explicit(&variants->made[PGS_VARIANT_PICK], memory_order_acquire) &&
           atomic_load_explicit(&variants->made[PGS_VARIANT_PICKED], memory_order_acquire);
}

void pgs_pick_expect(const struct pgs_emulated_pipeline *pipeline);

/* Before the pipeline is destroyed: no thread works on it any more. */
void pgs_stored_ahead_end(struct pgs_emulated_pipeline *pipeline);

#endif
