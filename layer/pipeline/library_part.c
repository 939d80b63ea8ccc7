/* SPDX-License-Identifier: MIT */
#include "pipeline/library_part.h"

#include "base/alloc.h"
#include "pipeline/create_info.h"
#include "pipeline/device_views.h"
#include "pipeline/module.h"
#include "pipeline/raster_behind.h"
#include "pipeline/raster_front.h"
#include "vulkan/chain.h"
#include "vulkan/create_copy.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>

#define FRAGMENT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define OUTPUT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT

/* A part has only some of the state. */
#define BLOCK_B 1024

/* -- views -- */

#define MAX_FOREIGN 8

/* Structures in a chain that do not belong to the parts, or that the view has elsewhere. */
static size_t foreign_types(VkGraphicsPipelineLibraryFlagsEXT parts, bool has_pass,
                            VkStructureType types[MAX_FOREIGN])
{
    size_t count = 0;
    types[count++] = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT;
    types[count++] = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR;
    types[count++] = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
    types[count++] = PGS_FLAGS_TYPE;
    if (!(parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT))
        types[count++] = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT;
    if (!(parts & OUTPUT) || has_pass)
        types[count++] = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD;
#ifdef VK_KHR_dynamic_rendering_local_read
    if (!(parts & OUTPUT) || has_pass)
        types[count++] = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR;
    if (!(parts & FRAGMENT) || has_pass)
        types[count++] = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR;
#endif
    return count;
}

/* Formats are those of the output only, and of dynamic rendering only. */
static VkResult take_chain(struct pgs_part_view *view, VkGraphicsPipelineLibraryFlagsEXT parts)
{
    VkGraphicsPipelineCreateInfo *info = &view->view.info;
    VkStructureType types[MAX_FOREIGN];
    const size_t count = foreign_types(parts, info->renderPass, types);
    view->high_flags = pgs_high_flags(info->pNext);
    const VkPipelineRenderingCreateInfo *rendering =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    const VkResult result =
        pgs_chain_copy_prefix(info->pNext, types, count, &info->pNext, &view->block);
    if (result != VK_SUCCESS)
        return result;
    pgs_chain_remove(&info->pNext, types, count);
    if (!rendering || info->renderPass ||
        parts == VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT)
        return VK_SUCCESS;
    view->rendering =
        (VkPipelineRenderingCreateInfo){.sType = rendering->sType, .viewMask = rendering->viewMask};
    if (parts & OUTPUT)
        view->rendering = *rendering;
    view->rendering.pNext = info->pNext;
    info->pNext = &view->rendering;
    return VK_SUCCESS;
}

/* Without a render pass, a library that has no formats takes the state in any case. */
static struct pgs_subpass_uses find_uses(const struct pgs_part_view *view,
                                         const VkGraphicsPipelineCreateInfo *info,
                                         VkGraphicsPipelineLibraryFlagsEXT parts)
{
    const struct pgs_subpass_uses all = {.color = true, .depth_stencil = true};
    if (!(parts & (FRAGMENT | OUTPUT)))
        return all;
    if (info->renderPass)
        return view->pass ? view->pass->subpasses[info->subpass] : all;
    return parts & OUTPUT ? pgs_rendering_uses(pgs_chain_find(
                                info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO))
                          : all;
}

VkResult pgs_part_view_init(struct pgs_part_view *view, struct pgs_device *dev,
                            const VkGraphicsPipelineCreateInfo *info,
                            VkGraphicsPipelineLibraryFlagsEXT parts)
{
    const bool has_pass =
        parts != VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT && info->renderPass;
    view->block = NULL;
    view->pass = has_pass ? pgs_kept_render_pass_acquire(dev, info->renderPass) : NULL;
    view->keepable = !has_pass || (view->pass && info->subpass < view->pass->subpass_count);
    view->native = false;
    if (!view->keepable) {
        pgs_kept_render_pass_release(dev, view->pass);
        view->pass = NULL;
    }
    VkResult result = pgs_info_view_init(&view->view, info, parts, find_uses(view, info, parts));
    if (result == VK_SUCCESS)
        result = take_chain(view, parts);
    return result;
}

void pgs_part_view_finish(struct pgs_part_view *view, const struct pgs_device *dev)
{
    pgs_kept_render_pass_release(dev, view->pass);
    pgs_info_view_finish(&view->view);
    pgs_free(view->block);
}

/* -- parts -- */

/* Looks at a shader that will run in the layer, so that links find what they need to know. */
static VkResult read_shader(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                            struct pgs_shader **shader)
{
    union {
        const struct pgs_spv_vertex_info *vertex;
        const struct pgs_spv_control_info *control;
        const struct pgs_spv_evaluation_info *evaluation;
        const struct pgs_spv_geometry_info *geometry;
        const struct pgs_spv_fragment_info *fragment;
    } info;
    const VkResult result = pgs_shader_get(dev, stage, shader);
    if (result != VK_SUCCESS)
        return result;
    switch ((*shader)->code.stage) {
    case PGS_SPV_VERTEX:
        return pgs_shader_vertex_info(*shader, &info.vertex);
    case PGS_SPV_CONTROL:
        return pgs_shader_control_info(*shader, &info.control);
    case PGS_SPV_EVALUATION:
        return pgs_shader_evaluation_info(*shader, &info.evaluation);
    case PGS_SPV_GEOMETRY:
        return pgs_shader_geometry_info(*shader, &info.geometry);
    case PGS_SPV_FRAGMENT:
        return pgs_shader_fragment_info(*shader, &info.fragment);
    default:
        break;
    }
    return VK_SUCCESS;
}

/* True if links take it over (linked_info.c). */
static bool knows_node(VkStructureType type)
{
    switch ((int)type) {
    case VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO:
    case VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT:
    case VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO:
    case VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR:
    case VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV:
    case VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD:
    case VK_STRUCTURE_TYPE_PIPELINE_REPRESENTATIVE_FRAGMENT_TEST_STATE_CREATE_INFO_NV:
    case VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT:
    case VK_STRUCTURE_TYPE_PIPELINE_COMPILER_CONTROL_CREATE_INFO_AMD: /* a hint, not taken over */
#ifdef VK_KHR_dynamic_rendering_local_read
    case VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR:
    case VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR:
#endif
        return true;
    default:
        return false;
    }
}

/* What nobody can have asked for is left out of copies. */
static bool knows_chain(const void *chain)
{
    for (const VkBaseInStructure *node = chain; node; node = node->pNext)
        if (pgs_struct_size(node->sType) && !knows_node(node->sType))
            return false;
    return true;
}

/* Gives the copied stages modules that live as long as the part. */
static VkResult keep_stages(struct pgs_device *dev, struct pgs_library_part *part,
                            const VkGraphicsPipelineCreateInfo *info)
{
    VkPipelineShaderStageCreateInfo *stages = (VkPipelineShaderStageCreateInfo *)info->pStages;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->stageCount && result == VK_SUCCESS; i++) {
        result = part->has_device_views
                     ? pgs_device_views_clone(dev, stages[i].module, &part->modules[i])
                     : pgs_module_clone(dev, stages[i].module, &part->modules[i]);
        stages[i].module = part->modules[i];
        part->stage_count = i + 1;
        if (result == VK_SUCCESS && !part->native)
            result = read_shader(dev, &stages[i], &part->shaders[i]);
    }
    return result;
}

/* Takes the shaders of the copied stages, which several pipelines may share. */
static VkResult keep_shaders(struct pgs_device *dev, struct pgs_library_part *part,
                             const VkGraphicsPipelineCreateInfo *info)
{
    VkPipelineShaderStageCreateInfo *stages = (VkPipelineShaderStageCreateInfo *)info->pStages;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->stageCount && result == VK_SUCCESS; i++) {
        result = pgs_shader_get(dev, &stages[i], &part->shaders[i]);
        stages[i].module = VK_NULL_HANDLE;
        part->stage_count = i + 1;
    }
    return result;
}

/* Leaves part->info NULL if something cannot be kept. */
static VkResult keep(struct pgs_device *dev, const struct pgs_part_view *view, bool modules,
                     struct pgs_library_part *part)
{
    VkGraphicsPipelineCreateInfo info = view->view.info;
    struct pgs_copy copy = {.arena = &part->arena, .exact = true};
    if (!view->keepable || !knows_chain(info.pNext))
        return VK_SUCCESS;
    part->layout = info.layout ? pgs_layout_acquire(dev, info.layout) : NULL;
    if (info.layout && !part->layout)
        return VK_SUCCESS;
    info.layout = VK_NULL_HANDLE;
    part->has_device_views = pgs_device_views_concern(&info);
    info.flags &= ~(VkPipelineCreateFlags)VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT;
    info.basePipelineHandle = VK_NULL_HANDLE;
    info.basePipelineIndex = -1;
    for (uint32_t i = 0; i < info.stageCount; i++)
        if (!info.pStages[i].module) /* a module identifier */
            return VK_SUCCESS;
    const VkGraphicsPipelineCreateInfo *kept =
        pgs_copy_VkGraphicsPipelineCreateInfo(&copy, &info, 1);
    if (copy.failed)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (copy.misses)
        return VK_SUCCESS;
    const VkResult result = modules || part->has_device_views ? keep_stages(dev, part, kept)
                                                              : keep_shaders(dev, part, kept);
    part->info = kept;
    return result;
}

static VkResult new_part(struct pgs_device *dev, const struct pgs_part_view *view,
                         VkGraphicsPipelineLibraryFlagsEXT parts, bool modules,
                         struct pgs_library_part **out)
{
    struct pgs_library_part *part = pgs_calloc(1, sizeof(*part));
    *out = NULL;
    if (!part)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&part->refs, 1);
    atomic_init(&part->link_count, 0);
    part->parts = parts;
    part->native = view->native;
    part->high_flags = view->high_flags;
    part->arena.block_B = BLOCK_B;
    if (view->pass) {
        part->pass = view->pass;
        atomic_fetch_add(&part->pass->refs, 1);
    }
    const VkResult result = keep(dev, view, modules, part);
    if (result == VK_SUCCESS)
        *out = part;
    else
        pgs_library_part_release(dev, part);
    return result;
}

VkResult pgs_library_part_new(struct pgs_device *dev, const struct pgs_part_view *view,
                              VkGraphicsPipelineLibraryFlagsEXT parts,
                              struct pgs_library_part **out)
{
    return new_part(dev, view, parts, true, out);
}

VkResult pgs_library_part_keep(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                               struct pgs_library_part **part)
{
    struct pgs_part_view view;
    *part = NULL;
    VkResult result = pgs_part_view_init(&view, dev, info, PGS_ALL_PARTS);
    view.native = true; /* nothing is to be known of its shaders yet */
    for (uint32_t i = 0; result == VK_SUCCESS && i < view.view.info.stageCount; i++)
        view.keepable &= pgs_stage_is_known(dev, &view.view.info.pStages[i]);
    if (result == VK_SUCCESS)
        result = new_part(dev, &view, PGS_ALL_PARTS, false, part);
    pgs_part_view_finish(&view, dev);
    return result;
}

VkResult pgs_library_part_open(struct pgs_device *dev, const struct pgs_library_part *part,
                               VkPipelineShaderStageCreateInfo *stage, VkShaderModule *module)
{
    *module = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < part->stage_count && !stage->module; i++) {
        if (part->info->pStages[i].stage != stage->stage)
            continue;
        const VkResult result = pgs_module_open(dev, part->shaders[i]->module, module);
        if (result != VK_SUCCESS)
            return result;
        stage->module = *module;
    }
    return VK_SUCCESS;
}

struct pgs_library_part *pgs_library_part_refer(struct pgs_library_part *part)
{
    atomic_fetch_add(&part->refs, 1);
    return part;
}

void pgs_library_part_release(struct pgs_device *dev, struct pgs_library_part *part)
{
    if (!part || atomic_fetch_sub(&part->refs, 1) != 1)
        return;
    if (part->guess) /* a thread may still be at it */
        part->destroy_guess(dev, part->guess);
    for (uint32_t i = 0; i < part->stage_count; i++) {
        pgs_shader_release(part->shaders[i]);
        pgs_DestroyShaderModule(dev->handle, part->modules[i], NULL);
    }
    pgs_raster_fronts_finish(dev, &part->fronts);
    pgs_raster_behind_release(dev, part->behind);
    pgs_kept_render_pass_release(dev, part->pass);
    pgs_layout_release(dev, part->layout);
    pgs_arena_finish(&part->arena);
    pgs_free(part);
}
