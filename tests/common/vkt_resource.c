/* SPDX-License-Identifier: MIT */
#include "common/vkt.h"

#include <string.h>

void vkt_destroy_buffer(struct vkt *t, uint64_t handle)
{
    vkDestroyBuffer(t->device, (VkBuffer)handle, NULL);
}

void vkt_free_memory(struct vkt *t, uint64_t handle)
{
    vkFreeMemory(t->device, (VkDeviceMemory)handle, NULL);
}

void vkt_destroy_image(struct vkt *t, uint64_t handle)
{
    vkDestroyImage(t->device, (VkImage)handle, NULL);
}

void vkt_destroy_image_view(struct vkt *t, uint64_t handle)
{
    vkDestroyImageView(t->device, (VkImageView)handle, NULL);
}

void vkt_destroy_sampler(struct vkt *t, uint64_t handle)
{
    vkDestroySampler(t->device, (VkSampler)handle, NULL);
}

void vkt_destroy_buffer_view(struct vkt *t, uint64_t handle)
{
    vkDestroyBufferView(t->device, (VkBufferView)handle, NULL);
}

void vkt_destroy_render_pass(struct vkt *t, uint64_t handle)
{
    vkDestroyRenderPass(t->device, (VkRenderPass)handle, NULL);
}

void vkt_destroy_framebuffer(struct vkt *t, uint64_t handle)
{
    vkDestroyFramebuffer(t->device, (VkFramebuffer)handle, NULL);
}

void vkt_destroy_query_pool(struct vkt *t, uint64_t handle)
{
    vkDestroyQueryPool(t->device, (VkQueryPool)handle, NULL);
}

static bool find_memory(const struct vkt *t, uint32_t type_bits, VkMemoryPropertyFlags need,
                        uint32_t *type)
{
    for (uint32_t i = 0; i < t->memory.memoryTypeCount; i++) {
        if ((type_bits >> i & 1) && (t->memory.memoryTypes[i].propertyFlags & need) == need) {
            *type = i;
            return true;
        }
    }
    return false;
}

/* *type: the memory type that it is of. */
static VkDeviceMemory allocate(struct vkt *t, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags must, VkMemoryPropertyFlags like,
                               uint32_t *type)
{
    const VkMemoryAllocateFlagsInfo addressed = {.sType =
                                                     VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                 .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = t->options.addresses ? &addressed : NULL,
                                 .allocationSize = needs->size};
    if (!find_memory(t, needs->memoryTypeBits, must | like, &info.memoryTypeIndex) &&
        !find_memory(t, needs->memoryTypeBits, must, &info.memoryTypeIndex))
        vkt_die("no memory type with properties 0x%x", must);
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(t->device, &info, NULL, &memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)memory);
    *type = info.memoryTypeIndex;
    return memory;
}

struct vkt_buffer vkt_buffer_chained(struct vkt *t, const void *next, VkDeviceSize size_B,
                                     VkBufferUsageFlags usage, uint8_t fill)
{
    struct vkt_buffer b = {.size_B = size_B};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = next,
        .size = size_B,
        .usage = usage,
    };
    VKT_CALL(vkCreateBuffer(t->device, &info, NULL, &b.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(t->device, b.buffer, &needs);
    const VkMemoryPropertyFlags must =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    /* What the host reads back wants a cache; everything else the device. */
    const VkMemoryPropertyFlags like = usage & VK_BUFFER_USAGE_TRANSFER_DST_BIT
                                           ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT
                                           : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    b.memory = allocate(t, &needs, must, like, &b.memory_type);
    vkt_defer(t, vkt_destroy_buffer, (uint64_t)b.buffer);
    VKT_CALL(vkBindBufferMemory(t->device, b.buffer, b.memory, 0));
    VKT_CALL(vkMapMemory(t->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
    memset(b.map, fill, size_B);
    return b;
}

struct vkt_buffer vkt_buffer(struct vkt *t, VkDeviceSize size_B, VkBufferUsageFlags usage,
                             uint8_t fill)
{
    return vkt_buffer_chained(t, NULL, size_B, usage, fill);
}

struct vkt_buffer vkt_buffer_from(struct vkt *t, const void *data, VkDeviceSize size_B,
                                  VkBufferUsageFlags usage)
{
    const struct vkt_buffer b = vkt_buffer(t, size_B, usage, 0);
    memcpy(b.map, data, size_B);
    return b;
}

static VkImageAspectFlags aspect_of(VkFormat format)
{
    return format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D16_UNORM
               ? VK_IMAGE_ASPECT_DEPTH_BIT
               : VK_IMAGE_ASPECT_COLOR_BIT;
}

struct vkt_image vkt_image(struct vkt *t, VkFormat format, uint32_t width_px, uint32_t height_px,
                           VkImageUsageFlags usage)
{
    struct vkt_image image = {
        .format = format,
        .width_px = width_px,
        .height_px = height_px,
        .aspect = aspect_of(format),
    };
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {width_px, height_px, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
    };
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &image.image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(t->device, image.image, &needs);
    uint32_t type;
    image.memory = allocate(t, &needs, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &type);
    vkt_defer(t, vkt_destroy_image, (uint64_t)image.image);
    VKT_CALL(vkBindImageMemory(t->device, image.image, image.memory, 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {image.aspect, 0, 1, 0, 1},
    };
    VKT_CALL(vkCreateImageView(t->device, &view, NULL, &image.view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)image.view);
    return image;
}

void vkt_image_barrier(VkCommandBuffer cmd, VkImage image, VkImageSubresourceRange range,
                       VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = range,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkBufferImageCopy whole_image(const struct vkt_image *image)
{
    return (VkBufferImageCopy){
        .imageSubresource = {image->aspect, 0, 0, 1},
        .imageExtent = {image->width_px, image->height_px, 1},
    };
}

void vkt_image_upload(struct vkt *t, const struct vkt_image *image, const void *texels,
                      VkDeviceSize size_B, VkImageLayout layout)
{
    const struct vkt_buffer source =
        vkt_buffer_from(t, texels, size_B, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    const VkBufferImageCopy region = whole_image(image);
    const VkImageSubresourceRange range = {image->aspect, 0, 1, 0, 1};
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_image_barrier(cmd, image->image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(cmd, source.buffer, image->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           1, &region);
    vkt_image_barrier(cmd, image->image, range, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, layout);
    vkt_submit(t, cmd);
}

struct vkt_buffer vkt_image_read(struct vkt *t, const struct vkt_image *image,
                                 uint32_t texel_size_B)
{
    const VkDeviceSize size_B = (VkDeviceSize)image->width_px * image->height_px * texel_size_B;
    const struct vkt_buffer out = vkt_buffer(t, size_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    const VkBufferImageCopy region = whole_image(image);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_barrier_all(cmd);
    vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, out.buffer, 1,
                           &region);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    return out;
}

VkSampler vkt_sampler(struct vkt *t, VkFilter filter)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = filter,
        .minFilter = filter,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    };
    VkSampler sampler;
    VKT_CALL(vkCreateSampler(t->device, &info, NULL, &sampler));
    vkt_defer(t, vkt_destroy_sampler, (uint64_t)sampler);
    return sampler;
}

VkBufferView vkt_buffer_view(struct vkt *t, VkBuffer buffer, VkFormat format)
{
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer,
        .format = format,
        .range = VK_WHOLE_SIZE,
    };
    VkBufferView view;
    VKT_CALL(vkCreateBufferView(t->device, &info, NULL, &view));
    vkt_defer(t, vkt_destroy_buffer_view, (uint64_t)view);
    return view;
}

static VkRenderPass target_pass(struct vkt *t, VkFormat color, VkFormat depth, bool load)
{
    const VkAttachmentLoadOp op = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
    const VkAttachmentDescription attachments[2] = {
        {
            .format = color,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = op,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .initialLayout =
                load ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
            .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        },
        {
            .format = depth,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = op,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .initialLayout =
                load ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
            .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        },
    };
    const VkAttachmentReference color_ref = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth_ref = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const bool has_depth = depth != VK_FORMAT_UNDEFINED;
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color_ref,
        .pDepthStencilAttachment = has_depth ? &depth_ref : NULL,
    };
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
         VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT, 0},
        {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT, 0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = has_depth ? 2 : 1,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = VKT_COUNT(dependencies),
        .pDependencies = dependencies,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(t->device, &info, NULL, &pass));
    vkt_defer(t, vkt_destroy_render_pass, (uint64_t)pass);
    return pass;
}

struct vkt_target vkt_target(struct vkt *t, VkFormat color, VkFormat depth, uint32_t width_px,
                             uint32_t height_px)
{
    struct vkt_target target = {.has_depth = depth != VK_FORMAT_UNDEFINED};
    target.color = vkt_image(t, color, width_px, height_px,
                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    VkImageView views[2] = {target.color.view, VK_NULL_HANDLE};
    if (target.has_depth) {
        target.depth = vkt_image(t, depth, width_px, height_px,
                                 VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                     VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
        views[1] = target.depth.view;
    }
    target.pass = target_pass(t, color, depth, false);
    target.load_pass = target_pass(t, color, depth, true);
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = target.pass,
        .attachmentCount = target.has_depth ? 2 : 1,
        .pAttachments = views,
        .width = width_px,
        .height = height_px,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(t->device, &info, NULL, &target.framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)target.framebuffer);
    return target;
}

void vkt_target_begin(VkCommandBuffer cmd, const struct vkt_target *target, bool load,
                      VkSubpassContents contents)
{
    const VkClearValue clear[2] = {{.color = {{0}}}, {.depthStencil = {1.0f, 0}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = load ? target->load_pass : target->pass,
        .framebuffer = target->framebuffer,
        .renderArea = {{0, 0}, {target->color.width_px, target->color.height_px}},
        .clearValueCount = target->has_depth ? 2 : 1,
        .pClearValues = clear,
    };
    vkCmdBeginRenderPass(cmd, &info, contents);
}
