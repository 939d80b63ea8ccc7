/* SPDX-License-Identifier: MIT
 *
 * Subpass dependencies. They are widened on the side outside of the render pass; those that hoisted
 * compute work must wait for are kept.
 */
#include "command/pass/render_pass.h"

#include "command/fb_layers/fb_layer_slices.h"
#include "command/pass/order.h"
#include "command/pass/resumable.h"
#include "command/pass/split_render_pass.h"
#include "command/pass/sync.h"
#include "pipeline/kept_render_pass.h"

struct masks {
    VkPipelineStageFlags2 source, target;
    VkAccessFlags2 source_access, access;
};

/* Widens one side of a dependency for the driver; only graphics stages are legal for a subpass. */
static void widen_side(struct pgs_native_stages native, uint32_t subpass,
                       VkPipelineStageFlags2 *stages, VkAccessFlags2 *access)
{
    if (subpass == VK_SUBPASS_EXTERNAL) {
        *stages = pgs_widen_stages(*stages, native);
        *access = pgs_widen_access(*access, *stages);
    } else {
        *access = pgs_keep_graphics_access(*access, *stages);
        *stages = pgs_keep_graphics_stages(*stages, native);
    }
}

/* The accesses of stages before the rasterizer that a compute shader can make. */
static VkAccessFlags2 compute_access(VkAccessFlags2 access)
{
    return pgs_widen_access(access, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT) &
           (VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_SHADER_READ_BIT |
            VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_MEMORY_READ_BIT |
            VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
            VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
}

static void widen(struct pgs_native_stages native, struct masks *m, uint32_t from, uint32_t to,
                  bool by_region, struct pgs_render_pass *pass)
{
    struct pgs_pass_sync *sync = &pass->sync;
    const struct masks asked = *m;
    widen_side(native, from, &m->source, &m->source_access);
    widen_side(native, to, &m->target, &m->access);
    if (from == VK_SUBPASS_EXTERNAL && pgs_stages_move(asked.target)) {
        sync->before.source |= m->source;
        sync->before.source_access |= m->source_access;
        sync->before.target = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
        sync->before.target_access |= compute_access(asked.access);
    }
    if (from != VK_SUBPASS_EXTERNAL && pgs_stages_move(asked.source)) {
        sync->after.source = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
        sync->after.source_access |= compute_access(asked.source_access);
        sync->after.target |= m->target;
        sync->after.target_access |= m->access;
    }
    if (from != VK_SUBPASS_EXTERNAL && from != to && to != VK_SUBPASS_EXTERNAL)
        pgs_order_note_dependency(&pass->order, to, asked.source, asked.source_access, asked.target,
                                  asked.access, by_region);
}

void pgs_render_pass_finish(struct pgs_device *dev, struct pgs_render_pass *pass)
{
    pgs_split_pass_destroy(dev, pass->split);
    pgs_fb_layer_pass_destroy(dev, pass->fb_layers);
    pgs_free(pass->view_masks);
}

static VkResult keep(struct pgs_device *dev, VkRenderPass handle,
                     const struct pgs_render_pass *pass)
{
    struct pgs_render_pass *kept = pgs_alloc(sizeof(*kept));
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *kept = *pass;
    pgs_render_pass_note_resumable(kept);
    if (pgs_map_insert(&dev->commands->render_passes, (uint64_t)(uintptr_t)handle, kept))
        return VK_SUCCESS;
    pgs_free(kept);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_render_pass_keep(struct pgs_device *dev, VkResult result, struct pgs_render_pass *pass,
                              const VkAllocationCallbacks *allocator, VkRenderPass *handle)
{
    if (result == VK_SUCCESS)
        result = keep(dev, *handle, pass);
    if (result == VK_SUCCESS)
        return result;
    pgs_render_pass_finish(dev, pass);
    pgs_kept_render_pass_destroy(dev, *handle, allocator);
    *handle = VK_NULL_HANDLE;
    return result;
}

void pgs_dependency_widen(struct pgs_native_stages native, VkSubpassDependency *d,
                          struct pgs_render_pass *pass)
{
    const bool by_region = d->dependencyFlags & VK_DEPENDENCY_BY_REGION_BIT;
    struct masks m = {d->srcStageMask, d->dstStageMask, d->srcAccessMask, d->dstAccessMask};
    widen(native, &m, d->srcSubpass, d->dstSubpass, by_region, pass);
    d->srcStageMask = (VkPipelineStageFlags)m.source;
    d->dstStageMask = (VkPipelineStageFlags)m.target;
    d->srcAccessMask = (VkAccessFlags)m.source_access;
    d->dstAccessMask = (VkAccessFlags)m.access;
}

void pgs_dependency_widen2(struct pgs_native_stages native, VkSubpassDependency2 *d,
                           VkMemoryBarrier2 *b, struct pgs_render_pass *pass)
{
    const VkBaseInStructure *head = d->pNext;
    const bool by_region = d->dependencyFlags & VK_DEPENDENCY_BY_REGION_BIT;
    if (!head || head->sType != VK_STRUCTURE_TYPE_MEMORY_BARRIER_2) {
        struct masks m = {d->srcStageMask, d->dstStageMask, d->srcAccessMask, d->dstAccessMask};
        widen(native, &m, d->srcSubpass, d->dstSubpass, by_region, pass);
        d->srcStageMask = (VkPipelineStageFlags)m.source;
        d->dstStageMask = (VkPipelineStageFlags)m.target;
        d->srcAccessMask = (VkAccessFlags)m.source_access;
        d->dstAccessMask = (VkAccessFlags)m.access;
        return;
    }
    *b = *(const VkMemoryBarrier2 *)d->pNext;
    d->pNext = b;
    struct masks m = {b->srcStageMask, b->dstStageMask, b->srcAccessMask, b->dstAccessMask};
    widen(native, &m, d->srcSubpass, d->dstSubpass, by_region, pass);
    b->srcStageMask = m.source;
    b->dstStageMask = m.target;
    b->srcAccessMask = m.source_access;
    b->dstAccessMask = m.access;
}
