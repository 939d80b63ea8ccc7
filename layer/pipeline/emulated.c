/* SPDX-License-Identifier: MIT
 *
 * One application pipeline with a geometry shader or tessellation becomes facts and variants. One
 * without, whose primitives the driver cannot make (adjacency) or number (gl_PrimitiveID in the
 * fragment shader), gets a geometry shader that hands them through.
 */
#include "pipeline/emulated.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/ahead.h"
#include "pipeline/create_state.h"
#include "pipeline/depth_clip.h"
#include "pipeline/device.h"
#include "pipeline/dump.h"
#include "pipeline/front_ahead.h"
#include "pipeline/generic.h"
#include "pipeline/kernels.h"
#include "pipeline/layout.h"
#include "pipeline/make_variants.h"
#include "pipeline/points.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_link.h"
#include "pipeline/raster_recipe.h"
#include "pipeline/reflect.h"
#include "pipeline/stipple.h"
#include "pipeline/stored_ahead.h"
#include "pipeline/tessellation.h"
#include "pipeline/variant_choice.h"

/* VK_EXT_pipeline_protected_access: compute variants are recorded where the raster variant is. */
#define PROTECTION                                                                                 \
    (VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT |                                              \
     VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT_EXT)

/* One block. */
struct whole {
    struct pgs_emulated_pipeline pipeline;
    struct pgs_variants variants;
};

static void find_robustness(const VkGraphicsPipelineCreateInfo *info,
                            struct pgs_source_robustness *robustness)
{
    const struct {
        VkShaderStageFlagBits stage;
        struct pgs_robustness *of;
    } stages[] = {
        {VK_SHADER_STAGE_VERTEX_BIT, &robustness->vs},
        {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, &robustness->tcs},
        {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, &robustness->tes},
        {VK_SHADER_STAGE_GEOMETRY_BIT, &robustness->gs},
    };
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
        const bool is_there = pgs_find_stage(info, stages[i].stage);
        robustness->is_set |=
            is_there && pgs_robustness_of_stage(info, stages[i].stage, stages[i].of);
    }
}

static bool init_locks(struct pgs_variants *variants)
{
    if (pthread_mutex_init(&variants->lock, NULL))
        return false;
    if (!pthread_mutex_init(&variants->put_lock, NULL))
        return true;
    pthread_mutex_destroy(&variants->lock);
    return false;
}

struct pgs_emulated_pipeline *pgs_emulated_pipeline_new(const struct pgs_create_call *call)
{
    struct whole *whole = pgs_calloc(1, sizeof(*whole));
    struct pgs_pipeline_source *source = pgs_calloc(1, sizeof(*source));
    if (!whole || !source || !init_locks(&whole->variants)) {
        pgs_free(whole);
        pgs_free(source);
        return NULL;
    }
    *source = (struct pgs_pipeline_source){
        .dev = call->dev,
        .pipeline = &whole->pipeline,
        .dump_serial = pgs_dump_next_serial(call->dev),
        .info = call->info,
        .link = call->link,
        .falls_back = call->falls_back,
        .cache = call->cache,
        .flags = call->info->flags & (VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT |
                                      VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
                                      VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT | PROTECTION),
        .allocator = call->allocator,
    };
    find_robustness(call->info, &source->robustness);
    whole->variants.source = source;
    whole->pipeline.variants = &whole->variants;
    return &whole->pipeline;
}

/* -- facts -- */

static VkResult make_pass_through(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_spv_fragment_info *fs = NULL;
    const VkResult result = source->fs ? pgs_shader_fragment_info(source->fs, &fs) : VK_SUCCESS;
    const bool numbers = fs && fs->reads_primitive_id;
    /* Points share no vertices, so they gain nothing. gl_PrimitiveID needs separate vertices for
     * each primitive. Polygons need all that the geometry stage knows. */
    p->tes_stored = p->tessellated && !numbers && p->polygons == PGS_SPV_POLYGONS_FILLED &&
                    pgs_tessellated_primitive_vertices(p) > 1;
    return result == VK_SUCCESS ? pgs_reflect_pass_through(source, numbers) : result;
}

static VkResult open_stages(struct pgs_pipeline_source *source)
{
    const VkPipelineShaderStageCreateInfo *fragment =
        pgs_find_stage(source->info, VK_SHADER_STAGE_FRAGMENT_BIT);
    VkResult result = pgs_reflect_open(source);
    if (result == VK_SUCCESS && fragment)
        result = pgs_shader_get(source->dev, fragment, &source->fs);
    if (result == VK_SUCCESS && (source->tcs || source->tes))
        result = pgs_reflect_tessellation(source);
    if (result == VK_SUCCESS && !source->gs)
        result = make_pass_through(source);
    return result;
}

static void note_selected(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_physical_device *physical = source->dev->physical;
    const struct pgs_spv_geometry_info *gs = &p->gs;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++) {
        const bool drawn = s == p->stored_stream ||
                           ((p->dynamic & PGS_DYNAMIC_STREAM) && (gs->stream_mask >> s & 1));
        p->by_layer |= physical->replays_layers && gs->writes_layer && drawn &&
                       gs->out[s].layer_w != PGS_NO_WORD;
        p->by_viewport |= physical->replays_viewports && gs->writes_viewport_index && drawn &&
                          gs->out[s].viewport_index_w != PGS_NO_WORD;
    }
    /* What wide lines and large points cover beside a viewport needs one of the layer's. */
    p->by_viewport |= pgs_spv_is_wide(p->polygons);
    p->one_viewport = physical->one_viewport;
    if (p->by_viewport || p->polygons != PGS_SPV_POLYGONS_FILLED)
        pgs_record_viewports(p, source->info);
    if (gs->writes_layer && !physical->has_shader_output_layer && !physical->replays_layers)
        pgs_log_once(PGS_LOG_ERROR, "a shader that may not run twice writes gl_Layer, but "
                                    "this driver cannot take it from a vertex shader: all goes to "
                                    "layer 0");
    if (gs->writes_viewport_index && !physical->has_shader_output_viewport_index &&
        !physical->replays_viewports)
        pgs_log_once(PGS_LOG_ERROR,
                     "a shader that may not run twice writes gl_ViewportIndex, but this "
                     "driver cannot take it from a vertex shader: all goes to viewport 0");
}

/* How primitives may have to be drawn, as far as the create info says. */
static enum pgs_spv_polygons expected_polygons(const struct pgs_pipeline_source *source)
{
    if (source->widens)
        return PGS_SPV_WIDE_LINES;
    return pgs_points_may_be_large(source->dev, source->info)
               ? PGS_SPV_LARGE_POINTS
               : pgs_polygons_of(source->dev, source->info);
}

static void find_polygons(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    if (source->widens) {
        p->polygons = pgs_wide_of(source->dev, source->info, p->gs.output_kind, &p->rectangles);
    } else {
        p->polygons = pgs_large_of(source->dev, source->info, &p->gs);
        if (p->polygons == PGS_SPV_POLYGONS_FILLED && p->gs.output_kind == 3)
            p->polygons = pgs_polygons_of(source->dev, source->info);
    }
    if (p->polygons == PGS_SPV_POLYGONS_FILLED)
        return;
    pgs_record_polygons(source->dev, p, source->info);
    pgs_record_stipple(source->dev, p, source->info);
}

static VkResult find_facts(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    VkResult result = pgs_record_state(p, source->info);
    p->polygons = expected_polygons(source);
    if (result == VK_SUCCESS)
        result = open_stages(source);
    if (result == VK_SUCCESS)
        result = pgs_reflect_geometry(source);
    if (result == VK_SUCCESS)
        find_polygons(source);
    if (result == VK_SUCCESS)
        result = pgs_reflect_inputs(source);
    if (result != VK_SUCCESS)
        return result;
    source->depth_clip = pgs_depth_clip_of(source->dev, source->info);
    p->stored_stream = pgs_handle_stream(p->gs.stream_mask, p->raster_stream);
    note_selected(source);
    pgs_reflect_views(source);
    return VK_SUCCESS;
}

/* -- variants -- */

/* If the create info cannot be copied, makes all raster variants now. */
static VkResult make_all_raster(struct pgs_emulated_pipeline *p)
{
    VkResult result = VK_SUCCESS;
    bool lost = true;
    while (result == VK_SUCCESS && lost)
        result =
            pgs_variants_make(p, atomic_load(&p->variants->available) & PGS_VARIANTS_RASTER, &lost);
    return result;
}

static enum pgs_variant raster_variant(uint32_t mask)
{
    enum pgs_variant variant = PGS_VARIANT_STORED_0;
    while (variant < PGS_VARIANT_INLINE && !(mask >> variant & 1))
        variant++;
    return variant;
}

/* Raster variants that are not made yet need the create info. */
static VkResult keep_info(struct pgs_emulated_pipeline *p)
{
    struct pgs_pipeline_source *source = p->variants->source;
    const uint32_t raster = atomic_load(&p->variants->available) & PGS_VARIANTS_RASTER;
    if (source->kept || !(raster & ~atomic_load(&p->variants->made_mask)))
        return VK_SUCCESS;
    const bool keeps_input = raster & PGS_VARIANT_BIT(PGS_VARIANT_PICKED);
    const VkResult result =
        pgs_kept_info_create(source->dev, source->info, keeps_input, &source->kept);
    return result == VK_SUCCESS && !source->kept ? make_all_raster(p) : result;
}

/* Afterwards nothing of the application's is looked at any more. */
static void forget_call(struct pgs_pipeline_source *source)
{
    source->info = source->kept ? source->kept->info : NULL;
    source->link = NULL;
    if (!source->ahead.mask)
        source->cache = VK_NULL_HANDLE;
    source->flags &=
        ~(VkPipelineCreateFlags)VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    source->allocator = NULL;
}

/* One raster variant must be made now, to be the handle: the one that draws stored vertices takes
 * the least time. */
static VkResult make_now(struct pgs_emulated_pipeline *p, uint32_t usual, uint32_t later,
                         bool *lost)
{
    struct pgs_pipeline_source *source = p->variants->source;
    uint32_t now = usual & ~later;
    if (!p->native_raster) {
        p->usual_raster = raster_variant(usual);
        if (!(now & PGS_VARIANTS_RASTER))
            now |= PGS_VARIANT_BIT(pgs_stored_variant_of(p->stored_stream));
        p->handle_variant = raster_variant(now);
    }
    source->ahead.mask = later;
    return pgs_variants_make(p, now, lost);
}

VkResult pgs_emulated_pipeline_make(struct pgs_emulated_pipeline *p)
{
    struct pgs_pipeline_source *source = p->variants->source;
    atomic_store(&p->variants->available, pgs_variants_of(source));
    VkResult result = p->native_raster ? VK_SUCCESS : pgs_raster_recipe_prepare(source);
    bool lost = true;
    if (source->flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)
        source->draws_at_once = result == VK_SUCCESS && pgs_generic_suffices(source);
    while (result == VK_SUCCESS && lost && !pgs_pipeline_is_uncounted(p)) {
        const uint32_t usual = pgs_usual_variants(source);
        const uint32_t later = pgs_ahead_choose(source, usual, pgs_other_variants(source));
        pgs_kernels_expect(source->dev, pgs_usual_kernels(source, usual));
        pgs_front_ahead_choose(source, later);
        lost = false;
        /* Links do not wait for it: a draw is planned again if some is lost. So is one that could
         * have had one of the others. */
        if (!source->link || source->falls_back)
            result = pgs_variants_try(p, later & usual, &lost);
        if (result == VK_SUCCESS && !lost)
            result = make_now(p, usual, later, &lost);
    }
    if (result == VK_SUCCESS)
        pgs_generic_take(p);
    if (result == VK_SUCCESS) /* behind what usual draws wait for */
        pgs_kernels_guess(source->dev, pgs_probable_kernels(source));
    if (!p->native_raster)
        p->handle = pgs_variant_handle(p, p->handle_variant);
    if (result == VK_SUCCESS)
        result = keep_info(p);
    return result;
}

/* -- life -- */

/* True if draws need more than the driver's pipeline with this handle. */
static bool is_ours(const struct pgs_emulated_pipeline *p)
{
    return !p->native_raster || p->gs.xfb.enabled || (p->dynamic & PGS_DYNAMIC_STREAM) ||
           p->hidden_streams;
}

/* Of a pipeline that draws may have. */
static void take_number(struct pgs_device *dev, struct pgs_emulated_pipeline *p)
{
    static _Atomic uint32_t next_number;
    p->number = atomic_fetch_add_explicit(&next_number, 1, memory_order_relaxed);
    atomic_store_explicit(&dev->inline_ksteps[p->number % PGS_TIER_SLOTS], 0, memory_order_relaxed);
}

VkResult pgs_emulated_pipeline_finish(const struct pgs_create_call *call,
                                      struct pgs_emulated_pipeline *p, VkResult result)
{
    struct pgs_device *dev = call->dev;
    if (p && result != VK_SUCCESS)
        p->variants->source->ahead.mask = 0;
    if (p)
        forget_call(p->variants->source);
    if (p && result == VK_SUCCESS)
        take_number(dev, p);
    if (result == VK_SUCCESS && !pgs_map_insert(&dev->pipelines->pipelines, (uint64_t)p->handle, p))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS && p) {
        dev->vk.DestroyPipeline(dev->handle, p->handle, call->allocator);
        pgs_emulated_pipeline_destroy(dev, p);
        return result;
    }
    if (p && is_ours(p))
        atomic_store(&dev->pipelines->possible, true);
    if (p) {
        pgs_ahead_begin(p);
        pgs_front_ahead_begin(p);
    }
    return result;
}

/* Makes a pipeline with its facts, whose result so far is given, and publishes it. */
static VkResult finish_made(const struct pgs_create_call *call, struct pgs_emulated_pipeline *p,
                            VkResult result, VkPipeline *handle)
{
    if (result == VK_SUCCESS)
        result = pgs_emulated_pipeline_make(p);
    const VkPipeline made = p ? p->handle : VK_NULL_HANDLE;
    result = pgs_emulated_pipeline_finish(call, p, result);
    *handle = result == VK_SUCCESS ? made : VK_NULL_HANDLE;
    return result;
}

VkResult pgs_emulated_pipeline_create(const struct pgs_create_call *call, VkPipeline *handle)
{
    struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_new(call);
    const VkResult result = p ? find_facts(p->variants->source) : VK_ERROR_OUT_OF_HOST_MEMORY;
    return finish_made(call, p, result, handle);
}

VkResult pgs_wide_pipeline_create(const struct pgs_create_call *call, VkPipeline *handle)
{
    *handle = VK_NULL_HANDLE;
    if (!pgs_lines_may_be_wide(call->dev, call->info))
        return VK_SUCCESS;
    struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_new(call);
    if (p)
        p->variants->source->widens = true;
    VkResult result = p ? find_facts(p->variants->source) : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS && p->polygons == PGS_SPV_POLYGONS_FILLED) {
        pgs_emulated_pipeline_destroy(call->dev, p);
        return VK_SUCCESS;
    }
    return finish_made(call, p, result, handle);
}

VkResult pgs_emulated_pipeline_reflect(const struct pgs_create_call *call,
                                       struct pgs_emulated_pipeline **pipeline)
{
    struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_new(call);
    *pipeline = NULL;
    if (!p)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct pgs_pipeline_source *source = p->variants->source;
    VkResult result = find_facts(source);
    if (result == VK_SUCCESS)
        result = pgs_kept_info_create(call->dev, call->info, false, &source->kept);
    forget_call(source);
    if (result == VK_SUCCESS && source->kept)
        *pipeline = p;
    else
        pgs_emulated_pipeline_destroy(call->dev, p);
    return result;
}

VkResult pgs_emulated_pipeline_prepare_links(const struct pgs_create_call *call)
{
    struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_new(call);
    if (!p)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct pgs_pipeline_source *source = p->variants->source;
    VkResult result = find_facts(source);
    if (result == VK_SUCCESS) {
        atomic_store(&p->variants->available, pgs_variants_of(source));
        result = pgs_raster_recipe_prepare(source);
    }
    const bool stays = result == VK_SUCCESS && pgs_generic_begin(p);
    if (result == VK_SUCCESS)
        result = pgs_raster_recipe_prepare_link(source, call->link, call->cache,
                                                pgs_stored_variant_of(p->stored_stream), true,
                                                &(bool){false});
    source->info = NULL; /* which threads that have begun do not look at */
    source->link = NULL;
    if (stays) {
        call->link->part->guess = p;
        call->link->part->destroy_guess = pgs_emulated_pipeline_destroy;
    } else {
        pgs_emulated_pipeline_destroy(call->dev, p);
    }
    return result;
}

VkResult pgs_emulated_pipeline_make_later(struct pgs_emulated_pipeline *p, VkPipeline *handle)
{
    const struct pgs_create_call call = {.dev = p->variants->source->dev};
    return finish_made(&call, p, VK_SUCCESS, handle);
}

void pgs_emulated_pipeline_destroy(struct pgs_device *dev, struct pgs_emulated_pipeline *p)
{
    pgs_stored_ahead_end(p);
    pgs_front_ahead_end(p);
    pgs_ahead_end(p);
    pgs_generic_end(p);
    for (int v = 0; v < PGS_VARIANT_COUNT; v++) {
        const VkPipeline made = pgs_variant_handle(p, (enum pgs_variant)v);
        if (v < PGS_VARIANT_STORED_0)
            pgs_shared_release(p->variants->generic[v]);
        if (p->variants->shared[v])
            pgs_shared_release(p->variants->shared[v]);
        else if (made != p->handle)
            dev->vk.DestroyPipeline(dev->handle, made, NULL);
    }
    pgs_pipeline_source_free(p->variants->source);
    pthread_mutex_destroy(&p->variants->put_lock);
    pthread_mutex_destroy(&p->variants->lock);
    pgs_layout_release(dev, p->layout);
    pgs_free(p); /* the variants are of the same block */
}

void pgs_emulated_pipeline_forget(struct pgs_device *dev, VkPipeline handle)
{
    struct pgs_emulated_pipeline *p = pgs_map_remove(&dev->pipelines->pipelines, (uint64_t)handle);
    if (p)
        pgs_emulated_pipeline_destroy(dev, p);
}
