/* SPDX-License-Identifier: MIT
 *
 * Subpass dependencies: widened on the side outside the render pass, and those that hoisted compute
 * work has to wait for kept.
 */
#include "base/alloc.h"
#include "base/log.h"
#include "command/fb_layers/fb_layer_slices.h"
#include "command/pass/split.h"
#include "command/state/buffer.h"
#include "vulkan/hooks.h"
#include "vulkan/stages.h"

#define RASTER_STAGES                                                                              \
    (VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT |              \
     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)

struct masks {
    VkPipelineStageFlags2 source, target;
    VkAccessFlags2 source_access, access;
};

/* One side of a dependency, for the driver: of a subpass only graphics stages are legal. */
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

/* Of what stages before the rasterizer access, what a compute shader can. */
static VkAccessFlags2 compute_access(VkAccessFlags2 access)
{
    return pgs_widen_access(access, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT) &
           (VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_SHADER_READ_BIT |
            VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_MEMORY_READ_BIT |
            VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
            VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
}

static void widen(struct pgs_native_stages native, struct masks *m, uint32_t from, uint32_t to,
                  struct pgs_pass_sync *sync)
{
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
    if (from != VK_SUBPASS_EXTERNAL && from != to && to != VK_SUBPASS_EXTERNAL &&
        pgs_stages_move(asked.target) && (m->source & RASTER_STAGES) &&
        (asked.source_access &
         (VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)))
        pgs_log_once(PGS_LOG_ERROR,
                     "a render pass hands what fragment shaders write to vertex stages of a "
                     "later subpass: geometry shaders there run too early to see it");
}

void pgs_render_pass_finish(struct pgs_device *dev, struct pgs_render_pass *pass)
{
    if (pass->again)
        dev->vk.DestroyRenderPass(dev->handle, pass->again, NULL);
    pgs_layer_pass_destroy(dev, pass->layers);
    pgs_free(pass->view_masks);
}

/* Takes over *pass by copy, where there is something in it. */
static VkResult keep(struct pgs_device *dev, VkRenderPass handle,
                     const struct pgs_render_pass *pass)
{
    if (!pass->sync.before.source && !pass->sync.after.source && !pass->again && !pass->obstacle &&
        !pass->layers && !pass->view_masks)
        return VK_SUCCESS;
    struct pgs_render_pass *kept = pgs_alloc(sizeof(*kept));
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *kept = *pass;
    if (pgs_map_insert(&dev->commands->render_passes, (uint64_t)(uintptr_t)handle, kept))
        return VK_SUCCESS;
    pgs_free(kept);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* `result`: of the preparation. */
static VkResult finish_creation(struct pgs_device *dev, VkResult result,
                                struct pgs_render_pass *pass,
                                const VkAllocationCallbacks *allocator, VkRenderPass *handle)
{
    if (result == VK_SUCCESS)
        result = keep(dev, *handle, pass);
    if (result == VK_SUCCESS)
        return result;
    pgs_render_pass_finish(dev, pass);
    dev->vk.DestroyRenderPass(dev->handle, *handle, allocator);
    *handle = VK_NULL_HANDLE;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateRenderPass(VkDevice device,
                                                    const VkRenderPassCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator,
                                                    VkRenderPass *pRenderPass)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateRenderPass(device, pCreateInfo, pAllocator, pRenderPass);
    struct pgs_render_pass pass = {0};
    VkRenderPassCreateInfo info = *pCreateInfo;
    VkSubpassDependency *dependencies = pgs_calloc(info.dependencyCount, sizeof(*dependencies));
    if (info.dependencyCount && !dependencies)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info.dependencyCount; i++) {
        VkSubpassDependency *d = &dependencies[i];
        *d = pCreateInfo->pDependencies[i];
        struct masks m = {d->srcStageMask, d->dstStageMask, d->srcAccessMask, d->dstAccessMask};
        widen(dev->native, &m, d->srcSubpass, d->dstSubpass, &pass.sync);
        d->srcStageMask = (VkPipelineStageFlags)m.source;
        d->dstStageMask = (VkPipelineStageFlags)m.target;
        d->srcAccessMask = (VkAccessFlags)m.source_access;
        d->dstAccessMask = (VkAccessFlags)m.access;
    }
    info.pDependencies = dependencies;
    VkResult result = dev->vk.CreateRenderPass(device, &info, pAllocator, pRenderPass);
    if (result == VK_SUCCESS) {
        result = pgs_render_pass_prepare(dev, &info, &pass);
        if (result == VK_SUCCESS)
            result = pgs_layer_pass_create(dev, &info, &pass.layers);
        if (result == VK_SUCCESS)
            result = pgs_views_keep(dev, &info, &pass);
        result = finish_creation(dev, result, &pass, pAllocator, pRenderPass);
    }
    pgs_free(dependencies);
    return result;
}

/* *b takes the copy of the barrier that may stand in the chain and then replaces the masks. */
static void widen2(struct pgs_native_stages native, VkSubpassDependency2 *d, VkMemoryBarrier2 *b,
                   struct pgs_pass_sync *sync)
{
    const VkBaseInStructure *head = d->pNext;
    if (!head || head->sType != VK_STRUCTURE_TYPE_MEMORY_BARRIER_2) {
        struct masks m = {d->srcStageMask, d->dstStageMask, d->srcAccessMask, d->dstAccessMask};
        widen(native, &m, d->srcSubpass, d->dstSubpass, sync);
        d->srcStageMask = (VkPipelineStageFlags)m.source;
        d->dstStageMask = (VkPipelineStageFlags)m.target;
        d->srcAccessMask = (VkAccessFlags)m.source_access;
        d->dstAccessMask = (VkAccessFlags)m.access;
        return;
    }
    *b = *(const VkMemoryBarrier2 *)d->pNext;
    d->pNext = b;
    struct masks m = {b->srcStageMask, b->dstStageMask, b->srcAccessMask, b->dstAccessMask};
    widen(native, &m, d->srcSubpass, d->dstSubpass, sync);
    b->srcStageMask = m.source;
    b->dstStageMask = m.target;
    b->srcAccessMask = m.source_access;
    b->dstAccessMask = m.access;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateRenderPass2(VkDevice device,
                                                     const VkRenderPassCreateInfo2 *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkRenderPass *pRenderPass)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateRenderPass2(device, pCreateInfo, pAllocator, pRenderPass);
    struct pgs_render_pass pass = {0};
    VkRenderPassCreateInfo2 info = *pCreateInfo;
    VkSubpassDependency2 *dependencies = pgs_calloc(info.dependencyCount, sizeof(*dependencies));
    VkMemoryBarrier2 *barriers = pgs_calloc(info.dependencyCount, sizeof(*barriers));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (info.dependencyCount && (!dependencies || !barriers))
        goto done;
    for (uint32_t i = 0; i < info.dependencyCount; i++) {
        dependencies[i] = pCreateInfo->pDependencies[i];
        widen2(dev->native, &dependencies[i], &barriers[i], &pass.sync);
    }
    info.pDependencies = dependencies;
    result = dev->vk.CreateRenderPass2(device, &info, pAllocator, pRenderPass);
    if (result == VK_SUCCESS) {
        result = pgs_render_pass_prepare2(dev, &info, &pass);
        if (result == VK_SUCCESS)
            result = pgs_layer_pass_create2(dev, &info, &pass.layers);
        if (result == VK_SUCCESS)
            result = pgs_views_keep2(dev, &info, &pass);
        result = finish_creation(dev, result, &pass, pAllocator, pRenderPass);
    }
done:
    pgs_free(barriers);
    pgs_free(dependencies);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyRenderPass(VkDevice device, VkRenderPass renderPass,
                                                 const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && renderPass) {
        struct pgs_render_pass *pass =
            pgs_map_remove(&dev->commands->render_passes, (uint64_t)(uintptr_t)renderPass);
        if (pass)
            pgs_render_pass_finish(dev, pass);
        pgs_free(pass);
    }
    dev->vk.DestroyRenderPass(device, renderPass, pAllocator);
}
