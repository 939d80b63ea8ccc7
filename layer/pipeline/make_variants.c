/* SPDX-License-Identifier: MIT */
#include "pipeline/make_variants.h"

#include "base/log.h"
#include "pipeline/raster_recipe.h"

/* Removes the variant from the available ones, and adds those that replace it. */
static void lose(struct pgs_variants *variants, enum pgs_variant variant)
{
    uint32_t available = atomic_load(&variants->available);
    const bool fuses = (available & PGS_VARIANT_BIT(PGS_VARIANT_FUSED)) &&
                       !atomic_load(&variants->made[PGS_VARIANT_FUSED]);
    if (variant == PGS_VARIANT_XFB && fuses) /* the two shaders cannot be combined */
        variant = PGS_VARIANT_FUSED;
    available &= ~PGS_VARIANT_BIT(variant);
    if (variant == PGS_VARIANT_FUSED)
        available |= PGS_VARIANT_BIT(PGS_VARIANT_VERTEX) | PGS_VARIANT_BIT(PGS_VARIANT_GEOMETRY);
    atomic_store(&variants->available, available);
}

bool pgs_refuses_shaders(VkResult result)
{
    return result == VK_ERROR_UNKNOWN || result == VK_ERROR_INVALID_SHADER_NV ||
           result == VK_ERROR_INITIALIZATION_FAILED;
}

void pgs_log_uncounted(void)
{
    pgs_log(PGS_LOG_ERROR, "falling back to the driver's own pipeline: queries do not count its "
                           "draws");
}

/* Draws of a native pipeline work without our variants, so it may fall back. A pipeline that
 * captures may not. */
static bool falls_back_to_native(const struct pgs_emulated_pipeline *pipeline, VkResult result)
{
    if (!pipeline->native_raster || pipeline->gs.xfb.enabled || !pgs_refuses_shaders(result))
        return false;
    pgs_log_uncounted();
    atomic_store(&pipeline->variants->uncounted, true);
    return true;
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
    const uint32_t bit = PGS_VARIANT_BIT(variant);
    const VkResult result = bit & PGS_VARIANTS_RASTER
                                ? pgs_raster_recipe_make(variants->source, variant, &made)
                                : pgs_compute_recipe_make(variants->source, variant, &made);
    if (result != VK_SUCCESS && !(pgs_variant_is_optional(variant) && pgs_refuses_shaders(result)))
        return result;
    if (result != VK_SUCCESS || made.unsupported) {
        if (result == VK_SUCCESS)
            pgs_shared_release(made.shared);
        lose(variants, variant);
        *lost = true;
        return VK_SUCCESS;
    }
    variants->groups[variant] = made.group;
    variants->shared[variant] = made.shared;
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
    if (result != VK_SUCCESS && falls_back_to_native(pipeline, result)) {
        *lost = true;
        result = VK_SUCCESS;
    }
    pthread_mutex_unlock(&variants->lock);
    return result;
}
