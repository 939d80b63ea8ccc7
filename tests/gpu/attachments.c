/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_dynamic_rendering_unused_attachments and VK_EXT_attachment_feedback_loop_dynamic_state
 * around geometry shaders: pipelines and secondaries with attachments that the rendering does not
 * have, and the other way round; draws that read what they draw over, by dynamic state and by a
 * flag of the pipeline.
 */
#include "row.h"

#include "attachments_frag.h"
#include "attachments_loop_frag.h"
#include "attachments_two_frag.h"
#include "maintenance5_geom.h"
#include "maintenance5_vert.h"

#ifdef VK_EXT_attachment_feedback_loop_dynamic_state

#define CLEAR 5u
#define LOOP_LAYOUT VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT

static struct suite {
    struct vkt t;
    struct vkt_buffer places;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct vkt_target second; /* of which only the image is used */
    struct vkt_image first, depth;
} s;

static const VkFormat formats[2] = {VK_FORMAT_R32_UINT, VK_FORMAT_R32_UINT};

/* -- pipelines -- */

static void make_objects(void)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct row_push)};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s.t, &binding, 1);
    VkPipelineLayout unused;
    row_init(&s.t, &s.places, &unused, &s.second);
    s.layout = vkt_layout(&s.t, &layout, 1, &range, 1);
    s.first = vkt_image(&s.t, formats[0], ROW_SIDE_PX, ROW_SIDE_PX,
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                            VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                            VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
    s.depth = vkt_image(&s.t, VK_FORMAT_D32_SFLOAT, ROW_SIDE_PX, ROW_SIDE_PX,
                        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    s.set = vkt_set(&s.t, layout, &binding, 1);
    vkt_write_image(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, s.first.view,
                    LOOP_LAYOUT, vkt_sampler(&s.t, VK_FILTER_NEAREST));
}

static VkPipeline make_pipeline(bool geometry, struct vkt_code fs, uint32_t colors, bool depth,
                                const VkDynamicState *dynamic, uint32_t flags)
{
    struct vkt_pipeline_info info = row_pipeline(s.layout, VK_NULL_HANDLE);
    info.vs = VKT_CODE(maintenance5_vert);
    if (geometry)
        info.gs = VKT_CODE(maintenance5_geom);
    info.fs = fs;
    info.dynamic_format = formats[0];
    info.dynamic_depth_format = depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED;
    info.dynamic_colors = colors;
    info.depth_test = info.depth_write = depth;
    info.dynamic = dynamic;
    info.dynamic_count = dynamic ? 1 : 0;
    info.flags = flags;
    return vkt_pipeline(&s.t, &info);
}

/* -- renderings -- */

static VkImageSubresourceRange all_of(VkImageAspectFlags aspect)
{
    return (VkImageSubresourceRange){aspect, 0, 1, 0, 1};
}

/* `colors`: how many of two are there. */
static void begin(VkCommandBuffer cmd, uint32_t colors, bool depth, VkImageLayout layout,
                  VkRenderingFlags flags)
{
    VkRenderingAttachmentInfo color[2], deep;
    for (uint32_t i = 0; i < 2; i++)
        color[i] = (VkRenderingAttachmentInfo){
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageView = i >= colors ? VK_NULL_HANDLE
                         : i         ? s.second.color.view
                                     : s.first.view,
            .imageLayout = i ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : layout,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .clearValue.color.uint32 = {CLEAR},
        };
    deep = color[0];
    deep.imageView = s.depth.view;
    deep.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    deep.clearValue.depthStencil.depth = 1.0f;
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = flags,
        .renderArea = {{0, 0}, {ROW_SIDE_PX, ROW_SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 2,
        .pColorAttachments = color,
        .pDepthAttachment = depth ? &deep : NULL,
    };
    vkt_image_barrier(cmd, s.first.image, all_of(VK_IMAGE_ASPECT_COLOR_BIT),
                      VK_IMAGE_LAYOUT_UNDEFINED, layout);
    vkt_image_barrier(cmd, s.second.color.image, all_of(VK_IMAGE_ASPECT_COLOR_BIT),
                      VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkt_image_barrier(cmd, s.depth.image, all_of(VK_IMAGE_ASPECT_DEPTH_BIT),
                      VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(cmd, &info);
}

static void end(VkCommandBuffer cmd, VkImageLayout layout)
{
    vkCmdEndRendering(cmd);
    vkt_image_barrier(cmd, s.first.image, all_of(VK_IMAGE_ASPECT_COLOR_BIT), layout,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_image_barrier(cmd, s.second.color.image, all_of(VK_IMAGE_ASPECT_COLOR_BIT),
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_submit(&s.t, cmd);
}

static void draw(VkCommandBuffer cmd, VkPipeline pipeline, uint32_t at)
{
    const VkDeviceSize zero = 0;
    const struct row_push push = row_push(at);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s.places.buffer, &zero);
    vkCmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(cmd, ROW_VERTICES, 1, 0, 0);
}

static void expect(const char *name, const struct vkt_image *image, uint32_t least)
{
    const struct vkt_target target = {.color = *image};
    row_expect(&s.t, &target, name, least, CLEAR);
}

/* -- attachments that only one side has -- */

/* It knows what the rendering has. */
static VkCommandBuffer record_secondary(VkPipeline native, VkPipeline emulated)
{
    static const VkFormat formats_of[2] = {VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED};
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 2,
        .pColorAttachmentFormats = formats_of,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
    const VkCommandBuffer cmd =
        vkt_secondary(&s.t, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance);
    draw(cmd, native, 0);
    draw(cmd, emulated, 1);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void run_unused(void)
{
    const struct vkt_code one = VKT_CODE(attachments_frag), two = VKT_CODE(attachments_two_frag);
    const VkPipeline more[2] = {make_pipeline(false, one, 2, true, NULL, 0),
                                make_pipeline(true, one, 2, true, NULL, 0)};
    const VkPipeline less[2] = {make_pipeline(false, two, 2, false, NULL, 0),
                                make_pipeline(true, two, 2, false, NULL, 0)};
    const VkPipeline same = make_pipeline(true, two, 2, true, NULL, 0);
    const VkImageLayout layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    /* The pipelines have more than the rendering, then less, then more in a secondary. */
    for (uint32_t i = 0; i < 3; i++) {
        static const char *const names[3] = {"unused/pipeline", "unused/rendering",
                                             "unused/secondary"};
        const VkCommandBuffer second = i == 2 ? record_secondary(more[0], more[1]) : VK_NULL_HANDLE;
        const VkCommandBuffer cmd = vkt_commands(&s.t);
        vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        begin(cmd, i == 1 ? 2 : 1, i == 1, layout,
              second ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0);
        if (second) {
            vkCmdExecuteCommands(cmd, 1, &second);
        } else {
            draw(cmd, (i == 1 ? less : more)[0], 0);
            draw(cmd, (i == 1 ? less : more)[1], 1);
            draw(cmd, i == 1 ? same : more[1], 12);
        }
        end(cmd, layout);
        expect(names[i], &s.first, 200);
        if (i == 1)
            expect("unused/rendering/second", &s.second.color, 200);
    }
}

/* -- draws that read what they draw over -- */

static void run_loop(void)
{
    static const VkDynamicState dynamic = VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT;
    const struct vkt_code plain = VKT_CODE(attachments_frag),
                          loop = VKT_CODE(attachments_loop_frag);
    const VkPipeline natives[2] = {make_pipeline(false, plain, 2, false, &dynamic, 0),
                                   make_pipeline(false, loop, 2, false, &dynamic, 0)};
    const VkPipeline emulated = make_pipeline(true, loop, 2, false, &dynamic, 0),
                     flagged =
                         make_pipeline(true, loop, 2, false, NULL,
                                       VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    begin(cmd, 2, false, LOOP_LAYOUT, 0);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
    vkCmdSetAttachmentFeedbackLoopEnableEXT(cmd, 0);
    draw(cmd, natives[0], 0);
    vkCmdSetAttachmentFeedbackLoopEnableEXT(cmd, VK_IMAGE_ASPECT_COLOR_BIT);
    draw(cmd, emulated, 1);
    draw(cmd, natives[1], 12);
    draw(cmd, flagged, 13); /* nothing is drawn over another draw */
    end(cmd, LOOP_LAYOUT);
    expect("loop", &s.first, 200);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT unused = {
        .sType =
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT,
        .dynamicRenderingUnusedAttachments = VK_TRUE};
    VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT layout = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
        .attachmentFeedbackLoopLayout = VK_TRUE};
    VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT state = {
        .sType =
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_FEATURES_EXT,
        .attachmentFeedbackLoopDynamicState = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_EXT_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_EXTENSION_NAME, &unused, 1},
        {VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME, &layout, 1},
        {VK_EXT_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_EXTENSION_NAME, &state, 1},
        {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("attachments", argc, argv);
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    make_objects();
    run_unused();
    run_loop();
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("attachments", argc, argv);
    vkt_skip("the Vulkan headers are older than "
             "VK_EXT_attachment_feedback_loop_dynamic_state");
}
#endif
