/* SPDX-License-Identifier: MIT
 *
 * Creation and destruction of render passes.
 */
#include "command/fb_layers/fb_layer_slices.h"
#include "command/pass/render_pass.h"
#include "command/pass/split_render_pass.h"
#include "command/state/views.h"
#include "pipeline/kept_render_pass.h"
#include "vulkan/hooks.h"

/* Render passes that libraries may keep get none of the application: see pipeline_libraries. */
static const VkAllocationCallbacks *allocator_of_pass(const struct pgs_device *dev,
                                                      const VkAllocationCallbacks *allocator)
{
    return dev->pipeline_libraries ? NULL : allocator;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateRenderPass(VkDevice device,
                                                    const VkRenderPassCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator,
                                                    VkRenderPass *pRenderPass)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateRenderPass(device, pCreateInfo, pAllocator, pRenderPass);
    pAllocator = allocator_of_pass(dev, pAllocator);
    struct pgs_render_pass pass = {0};
    VkRenderPassCreateInfo info = *pCreateInfo;
    VkSubpassDependency *dependencies = pgs_calloc(info.dependencyCount, sizeof(*dependencies));
    if (info.dependencyCount && !dependencies)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info.dependencyCount; i++) {
        dependencies[i] = pCreateInfo->pDependencies[i];
        pgs_dependency_widen(dev->native, &dependencies[i], &pass);
    }
    info.pDependencies = dependencies;
    VkResult result = dev->vk.CreateRenderPass(device, &info, pAllocator, pRenderPass);
    if (result == VK_SUCCESS) {
        result = pgs_split_pass_create(&info, &pass.split);
        if (result == VK_SUCCESS)
            result = pgs_fb_layer_pass_create(dev, &info, &pass.fb_layers);
        if (result == VK_SUCCESS)
            result = pgs_views_keep(&info, &pass);
        if (result == VK_SUCCESS)
            result = pgs_kept_render_pass_note(dev, &info, pAllocator, *pRenderPass);
        result = pgs_render_pass_keep(dev, result, &pass, pAllocator, pRenderPass);
    }
    pgs_free(dependencies);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateRenderPass2(VkDevice device,
                                                     const VkRenderPassCreateInfo2 *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkRenderPass *pRenderPass)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateRenderPass2(device, pCreateInfo, pAllocator, pRenderPass);
    pAllocator = allocator_of_pass(dev, pAllocator);
    struct pgs_render_pass pass = {0};
    VkRenderPassCreateInfo2 info = *pCreateInfo;
    VkSubpassDependency2 *dependencies = pgs_calloc(info.dependencyCount, sizeof(*dependencies));
    VkMemoryBarrier2 *barriers = pgs_calloc(info.dependencyCount, sizeof(*barriers));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (info.dependencyCount && (!dependencies || !barriers))
        goto done;
    for (uint32_t i = 0; i < info.dependencyCount; i++) {
        dependencies[i] = pCreateInfo->pDependencies[i];
        pgs_dependency_widen2(dev->native, &dependencies[i], &barriers[i], &pass);
    }
    info.pDependencies = dependencies;
    result = dev->vk.CreateRenderPass2(device, &info, pAllocator, pRenderPass);
    if (result == VK_SUCCESS) {
        result = pgs_split_pass_create2(&info, &pass.split);
        if (result == VK_SUCCESS)
            result = pgs_fb_layer_pass_create2(dev, &info, &pass.fb_layers);
        if (result == VK_SUCCESS)
            result = pgs_views_keep2(&info, &pass);
        if (result == VK_SUCCESS)
            result = pgs_kept_render_pass_note2(dev, &info, pAllocator, *pRenderPass);
        result = pgs_render_pass_keep(dev, result, &pass, pAllocator, pRenderPass);
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
    if (!dev->active) {
        dev->vk.DestroyRenderPass(device, renderPass, pAllocator);
        return;
    }
    if (renderPass) {
        pgs_note_destroyed(&dev->destroyed.render_passes);
        struct pgs_render_pass *pass =
            pgs_map_remove(&dev->commands->render_passes, (uint64_t)(uintptr_t)renderPass);
        if (pass)
            pgs_render_pass_finish(dev, pass);
        pgs_free(pass);
    }
    pgs_kept_render_pass_destroy(dev, renderPass, allocator_of_pass(dev, pAllocator));
}
