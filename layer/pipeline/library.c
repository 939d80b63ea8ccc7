/* SPDX-License-Identifier: MIT */
#include "pipeline/library.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/bind_sets.h"
#include "pipeline/device.h"
#include "pipeline/library_ahead.h"
#include "pipeline/library_behind.h"
#include "pipeline/linked_info.h"
#include "pipeline/patched.h"
#include "pipeline/raster_link.h"
#include "pipeline/topologies.h"
#include "pipeline/whole.h"
#include "vulkan/chain.h"

#define INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define BEFORE VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT

struct pgs_library {
    bool native;                   /* the driver's object has all parts */
    struct pgs_linked_parts parts; /* references, one for each place */
};

static const VkPipelineLibraryCreateInfoKHR *linked_by(const VkGraphicsPipelineCreateInfo *info)
{
    return pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

bool pgs_library_concerns(const VkGraphicsPipelineCreateInfo *info)
{
    return (info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) || linked_by(info) ||
           pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
}

/* -- what is linked -- */

/* One call. */
struct link {
    const struct pgs_create_call *call;
    VkGraphicsPipelineLibraryFlagsEXT own_parts; /* that the create info gives itself */
    struct pgs_part_view own;                    /* if there are any */
    struct pgs_library_part *own_part;           /* a reference, or NULL */
    struct pgs_linked_parts parts;               /* all, borrowed */
    bool native;                                 /* the driver draws all of them */
    bool keeps;                                  /* all are kept */
};

static void add_part(struct link *link, int place, struct pgs_library_part *part)
{
    link->parts.of[place] = part;
    link->native &= part->native;
    link->keeps &= part->info != NULL;
}

static VkResult add_libraries(struct link *link)
{
    struct pgs_device *dev = link->call->dev;
    const VkPipelineLibraryCreateInfoKHR *linked = linked_by(link->call->info);
    for (uint32_t i = 0; linked && i < linked->libraryCount; i++) {
        const struct pgs_library *library =
            pgs_map_find(&dev->pipelines->libraries, (uint64_t)linked->pLibraries[i]);
        if (!library) {
            pgs_log(PGS_LOG_ERROR, "cannot link a pipeline: a library is not known to the layer");
            return VK_ERROR_UNKNOWN;
        }
        link->native &= library->native;
        for (int p = 0; p < PGS_PART_COUNT; p++)
            if (library->parts.of[p])
                add_part(link, p, library->parts.of[p]);
    }
    return VK_SUCCESS;
}

static VkResult add_own(struct link *link)
{
    struct pgs_device *dev = link->call->dev;
    if (!link->own_parts)
        return VK_SUCCESS;
    VkResult result = pgs_part_view_init(&link->own, dev, link->call->info, link->own_parts);
    if (result == VK_SUCCESS)
        result = pgs_whole_draws_natively(dev, &link->own.view.info, &link->own.native);
    if (result == VK_SUCCESS)
        result = pgs_library_part_new(dev, &link->own, link->own_parts, &link->own_part);
    for (int p = 0; p < PGS_PART_COUNT && result == VK_SUCCESS; p++)
        if (link->own_parts >> p & 1)
            add_part(link, p, link->own_part);
    return result;
}

/* Finish it also after an error. */
static VkResult link_init(struct link *link, const struct pgs_create_call *call)
{
    link->call = call;
    link->own_parts = pgs_info_parts(call->info);
    link->own_part = NULL;
    link->parts = (struct pgs_linked_parts){{NULL}};
    link->native = link->keeps = true;
    const VkResult result = add_libraries(link);
    if (result == VK_SUCCESS)
        return add_own(link);
    link->own_parts = 0; /* there is no view */
    return result;
}

static void link_finish(struct link *link)
{
    pgs_library_part_release(link->call->dev, link->own_part);
    if (link->own_parts)
        pgs_part_view_finish(&link->own, link->call->dev);
}

/* -- the driver's objects -- */

/* The driver makes a library or a pipeline of its own libraries. */
static VkResult create_native(const struct link *link, VkPipeline *pipeline)
{
    struct pgs_create_call call = *link->call;
    VkGraphicsPipelineCreateInfo info = *call.info;
    if (link->own_parts) {
        info = link->own.view.info;
        info.pNext = call.info->pNext;
    } else {
        info.stageCount = 0;
        info.pStages = NULL;
        info.pVertexInputState = NULL;
        info.pInputAssemblyState = NULL;
        info.pTessellationState = NULL;
        info.pViewportState = NULL;
        info.pRasterizationState = NULL;
        info.pMultisampleState = NULL;
        info.pDepthStencilState = NULL;
        info.pColorBlendState = NULL;
        info.pDynamicState = NULL;
    }
    info.layout = call.info->layout;
    call.info = &info;
    return pgs_patched_create(&call, &(struct pgs_patched_choice){.allocator = call.allocator},
                              pipeline);
}

/* None of it is valid. */
static void clear_feedback(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineCreationFeedbackCreateInfo *feedback =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (!feedback)
        return;
    feedback->pPipelineCreationFeedback->flags = 0;
    for (uint32_t i = 0; i < feedback->pipelineStageCreationFeedbackCount; i++)
        feedback->pPipelineStageCreationFeedbacks[i].flags = 0;
}

/* The least that the driver has a handle for. */
static VkResult create_stand_in(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .flags = INPUT,
    };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &part,
        .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .basePipelineIndex = -1,
    };
    struct pgs_device *dev = call->dev;
    clear_feedback(call->info);
    const VkResult result = dev->vk.CreateGraphicsPipelines(dev->handle, VK_NULL_HANDLE, 1, &info,
                                                            call->allocator, pipeline);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

/* -- libraries -- */

void pgs_library_free(struct pgs_device *dev, struct pgs_library *library)
{
    for (int p = 0; p < PGS_PART_COUNT; p++)
        pgs_library_part_release(dev, library->parts.of[p]);
    pgs_free(library);
}

void pgs_library_forget(struct pgs_device *dev, VkPipeline handle)
{
    if (!dev->pipeline_libraries)
        return;
    struct pgs_library *library = pgs_map_remove(&dev->pipelines->libraries, (uint64_t)handle);
    if (library)
        pgs_library_free(dev, library);
}

static VkResult check_kept(const struct link *link)
{
    if (link->keeps)
        return VK_SUCCESS;
    pgs_log(PGS_LOG_ERROR, "cannot link a pipeline that must be emulated: a library contains "
                           "something that the layer does not know");
    return VK_ERROR_UNKNOWN;
}

static VkResult make_library(const struct link *link, VkPipeline *pipeline)
{
    struct pgs_device *dev = link->call->dev;
    VkResult result = link->native ? VK_SUCCESS : check_kept(link);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_library *library = pgs_calloc(1, sizeof(*library));
    if (!library)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    library->native = link->native;
    for (int p = 0; p < PGS_PART_COUNT; p++)
        if (link->parts.of[p])
            library->parts.of[p] = pgs_library_part_refer(link->parts.of[p]);
    result = link->native ? create_native(link, pipeline) : create_stand_in(link->call, pipeline);
    if (result == VK_SUCCESS &&
        !pgs_map_insert(&dev->pipelines->libraries, (uint64_t)*pipeline, library)) {
        dev->vk.DestroyPipeline(dev->handle, *pipeline, link->call->allocator);
        *pipeline = VK_NULL_HANDLE;
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS)
        pgs_library_free(dev, library);
    else if (!link->native)
        pgs_library_prepare_links(link->call, &link->parts, link->own_part);
    return result;
}

/* -- pipelines -- */

/* The driver links; what captures and counts the draws is made of the parts. */
static VkResult link_native(const struct link *link, const struct pgs_create_call *whole,
                            VkPipeline *pipeline)
{
    struct pgs_native_pipelines natives = {.handle = VK_NULL_HANDLE};
    const VkResult result = create_native(link, &natives.handle);
    *pipeline = natives.handle;
    return result == VK_SUCCESS && whole ? pgs_whole_note_native(whole, &natives, pipeline)
                                         : result;
}

/* On failure the pipeline is destroyed. */
static VkResult note_topologies(const struct link *link, const VkGraphicsPipelineCreateInfo *info,
                                VkPipeline *pipeline)
{
    struct pgs_create_call call = *link->call;
    call.info = info;
    const VkResult result = pgs_topologies_note(&call, &link->parts, *pipeline);
    if (result == VK_SUCCESS)
        return VK_SUCCESS;
    pgs_whole_forget(call.dev, *pipeline, call.allocator);
    call.dev->vk.DestroyPipeline(call.dev->handle, *pipeline, call.allocator);
    *pipeline = VK_NULL_HANDLE;
    return result;
}

/* As the above, of a pipeline that the driver links, without the info of all parts. That they are
 * all the driver's says of the rest that it draws the same with every topology. */
static VkResult note_linked(const struct link *link, VkPipeline *pipeline)
{
    const struct pgs_library_part *input = link->parts.of[0], *shaders = link->parts.of[1];
    VkGraphicsPipelineCreateInfo info = *link->call->info;
    if (!input || !shaders || !input->info || !shaders->info)
        return VK_SUCCESS;
    info.stageCount = shaders->info->stageCount;
    info.pStages = shaders->info->pStages;
    info.pInputAssemblyState = input->info->pInputAssemblyState;
    info.pRasterizationState = NULL;
    info.pDynamicState = input->info->pDynamicState;
    return note_topologies(link, &info, pipeline);
}

/* True if the driver need not hear of anything in the call, and is not to optimize. */
static bool is_bare(const VkGraphicsPipelineCreateInfo *info)
{
    if (info->flags & VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT)
        return false;
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext)
        if (node->sType != VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR &&
            node->sType != VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT &&
            node->sType != VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO)
            return false;
    return true;
}

static VkGraphicsPipelineLibraryFlagsEXT parts_of(const struct pgs_library *library)
{
    VkGraphicsPipelineLibraryFlagsEXT parts = 0;
    for (int p = 0; p < PGS_PART_COUNT; p++)
        parts |= library->parts.of[p] ? 1u << p : 0;
    return parts;
}

/* Adds what a library has behind the rasterizer: as it is, or of its parts. *added is false if the
 * driver has nothing for one. */
static VkResult add_behind(const struct link *link, VkPipeline handle,
                           struct pgs_raster_link *raster, bool *added)
{
    const struct pgs_library *library =
        pgs_map_find(&link->call->dev->pipelines->libraries, (uint64_t)handle);
    const bool makes =
        !(link->call->info->flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    VkResult result = VK_SUCCESS;
    if (library->native && !(parts_of(library) & (INPUT | BEFORE))) {
        *added = raster->count < 2;
        if (*added)
            raster->behind[raster->count++] = handle;
        return VK_SUCCESS;
    }
    for (int p = 0; p < PGS_PART_COUNT && *added && result == VK_SUCCESS; p++)
        if (library->parts.of[p] && ((1u << p) & PGS_PARTS_BEHIND))
            result = pgs_library_behind_add(link->call, library->parts.of[p], makes, raster, added);
    return result;
}

/* Finds what the driver can link an emulated pipeline of. *found is false if it is made as a whole;
 * else the caller finishes *raster. */
static VkResult find_raster_link(const struct link *link, struct pgs_raster_link *raster,
                                 bool *found)
{
    const VkPipelineLibraryCreateInfoKHR *linked = linked_by(link->call->info);
    *found = false;
    if (!linked || !is_bare(link->call->info) || (link->own_parts & ~INPUT))
        return VK_SUCCESS;
    for (int p = 0; p < PGS_PART_COUNT; p++)
        if (link->parts.of[p] &&
            (link->parts.of[p]->high_flags || link->parts.of[p]->has_device_views))
            return VK_SUCCESS;
    if (!pgs_raster_link_init(raster, link->parts.of[1]))
        return VK_SUCCESS;
    VkResult result = VK_SUCCESS;
    *found = true;
    for (uint32_t i = 0; i < linked->libraryCount && *found && result == VK_SUCCESS; i++)
        result = add_behind(link, linked->pLibraries[i], raster, found);
    if (!*found || result != VK_SUCCESS)
        pgs_raster_link_finish(raster, link->call->dev);
    *found &= result == VK_SUCCESS;
    return result;
}

/* One that is emulated, or captured and counted. */
static VkResult make_whole(const struct link *link, struct pgs_linked_info *linked,
                           VkPipeline *pipeline)
{
    struct pgs_create_call whole = *link->call;
    struct pgs_raster_link raster;
    bool links = false;
    VkResult result = VK_SUCCESS;
    whole.info = &linked->info;
    if (link->native)
        return link_native(link, &whole, pipeline);
    if (!linked->merged)
        result = find_raster_link(link, &raster, &links);
    if (links)
        whole.link = &raster;
    if (result == VK_SUCCESS)
        result = pgs_whole_create(&whole, pipeline);
    if (links)
        pgs_raster_link_finish(&raster, whole.dev);
    return result;
}

/* True if it would be compiled, and must not: what the layer optimizes across parts is new. */
static bool may_not_optimize(const struct link *link)
{
    const VkPipelineCreateFlags flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT |
                                        VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    return !link->native && linked_by(link->call->info) &&
           (link->call->info->flags & flags) == flags;
}

static VkResult make_pipeline(const struct link *link, VkPipeline *pipeline)
{
    struct pgs_device *dev = link->call->dev;
    struct pgs_linked_info linked;
    VkResult result;
    if (link->native && (!dev->xfb || !link->keeps)) {
        if (dev->xfb)
            pgs_log_once(PGS_LOG_ERROR, "a pipeline library contains something that the layer does "
                                        "not know: its draws are neither captured nor counted");
        result = link_native(link, NULL, pipeline);
        return result == VK_SUCCESS ? note_linked(link, pipeline) : result;
    }
    result = check_kept(link);
    if (result != VK_SUCCESS)
        return result;
    if (may_not_optimize(link)) {
        clear_feedback(link->call->info);
        return VK_PIPELINE_COMPILE_REQUIRED;
    }
    result = pgs_linked_info_init(&linked, dev, link->call->info, &link->parts);
    if (result == VK_SUCCESS)
        result = make_whole(link, &linked, pipeline);
    if (result == VK_SUCCESS)
        result = note_topologies(link, &linked.info, pipeline);
    pgs_linked_info_finish(&linked, dev);
    return result;
}

VkResult pgs_library_create(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    struct link link;
    *pipeline = VK_NULL_HANDLE;
    VkResult result = link_init(&link, call);
    if (result == VK_SUCCESS)
        result = call->info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR
                     ? make_library(&link, pipeline)
                     : make_pipeline(&link, pipeline);
    link_finish(&link);
    return result;
}
