/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_multisampled_render_to_single_sampled: geometry shaders between draws of the driver, with
 * four samples in an attachment of one, in a render pass and in dynamic rendering.
 */
#include "gpu/row.h"

#include "maintenance5_geom.h"
#include "maintenance5_vert.h"
#include "single_sampled_frag.h"

#define FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define DRAWS 8u

static struct suite {
    struct vkt t;
    struct vkt_buffer places, texels;
    VkImage image;
    VkImageView view;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkPipelineLayout layout;
    VkPipeline pipelines[2][2]; /* [dynamic rendering][emulated] */
} s;

static const VkMultisampledRenderToSingleSampledInfoEXT samples = {
    .sType = VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
    .multisampledRenderToSingleSampledEnable = VK_TRUE,
    .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
};
static const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

static void make_image(void)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = FORMAT,
        .extent = {ROW_SIDE_PX, ROW_SIDE_PX, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    VKT_CALL(vkCreateImage(s.t.device, &info, NULL, &s.image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(s.t.device, s.image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1))
        type++;
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(s.t.device, &allocate, NULL, &memory));
    vkt_defer(&s.t, vkt_free_memory, (uint64_t)memory);
    VKT_CALL(vkBindImageMemory(s.t.device, s.image, memory, 0));
    vkt_defer(&s.t, vkt_destroy_image, (uint64_t)s.image);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = s.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = FORMAT,
        .subresourceRange = all,
    };
    VKT_CALL(vkCreateImageView(s.t.device, &view, NULL, &s.view));
    vkt_defer(&s.t, vkt_destroy_image_view, (uint64_t)s.view);
}

static void make_pass(void)
{
    const VkAttachmentDescription2 color = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkAttachmentReference2 reference = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
        .pNext = &samples,
        .colorAttachmentCount = 1,
        .pColorAttachments = &reference,
    };
    const VkRenderPassCreateInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .attachmentCount = 1,
        .pAttachments = &color,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    VKT_CALL(vkCreateRenderPass2(s.t.device, &info, NULL, &s.pass));
    vkt_defer(&s.t, vkt_destroy_render_pass, (uint64_t)s.pass);
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = s.pass,
        .attachmentCount = 1,
        .pAttachments = &s.view,
        .width = ROW_SIDE_PX,
        .height = ROW_SIDE_PX,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(s.t.device, &framebuffer, NULL, &s.framebuffer));
    vkt_defer(&s.t, vkt_destroy_framebuffer, (uint64_t)s.framebuffer);
}

static void make_pipelines(void)
{
    for (uint32_t i = 0; i < 4; i++) {
        const bool rendering = i / 2;
        struct vkt_pipeline_info info = row_pipeline(s.layout, rendering ? VK_NULL_HANDLE : s.pass);
        info.samples = VK_SAMPLE_COUNT_4_BIT;
        info.dynamic_format = rendering ? FORMAT : VK_FORMAT_UNDEFINED;
        info.vs = VKT_CODE(maintenance5_vert);
        info.fs = VKT_CODE(single_sampled_frag);
        if (i % 2)
            info.gs = VKT_CODE(maintenance5_geom);
        s.pipelines[rendering][i % 2] = vkt_pipeline(&s.t, &info);
    }
}

static void begin(VkCommandBuffer cmd, bool rendering)
{
    const VkRect2D area = {.extent = {ROW_SIDE_PX, ROW_SIDE_PX}};
    const VkClearValue clear = {{{0}}};
    const VkRenderPassBeginInfo pass = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = s.pass,
        .framebuffer = s.framebuffer,
        .renderArea = area,
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s.view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL, /* older validation layers look at it */
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .pNext = &samples,
        .renderArea = area,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    if (rendering)
        vkCmdBeginRendering(cmd, &info);
    else
        vkCmdBeginRenderPass(cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
}

static void run(const char *name, bool rendering)
{
    const VkBufferImageCopy copy = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {ROW_SIDE_PX, ROW_SIDE_PX, 1},
    };
    const VkDeviceSize zero = 0;
    VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, 0);
    vkt_image_barrier(cmd, s.image, all, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    begin(cmd, rendering);
    for (uint32_t i = 0; i < DRAWS; i++) {
        const struct row_push push = row_push(i);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[rendering][i / 2 % 2]);
        vkCmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
        vkCmdDraw(cmd, ROW_VERTICES, 1, 0, 0);
    }
    if (rendering)
        vkCmdEndRendering(cmd);
    else
        vkCmdEndRenderPass(cmd);
    vkt_image_barrier(cmd, s.image, all, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyImageToBuffer(cmd, s.image, VK_IMAGE_LAYOUT_GENERAL, s.texels.buffer, 1, &copy);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    uint32_t edges = 0;
    const uint8_t *texels = s.texels.map;
    for (uint32_t i = 0; i < ROW_SIDE_PX * ROW_SIDE_PX; i++)
        edges += texels[4 * i] > 0 && texels[4 * i] < 255;
    VKT_EXPECT(&s.t, edges > 100, "%s: only %u pixels are covered in part", name, edges);
    vkt_dump_image(&s.t, name, texels, ROW_SIDE_PX, ROW_SIDE_PX, 4);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT features = {
        .sType =
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT,
        .multisampledRenderToSingleSampled = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_EXT_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_EXTENSION_NAME, &features, 1},
        {NULL, NULL, 0}};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct row_push)};
    struct vkt_options options = vkt_parse("single_sampled", argc, argv);
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    const struct row_places row = row_places();
    s.places = vkt_buffer_from(&s.t, &row, sizeof(row), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.texels = vkt_buffer(&s.t, 4 * ROW_SIDE_PX * ROW_SIDE_PX, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    make_image();
    make_pass();
    make_pipelines();
    run("pass", false);
    run("rendering", true);
    return vkt_finish(&s.t);
}
