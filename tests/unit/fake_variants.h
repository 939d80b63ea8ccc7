/* SPDX-License-Identifier: MIT
 *
 * Variants of the pipelines that tests of the draw module make up: what is given is made.
 */
#ifndef PGS_TEST_FAKE_VARIANTS_H
#define PGS_TEST_FAKE_VARIANTS_H

#include "pipeline/pipeline.h"

/* handle 0: the pipeline has no such variant. Compute variants bind sets as PGS_GROUP_ALL. */
static inline void fake_variant(struct pgs_variants *variants, enum pgs_variant variant,
                                uintptr_t handle)
{
    const uint32_t bit = PGS_VARIANT_BIT(variant);
    const uint32_t others = atomic_load(&variants->available) & ~bit;
    atomic_store(&variants->available, handle ? others | bit : others);
    atomic_store(&variants->made[variant], (VkPipeline)handle);
    variants->groups[variant] = bit & PGS_VARIANTS_RASTER ? PGS_GROUP_COUNT : PGS_GROUP_ALL;
}

#endif
