/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_maintenance7 and 8 around geometry shaders: passes that draw and execute secondaries, with
 * and without a geometry shader, some of them twice, in render passes and in dynamic rendering;
 * barriers with more access flags, and copies from depth to color.
 */
#include "row.h"

#include "maintenance5_geom.h"
#include "maintenance5_vert.h"
#include "value_frag.h"

#if defined(VK_KHR_maintenance7) && defined(VK_KHR_maintenance8)

static struct suite {
    struct vkt t;
    struct vkt_buffer places;
    VkPipelineLayout layout;
    struct vkt_target target;
    bool rendering;             /* dynamic */
    VkPipeline pipelines[2][2]; /* [rendering][with a geometry shader] */
} s;

static void make_pipelines(void)
{
    for (int i = 0; i < 4; i++) {
        struct vkt_pipeline_info info =
            row_pipeline(s.layout, i / 2 ? VK_NULL_HANDLE : s.target.pass);
        info.vs = VKT_CODE(maintenance5_vert);
        if (i % 2)
            info.gs = VKT_CODE(maintenance5_geom);
        info.fs = VKT_CODE(value_frag);
        info.dynamic_format = VK_FORMAT_R32_UINT; /* without a pass */
        s.pipelines[i / 2][i % 2] = vkt_pipeline(&s.t, &info);
    }
}

static void draw(VkCommandBuffer cmd, bool geometry, uint32_t at)
{
    const VkDeviceSize zero = 0;
    const struct row_push push = row_push(at);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[s.rendering][geometry]);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    vkCmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(cmd, ROW_VERTICES, 1, 0, 0);
}

static VkCommandBuffer record_secondary(bool geometry, uint32_t at)
{
    const VkFormat format = VK_FORMAT_R32_UINT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .flags = VK_RENDERING_CONTENTS_INLINE_BIT_KHR |
                 VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = s.rendering ? &rendering : NULL,
        .renderPass = s.rendering ? VK_NULL_HANDLE : s.target.pass,
    };
    const VkCommandBuffer cmd = vkt_secondary(&s.t,
                                              VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                                                  VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                              &inheritance);
    draw(cmd, geometry, at);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void begin(VkCommandBuffer cmd)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s.target.color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = VK_RENDERING_CONTENTS_INLINE_BIT_KHR |
                 VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
        .renderArea = {{0, 0}, {ROW_SIDE_PX, ROW_SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    if (!s.rendering) {
        vkt_target_begin(cmd, &s.target, false,
                         VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR);
        return;
    }
    vkt_image_barrier(cmd, s.target.color.image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(cmd, &info);
}

static void end(VkCommandBuffer cmd)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    if (!s.rendering) {
        vkCmdEndRenderPass(cmd);
        return;
    }
    vkCmdEndRendering(cmd);
    vkt_image_barrier(cmd, s.target.color.image, range, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/* What comes first, second and so on: drawn in the pass, or by a secondary. */
static void run_mixed(const char *name, bool rendering)
{
    s.rendering = rendering;
    const VkCommandBuffer emulated = record_secondary(true, 1), native = record_secondary(false, 3);
    const VkCommandBuffer both[2] = {native, emulated};
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    begin(cmd);
    draw(cmd, true, 0);
    vkCmdExecuteCommands(cmd, 1, &emulated);
    draw(cmd, false, 2);
    draw(cmd, true, 4);
    vkCmdExecuteCommands(cmd, 2, both); /* the second one again */
    draw(cmd, true, 5);
    vkCmdExecuteCommands(cmd, 1, &native);
    draw(cmd, false, 6);
    end(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    row_expect(&s.t, &s.target, name, 500, 0);
}

/* Only secondaries without a geometry shader, which are executed as they are. */
static void run_native(void)
{
    s.rendering = true;
    const VkCommandBuffer native = record_secondary(false, 3);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    begin(cmd);
    draw(cmd, true, 0);
    vkCmdExecuteCommands(cmd, 1, &native);
    draw(cmd, true, 4);
    end(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    row_expect(&s.t, &s.target, "native", 200, 0);
}

/* -- VK_KHR_maintenance8 -- */

static void order(VkCommandBuffer cmd, VkImage image, VkImageAspectFlags aspect, VkImageLayout from,
                  VkImageLayout to)
{
    const VkMemoryBarrierAccessFlags3KHR more = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_ACCESS_FLAGS_3_KHR};
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .pNext = &more,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TRANSFER_BIT,
        .dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
                         VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .image = image,
        .subresourceRange = {aspect, 0, 1, 0, 1},
    };
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(cmd, &info);
}

static void run_copies(void)
{
    const struct vkt_image depth =
        vkt_image(&s.t, VK_FORMAT_D32_SFLOAT, ROW_SIDE_PX, ROW_SIDE_PX,
                  VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    const struct vkt_image color =
        vkt_image(&s.t, VK_FORMAT_R32_SFLOAT, ROW_SIDE_PX, ROW_SIDE_PX,
                  VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                      VK_IMAGE_USAGE_SAMPLED_BIT);
    const VkClearDepthStencilValue value = {.depth = 0.25f};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    const VkImageCopy copy = {
        .srcSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1},
        .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .extent = {ROW_SIDE_PX, ROW_SIDE_PX, 1},
    };
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    order(cmd, depth.image, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    order(cmd, color.image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdClearDepthStencilImage(cmd, depth.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1,
                                &range);
    order(cmd, depth.image, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImage(cmd, depth.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, color.image,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    order(cmd, color.image, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_submit(&s.t, cmd);
    const struct vkt_buffer texels = vkt_image_read(&s.t, &color, 4);
    VKT_EXPECT(&s.t, ((const float *)texels.map)[77] == 0.25f, "the copy of depth is wrong");
    vkt_dump_buffer(&s.t, "copy", texels.map, ROW_SIDE_PX * ROW_SIDE_PX * 4);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceMaintenance7FeaturesKHR seven = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_7_FEATURES_KHR,
        .maintenance7 = VK_TRUE};
    VkPhysicalDeviceMaintenance8FeaturesKHR eight = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR,
        .maintenance8 = VK_TRUE};
    const struct vkt_extension extensions[] = {{VK_KHR_MAINTENANCE_7_EXTENSION_NAME, &seven, 1},
                                               {VK_KHR_MAINTENANCE_8_EXTENSION_NAME, &eight, 1},
                                               {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("maintenance7", argc, argv);
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    row_init(&s.t, &s.places, &s.layout, &s.target);
    make_pipelines();
    run_mixed("pass", false);
    run_mixed("rendering", true);
    run_native();
    run_copies();
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("maintenance7", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_KHR_maintenance8");
}
#endif
