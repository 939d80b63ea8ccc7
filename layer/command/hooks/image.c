/* SPDX-License-Identifier: MIT
 *
 * Images, views and framebuffers: noted for passes that are recorded once per layer, and views for
 * shader objects.
 */
#include "command/fb_layers/fb_layer_slices.h"
#include "command/fb_layers/fb_layer_views.h"
#include "command/state/target.h"
#include "vulkan/hooks.h"

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateImage(VkDevice device,
                                               const VkImageCreateInfo *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkImage *pImage)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkResult result = dev->vk.CreateImage(device, pCreateInfo, pAllocator, pImage);
    if (result != VK_SUCCESS)
        return result;
    result = pgs_fb_layer_note_image(dev, *pImage, pCreateInfo);
    if (result == VK_SUCCESS)
        result = pgs_image_note(dev, *pImage, pCreateInfo);
    if (result == VK_SUCCESS)
        return VK_SUCCESS;
    pgs_fb_layer_forget_image(dev, *pImage);
    pgs_image_forget(dev, *pImage);
    dev->vk.DestroyImage(device, *pImage, pAllocator);
    *pImage = VK_NULL_HANDLE;
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyImage(VkDevice device, VkImage image,
                                            const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (image) {
        pgs_fb_layer_forget_image(dev, image);
        pgs_image_forget(dev, image);
    }
    dev->vk.DestroyImage(device, image, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateImageView(VkDevice device,
                                                   const VkImageViewCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkImageView *pView)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkResult result = dev->vk.CreateImageView(device, pCreateInfo, pAllocator, pView);
    if (result != VK_SUCCESS)
        return result;
    result = pgs_fb_layer_note_view(dev, *pView, pCreateInfo);
    if (result == VK_SUCCESS)
        result = pgs_target_note_view(dev, *pView, pCreateInfo->format);
    if (result == VK_SUCCESS)
        return VK_SUCCESS;
    pgs_fb_layer_forget_view(dev, *pView);
    dev->vk.DestroyImageView(device, *pView, pAllocator);
    *pView = VK_NULL_HANDLE;
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyImageView(VkDevice device, VkImageView imageView,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (imageView) {
        pgs_fb_layer_forget_view(dev, imageView);
        pgs_target_forget_view(dev, imageView);
    }
    dev->vk.DestroyImageView(device, imageView, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateFramebuffer(VkDevice device,
                                                     const VkFramebufferCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkFramebuffer *pFramebuffer)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkResult result = dev->vk.CreateFramebuffer(device, pCreateInfo, pAllocator, pFramebuffer);
    if (result != VK_SUCCESS)
        return result;
    result = pgs_fb_layer_note_framebuffer(dev, *pFramebuffer, pCreateInfo);
    if (result == VK_SUCCESS)
        return VK_SUCCESS;
    dev->vk.DestroyFramebuffer(device, *pFramebuffer, pAllocator);
    *pFramebuffer = VK_NULL_HANDLE;
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyFramebuffer(VkDevice device, VkFramebuffer framebuffer,
                                                  const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (framebuffer)
        pgs_fb_layer_forget_framebuffer(dev, framebuffer);
    dev->vk.DestroyFramebuffer(device, framebuffer, pAllocator);
}
