/* SPDX-License-Identifier: MIT */
#include "views.h"

#define FORMAT VK_FORMAT_R32_UINT

static const VkImageSubresourceRange all_layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                                   VK_REMAINING_ARRAY_LAYERS};

static void make_image(struct vkt *t, struct vkt_image *made, uint32_t views)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = FORMAT,
        .extent = {made->width_px, made->height_px, 1},
        .mipLevels = 1,
        .arrayLayers = views,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &made->image));
    vkt_defer(t, vkt_destroy_image, (uint64_t)made->image);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(t->device, made->image, &needs);
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits),
    };
    VKT_CALL(vkAllocateMemory(t->device, &allocate, NULL, &made->memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)made->memory);
    VKT_CALL(vkBindImageMemory(t->device, made->image, made->memory, 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = made->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = FORMAT,
        .subresourceRange = all_layers,
    };
    VKT_CALL(vkCreateImageView(t->device, &view, NULL, &made->view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)made->view);
}

static VkRenderPass make_pass(struct vkt *t, uint32_t views, bool load)
{
    const VkImageLayout between = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const uint32_t mask = (1u << views) - 1;
    const VkAttachmentDescription attachment = {
        .format = FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = load ? between : VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = between,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &reference,
    };
    const VkAccessFlags any = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
         VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, any, 0},
        {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, any, 0},
    };
    const VkRenderPassMultiviewCreateInfo multiview = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &mask,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = &multiview,
        .attachmentCount = 1,
        .pAttachments = &attachment,
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

struct vkt_target fuzz_views_target(struct vkt *t, uint32_t side_px, uint32_t views)
{
    struct vkt_target target = {.color = {.format = FORMAT,
                                          .width_px = side_px,
                                          .height_px = side_px,
                                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT}};
    make_image(t, &target.color, views);
    target.pass = make_pass(t, views, false);
    target.load_pass = make_pass(t, views, true);
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = target.pass,
        .attachmentCount = 1,
        .pAttachments = &target.color.view,
        .width = side_px,
        .height = side_px,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(t->device, &info, NULL, &target.framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)target.framebuffer);
    return target;
}

struct vkt_buffer fuzz_views_read(struct vkt *t, const struct vkt_target *target, uint32_t views)
{
    const struct vkt_image *image = &target->color;
    const VkDeviceSize size_B = (VkDeviceSize)image->width_px * image->height_px * views * 4;
    const struct vkt_buffer out = vkt_buffer(t, size_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, views},
        .imageExtent = {image->width_px, image->height_px, 1},
    };
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_barrier_all(cmd);
    vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, out.buffer, 1,
                           &region);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    return out;
}
