/* SPDX-License-Identifier: MIT */
#include "pipeline/raster_link.h"

#include "pipeline/bind_sets.h"
#include "pipeline/compile.h"
#include "pipeline/device.h"
#include "vulkan/chain.h"

#include <string.h>

#define INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define BEFORE VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT

/* -- what is linked -- */

/* True if the library of the layer may have it, too: it has the chain of the part. */
static bool takes_node(VkStructureType type)
{
    switch ((int)type) {
    case VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO:
    case VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT:
    case VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR:
    case VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV:
    case VK_STRUCTURE_TYPE_PIPELINE_COMPILER_CONTROL_CREATE_INFO_AMD:
        return true;
    default:
        return false;
    }
}

static bool takes_chain(const void *chain)
{
    for (const VkBaseInStructure *node = chain; node; node = node->pNext)
        if (!takes_node(node->sType))
            return false;
    return true;
}

bool pgs_raster_link_init(struct pgs_raster_link *link, struct pgs_library_part *before)
{
    if (!before || !before->layout || !before->info || before->high_flags ||
        before->has_device_views || !takes_chain(before->info->pNext))
        return false;
    *link = (struct pgs_raster_link){
        .part = before,
        .before = before->info,
        .layout = pgs_layout_handle(before->layout),
        .pass = before->pass ? before->pass->handle : VK_NULL_HANDLE,
        .fronts = &before->fronts,
    };
    return true;
}

void pgs_raster_link_finish(struct pgs_raster_link *link, struct pgs_device *dev)
{
    for (uint32_t i = 0; i < link->count; i++)
        pgs_raster_behind_release(dev, link->kept[i]);
}

/* -- the library in front of the rasterizer -- */

static void init_key(const struct pgs_pipeline_source *source, const struct pgs_raster_info *raster,
                     struct pgs_shared *vertex, struct pgs_raster_front_key *key)
{
    const VkPipelineVertexInputStateCreateInfo *input = &raster->vertex_input;
    memset(key, 0, sizeof(*key));
    key->vertex = vertex;
    key->polygons = source->pipeline->polygons;
    key->by_viewport = source->pipeline->by_viewport;
    key->topology = raster->input_assembly.topology;
    key->restarts = raster->input_assembly.primitiveRestartEnable;
    key->binding_count = input->vertexBindingDescriptionCount;
    key->attribute_count = input->vertexAttributeDescriptionCount;
    memcpy(key->bindings, raster->bindings, key->binding_count * sizeof(*raster->bindings));
    memcpy(key->attributes, raster->attributes, key->attribute_count * sizeof(*raster->attributes));
}

/* Of the dynamic states of the whole pipeline those that are not of parts behind the rasterizer. */
static void take_dynamic(const struct pgs_raster_link *link, bool by_viewport,
                         const VkPipelineDynamicStateCreateInfo *from,
                         struct pgs_dynamic_states *dynamic)
{
    dynamic->info = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .pDynamicStates = dynamic->states,
    };
    for (uint32_t i = 0; from && i < from->dynamicStateCount; i++) {
        const VkDynamicState state = from->pDynamicStates[i];
        const bool is_ours =
            by_viewport &&
            (state == VK_DYNAMIC_STATE_VIEWPORT || state == VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT ||
             state == VK_DYNAMIC_STATE_SCISSOR || state == VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
        if (is_ours || pgs_has_dynamic_state(link->before, state))
            dynamic->states[dynamic->info.dynamicStateCount++] = state;
    }
}

static VkResult compile(const struct pgs_pipeline_source *source,
                        const struct pgs_raster_link *link, VkPipelineCache cache,
                        const struct pgs_raster_info *raster, VkPipeline *library)
{
    struct pgs_dynamic_states dynamic;
    const VkGraphicsPipelineLibraryCreateInfoEXT parts = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = (void *)(uintptr_t)link->before->pNext,
        .flags = INPUT | BEFORE,
    };
    VkGraphicsPipelineCreateInfo info = raster->info;
    take_dynamic(link, source->pipeline->by_viewport, info.pDynamicState, &dynamic);
    info.pNext = &parts;
    info.flags = link->before->flags | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.flags &=
        ~(VkPipelineCreateFlags)(VK_PIPELINE_CREATE_DERIVATIVE_BIT |
                                 VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |
                                 VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    info.stageCount = 1; /* the vertex shader */
    info.pMultisampleState = NULL;
    info.pDepthStencilState = NULL;
    info.pColorBlendState = NULL;
    info.pDynamicState = &dynamic.info;
    info.layout = link->layout;
    info.renderPass = link->pass;
    info.subpass = link->pass ? link->before->subpass : 0;
    info.basePipelineHandle = VK_NULL_HANDLE;
    info.basePipelineIndex = -1;
    return pgs_compile_graphics(source->dev, cache, &info, NULL, library);
}

/* The reference is the caller's. *front is NULL if it would have to be compiled and must not. */
static VkResult get_front(const struct pgs_pipeline_source *source,
                          const struct pgs_raster_link *link, VkPipelineCache cache,
                          const struct pgs_raster_info *raster, struct pgs_shared *vertex,
                          bool makes, struct pgs_raster_front **front)
{
    struct pgs_raster_front_key key;
    VkPipeline library;
    init_key(source, raster, vertex, &key);
    *front = pgs_raster_front_find(source->dev, link->fronts, &key);
    if (*front || !makes)
        return VK_SUCCESS;
    const VkResult result = compile(source, link, cache, raster, &library);
    if (result != VK_SUCCESS) /* whole pipelines do without what the driver refuses */
        return pgs_refuses_shaders(result) ? VK_SUCCESS : result;
    *front = pgs_raster_front_add(source->dev, link->fronts, &key, library);
    return *front ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* Stages may say what is out of bounds, and not all of them are of the part. The libraries of the
 * application have its layout. */
static bool may_link(const struct pgs_pipeline_source *source, const struct pgs_raster_info *raster)
{
    return !source->robustness.is_set &&
           raster->info.layout == pgs_layout_handle(source->pipeline->layout);
}

VkResult pgs_raster_link_prepare(const struct pgs_pipeline_source *source,
                                 const struct pgs_raster_link *link, VkPipelineCache cache,
                                 struct pgs_shared *vertex, const struct pgs_raster_info *raster,
                                 bool makes, bool *found)
{
    struct pgs_raster_front *front = NULL;
    VkResult result = VK_SUCCESS;
    if (may_link(source, raster))
        result = get_front(source, link, cache, raster, vertex, makes, &front);
    *found = front != NULL;
    pgs_raster_front_release(source->dev, front);
    return result;
}

/* -- the pipeline -- */

static void init_info(struct pgs_linked_raster *linked, const struct pgs_raster_link *link,
                      const VkGraphicsPipelineCreateInfo *whole)
{
    const VkPipelineCreationFeedbackCreateInfo *feedback =
        pgs_chain_find(whole->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (feedback) {
        linked->feedback = *feedback;
        linked->feedback.pNext = NULL;
    }
    memcpy(linked->libraries + 1, link->behind, link->count * sizeof(*link->behind));
    linked->linked = (VkPipelineLibraryCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .pNext = feedback ? &linked->feedback : NULL,
        .libraryCount = 1 + link->count,
        .pLibraries = linked->libraries,
    };
    linked->info = (VkGraphicsPipelineCreateInfo){
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &linked->linked,
        .flags = whole->flags,
        .layout = whole->layout,
        .basePipelineHandle = whole->basePipelineHandle,
        .basePipelineIndex = whole->basePipelineIndex,
    };
}

VkResult pgs_linked_raster_init(struct pgs_linked_raster *linked,
                                struct pgs_pipeline_source *source, enum pgs_variant variant,
                                const struct pgs_raster_info *raster, bool *links)
{
    *links = false;
    if (!source->link || !may_link(source, raster) || source->fronts[variant])
        return VK_SUCCESS;
    init_info(linked, source->link, &raster->info);
    struct pgs_raster_front *front = NULL;
    const bool makes =
        !(raster->info.flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    const VkResult result = get_front(source, source->link, source->cache, raster,
                                      source->vertex_modules[variant], makes, &front);
    if (!front)
        return result;
    source->fronts[variant] = front;
    for (uint32_t i = 0; i < source->link->count; i++)
        if (source->link->kept[i] && !source->behind[i])
            source->behind[i] = pgs_raster_behind_refer(source->link->kept[i]);
    linked->libraries[0] = front->handle;
    *links = true;
    return VK_SUCCESS;
}
