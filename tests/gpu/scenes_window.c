/* SPDX-License-Identifier: MIT
 *
 * A window that nobody sees (VK_EXT_headless_surface), of the size of a quarter.
 */
#include "scenes.h"

static void destroy_surface(struct vkt *t, uint64_t handle)
{
    vkDestroySurfaceKHR(t->instance, (VkSurfaceKHR)handle, NULL);
}

static bool has_format(const struct scene_actor *a, VkSurfaceKHR surface)
{
    VkSurfaceFormatKHR formats[16];
    uint32_t count = VKT_COUNT(formats);
    const VkResult result =
        vkGetPhysicalDeviceSurfaceFormatsKHR(a->own.physical, surface, &count, formats);
    bool has = false;
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        VKT_CALL(result);
    for (uint32_t i = 0; i < count; i++)
        has |= formats[i].format == SCENE_FORMAT &&
               formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    return has;
}

void scene_window_open(struct scene_actor *a)
{
    const VkHeadlessSurfaceCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSurfaceKHR surface;
    VkBool32 presents;
    if (!vkCreateHeadlessSurfaceEXT)
        return;
    VKT_CALL(vkCreateHeadlessSurfaceEXT(a->own.instance, &info, NULL, &surface));
    vkt_defer(&a->own, destroy_surface, (uint64_t)surface);
    VKT_CALL(vkGetPhysicalDeviceSurfaceSupportKHR(a->own.physical, a->own.queue_family, surface,
                                                  &presents));
    if (!presents || !has_format(a, surface))
        return;
    a->window.surface = surface;
    VKT_CALL(vkCreateSemaphore(a->own.device, &semaphore, NULL, &a->window.acquired));
    for (uint32_t i = 0; i < VKT_COUNT(a->window.drawn); i++)
        VKT_CALL(vkCreateSemaphore(a->own.device, &semaphore, NULL, &a->window.drawn[i]));
}

static void destroy_framebuffers(struct scene_window *w, VkDevice device)
{
    for (uint32_t i = 0; i < VKT_COUNT(w->images); i++) {
        vkDestroyFramebuffer(device, w->framebuffers[i], NULL);
        vkDestroyImageView(device, w->views[i], NULL);
        w->framebuffers[i] = VK_NULL_HANDLE;
        w->views[i] = VK_NULL_HANDLE;
    }
}

static void make_framebuffer(struct scene_actor *a, uint32_t i)
{
    struct scene_window *w = &a->window;
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = w->images[i],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = SCENE_FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VKT_CALL(vkCreateImageView(a->own.device, &view, NULL, &w->views[i]));
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = a->device->passes[SCENE_SHOWS],
        .attachmentCount = 1,
        .pAttachments = &w->views[i],
        .width = SCENE_SIDE_PX(w->size),
        .height = SCENE_SIDE_PX(w->size),
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(a->own.device, &info, NULL, &w->framebuffers[i]));
}

void scene_window_resize(struct scene_actor *a, uint32_t size)
{
    struct scene_window *w = &a->window;
    VkSurfaceCapabilitiesKHR can;
    const VkSwapchainKHR before = w->swapchain;
    if (!w->surface)
        return;
    VKT_CALL(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(a->own.physical, w->surface, &can));
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = w->surface,
        .minImageCount = can.minImageCount,
        .imageFormat = SCENE_FORMAT,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = {SCENE_SIDE_PX(size), SCENE_SIDE_PX(size)},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .preTransform = can.currentTransform,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_TRUE,
        .oldSwapchain = before,
    };
    destroy_framebuffers(w, a->own.device);
    VKT_CALL(vkCreateSwapchainKHR(a->own.device, &info, NULL, &w->swapchain));
    vkDestroySwapchainKHR(a->own.device, before, NULL);
    uint32_t count = VKT_COUNT(w->images);
    VKT_CALL(vkGetSwapchainImagesKHR(a->own.device, w->swapchain, &count, w->images));
    w->size = size;
    for (uint32_t i = 0; i < count; i++)
        make_framebuffer(a, i);
}

void scene_window_close(struct scene_actor *a)
{
    struct scene_window *w = &a->window;
    if (!w->surface)
        return;
    destroy_framebuffers(w, a->own.device);
    vkDestroySwapchainKHR(a->own.device, w->swapchain, NULL);
    vkDestroySemaphore(a->own.device, w->acquired, NULL);
    for (uint32_t i = 0; i < VKT_COUNT(w->drawn); i++)
        vkDestroySemaphore(a->own.device, w->drawn[i], NULL);
}

uint32_t scene_window_acquire(struct scene_actor *a)
{
    const struct scene_window *w = &a->window;
    uint32_t index;
    VKT_CALL(vkAcquireNextImageKHR(a->own.device, w->swapchain, UINT64_MAX, w->acquired,
                                   VK_NULL_HANDLE, &index));
    return index;
}

void scene_window_record(struct scene_actor *a, VkCommandBuffer cmd, uint32_t index, uint32_t kind)
{
    const struct scene_window *w = &a->window;
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkRect2D place = {.extent = {SCENE_SIDE_PX(w->size), SCENE_SIDE_PX(w->size)}};
    const VkClearValue clear = {.color = {{0}}};
    const VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = a->device->passes[SCENE_SHOWS],
        .framebuffer = w->framebuffers[index],
        .renderArea = place,
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    const VkBufferImageCopy region = {
        .bufferOffset = scene_window_offset_B(a),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {place.extent.width, place.extent.height, 1},
    };
    vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
    scene_record(a, cmd, kind, &place);
    vkCmdEndRenderPass(cmd);
    vkt_image_barrier(cmd, w->images[index], whole, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(cmd, w->images[index], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           a->read.buffer, 1, &region);
    vkt_image_barrier(cmd, w->images[index], whole, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                      VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

void scene_window_present(struct scene_actor *a, uint32_t index)
{
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &a->window.drawn[index],
        .swapchainCount = 1,
        .pSwapchains = &a->window.swapchain,
        .pImageIndices = &index,
    };
    pthread_mutex_lock(&a->device->queue_lock);
    VKT_CALL(vkQueuePresentKHR(a->own.queue, &info));
    pthread_mutex_unlock(&a->device->queue_lock);
}
