/* SPDX-License-Identifier: MIT */
#include "pipeline/make_variants.h"

#include "pipeline/raster_recipe.h"

/* Takes it out of what is available, and puts in what does its work. */
static void lose(struct pgs_variants *variants, enum pgs_variant variant)
{
    uint32_t available = atomic_load(&variants->available);
    const bool fuses = (available & PGS_VARIANT_BIT(PGS_VARIANT_FUSED)) &&
                       !atomic_load(&variants->made[PGS_VARIANT_FUSED]);
    if (variant == PGS_VARIANT_XFB && fuses) /* both shaders in one are what cannot be */
        variant = PGS_VARIANT_FUSED;
    available &= ~PGS_VARIANT_BIT(variant);
    if (variant == PGS_VARIANT_FUSED)
        available |= PGS_VARIANT_BIT(PGS_VARIANT_VERTEX) | PGS_VARIANT_BIT(PGS_VARIANT_GEOMETRY);
    atomic_store(&variants->available, available);
}

/* Under the lock. */
static VkResult make(struct pgs_variants *variants, enum pgs_variant variant, bool *lost)
{
    struct pgs_made made;
    if (atomic_load_explicit(&variants->made_mask, memory_order_relaxed) >> variant & 1)
        return VK_SUCCESS; /* by another thread */
    if (!(atomic_load(&variants->available) & PGS_VARIANT_BIT(variant))) {
        *lost = true;
        return VK_SUCCESS;
    }
    const VkResult result = PGS_VARIANT_BIT(variant) & PGS_VARIANTS_RASTER
                                ? pgs_raster_recipe_make(variants->source, variant, &made)
                                : pgs_compute_recipe_make(variants->source, variant, &made);
    if (result != VK_SUCCESS)
        return result;
    if (made.unsupported) {
        lose(variants, variant);
        *lost = true;
        return VK_SUCCESS;
    }
    variants->groups[variant] = made.group;
    atomic_store_explicit(&variants->made[variant], made.pipeline, memory_order_relaxed);
    atomic_fetch_or_explicit(&variants->made_mask, PGS_VARIANT_BIT(variant), memory_order_release);
    return VK_SUCCESS;
}

VkResult pgs_variants_make(const struct pgs_emulated_pipeline *pipeline, uint32_t mask, bool *lost)
{
    struct pgs_variants *variants = pipeline->variants;
    VkResult result = VK_SUCCESS;
    *lost = false;
    if (!(mask & ~atomic_load_explicit(&variants->made_mask, memory_order_acquire)))
        return VK_SUCCESS;
    pthread_mutex_lock(&variants->lock);
    for (int v = 0; v < PGS_VARIANT_COUNT && result == VK_SUCCESS && !*lost; v++)
        if (mask & PGS_VARIANT_BIT(v))
            result = make(variants, (enum pgs_variant)v, lost);
    pthread_mutex_unlock(&variants->lock);
    return result;
}
