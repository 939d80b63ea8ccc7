/* SPDX-License-Identifier: MIT */
#include "pipeline/compute_recipe.h"

#include "pipeline/bind_sets.h"
#include "pipeline/dump.h"
#include "pipeline/layout.h"
#include "pipeline/module.h"
#include "poly_gs/format.h"
#include "poly_gs/tessellation.h"
#include "spirv/spirv.h"

struct pgs_spv_vertex_options pgs_vertex_options(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool captures = p->native_raster && !p->tessellated && !source->gs;
    struct pgs_spv_vertex_options options = {.out = p->tessellated ? p->control_in : p->gs.in,
                                             .capture = captures ? &p->gs.xfb : NULL};
    for (uint32_t i = 0; i < p->attribute_count; i++)
        options.format[p->attributes[i].location] =
            p->attributes[i].format |
            (p->bindings[p->attributes[i].binding].instance_rate ? PGS_FORMAT_INSTANCE : 0);
    return options;
}

/* -- translations -- */

static enum pgs_spv_result vertex(const struct pgs_pipeline_source *source,
                                  struct pgs_spv_blob *blob)
{
    const struct pgs_spv_vertex_options options = pgs_vertex_options(source);
    return pgs_spv_vertex_to_compute(&source->vs->code, &options, blob);
}

static enum pgs_spv_result control(const struct pgs_pipeline_source *source,
                                   struct pgs_spv_blob *blob)
{
    return pgs_spv_control_to_compute(&source->tcs->code, &source->control_info,
                                      &source->pipeline->patch, blob);
}

static enum pgs_spv_result evaluation(const struct pgs_pipeline_source *source,
                                      struct pgs_spv_blob *blob)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool triangles = (p->tessellation_flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES;
    return pgs_spv_evaluation_to_compute(&source->tes->code, &p->patch, triangles, &p->gs.in, blob);
}

static enum pgs_spv_result geometry(const struct pgs_pipeline_source *source,
                                    struct pgs_spv_blob *blob)
{
    return pgs_spv_geometry_to_compute(&source->gs->code, &source->pipeline->gs, blob);
}

static enum pgs_spv_result fused(const struct pgs_pipeline_source *source,
                                 struct pgs_spv_blob *blob)
{
    const struct pgs_spv_vertex_options options = pgs_vertex_options(source);
    return pgs_spv_fused_to_compute(&source->vs->code, &options, &source->gs->code,
                                    &source->pipeline->gs, blob);
}

static enum pgs_spv_result no_memory(const struct pgs_pipeline_source *source,
                                     struct pgs_spv_blob *blob)
{
    const struct pgs_spv_vertex_options options = pgs_vertex_options(source);
    return pgs_spv_geometry_to_capture(&source->vs->code, &options, &source->gs->code,
                                       &source->pipeline->gs, blob);
}

static enum pgs_spv_result xfb(const struct pgs_pipeline_source *source, struct pgs_spv_blob *blob)
{
    if (pgs_pipeline_has(source->pipeline, PGS_VARIANT_FUSED))
        return no_memory(source, blob);
    const struct pgs_spv_vertex_options options = pgs_vertex_options(source);
    return pgs_spv_geometry_to_capture(NULL, &options, &source->gs->code, &source->pipeline->gs,
                                       blob);
}

/* -- recipes -- */

static const struct recipe {
    const char *name; /* for dumps and messages */
    enum pgs_stage_group group;
    enum pgs_spv_result (*translate)(const struct pgs_pipeline_source *source,
                                     struct pgs_spv_blob *blob);
} recipes[] = {
    [PGS_VARIANT_VERTEX] = {"vertex", PGS_GROUP_VERTEX, vertex},
    [PGS_VARIANT_CONTROL] = {"control", PGS_GROUP_CONTROL, control},
    [PGS_VARIANT_EVALUATION] = {"evaluation", PGS_GROUP_EVALUATION, evaluation},
    [PGS_VARIANT_GEOMETRY] = {"geometry", PGS_GROUP_GEOMETRY, geometry},
    [PGS_VARIANT_FUSED] = {"fused", PGS_GROUP_VERTEX_GEOMETRY, fused},
    [PGS_VARIANT_XFB] = {"xfb", PGS_GROUP_GEOMETRY, xfb},
    [PGS_VARIANT_NO_MEMORY] = {"no-memory", PGS_GROUP_VERTEX_GEOMETRY, no_memory},
};

static enum pgs_stage_group group_of(const struct pgs_emulated_pipeline *p,
                                     enum pgs_variant variant)
{
    const bool fused = variant == PGS_VARIANT_XFB && pgs_pipeline_has(p, PGS_VARIANT_FUSED);
    return pgs_layout_group(p->layout, fused ? PGS_GROUP_VERTEX_GEOMETRY : recipes[variant].group);
}

static VkResult compile_compute(struct pgs_pipeline_source *source, const struct pgs_spv_blob *code,
                                struct pgs_made *made)
{
    const struct pgs_device *dev = source->dev;
    struct pgs_layout *layout = source->pipeline->layout;
    VkShaderModule module;
    VkResult result = pgs_module_create_driver(dev, code->words, code->word_count, &module);
    if (result == VK_SUCCESS)
        result = pgs_layout_prepare(source->dev, layout, made->group);
    if (result != VK_SUCCESS)
        goto done;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = source->flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = pgs_layout_of_group(layout, made->group),
        .basePipelineIndex = -1,
    };
    result =
        dev->vk.CreateComputePipelines(dev->handle, source->cache, 1, &info, NULL, &made->pipeline);
    if (result != VK_SUCCESS)
        made->pipeline = VK_NULL_HANDLE;
done:
    dev->vk.DestroyShaderModule(dev->handle, module, NULL);
    return result;
}

VkResult pgs_compute_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                 struct pgs_made *made)
{
    const struct recipe *recipe = &recipes[variant];
    struct pgs_spv_blob blob = {0};
    *made = (struct pgs_made){.group = group_of(source->pipeline, variant)};
    const enum pgs_spv_result translated = recipe->translate(source, &blob);
    if (translated == PGS_SPV_UNSUPPORTED && pgs_variant_is_optional(variant)) {
        made->unsupported = true;
        return VK_SUCCESS;
    }
    VkResult result = pgs_result_from_spv(translated, recipe->name);
    if (result == VK_SUCCESS) {
        pgs_dump_module(source->dev, source->dump_serial, recipe->name, &blob);
        result = compile_compute(source, &blob, made);
    }
    pgs_spv_blob_free(&blob);
    return result;
}
