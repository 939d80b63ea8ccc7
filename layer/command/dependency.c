/* SPDX-License-Identifier: MIT
 *
 * Subpass dependencies: widened on the side outside the render pass, and those that hoisted compute
 * work has to wait for kept.
 */
#include "base/alloc.h"
#include "base/log.h"
#include "command/buffer.h"
#include "vulkan/hooks.h"
#include "vulkan/stages.h"

#define RASTER_STAGES                                                                              \
    (VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT |              \
     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)

struct masks {
    VkPipelineStageFlags2 source, target;
    VkAccessFlags2 source_access, access;
};

static VkPipelineStageFlags2 stages_of(uint32_t subpass, VkPipelineStageFlags2 stages)
{
    return subpass == VK_SUBPASS_EXTERNAL ? pgs_stages_outside(stages) : pgs_stages_inside(stages);
}

static void widen(struct masks *m, uint32_t from, uint32_t to, struct pgs_pass_sync *sync)
{
    const VkPipelineStageFlags2 target = pgs_stages_outside(m->target);
    m->source = stages_of(from, m->source);
    m->target = stages_of(to, m->target);
    if (from == VK_SUBPASS_EXTERNAL)
        m->source_access = pgs_widen_access(m->source_access, m->source);
    const bool moved = pgs_stages_link_draws(target, target);
    if (from == VK_SUBPASS_EXTERNAL && moved) {
        const VkAccessFlags2 access = pgs_widen_access(m->access, target);
        sync->source_stages |= m->source;
        sync->source_access |= m->source_access;
        /* Of what the stages before the rasterizer access, what a compute shader can. */
        sync->access |=
            access & (VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_SHADER_READ_BIT |
                      VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_MEMORY_READ_BIT |
                      VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                      VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    } else if (from != to && to != VK_SUBPASS_EXTERNAL && moved && (m->source & RASTER_STAGES) &&
               (m->source_access &
                (VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT))) {
        pgs_log_once(PGS_LOG_ERROR,
                     "a render pass hands what fragment shaders write to vertex stages of a "
                     "later subpass: geometry shaders there run too early to see it");
    }
    if (to == VK_SUBPASS_EXTERNAL)
        m->access = pgs_widen_access(m->access, m->target);
}

/* Takes over *pass by copy, where there is something in it. */
static VkResult keep(struct pgs_device *dev, VkRenderPass handle,
                     const struct pgs_render_pass *pass)
{
    if (!pass->sync.source_stages && !pass->again && !pass->obstacle)
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
                                const struct pgs_render_pass *pass,
                                const VkAllocationCallbacks *allocator, VkRenderPass *handle)
{
    if (result == VK_SUCCESS)
        result = keep(dev, *handle, pass);
    if (result == VK_SUCCESS)
        return result;
    if (pass->again)
        dev->vk.DestroyRenderPass(dev->handle, pass->again, NULL);
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
        widen(&m, d->srcSubpass, d->dstSubpass, &pass.sync);
        d->srcStageMask = (VkPipelineStageFlags)m.source;
        d->dstStageMask = (VkPipelineStageFlags)m.target;
        d->srcAccessMask = (VkAccessFlags)m.source_access;
        d->dstAccessMask = (VkAccessFlags)m.access;
    }
    info.pDependencies = dependencies;
    VkResult result = dev->vk.CreateRenderPass(device, &info, pAllocator, pRenderPass);
    if (result == VK_SUCCESS) {
        result = pgs_render_pass_prepare(dev, &info, &pass);
        result = finish_creation(dev, result, &pass, pAllocator, pRenderPass);
    }
    pgs_free(dependencies);
    return result;
}

/* *b takes the copy of the barrier that may stand in the chain and then replaces the masks. */
static void widen2(VkSubpassDependency2 *d, VkMemoryBarrier2 *b, struct pgs_pass_sync *sync)
{
    const VkBaseInStructure *head = d->pNext;
    if (!head || head->sType != VK_STRUCTURE_TYPE_MEMORY_BARRIER_2) {
        struct masks m = {d->srcStageMask, d->dstStageMask, d->srcAccessMask, d->dstAccessMask};
        widen(&m, d->srcSubpass, d->dstSubpass, sync);
        d->srcStageMask = (VkPipelineStageFlags)m.source;
        d->dstStageMask = (VkPipelineStageFlags)m.target;
        d->srcAccessMask = (VkAccessFlags)m.source_access;
        d->dstAccessMask = (VkAccessFlags)m.access;
        return;
    }
    *b = *(const VkMemoryBarrier2 *)d->pNext;
    d->pNext = b;
    struct masks m = {b->srcStageMask, b->dstStageMask, b->srcAccessMask, b->dstAccessMask};
    widen(&m, d->srcSubpass, d->dstSubpass, sync);
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
        widen2(&dependencies[i], &barriers[i], &pass.sync);
    }
    info.pDependencies = dependencies;
    result = dev->vk.CreateRenderPass2(device, &info, pAllocator, pRenderPass);
    if (result == VK_SUCCESS) {
        result = pgs_render_pass_prepare2(dev, &info, &pass);
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
        if (pass && pass->again)
            dev->vk.DestroyRenderPass(device, pass->again, NULL);
        pgs_free(pass);
    }
    dev->vk.DestroyRenderPass(device, renderPass, pAllocator);
}
