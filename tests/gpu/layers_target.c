/* SPDX-License-Identifier: MIT */
#include "gpu/layers.h"

#include <stdio.h>

const char *const layers_kind_names[LAYERS_KINDS] = {"array", "cube", "slices", "one"};
const char *const layers_way_names[LAYERS_WAYS] = {"pass", "imageless", "rendering"};

static const struct kind {
    VkImageType type;
    VkImageViewType view_type;
    VkImageCreateFlags flags;
    uint32_t depth_px, image_layers, base_layer, layer_count;
} kinds[LAYERS_KINDS] = {
    [LAYERS_ARRAY] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, 1, 7, 1, 5},
    [LAYERS_CUBE] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT,
                     1, 6, 0, 6},
    [LAYERS_SLICES] = {VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                       VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT, 4, 1, 0, 4},
    [LAYERS_ONE] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, 0, 1, 1, 0, 1},
};

static VkImageUsageFlags usage_of(VkImageAspectFlags aspect)
{
    return VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
           (aspect == VK_IMAGE_ASPECT_COLOR_BIT ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                                : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

static void bind_memory(struct vkt *t, VkImage image)
{
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(t->device, image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1))
        type++;
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(t->device, &info, NULL, &memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)memory);
    VKT_CALL(vkBindImageMemory(t->device, image, memory, 0));
}

static struct layers_image make_image(struct vkt *t, const struct kind *kind, VkFormat format,
                                      VkImageAspectFlags aspect)
{
    struct layers_image made = {.aspect = aspect, .image_layers = kind->image_layers};
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = kind->flags,
        .imageType = kind->type,
        .format = format,
        .extent = {LAYERS_SIDE_PX, LAYERS_SIDE_PX, kind->depth_px},
        .mipLevels = 1,
        .arrayLayers = kind->image_layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage_of(aspect) | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &made.image));
    bind_memory(t, made.image);
    vkt_defer(t, vkt_destroy_image, (uint64_t)made.image);
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = usage_of(aspect), /* less than the image has */
    };
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = made.image,
        .viewType = kind->view_type,
        .format = format,
        .subresourceRange = {aspect, 0, 1, kind->base_layer, kind->layer_count},
    };
    VKT_CALL(vkCreateImageView(t->device, &view, NULL, &made.view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)made.view);
    return made;
}

static VkRenderPass make_pass(struct vkt *t, bool depth)
{
    const VkAttachmentDescription color = {
        .format = LAYERS_FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    VkAttachmentDescription attachments[2] = {color, color};
    attachments[1].format = LAYERS_DEPTH_FORMAT;
    const VkAttachmentReference color_reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth_reference = {
        1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color_reference,
        .pDepthStencilAttachment = depth ? &depth_reference : NULL,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = depth ? 2 : 1,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(t->device, &info, NULL, &pass));
    vkt_defer(t, vkt_destroy_render_pass, (uint64_t)pass);
    return pass;
}

static VkFramebuffer make_framebuffer(struct vkt *t, const struct layers_target *target,
                                      bool imageless)
{
    const VkImageView views[2] = {target->color.view, target->depth.view};
    const VkFormat formats[2] = {LAYERS_FORMAT, LAYERS_DEPTH_FORMAT};
    const VkImageAspectFlags aspects[2] = {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT};
    const uint32_t count = target->has_depth ? 2 : 1;
    VkFramebufferAttachmentImageInfo infos[2];
    for (uint32_t i = 0; i < 2; i++)
        infos[i] = (VkFramebufferAttachmentImageInfo){
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
            .flags = kinds[target->kind].flags,
            .usage = usage_of(aspects[i]),
            .width = LAYERS_SIDE_PX,
            .height = LAYERS_SIDE_PX,
            .layerCount = target->layer_count,
            .viewFormatCount = 1,
            .pViewFormats = &formats[i],
        };
    const VkFramebufferAttachmentsCreateInfo images = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = count,
        .pAttachmentImageInfos = infos,
    };
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .pNext = imageless ? &images : NULL,
        .flags = imageless ? VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT : 0,
        .renderPass = target->pass,
        .attachmentCount = count,
        .pAttachments = imageless ? NULL : views,
        .width = LAYERS_SIDE_PX,
        .height = LAYERS_SIDE_PX,
        .layers = target->layer_count,
    };
    VkFramebuffer framebuffer;
    VKT_CALL(vkCreateFramebuffer(t->device, &info, NULL, &framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)framebuffer);
    return framebuffer;
}

struct layers_target layers_target(struct vkt *t, enum layers_kind kind)
{
    const struct kind *k = &kinds[kind];
    struct layers_target target = {
        .kind = kind,
        .layer_count = k->layer_count,
        .base_layer = k->base_layer,
        .has_depth = k->type == VK_IMAGE_TYPE_2D,
        .color = make_image(t, k, LAYERS_FORMAT, VK_IMAGE_ASPECT_COLOR_BIT),
    };
    if (target.has_depth)
        target.depth = make_image(t, k, LAYERS_DEPTH_FORMAT, VK_IMAGE_ASPECT_DEPTH_BIT);
    target.pass = make_pass(t, target.has_depth);
    target.framebuffer = make_framebuffer(t, &target, false);
    if (layers_way_possible(t, LAYERS_IMAGELESS))
        target.imageless = make_framebuffer(t, &target, true);
    return target;
}

bool layers_way_possible(const struct vkt *t, enum layers_way way)
{
    return way == LAYERS_IMAGELESS   ? t->features.imageless
           : way == LAYERS_RENDERING ? t->features.dynamic_rendering
                                     : true;
}

/* -- passes -- */

static const VkClearValue clears[2] = {{.color = {.uint32 = {0x100}}},
                                       {.depthStencil = {.depth = 1.0f}}};

static void barrier(VkCommandBuffer cmd, const struct layers_image *image, VkImageLayout from,
                    VkImageLayout to)
{
    vkt_image_barrier(cmd, image->image,
                      (VkImageSubresourceRange){image->aspect, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS},
                      from, to);
}

static void begin_pass(VkCommandBuffer cmd, const struct layers_target *target, enum layers_way way,
                       VkSubpassContents contents)
{
    const VkImageView views[2] = {target->color.view, target->depth.view};
    const VkRenderPassAttachmentBeginInfo attachments = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
        .attachmentCount = target->has_depth ? 2 : 1,
        .pAttachments = views,
    };
    const VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .pNext = way == LAYERS_IMAGELESS ? &attachments : NULL,
        .renderPass = target->pass,
        .framebuffer = way == LAYERS_IMAGELESS ? target->imageless : target->framebuffer,
        .renderArea = {{0, 0}, {LAYERS_SIDE_PX, LAYERS_SIDE_PX}},
        .clearValueCount = 2,
        .pClearValues = clears,
    };
    const VkSubpassBeginInfo subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
        .contents = contents,
    };
    if (way == LAYERS_IMAGELESS)
        vkCmdBeginRenderPass2(cmd, &begin, &subpass);
    else
        vkCmdBeginRenderPass(cmd, &begin, contents);
}

static VkRenderingAttachmentInfo attachment(const struct layers_image *image, uint32_t clear,
                                            VkImageLayout layout)
{
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = image->view,
        .imageLayout = layout,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = clears[clear],
    };
}

static void begin_rendering(VkCommandBuffer cmd, const struct layers_target *target,
                            VkRenderingFlags flags)
{
    const VkRenderingAttachmentInfo color =
        attachment(&target->color, 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    const VkRenderingAttachmentInfo depth =
        attachment(&target->depth, 1, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = flags,
        .renderArea = {{0, 0}, {LAYERS_SIDE_PX, LAYERS_SIDE_PX}},
        .layerCount = target->layer_count,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthAttachment = target->has_depth ? &depth : NULL,
    };
    if (!(flags & VK_RENDERING_RESUMING_BIT)) {
        barrier(cmd, &target->color, VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        if (target->has_depth)
            barrier(cmd, &target->depth, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    }
    vkCmdBeginRendering(cmd, &info);
}

void layers_begin(VkCommandBuffer cmd, const struct layers_target *target, enum layers_way way,
                  VkSubpassContents contents, VkRenderingFlags flags)
{
    if (way != LAYERS_RENDERING) {
        begin_pass(cmd, target, way, contents);
        return;
    }
    if (contents == VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS)
        flags |= VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    begin_rendering(cmd, target, flags);
}

void layers_end(VkCommandBuffer cmd, const struct layers_target *target, enum layers_way way,
                VkRenderingFlags flags)
{
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    if (way == LAYERS_PASS)
        vkCmdEndRenderPass(cmd);
    if (way == LAYERS_IMAGELESS)
        vkCmdEndRenderPass2(cmd, &end);
    if (way != LAYERS_RENDERING)
        return;
    vkCmdEndRendering(cmd);
    if (flags & VK_RENDERING_SUSPENDING_BIT)
        return;
    barrier(cmd, &target->color, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    if (target->has_depth)
        barrier(cmd, &target->depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

static void dump_image(struct vkt *t, const struct layers_target *target,
                       const struct layers_image *image, const char *name)
{
    const uint32_t layers = target->layer_count;
    const bool slices = target->kind == LAYERS_SLICES;
    const struct vkt_buffer out = vkt_buffer(t, 4 * LAYERS_SIDE_PX * LAYERS_SIDE_PX * layers,
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    const VkBufferImageCopy region = {
        .imageSubresource = {image->aspect, 0, target->base_layer, slices ? 1 : layers},
        .imageExtent = {LAYERS_SIDE_PX, LAYERS_SIDE_PX, slices ? layers : 1},
    };
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_barrier_all(cmd);
    vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, out.buffer, 1,
                           &region);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    vkt_dump_image(t, name, out.map, LAYERS_SIDE_PX, LAYERS_SIDE_PX * layers, 4);
}

void layers_dump(struct vkt *t, const struct layers_target *target, const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/color", name);
    dump_image(t, target, &target->color, path);
    if (!target->has_depth)
        return;
    snprintf(path, sizeof(path), "%s/depth", name);
    dump_image(t, target, &target->depth, path);
}
