/* SPDX-License-Identifier: MIT
 *
 * Cases of gpu-state that are about render passes: draws of both kinds in one, several subpasses,
 * dynamic rendering.
 */
#include "gpu/state.h"

/* lavapipe 25 itself loses what was pushed for a geometry shader before a draw of a pipeline
 * without one. Through our layer nothing may be lost. */
static void push_again(const struct state_suite *s, VkCommandBuffer cmd, float x, float y,
                       uint32_t slot, uint32_t add)
{
    if (!vkt_has_layer(&s->t.options, "poly_gs"))
        state_push(s, cmd, x, y, slot, add);
}

/* Compute state set before the pass serves dispatches after it; the same command buffer runs three
 * times. */
void state_case_interleaved(struct state_suite *s)
{
    struct vkt *t = &s->t;
    const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_VIEWPORT};
    struct vkt_pipeline_info with = state_info(s, true, s->target.pass);
    struct vkt_pipeline_info without = state_info(s, false, s->target.pass);
    with.dynamic = without.dynamic = dynamic;
    with.dynamic_count = without.dynamic_count = VKT_COUNT(dynamic);
    const VkPipeline emulated = vkt_pipeline(t, &with), plain = vkt_pipeline(t, &without);
    const VkViewport viewport = {0, 0, STATE_SIDE_PX, STATE_SIDE_PX, 0, 1};
    const VkRect2D scissor = {{2, 1}, {60, 59}};
    const uint32_t compute_push[2] = {40, 17};

    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->compute);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 0, NULL);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &scissor);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    state_bind(s, cmd);
    for (uint32_t i = 0; i < 3; i++) {
        state_push(s, cmd, 1.0f + (float)i * 9.0f, (float)i * 4.0f, i, 10 * i);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, i == 1 ? plain : emulated);
        vkCmdDraw(cmd, 6, 1, 3 * i, 1);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, i == 1 ? emulated : plain);
        push_again(s, cmd, 1.0f + (float)i * 9.0f, (float)i * 4.0f, i, 10 * i);
        vkCmdDrawIndexed(cmd, 6, 2, i, 0, 2);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, STATE_PUSH_COMPUTE_B,
                       sizeof(compute_push), compute_push);
    vkCmdDispatch(cmd, 1, 1, 1);
    vkt_barrier_all(cmd);

    /* A second pass between push and dispatch: the compute push constants must survive it. */
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, STATE_PUSH_COMPUTE_B, 4,
                       &(uint32_t){48});
    vkt_target_begin(cmd, &s->target, true, VK_SUBPASS_CONTENTS_INLINE);
    state_bind(s, cmd);
    state_push(s, cmd, 30.0f, 40.0f, 9, 3);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, emulated);
    vkCmdDrawIndexed(cmd, 3, 1, 0, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, STATE_PUSH_COMPUTE_B + 4, 4,
                       &(uint32_t){23});
    vkCmdDispatch(cmd, 1, 1, 1);
    vkt_barrier_all(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    for (uint32_t i = 0; i < 3; i++) {
        VKT_CALL(vkQueueSubmit(t->queue, 1, &submit, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(t->queue));
    }
    const uint32_t *counters = s->counters.map;
    VKT_EXPECT(t, counters[40] == 3 * 17 && counters[43] == 3 * 20, "compute after the pass: %u %u",
               counters[40], counters[43]);
    VKT_EXPECT(
        t, counters[0] == 3 * 2 && counters[1] == 3 * 4 && counters[2] == 3 * 2 && counters[9] == 3,
        "invocations: %u %u %u %u", counters[0], counters[1], counters[2], counters[9]);
    state_dump(s, "interleaved", &s->target.color);
}

static VkRenderPass three_subpasses(struct state_suite *s)
{
    const VkAttachmentDescription attachment = {
        .format = VK_FORMAT_R32_UINT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &reference,
    };
    const VkSubpassDescription subpasses[3] = {subpass, subpass, subpass};
    const VkPipelineStageFlags color = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkAccessFlags write = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    const VkAccessFlags both =
        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT;
    const VkSubpassDependency dependencies[4] = {
        {VK_SUBPASS_EXTERNAL, 0, color | VK_PIPELINE_STAGE_TRANSFER_BIT, color, write, both, 0},
        {0, 1, color, color, write, both, VK_DEPENDENCY_BY_REGION_BIT},
        {1, 2, color, color, write, both, VK_DEPENDENCY_BY_REGION_BIT},
        {2, VK_SUBPASS_EXTERNAL, color, VK_PIPELINE_STAGE_TRANSFER_BIT, write,
         VK_ACCESS_TRANSFER_READ_BIT, 0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 3,
        .pSubpasses = subpasses,
        .dependencyCount = VKT_COUNT(dependencies),
        .pDependencies = dependencies,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(s->t.device, &info, NULL, &pass));
    vkt_defer(&s->t, vkt_destroy_render_pass, (uint64_t)pass);
    return pass;
}

void state_case_subpasses(struct state_suite *s)
{
    struct vkt *t = &s->t;
    const VkRenderPass pass = three_subpasses(s);
    const VkFramebufferCreateInfo framebuffer_info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = pass,
        .attachmentCount = 1,
        .pAttachments = &s->target.color.view,
        .width = STATE_SIDE_PX,
        .height = STATE_SIDE_PX,
        .layers = 1,
    };
    VkFramebuffer framebuffer;
    VKT_CALL(vkCreateFramebuffer(t->device, &framebuffer_info, NULL, &framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)framebuffer);
    VkPipeline pipelines[3];
    for (uint32_t i = 0; i < 3; i++) {
        struct vkt_pipeline_info info = state_info(s, i != 1, pass);
        info.subpass = i;
        pipelines[i] = vkt_pipeline(t, &info);
    }
    const VkClearValue clear = {{{0}}};
    const VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = framebuffer,
        .renderArea = {{0, 0}, {STATE_SIDE_PX, STATE_SIDE_PX}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < 3; i++) {
        if (i)
            vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        state_bind(s, cmd);
        state_push(s, cmd, 2.0f + 6.0f * (float)i, 3.0f * (float)i, i, 50 * i);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
        vkCmdDraw(cmd, 12, 1, 0, 0);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    state_dump(s, "subpasses", &s->target.color);
}

static void layout_barrier(VkCommandBuffer cmd, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(cmd, &dependency);
}

void state_case_dynamic_rendering(struct state_suite *s)
{
    struct vkt *t = &s->t;
    const struct vkt_pipeline_info with = state_info(s, true, VK_NULL_HANDLE);
    const struct vkt_pipeline_info without = state_info(s, false, VK_NULL_HANDLE);
    const VkPipeline emulated = vkt_pipeline(t, &with), plain = vkt_pipeline(t, &without);
    const VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->target.color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {STATE_SIDE_PX, STATE_SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
    };
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    layout_barrier(cmd, s->target.color.image, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    state_bind(s, cmd);
    state_push(s, cmd, 8.0f, 6.0f, 4, 1);
    vkCmdBeginRendering(cmd, &rendering);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, plain);
    vkCmdDraw(cmd, 9, 1, 0, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, emulated);
    push_again(s, cmd, 8.0f, 6.0f, 4, 1);
    vkCmdDrawIndexed(cmd, 9, 2, 2, 0, 3);
    vkCmdEndRendering(cmd);
    layout_barrier(cmd, s->target.color.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    state_dump(s, "dynamic-rendering", &s->target.color);
}
