/* SPDX-License-Identifier: MIT */
#include "pipeline/library_behind.h"

#include "pipeline/bind_sets.h"
#include "pipeline/compile.h"
#include "pipeline/device.h"
#include "pipeline/patched.h"
#include "pipeline/whole.h"
#include "vulkan/chain.h"

/* What else is in a chain belongs to the part, and the driver may have it again. */
static bool is_separable(const struct pgs_library_part *part)
{
    return (part->parts & PGS_PARTS_BEHIND) && part->info && !part->high_flags &&
           !part->has_device_views &&
           !pgs_discards_always(part->info) && /* then its state may be missing */
           !pgs_chain_find(part->info->pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
}

static VkResult create(struct pgs_device *dev, VkPipelineCache cache,
                       const struct pgs_library_part *part, const VkGraphicsPipelineCreateInfo *of,
                       VkPipeline *library)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT parts = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = (void *)(uintptr_t)of->pNext,
        .flags = part->parts & PGS_PARTS_BEHIND,
    };
    VkGraphicsPipelineCreateInfo info = *of;
    info.pNext = &parts;
    info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.flags &=
        ~(VkPipelineCreateFlags)(VK_PIPELINE_CREATE_DERIVATIVE_BIT |
                                 VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |
                                 VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    if (part->layout)
        info.layout = pgs_layout_handle(part->layout);
    const struct pgs_create_call call = {.dev = dev, .cache = cache, .info = &info};
    return pgs_patched_create(&call, &(struct pgs_patched_choice){.allocator = NULL}, library);
}

/* *library is VK_NULL_HANDLE if the driver cannot draw these parts alone. */
static VkResult make(struct pgs_device *dev, VkPipelineCache cache,
                     const struct pgs_library_part *part, VkPipeline *library)
{
    const struct pgs_subpass_uses uses = {.color = true, .depth_stencil = true}; /* what is kept */
    VkGraphicsPipelineCreateInfo info = *part->info;
    struct pgs_info_view view;
    bool native = false;
    *library = VK_NULL_HANDLE;
    info.renderPass = part->pass ? part->pass->handle : VK_NULL_HANDLE;
    VkResult result = pgs_info_view_init(&view, &info, part->parts & PGS_PARTS_BEHIND, uses);
    if (result == VK_SUCCESS)
        result = pgs_whole_draws_natively(dev, &view.info, &native);
    if (result == VK_SUCCESS && native)
        result = create(dev, cache, part, &view.info, library);
    pgs_info_view_finish(&view);
    return result;
}

VkResult pgs_library_behind_get(const struct pgs_create_call *call, struct pgs_library_part *part,
                                bool makes, struct pgs_raster_behind **behind)
{
    struct pgs_device *dev = call->dev;
    VkPipeline library;
    *behind = is_separable(part) ? pgs_raster_behind_find(dev, &part->behind) : NULL;
    if (*behind || !makes || !is_separable(part))
        return VK_SUCCESS;
    const VkResult result = make(dev, call->cache, part, &library);
    if (pgs_refuses_shaders(result) || (result == VK_SUCCESS && !library))
        return VK_SUCCESS; /* whole pipelines do without */
    if (result != VK_SUCCESS)
        return result;
    *behind = pgs_raster_behind_add(dev, &part->behind, library);
    return *behind ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_library_behind_add(const struct pgs_create_call *call, struct pgs_library_part *part,
                                bool makes, struct pgs_raster_link *link, bool *added)
{
    struct pgs_raster_behind *behind;
    const VkResult result = pgs_library_behind_get(call, part, makes, &behind);
    *added = behind != NULL;
    for (uint32_t i = 0; behind && i < link->count; i++)
        if (link->kept[i] == behind) {
            pgs_raster_behind_release(call->dev, behind);
            return result;
        }
    if (behind && link->count < 2) {
        link->kept[link->count] = behind;
        link->behind[link->count++] = behind->handle;
    } else if (behind) {
        pgs_raster_behind_release(call->dev, behind);
        *added = false;
    }
    return result;
}
