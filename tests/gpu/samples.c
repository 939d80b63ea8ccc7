/* SPDX-License-Identifier: MIT */
#include "gpu/samples.h"

static const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

/* An image of four samples in each pixel. */
static VkImageView make_samples(struct vkt *t, const struct vkt_image *like, VkImage *image)
{
    const VkImageCreateInfo image_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = like->format,
        .extent = {like->width_px, like->height_px, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_4_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    VKT_CALL(vkCreateImage(t->device, &image_info, NULL, image));
    vkt_defer(t, vkt_destroy_image, (uint64_t)*image);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(t->device, *image, &needs);
    VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .allocationSize = needs.size};
    while (!(needs.memoryTypeBits >> memory_info.memoryTypeIndex & 1))
        memory_info.memoryTypeIndex++;
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(t->device, &memory_info, NULL, &memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)memory);
    VKT_CALL(vkBindImageMemory(t->device, *image, memory, 0));
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = *image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = like->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkImageView view;
    VKT_CALL(vkCreateImageView(t->device, &view_info, NULL, &view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)view);
    return view;
}

void samples_begin(struct vkt *t, VkCommandBuffer cmd, const struct vkt_image *image)
{
    VkImage samples;
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = make_samples(t, image, &samples),
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageView = image->view,
        .resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {image->width_px, image->height_px}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    vkt_image_barrier(cmd, samples, all, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkt_image_barrier(cmd, image->image, all, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(cmd, &rendering);
}

void samples_end(VkCommandBuffer cmd, const struct vkt_image *image)
{
    vkCmdEndRendering(cmd);
    vkt_image_barrier(cmd, image->image, all, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}
