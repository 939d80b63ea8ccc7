/* SPDX-License-Identifier: MIT */
#include "draw/raster_binds.h"

#include "draw/compute.h"
#include "draw/strip_list.h"
#include "pipeline/usual_raster.h"

void pgs_raster_binds_forget(struct pgs_raster_binds *binds)
{
    binds->bound = VK_NULL_HANDLE;
    binds->vertices = NULL;
    binds->inline_buffer = VK_NULL_HANDLE;
    binds->indices = VK_NULL_HANDLE;
    binds->with_sets = NULL;
}

static bool has_one_raster_variant(const struct pgs_emulated_pipeline *pipeline)
{
    const uint32_t raster = atomic_load(&pipeline->variants->available) & PGS_VARIANTS_RASTER;
    return (raster & (raster - 1)) == 0;
}

static void bind_raster(struct pgs_raster_binds *binds, struct pgs_replacement *replacement,
                        VkPipeline first, VkPipeline last)
{
    const bool alone = !binds->bound && has_one_raster_variant(replacement->draw->pipeline);
    if (binds->bound != first && !alone)
        replacement->bind = first;
    binds->bound = last;
    pgs_note_drawn(replacement->draw->pipeline, first);
}

/* Chooses whether the draw has to bind its buffers. Nobody else binds any as long as the pipeline
 * of the application stays bound, nor those of inline draws as long as all pipelines are emulated.
 */
static void choose_buffers(struct pgs_raster_binds *binds, const struct pgs_graphics_state *state,
                           struct pgs_replacement *replacement, bool same_bind)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_range *indices = &draw->subdraws[0].indices;
    const bool by_layer = draw->pipeline->by_layer;
    const bool any = !replacement->parts; /* of which there may be none */
    const bool one = any && draw->plan.raster == PGS_RASTER_STORED &&
                     draw->plan.subdraw_count == 1 && !draw->pool; /* a pool's is not known yet */
    const VkBuffer buffer = any ? draw->instances : VK_NULL_HANDLE;
    const struct pgs_range *strips = buffer && draw->strips ? &draw->strips->range : NULL;
    const VkBuffer list = strips ? strips->buffer : one ? indices->buffer : VK_NULL_HANDLE;
    const VkDeviceSize list_B = strips ? strips->offset_B
                                : one  ? pgs_index_bind_offset(indices)
                                       : 0;
    const bool kept =
        binds->inline_by_layer == by_layer && binds->foreign_count == state->foreign_count;
    replacement->has_vertices = buffer ? binds->inline_buffer == buffer && kept
                                       : one && same_bind && binds->vertices == draw;
    replacement->has_indices =
        list && (strips ? kept : same_bind) && binds->indices == list && binds->indices_B == list_B;
    binds->vertices = one ? draw : NULL;
    binds->inline_buffer = buffer;
    binds->inline_by_layer = by_layer;
    binds->foreign_count = state->foreign_count;
    binds->indices = list;
    binds->indices_B = list_B;
}

/* Chooses what the draw does with descriptor sets. As long as the pipeline of the application stays
 * bound, only such draws use those for graphics: so the last one in a row restores them for all.
 * One that is repeated for parts of the framebuffer, maybe for none, does all itself. */
static void choose_sets(struct pgs_raster_binds *binds, const struct pgs_graphics_state *state,
                        struct pgs_replacement *replacement, bool same_bind)
{
    const enum pgs_raster_path raster = replacement->draw->plan.raster;
    const bool sets = replacement->sets && !replacement->parts && pgs_raster_runs_geometry(raster);
    struct pgs_replacement *last = same_bind ? binds->with_sets : NULL;
    if (last && sets) {
        last->sets_before = NULL;
        replacement->has_sets =
            last->sets == replacement->sets && binds->set_order == state->next_set_order;
    }
    /* Between two pipelines the draw restores them. */
    binds->with_sets = sets && raster == PGS_RASTER_INLINE_GS ? replacement : NULL;
    binds->set_order = state->next_set_order;
}

/* Chooses what the draw has to bind. Switching pipelines costs a GPU as much as a small draw, so
 * the pipeline of one draw stays bound for the next. */
void pgs_raster_binds_choose(struct pgs_raster_binds *binds, const struct pgs_graphics_state *state,
                             bool fresh, struct pgs_replacement *replacement)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_emulated_pipeline *pipeline = draw->pipeline;
    /* The application has bound it since. A pass that is recorded for each layer draws with what
     * the last layer has left bound, if the application bound it before the pass. */
    if (fresh && (binds->bound || !draw->dev->physical->replays_layers))
        binds->bound = state->driver_pipeline;
    choose_buffers(binds, state, replacement, binds->bind_count == state->bind_count);
    choose_sets(binds, state, replacement, binds->bind_count == state->bind_count);
    binds->bind_count = state->bind_count;
    const VkPipeline inlined = pgs_variant_handle(pipeline, draw->plan.in_line);
    const VkPipeline instanced = pgs_variant_handle(pipeline, PGS_VARIANT_INSTANCED);
    const VkPipeline picked = pgs_variant_handle(pipeline, PGS_VARIANT_PICKED);
    switch (draw->plan.raster) {
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
        break;
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
        bind_raster(binds, replacement, instanced, instanced);
        break;
    case PGS_RASTER_PICKED:
        bind_raster(binds, replacement, picked, picked);
        break;
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_POLYGONS:
        bind_raster(binds, replacement, draw->stored, draw->stored);
        break;
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
        bind_raster(binds, replacement, inlined, inlined);
        break;
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_TES_STORED_OR_INLINE:
        bind_raster(binds, replacement, inlined, draw->stored);
        break;
    }
}
