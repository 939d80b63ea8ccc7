/* SPDX-License-Identifier: MIT */
#include "pipeline/raster_module.h"

#include "pipeline/compute_inputs.h"
#include "pipeline/device.h"
#include "pipeline/dump.h"
#include "pipeline/inline_list.h"
#include "pipeline/module.h"
#include "pipeline/record_inputs.h"
#include "pipeline/tessellation.h"
#include "pipeline/translation.h"
#include "poly_gs/abi.h"
#include "poly_gs/tessellation.h"

#include <string.h>

struct raster_module {
    struct pgs_shared shared;
    VkShaderModule handle;
    bool unsupported;              /* there is none */
    struct pgs_shader *shaders[3]; /* references */
};

/* -- what a module depends on -- */

#define MOST_COPIES 3

/* As struct pgs_compute_inputs. */
struct vertex_inputs {
    enum pgs_variant variant; /* STORED_0 for all streams, INLINE or INSTANCED */
    bool tessellated;
    const struct pgs_shader *vs, *tes, *gs;
    const struct pgs_spv_geometry_info *geometry;
    struct pgs_spv_raster_options raster;
    uint32_t head_w; /* of *geometry */
    bool tes_stored; /* the geometry shader's inputs are stored, and drawn */
    struct pgs_spv_vertex_options vertex;
    struct pgs_spv_assembly assembly;
    struct pgs_spv_patch patch;
    struct pgs_spv_evaluation_raster_options evaluation; /* without patch */
    struct pgs_spv_depth_planes depth_planes;
    struct pgs_spv_distances distances;
    bool forbids_stores; /* the driver takes nothing that could be written */
};

struct fragment_inputs {
    const struct pgs_shader *fs; /* NULL: one that does nothing else */
    bool rewrites;               /* else it is a copy of the application's module */
    struct pgs_spv_fragment_options options;
};

/* Member by member, so that the padding stays zero. */
static void take_raster(const struct pgs_pipeline_source *source, uint32_t stream,
                        struct pgs_spv_raster_options *raster)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_physical_device *physical = source->dev->physical;
    raster->stream = stream;
    raster->write_point_size = p->gs.output_kind == 1 || p->polygons == PGS_SPV_POLYGONS_POINTS;
    raster->primitive_id_location = source->primitive_id_location;
    raster->write_layer = p->gs.writes_layer && physical->has_shader_output_layer && !p->by_layer;
    if (raster->write_layer && physical->traits.guards & PGS_GUARD_CLAMP_LAYER)
        raster->max_layer = physical->properties.limits.maxFramebufferLayers - 1;
    raster->select_layer = p->by_layer;
    raster->select_view = p->by_view;
    raster->pass_layer = source->takes_layer;
    raster->layer_location = source->layer_location;
    raster->write_viewport_index = p->gs.writes_viewport_index &&
                                   physical->has_shader_output_viewport_index && !p->by_viewport;
    raster->select_viewport = p->by_viewport;
    raster->pass_viewport = source->takes_viewport;
    raster->viewport_location = source->viewport_location;
    if (p->polygons == PGS_SPV_POLYGONS_FILLED)
        return;
    raster->polygons = p->polygons;
    raster->pass_front = source->takes_front;
    raster->front_location = source->front_location;
    raster->points_beside = pgs_spv_is_large(p->polygons) && physical->draws_points_beside;
    raster->pass_point_coord = source->takes_point_coord;
    raster->point_coord_location = source->point_coord_location;
    raster->pass_stipple = p->stipple.drawn;
    raster->stipple_location = source->stipple_location;
    memcpy(raster->flat_mask, source->flat_mask, sizeof(raster->flat_mask));
    memcpy(raster->linear_mask, source->linear_mask, sizeof(raster->linear_mask));
}

static void take_evaluation(const struct pgs_pipeline_source *source, struct vertex_inputs *inputs)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    inputs->tes = source->tes;
    memcpy(&inputs->patch, &p->patch, sizeof(p->patch));
    inputs->evaluation.triangles = (p->tessellation_flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES;
    inputs->evaluation.vertices_per_primitive = pgs_tessellated_primitive_vertices(p);
    inputs->evaluation.primitive_id_location = source->primitive_id_location;
    inputs->evaluation.select_view = p->by_view;
}

static uint32_t inline_stream(const struct pgs_emulated_pipeline *p, enum pgs_variant variant)
{
    return variant < PGS_VARIANT_INLINE_OF_0 ? p->raster_stream
                                             : (uint32_t)(variant - PGS_VARIANT_INLINE_OF_0);
}

/* Around loops of vertex shaders GPUs would wait for the attributes of one vertex after the other.
 * Only of short primitives, since compilers write the vertex shader out for each vertex. */
static bool fetches_first(const struct pgs_pipeline_source *source)
{
    return source->vertex_info.push_loops.count &&
           source->pipeline->gs.input_vertices <= MOST_COPIES &&
           source->dev->physical->traits.costs.of[PGS_COST_PASS_STEPS];
}

static void take_inline(const struct pgs_pipeline_source *source, uint32_t stream,
                        struct vertex_inputs *inputs)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    inputs->tessellated = p->tessellated;
    if (p->tessellated)
        take_evaluation(source, inputs);
    if (!pgs_inline_runs_geometry(p))
        return;
    inputs->gs = source->gs;
    inputs->geometry = source->geometry_info;
    inputs->head_w = source->geometry_info->out_head_w;
    if (!p->tessellated) {
        inputs->vs = source->vs;
        pgs_vertex_options(source, &inputs->vertex);
        inputs->vertex.fetches_first = fetches_first(source);
    }
    pgs_take_assembly(p, &inputs->assembly);
    inputs->assembly.stays_loop = pgs_runs_on_cpu(source->dev->physical);
    if (!p->provoking_last && !(p->dynamic & PGS_DYNAMIC_PROVOKING))
        inputs->assembly.flags &= ~PGS_DRAW_PROVOKING_LAST;
    take_raster(source, stream, &inputs->raster);
}

static void take_instanced(const struct pgs_pipeline_source *source, struct vertex_inputs *inputs)
{
    inputs->vs = source->vs;
    inputs->gs = source->gs;
    inputs->geometry = source->geometry_info;
    inputs->head_w = source->geometry_info->out_head_w;
    inputs->forbids_stores = source->dev->physical->emulates_stores;
    take_raster(source, 0, &inputs->raster);
}

static void take_stored(const struct pgs_pipeline_source *source, uint32_t stream,
                        struct vertex_inputs *inputs)
{
    inputs->gs = source->gs;
    inputs->geometry = source->geometry_info;
    inputs->head_w = source->geometry_info->out_head_w;
    inputs->tes_stored = source->pipeline->tes_stored;
    take_raster(source, stream, &inputs->raster);
    inputs->raster.fetches = source->pipeline->fetches;
}

/* -- translations -- */

static enum pgs_spv_result translate_stored(const struct vertex_inputs *inputs,
                                            struct pgs_spv_blob *blob)
{
    struct pgs_spv_geometry_info stored = *inputs->geometry;
    if (inputs->tes_stored) {
        stored.out[0] = stored.in;
        stored.out_stride_w = stored.in.stride_w;
    }
    return pgs_spv_raster_vertex(&inputs->gs->code, &stored, &inputs->raster, blob);
}

/* is_trial: as pgs_compute_translate. */
static enum pgs_spv_result translate_inline(const struct vertex_inputs *inputs, bool is_trial,
                                            struct pgs_spv_blob *blob)
{
    const struct pgs_spv_shader vs = pgs_shader_code(inputs->vs, is_trial),
                                tes = pgs_shader_code(inputs->tes, is_trial),
                                gs = pgs_shader_code(inputs->gs, is_trial);
    if (!inputs->tessellated)
        return pgs_spv_fused_to_raster(&vs, &inputs->vertex, &gs, inputs->geometry,
                                       &inputs->assembly, &inputs->raster, blob);
    if (inputs->gs)
        return pgs_spv_evaluated_to_raster(
            &tes,
            &(struct pgs_spv_evaluation_options){.patch = &inputs->patch,
                                                 .triangles = inputs->evaluation.triangles},
            &gs, inputs->geometry, &inputs->assembly, &inputs->raster, blob);
    struct pgs_spv_evaluation_raster_options evaluation = inputs->evaluation;
    evaluation.patch = &inputs->patch;
    return pgs_spv_evaluation_to_raster(&tes, &evaluation, blob);
}

static enum pgs_spv_result translate_shaders(const struct vertex_inputs *inputs, bool is_trial,
                                             struct pgs_spv_blob *blob)
{
    if (inputs->variant == PGS_VARIANT_INSTANCED) {
        const struct pgs_spv_shader vs = pgs_shader_code(inputs->vs, is_trial),
                                    gs = pgs_shader_code(inputs->gs, is_trial);
        return pgs_spv_instanced_to_raster(&vs, &gs, inputs->geometry, &inputs->raster, blob);
    }
    return inputs->variant == PGS_VARIANT_INLINE ? translate_inline(inputs, is_trial, blob)
                                                 : translate_stored(inputs, blob);
}

/* -- modules -- */

static VkResult make_driver_module(const struct pgs_pipeline_source *source, const char *name,
                                   const struct pgs_spv_blob *blob, struct raster_module *module)
{
    pgs_dump_module(source->dev, source->dump_serial, name, blob);
    return pgs_module_create_driver(source->dev, blob->words, blob->word_count, &module->handle);
}

/* The finished shader, which a last step takes. */
static struct pgs_spv_shader finished(const struct pgs_spv_blob *blob)
{
    return (struct pgs_spv_shader){.words = blob->words,
                                   .word_count = blob->word_count,
                                   .entry_point = "main",
                                   .stage = PGS_SPV_VERTEX};
}

static enum pgs_spv_result clip_depth(const struct vertex_inputs *inputs, struct pgs_spv_blob *blob)
{
    struct pgs_spv_blob made = *blob;
    const struct pgs_spv_shader shader = finished(&made);
    if (!inputs->depth_planes.wanted)
        return PGS_SPV_OK;
    const enum pgs_spv_result result =
        pgs_spv_shader_clip_depth(&shader, &inputs->depth_planes, blob);
    pgs_spv_blob_free(&made);
    return result;
}

/* Distances become varyings of the finished shader. */
static enum pgs_spv_result pass_distances(const struct vertex_inputs *inputs,
                                          struct pgs_spv_blob *blob)
{
    struct pgs_spv_blob made = *blob;
    const struct pgs_spv_shader shader = finished(&made);
    if (!pgs_spv_distance_floats(&inputs->distances))
        return PGS_SPV_OK;
    const enum pgs_spv_result result =
        pgs_spv_shader_pass_distances(&shader, &inputs->distances, blob);
    pgs_spv_blob_free(&made);
    return result;
}

/* Shaders that run repeatedly have no side effects, but may declare what could be written. */
static enum pgs_spv_result forbid_stores(const struct vertex_inputs *inputs,
                                         struct pgs_spv_blob *blob)
{
    struct pgs_spv_blob made = *blob;
    const struct pgs_spv_shader shader = finished(&made);
    if (!inputs->forbids_stores)
        return PGS_SPV_OK;
    const enum pgs_spv_result result = pgs_spv_shader_forbid_stores(&shader, blob);
    pgs_spv_blob_free(&made);
    return result;
}

static void take_distances(const struct pgs_pipeline_source *source,
                           struct pgs_spv_distances *distances)
{
    distances->clip_count = source->distances.clip_count;
    distances->cull_count = source->distances.cull_count;
    distances->passes_cull = source->distances.passes_cull;
    memcpy(distances->locations, source->distances.locations, sizeof(distances->locations));
}

/* As the functions above, unless the shader is kept on disk. */
static enum pgs_spv_result translate(const struct pgs_device *dev,
                                     const struct vertex_inputs *inputs, struct pgs_spv_blob *blob)
{
    struct vertex_inputs plain; /* pointers mean nothing to another process */
    memcpy(&plain, inputs, sizeof(plain));
    plain.vs = plain.tes = plain.gs = NULL;
    plain.geometry = NULL; /* found in the shaders */
    plain.vertex.capture = NULL;
    const struct pgs_translation translation = {
        .inputs = &plain,
        .inputs_B = sizeof(plain),
        .shaders = {inputs->vs, inputs->tes, inputs->gs},
    };
    if (pgs_translation_read(dev, &translation, blob))
        return PGS_SPV_OK;
    enum pgs_spv_result result = translate_shaders(inputs, false, blob);
    if (result == PGS_SPV_OK)
        result = clip_depth(inputs, blob);
    if (result == PGS_SPV_OK)
        result = pass_distances(inputs, blob);
    if (result == PGS_SPV_OK)
        result = forbid_stores(inputs, blob);
    if (result == PGS_SPV_OK)
        pgs_translation_write(dev, &translation, blob);
    return result;
}

static const char *name_of(enum pgs_variant variant)
{
    return variant == PGS_VARIANT_INSTANCED ? "instanced"
           : variant == PGS_VARIANT_INLINE  ? "inline"
                                            : "stored";
}

/* context: the source that wants it, for what is not in the key. */
static VkResult make_vertex(struct pgs_device *dev, struct pgs_shared *object, void *context)
{
    struct raster_module *module = (struct raster_module *)object;
    const struct vertex_inputs *inputs = object->key.bytes;
    const struct pgs_shader *const shaders[3] = {inputs->vs, inputs->tes, inputs->gs};
    const char *name = name_of(inputs->variant);
    struct pgs_spv_blob blob = {0};
    VkResult result = VK_SUCCESS;
    const enum pgs_spv_result translated = translate(dev, inputs, &blob);
    module->unsupported = translated == PGS_SPV_UNSUPPORTED && pgs_variant_shades(inputs->variant);
    if (!module->unsupported)
        result = pgs_result_from_spv(translated, name);
    if (!module->unsupported && result == VK_SUCCESS)
        result = make_driver_module(context, name, &blob, module);
    for (int i = 0; i < 3 && result == VK_SUCCESS; i++)
        module->shaders[i] = shaders[i] ? pgs_shader_refer(shaders[i]) : NULL;
    pgs_spv_blob_free(&blob);
    return result;
}

static VkResult make_fragment(struct pgs_device *dev, struct pgs_shared *object, void *context)
{
    struct raster_module *module = (struct raster_module *)object;
    const struct fragment_inputs *inputs = object->key.bytes;
    const struct pgs_spv_shader empty = pgs_spv_empty_fragment();
    const struct pgs_spv_shader *code = inputs->fs ? &inputs->fs->code : &empty;
    struct pgs_spv_blob blob = {0};
    VkResult result;
    if (inputs->rewrites) {
        result =
            pgs_result_from_spv(pgs_spv_fragment_fix_up(code, &inputs->options, &blob), "fragment");
        if (result == VK_SUCCESS)
            result = make_driver_module(context, "fragment", &blob, module);
    } else {
        result = pgs_module_create_driver(dev, code->words, code->word_count, &module->handle);
    }
    if (result == VK_SUCCESS)
        module->shaders[0] = inputs->fs ? pgs_shader_refer(inputs->fs) : NULL;
    pgs_spv_blob_free(&blob);
    return result;
}

static void finish_module(struct pgs_device *dev, struct pgs_shared *object)
{
    struct raster_module *module = (struct raster_module *)object;
    dev->vk.DestroyShaderModule(dev->handle, module->handle, NULL);
    for (int i = 0; i < 3; i++)
        pgs_shader_release(module->shaders[i]);
}

static const struct pgs_shared_kind vertex_kind = {sizeof(struct raster_module), make_vertex,
                                                   finish_module};

/* False: it is no raster variant of ours. */
static bool init_vertex(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                        struct vertex_inputs *inputs)
{
    memset(inputs, 0, sizeof(*inputs)); /* its padding, too */
    inputs->depth_planes.wanted = source->depth_planes.wanted;
    inputs->depth_planes.symmetric = source->depth_planes.symmetric;
    inputs->depth_planes.first = source->depth_planes.first;
    take_distances(source, &inputs->distances);
    switch (variant) {
    case PGS_VARIANT_INLINE:
    case PGS_VARIANT_INLINE_CALL:
    case PGS_VARIANT_INLINE_OF_0:
    case PGS_VARIANT_INLINE_OF_1:
    case PGS_VARIANT_INLINE_OF_2:
    case PGS_VARIANT_INLINE_OF_3:
        inputs->variant = PGS_VARIANT_INLINE;
        take_inline(source, inline_stream(source->pipeline, variant), inputs);
        inputs->forbids_stores = source->dev->physical->emulates_stores;
        inputs->evaluation.by_patch = inputs->raster.by_patch =
            variant == PGS_VARIANT_INLINE && source->pipeline->patch.by_patch;
        inputs->raster.many_records =
            variant != PGS_VARIANT_INLINE && !source->pipeline->tessellated;
        inputs->raster.lists_invocations = !source->pipeline->gs.pattern.is_known &&
                                           pgs_inline_lists_invocations(source->pipeline, variant);
        inputs->raster.joined_el =
            pgs_inline_joins_strips(source->pipeline, variant) ? source->pipeline->joined_el : 0;
        inputs->raster.indexed = pgs_inline_has_indices(source->pipeline, variant);
        if (variant == PGS_VARIANT_INLINE && source->pipeline->takes_record) {
            inputs->raster.record_inputs = true;
            inputs->raster.record_attributes = pgs_record_attributes(source->pipeline);
            pgs_record_near(source->pipeline, &inputs->vertex);
        }
        return true;
    case PGS_VARIANT_INSTANCED: /* which of them, the geometry shader says */
    case PGS_VARIANT_PICKED:
        inputs->variant = PGS_VARIANT_INSTANCED;
        take_instanced(source, inputs);
        return true;
    case PGS_VARIANT_STORED_0:
    case PGS_VARIANT_STORED_1:
    case PGS_VARIANT_STORED_2:
    case PGS_VARIANT_STORED_3:
        inputs->variant = PGS_VARIANT_STORED_0;
        take_stored(source, (uint32_t)(variant - PGS_VARIANT_STORED_0), inputs);
        return true;
    case PGS_VARIANT_VERTEX:
    case PGS_VARIANT_CONTROL:
    case PGS_VARIANT_FUSED_CONTROL:
    case PGS_VARIANT_EVALUATION:
    case PGS_VARIANT_GEOMETRY:
    case PGS_VARIANT_FUSED:
    case PGS_VARIANT_XFB:
    case PGS_VARIANT_NO_MEMORY:
    case PGS_VARIANT_LISTING:
    case PGS_VARIANT_SIFT:
    case PGS_VARIANT_BOUND:
    case PGS_VARIANT_PICK:
    case PGS_VARIANT_NOTHING:
    case PGS_VARIANT_COUNT:
        break;
    }
    return false;
}

static VkResult get_vertex(struct pgs_pipeline_source *source, enum pgs_variant variant,
                           struct pgs_shared **vertex)
{
    struct vertex_inputs inputs;
    if (!init_vertex(source, variant, &inputs))
        return VK_ERROR_UNKNOWN;
    return pgs_shared_get(&source->dev->pipelines->shared, &vertex_kind,
                          (struct pgs_shared_key){.bytes = &inputs, .size_B = sizeof(inputs)},
                          source, vertex);
}

/* Steps behind the translation take its words. */
static bool has_last_steps(const struct vertex_inputs *inputs)
{
    return inputs->depth_planes.wanted || inputs->forbids_stores ||
           pgs_spv_distance_floats(&inputs->distances);
}

/* If it is made, *unsupported says whether it could not be. */
static enum pgs_shared_state look_up_vertex(const struct pgs_pipeline_source *source,
                                            const struct vertex_inputs *inputs, bool *unsupported)
{
    struct pgs_shared *made;
    const enum pgs_shared_state state = pgs_shared_look_up(
        &source->dev->pipelines->shared, &vertex_kind,
        (struct pgs_shared_key){.bytes = inputs, .size_B = sizeof(*inputs)}, &made);
    *unsupported = made && ((const struct raster_module *)made)->unsupported;
    pgs_shared_release(made);
    return state;
}

VkResult pgs_raster_modules_try(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                bool *unsupported)
{
    struct vertex_inputs inputs;
    struct pgs_raster_modules modules;
    struct pgs_spv_blob none;
    *unsupported = false;
    if (!init_vertex(source, variant, &inputs))
        return VK_ERROR_UNKNOWN;
    if (inputs.variant == PGS_VARIANT_STORED_0 || has_last_steps(&inputs)) {
        const VkResult got = pgs_raster_modules_get(source, variant, &modules);
        *unsupported = got == VK_SUCCESS && modules.unsupported;
        return got;
    }
    if (look_up_vertex(source, &inputs, unsupported) != PGS_SHARED_FAILED)
        return VK_SUCCESS;
    const enum pgs_spv_result result = translate_shaders(&inputs, true, &none);
    *unsupported = result == PGS_SPV_UNSUPPORTED;
    return *unsupported ? VK_SUCCESS : pgs_result_from_spv(result, name_of(inputs.variant));
}

bool pgs_raster_modules_are_made(const struct pgs_pipeline_source *source, enum pgs_variant variant)
{
    struct vertex_inputs inputs;
    return init_vertex(source, variant, &inputs) &&
           pgs_shared_look_up(&source->dev->pipelines->shared, &vertex_kind,
                              (struct pgs_shared_key){.bytes = &inputs, .size_B = sizeof(inputs)},
                              NULL) == PGS_SHARED_MADE;
}

/* Leaves none if the driver takes the application's stage. */
static VkResult get_fragment(struct pgs_pipeline_source *source)
{
    static const struct pgs_shared_kind kind = {sizeof(struct raster_module), make_fragment,
                                                finish_module};
    const struct pgs_physical_device *physical = source->dev->physical;
    const bool copies = source->kept && source->kept->had_fragment_module;
    struct fragment_inputs inputs;
    if (!source->rewrites_fragment && !copies)
        return VK_SUCCESS;
    memset(&inputs, 0, sizeof(inputs));
    inputs.fs = source->fs;
    inputs.rewrites = source->rewrites_fragment;
    if (inputs.rewrites) {
        inputs.options.lacks = pgs_driver_lacks(source->dev);
        inputs.options.primitive_id_location = source->primitive_id_location;
        inputs.options.has_layer = physical->has_shader_output_layer;
        inputs.options.has_viewport_index = physical->has_shader_output_viewport_index;
        inputs.options.take_layer = source->takes_layer;
        inputs.options.layer_location = source->layer_location;
        inputs.options.take_viewport = source->takes_viewport;
        inputs.options.viewport_location = source->viewport_location;
        inputs.options.take_front = source->takes_front;
        inputs.options.front_location = source->front_location;
        inputs.options.flat_inputs = source->flattens;
        inputs.options.take_point_coord = source->takes_point_coord;
        inputs.options.point_coord_location = source->point_coord_location;
        inputs.options.take_stipple = source->pipeline->stipple.drawn;
        inputs.options.stipple_location = source->stipple_location;
        inputs.options.sample_count = source->sample_count;
        take_distances(source, &inputs.options.distances);
    }
    return pgs_shared_get(&source->dev->pipelines->shared, &kind,
                          (struct pgs_shared_key){.bytes = &inputs, .size_B = sizeof(inputs)},
                          source, &source->fragment_module);
}

static const struct raster_module *module_of(const struct pgs_shared *object)
{
    return (const struct raster_module *)object;
}

VkResult pgs_raster_modules_get(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                struct pgs_raster_modules *modules)
{
    *modules = (struct pgs_raster_modules){.vertex = VK_NULL_HANDLE};
    struct pgs_shared **known = &source->vertex_modules[variant];
    VkResult result = *known ? VK_SUCCESS : get_vertex(source, variant, known);
    if (result != VK_SUCCESS)
        return result;
    const struct raster_module *vertex = module_of(*known);
    modules->unsupported = vertex->unsupported;
    modules->vertex = vertex->handle;
    if (!vertex->unsupported && !source->fragment_module)
        result = get_fragment(source);
    if (source->fragment_module)
        modules->fragment = module_of(source->fragment_module)->handle;
    return result;
}

VkResult pgs_raster_vertex_get(struct pgs_pipeline_source *source, enum pgs_variant variant,
                               struct pgs_shared **vertex, VkShaderModule *module)
{
    *vertex = NULL;
    const VkResult result = get_vertex(source, variant, vertex);
    if (result == VK_SUCCESS && module_of(*vertex)->unsupported) {
        pgs_shared_release(*vertex);
        *vertex = NULL;
    }
    *module = *vertex ? module_of(*vertex)->handle : VK_NULL_HANDLE;
    return result;
}
