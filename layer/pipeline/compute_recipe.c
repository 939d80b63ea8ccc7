/* SPDX-License-Identifier: MIT */
#include "pipeline/compute_recipe.h"

#include "pipeline/bind_sets.h"
#include "pipeline/compile.h"
#include "pipeline/compute_inputs.h"
#include "pipeline/device.h"
#include "pipeline/dump.h"
#include "pipeline/layout.h"
#include "pipeline/module.h"
#include "pipeline/translation.h"

#include <string.h>

static const struct recipe {
    const char *name; /* for dumps and messages */
    enum pgs_stage_group group;
} recipes[] = {
    [PGS_VARIANT_VERTEX] = {"vertex", PGS_GROUP_VERTEX},
    [PGS_VARIANT_CONTROL] = {"control", PGS_GROUP_CONTROL},
    [PGS_VARIANT_FUSED_CONTROL] = {"fused-control", PGS_GROUP_VERTEX_CONTROL},
    [PGS_VARIANT_EVALUATION] = {"evaluation", PGS_GROUP_EVALUATION},
    [PGS_VARIANT_GEOMETRY] = {"geometry", PGS_GROUP_GEOMETRY},
    [PGS_VARIANT_FUSED] = {"fused", PGS_GROUP_VERTEX_GEOMETRY},
    [PGS_VARIANT_XFB] = {"xfb", PGS_GROUP_GEOMETRY},
    [PGS_VARIANT_NO_MEMORY] = {"no-memory", PGS_GROUP_VERTEX_GEOMETRY},
    [PGS_VARIANT_LISTING] = {"listing", PGS_GROUP_GEOMETRY},
    [PGS_VARIANT_SIFT] = {"sift", PGS_GROUP_VERTEX_GEOMETRY},
    [PGS_VARIANT_BOUND] = {"bound", PGS_GROUP_VERTEX_GEOMETRY},
    [PGS_VARIANT_PICK] = {"pick", PGS_GROUP_VERTEX_GEOMETRY},
};

/* A pipeline of the driver, shared by all pipelines with equal shaders and set layouts. */
struct compute_pipeline {
    struct pgs_shared shared;
    VkPipeline handle;
    bool unsupported;          /* there is none, as the shaders cannot be combined in this way */
    struct pgs_layout *layout; /* references to it and to the shaders */
    struct pgs_shader *shaders[4];
};

struct key {
    struct pgs_compute_inputs inputs;
    struct pgs_layout_identity layout;
    uint32_t group, flags;
    struct pgs_robustness robustness;
};

/* Of the inputs, since another variant that is made meanwhile may turn out not to be available. */
static enum pgs_stage_group group_of(const struct pgs_emulated_pipeline *p,
                                     const struct pgs_compute_inputs *inputs)
{
    enum pgs_stage_group group = recipes[inputs->variant].group;
    if ((inputs->variant == PGS_VARIANT_XFB || inputs->variant == PGS_VARIANT_LISTING) &&
        inputs->vs)
        group = PGS_GROUP_VERTEX_GEOMETRY;
    if (inputs->variant == PGS_VARIANT_NO_MEMORY && inputs->tes)
        group = PGS_GROUP_EVALUATION_GEOMETRY;
    return pgs_layout_group(p->layout, group);
}

/* Draws bind sets for these layouts, whatever the driver's pipeline was made with. */
static VkResult prepare_layouts(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                                enum pgs_stage_group group)
{
    struct pgs_layout *layout = source->pipeline->layout;
    const VkResult result = pgs_layout_prepare(source->dev, layout, group);
    return result == VK_SUCCESS && variant == PGS_VARIANT_BOUND
               ? pgs_layout_prepare_bound(source->dev, layout, group)
               : result;
}

static VkPipelineLayout layout_of(const struct pgs_pipeline_source *source,
                                  enum pgs_variant variant, enum pgs_stage_group group)
{
    return variant == PGS_VARIANT_BOUND ? pgs_layout_bound_of_group(source->pipeline->layout, group)
                                        : pgs_layout_of_group(source->pipeline->layout, group);
}

static VkResult compile(struct pgs_pipeline_source *source, const struct key *key,
                        const struct pgs_spv_blob *code, VkPipeline *pipeline)
{
    struct pgs_device *dev = source->dev;
    const enum pgs_stage_group group = (enum pgs_stage_group)key->group;
    const VkPipelineRobustnessCreateInfoEXT robustness =
        pgs_robustness_info(&key->robustness, NULL);
    VkShaderModule module;
    VkResult result = pgs_module_create_driver(dev, code->words, code->word_count, &module);
    if (result != VK_SUCCESS)
        return result;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = source->robustness.is_set ? &robustness : NULL,
        .flags = source->flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout_of(source, key->inputs.variant, group),
        .basePipelineIndex = -1,
    };
    result =
        pgs_compile_compute(dev, source->cache, code->words, code->word_count, &info, pipeline);
    dev->vk.DestroyShaderModule(dev->handle, module, NULL);
    return result;
}

/* Keeps alive what the key points to, and the layout that the driver's pipeline was made with. */
static void take_references(struct compute_pipeline *made, const struct pgs_compute_inputs *inputs,
                            struct pgs_layout *layout)
{
    const struct pgs_shader *const shaders[4] = {inputs->vs, inputs->tcs, inputs->tes, inputs->gs};
    for (int i = 0; i < 4; i++)
        made->shaders[i] = shaders[i] ? pgs_shader_refer(shaders[i]) : NULL;
    made->layout = pgs_layout_refer(layout);
}

/* As pgs_compute_translate, unless the shader is kept on disk. */
static enum pgs_spv_result translate(const struct pgs_device *dev,
                                     const struct pgs_compute_inputs *inputs,
                                     struct pgs_spv_blob *blob)
{
    struct {
        struct pgs_compute_inputs inputs;
        uint64_t captures, head_w;
    } plain;
    memset(&plain, 0, sizeof(plain));
    memcpy(&plain.inputs, inputs, sizeof(*inputs));
    plain.captures = inputs->vertex.capture != NULL;
    plain.head_w = inputs->geometry ? inputs->geometry->out_head_w : 0;
    /* Pointers mean nothing to another process. What else they point to follows from the shaders.
     */
    plain.inputs.vs = plain.inputs.tcs = plain.inputs.tes = plain.inputs.gs = NULL;
    plain.inputs.control = NULL;
    plain.inputs.geometry = NULL;
    plain.inputs.vertex.capture = NULL;
    const struct pgs_translation translation = {
        .inputs = &plain,
        .inputs_B = sizeof(plain),
        .shaders = {inputs->vs, inputs->tcs, inputs->tes, inputs->gs},
    };
    if (pgs_translation_read(dev, &translation, blob))
        return PGS_SPV_OK;
    const enum pgs_spv_result result = pgs_compute_translate(inputs, false, blob);
    if (result == PGS_SPV_OK)
        pgs_translation_write(dev, &translation, blob);
    return result;
}

/* context: the source that wants it, for what is not in the key. */
static VkResult make_compute(struct pgs_device *dev, struct pgs_shared *object, void *context)
{
    struct compute_pipeline *made = (struct compute_pipeline *)object;
    struct pgs_pipeline_source *source = context;
    const struct key *key = object->key.bytes;
    const struct recipe *recipe = &recipes[key->inputs.variant];
    struct pgs_spv_blob blob = {0};
    VkResult result = VK_SUCCESS;
    const enum pgs_spv_result translated = translate(dev, &key->inputs, &blob);
    made->unsupported =
        translated == PGS_SPV_UNSUPPORTED && pgs_variant_is_optional(key->inputs.variant);
    if (!made->unsupported) {
        result = pgs_result_from_spv(translated, recipe->name);
        if (result == VK_SUCCESS) {
            pgs_dump_module(dev, source->dump_serial, recipe->name, &blob);
            result = compile(source, key, &blob, &made->handle);
        }
    }
    if (result == VK_SUCCESS)
        take_references(made, &key->inputs, source->pipeline->layout);
    pgs_spv_blob_free(&blob);
    return result;
}

static void finish_compute(struct pgs_device *dev, struct pgs_shared *object)
{
    struct compute_pipeline *made = (struct compute_pipeline *)object;
    dev->vk.DestroyPipeline(dev->handle, made->handle, NULL);
    for (int i = 0; i < 4; i++)
        pgs_shader_release(made->shaders[i]);
    pgs_layout_release(dev, made->layout);
}

static const struct pgs_shared_kind kind = {sizeof(struct compute_pipeline), make_compute,
                                            finish_compute};

/* What is compiled already need not be so without optimization. */
static void generalize(struct key *key)
{
    pgs_compute_inputs_generalize(&key->inputs);
    key->flags &= ~(uint32_t)VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
}

static void init_key(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                     struct key *key)
{
    memset(key, 0, sizeof(*key)); /* its padding, too */
    pgs_compute_inputs_init(source, variant, &key->inputs);
    pgs_layout_identify(source->dev, source->pipeline->layout, &key->layout);
    key->group = group_of(source->pipeline, &key->inputs);
    key->flags =
        source->flags & ~(uint32_t)VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    const struct pgs_compute_inputs *in = &key->inputs;
    key->robustness = pgs_source_robustness(source, in->vs, in->tcs, in->tes, in->gs);
    if (source->is_generic)
        generalize(key);
}

static enum pgs_shared_state look_up(const struct pgs_pipeline_source *source,
                                     const struct key *key, struct pgs_shared **made)
{
    const struct pgs_shared_key of = {.bytes = key, .size_B = sizeof(*key)};
    return pgs_shared_look_up(&source->dev->pipelines->shared, &kind, of, made);
}

VkResult pgs_compute_recipe_try(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                                bool *unsupported)
{
    struct key key;
    struct pgs_spv_blob none;
    init_key(source, variant, &key);
    *unsupported = false;
    if (look_up(source, &key, NULL) != PGS_SHARED_FAILED)
        return VK_SUCCESS;
    const enum pgs_spv_result result = pgs_compute_translate(&key.inputs, true, &none);
    *unsupported = result == PGS_SPV_UNSUPPORTED && pgs_variant_is_optional(variant);
    return *unsupported ? VK_SUCCESS : pgs_result_from_spv(result, recipes[variant].name);
}

bool pgs_compute_recipe_is_made(const struct pgs_pipeline_source *source, enum pgs_variant variant)
{
    struct key key;
    init_key(source, variant, &key);
    return look_up(source, &key, NULL) == PGS_SHARED_MADE;
}

/* Takes the layout of the part of which the pipeline is linked, if what is bound for that of the
 * pipeline can be used with it: sets that it lacks are behind the others. */
static void take_layout_of_part(const struct pgs_pipeline_source *source,
                                const struct pgs_layout *layout, struct key *key)
{
    struct pgs_layout_identity of_part = {.set_count = 0};
    if (!layout || layout == source->pipeline->layout)
        return;
    pgs_layout_identify(source->dev, layout, &of_part);
    bool is_prefix = of_part.flags == key->layout.flags;
    for (uint32_t i = 0, last = 1; i < PGS_MAX_SETS; i++) {
        const uint32_t at = PGS_MAX_SETS - 1 - i;
        last &= !of_part.sets[at];
        is_prefix &= last || of_part.sets[at] == key->layout.sets[at];
    }
    if (is_prefix)
        key->layout = of_part;
}

/* Of one that draws with any vertex input, from that of the pipeline's own. */
static void generalize_key(const struct pgs_pipeline_source *source,
                           const struct pgs_layout *layout, struct key *key)
{
    generalize(key);
    take_layout_of_part(source, layout, key);
}

/* The reference is the caller's; NULL: there is none. */
static struct pgs_shared *find_made(const struct pgs_pipeline_source *source, const struct key *key)
{
    struct pgs_shared *found;
    look_up(source, key, &found);
    if (!found || !((const struct compute_pipeline *)found)->unsupported)
        return found;
    pgs_shared_release(found);
    return NULL;
}

bool pgs_compute_recipe_find(const struct pgs_pipeline_source *source,
                             const struct pgs_layout *layout, enum pgs_variant variant,
                             struct pgs_made *made, bool *is_generic)
{
    struct key key;
    init_key(source, variant, &key);
    *made = (struct pgs_made){.group = (enum pgs_stage_group)key.group};
    made->shared = find_made(source, &key);
    *is_generic = !made->shared;
    if (*is_generic) {
        generalize_key(source, layout, &key);
        made->shared = find_made(source, &key);
    }
    if (!made->shared)
        return false;
    made->pipeline = ((const struct compute_pipeline *)made->shared)->handle;
    if (prepare_layouts(source, variant, made->group) == VK_SUCCESS)
        return true;
    pgs_shared_release(made->shared);
    made->shared = NULL;
    return false;
}

bool pgs_compute_recipe_has(const struct pgs_pipeline_source *source,
                            const struct pgs_layout *layout, enum pgs_variant variant)
{
    struct key key;
    init_key(source, variant, &key);
    if (look_up(source, &key, NULL) == PGS_SHARED_MADE)
        return true;
    generalize_key(source, layout, &key);
    return look_up(source, &key, NULL) == PGS_SHARED_MADE;
}

bool pgs_compute_recipe_suits(const struct pgs_pipeline_source *source,
                              const struct pgs_layout *layout, enum pgs_variant variant,
                              const struct pgs_pipeline_source *other)
{
    struct key key, of_other;
    init_key(other, variant, &of_other);
    init_key(source, variant, &key);
    if (memcmp(&key, &of_other, sizeof(key)) == 0)
        return true;
    generalize_key(source, layout, &key);
    return memcmp(&key, &of_other, sizeof(key)) == 0;
}

VkResult pgs_compute_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                 struct pgs_made *made)
{
    struct key key;
    init_key(source, variant, &key);
    *made = (struct pgs_made){.group = (enum pgs_stage_group)key.group};
    if ((source->flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) &&
        look_up(source, &key, NULL) == PGS_SHARED_MAKING)
        return VK_PIPELINE_COMPILE_REQUIRED;
    VkResult result = prepare_layouts(source, variant, made->group);
    if (result == VK_SUCCESS)
        result = pgs_shared_get(&source->dev->pipelines->shared, &kind,
                                (struct pgs_shared_key){.bytes = &key, .size_B = sizeof(key)},
                                source, &made->shared);
    if (result != VK_SUCCESS)
        return result;
    const struct compute_pipeline *pipeline = (const struct compute_pipeline *)made->shared;
    made->pipeline = pipeline->handle;
    made->unsupported = pipeline->unsupported;
    return VK_SUCCESS;
}
