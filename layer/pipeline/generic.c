/* SPDX-License-Identifier: MIT */
#include "pipeline/generic.h"

#include "base/log.h"
#include "pipeline/ahead.h"
#include "pipeline/compute_recipe.h"
#include "pipeline/device.h"
#include "pipeline/kernels.h"
#include "pipeline/library_part.h"
#include "pipeline/make_variants.h"
#include "pipeline/raster_link.h"
#include "pipeline/stored_ahead.h"
#include "pipeline/variant_choice.h"

static bool pays(const struct pgs_device *dev)
{
    return dev->pipeline_libraries && !pgs_runs_on_cpu(dev->physical) &&
           pgs_compiles_ahead(dev->physical);
}

/* Compute variants of draws that store what they rasterize, and of usual ones. */
static uint32_t wanted_variants(const struct pgs_pipeline_source *source)
{
    return (pgs_storing_variants(source->pipeline) | pgs_usual_variants(source)) &
           ~PGS_VARIANTS_RASTER & atomic_load(&source->pipeline->variants->available);
}

/* -- with the library -- */

void pgs_generic_begin(struct pgs_emulated_pipeline *guess)
{
    struct pgs_pipeline_source *source = guess->variants->source;
    const struct pgs_library_part *part = source->link->part;
    if (!pays(source->dev) || !guess->layout)
        return;
    source->is_generic =
        guess->attribute_count &&
        !(part->parts & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT);
    pgs_kernels_expect(source->dev, pgs_usual_kernels(source, pgs_storing_variants(guess)));
    if (!pgs_pipeline_source_is_shareable(source))
        return;
    source->ahead.mask = wanted_variants(source);
    pgs_ahead_begin(guess);
}

/* Some variants may have turned out not to be available, so that others are wanted. */
static void make_rest(struct pgs_emulated_pipeline *guess)
{
    bool lost = true;
    while (lost && pgs_variants_make_ahead(guess, wanted_variants(guess->variants->source),
                                           &lost) == VK_SUCCESS)
        ;
}

void pgs_generic_end(struct pgs_emulated_pipeline *guess)
{
    struct pgs_pipeline_source *source = guess->variants->source;
    struct pgs_library_part *part = source->link->part;
    if (!pays(source->dev) || !guess->layout)
        return;
    if (source->ahead.mask)
        pgs_ahead_finish(guess);
    make_rest(guess);
    for (int v = 0; v < PGS_VARIANT_STORED_0; v++)
        if (guess->variants->shared[v] && !part->generic[v])
            part->generic[v] = pgs_shared_acquire(guess->variants->shared[v]);
}

/* -- with a pipeline -- */

static void take(struct pgs_pipeline_source *source, enum pgs_variant variant)
{
    struct pgs_variants *variants = source->pipeline->variants;
    struct pgs_made made;
    bool is_generic;
    if (!pgs_compute_recipe_find(source, variant, &made, &is_generic))
        return;
    variants->groups[variant] = made.group;
    variants->shared[variant] = made.shared;
    if (is_generic)
        atomic_fetch_or(&variants->generic_mask, PGS_VARIANT_BIT(variant));
    pgs_variant_take(variants, variant, made.pipeline);
}

bool pgs_generic_suffices(const struct pgs_pipeline_source *source)
{
    const uint32_t wanted = wanted_variants(source);
    struct pgs_made made;
    bool is_generic, suffices = source->link && pays(source->dev) && source->pipeline->layout;
    for (int v = 0; v < PGS_VARIANT_STORED_0 && suffices; v++) {
        if (!(wanted >> v & 1))
            continue;
        suffices = pgs_compute_recipe_find(source, (enum pgs_variant)v, &made, &is_generic);
        pgs_shared_release(made.shared);
    }
    return suffices;
}

void pgs_generic_take(struct pgs_emulated_pipeline *pipeline)
{
    struct pgs_pipeline_source *source = pipeline->variants->source;
    if (!pays(source->dev) || pipeline->native_raster || !pipeline->layout)
        return;
    const uint32_t wanted = wanted_variants(source) & ~atomic_load(&pipeline->variants->made_mask);
    for (int v = 0; v < PGS_VARIANT_STORED_0; v++)
        if (wanted >> v & 1)
            take(source, (enum pgs_variant)v);
    pipeline->bridges = pgs_stored_is_made(pipeline);
    const uint32_t generic = atomic_load(&pipeline->variants->generic_mask);
    if (generic)
        pgs_log(PGS_LOG_DEBUG, "a linked pipeline begins with generic variants (mask 0x%x)",
                generic);
}

void pgs_generic_replace(const struct pgs_emulated_pipeline *pipeline, uint32_t variants)
{
    if (variants & ~pipeline->variants->source->ahead.mask)
        pgs_stored_expect(pipeline);
}
