/* SPDX-License-Identifier: MIT
 *
 * Who may use what was captured, and when: every legal way to order a capture before vertex input,
 * indices, indirect draws, counters, copies, shaders and the host, within a subpass, across passes,
 * command buffers and submissions. Items move on from buffer to buffer, so that a step that comes
 * too early, too late or not at all shows in every later one.
 */
#include "gpu/xfb_move.h"

#include "xfb_copy_comp.h"

#include <string.h>

#define CAPTURE_B 4096u
#define STEPS 5u

/* How one step is ordered before the next. */
enum order {
    ORDER_SUBPASS,   /* a barrier in the same subpass */
    ORDER_REUSE,     /* the same, and buffers are captured to that earlier draws have read */
    ORDER_BARRIER,   /* a barrier between two passes */
    ORDER_BARRIER_2, /* the same with vkCmdPipelineBarrier2 */
    ORDER_EXTERNAL,  /* dependencies of the passes with what is outside alone */
    ORDER_EVENT,
    ORDER_SUBMISSIONS, /* a semaphore */
    ORDER_SECONDARIES, /* passes whose contents are secondary command buffers */
    ORDER_DYNAMIC,     /* dynamic rendering, and barriers between */
    ORDERS,
};

static const char *const order_names[ORDERS] = {
    "subpass", "reuse",       "barrier",     "barrier-2", "external",
    "event",   "submissions", "secondaries", "dynamic",
};

struct rig {
    struct move m;
    struct vkt_target broad; /* whose passes depend on everything outside */
    VkPipeline broad_pipelines[MOVE_KINDS], dynamic_pipelines[MOVE_KINDS];
    struct vkt_buffer side[STEPS], counters;
    uint32_t sides; /* so many of them take turns */
    VkSemaphore semaphore;
    VkEvent event;
};

static const VkPipelineStageFlags xfb = VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT;

static void start(struct rig *r)
{
    for (uint32_t i = 0; i < STEPS; i++)
        memset(r->side[i].map, XFB_FILL, CAPTURE_B);
    memset(r->counters.map, XFB_FILL, r->counters.size_B);
}

/* Moves what is in one buffer to the other. With a geometry shader the numbers of items grow and
 * shrink, so that only the counter knows them. */
static void step(struct rig *r, VkCommandBuffer cmd, const VkPipeline *pipelines,
                 enum move_kind kind, uint32_t number)
{
    const VkBuffer from = number ? r->side[(number - 1) % r->sides].buffer : r->m.items.buffer;
    const struct xfb_range range = {r->side[number % r->sides].buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {r->counters.buffer, (VkDeviceSize)number * 4, 0};
    const struct move_item change = {1, 10, 3, 1};
    move_bind(&r->m, cmd, kind, from, 0, change);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[kind]);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    if (number && r->m.t.xfb.transformFeedbackDraw)
        vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, r->counters.buffer, (number - 1) * 4, 0,
                                      MOVE_ITEM_B);
    else
        vkCmdDraw(cmd, MOVE_ITEMS, 1, 0, 0);
    xfb_end(cmd, 0, 1, &counter);
}

static void barrier_2(VkCommandBuffer cmd)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                        VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstStageMask = VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT |
                        VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |
                        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
                        VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
        .dstAccessMask = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT |
                         VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT |
                         VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(cmd, &info);
}

static void wait_event(struct rig *r, VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
    };
    vkCmdSetEvent(cmd, r->event, xfb);
    vkCmdWaitEvents(cmd, 1, &r->event, xfb,
                    xfb | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                    1, &barrier, 0, NULL, 0, NULL);
    vkCmdResetEvent(cmd, r->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    /* The next set comes after the reset. */
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

/* Ends the command buffer, submits it and begins the next one behind it. */
static VkCommandBuffer next_submission(struct rig *r, VkCommandBuffer cmd, bool wait)
{
    const VkPipelineStageFlags stages =
        xfb | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    VKT_CALL(vkEndCommandBuffer(cmd));
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = wait,
        .pWaitSemaphores = &r->semaphore,
        .pWaitDstStageMask = &stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &r->semaphore,
    };
    VKT_CALL(vkQueueSubmit(r->m.t.queue, 1, &info, VK_NULL_HANDLE));
    cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    return cmd;
}

static VkCommandBuffer begin_secondary(struct rig *r)
{
    const VkCommandBuffer cmd = vkt_secondary_in(&r->m.t, r->m.target.pass, 0);
    return cmd;
}

static void secondary_step(struct rig *r, VkCommandBuffer cmd, enum move_kind kind, uint32_t number)
{
    VkCommandBuffer secondary = begin_secondary(r);
    step(r, secondary, r->m.pipelines, kind, number);
    VKT_CALL(vkEndCommandBuffer(secondary));
    vkt_target_begin(cmd, &r->m.target, number != 0, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 1, &secondary);
    vkCmdEndRenderPass(cmd);
}

static void dynamic_step(struct rig *r, VkCommandBuffer cmd, enum move_kind kind, uint32_t number)
{
    const VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .oldLayout = number ? layout : VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = r->m.target.color.image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkPipelineStageFlags color = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    vkCmdPipelineBarrier(cmd, color | VK_PIPELINE_STAGE_TRANSFER_BIT, color, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
    const VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = r->m.target.color.view,
        .imageLayout = layout,
        .loadOp = number ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {MOVE_SIDE_PX, MOVE_SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
    };
    vkCmdBeginRendering(cmd, &info);
    step(r, cmd, r->dynamic_pipelines, kind, number);
    vkCmdEndRendering(cmd);
}

/* The picture of dynamic rendering to where vkt_image_read wants it. */
static void end_dynamic(struct rig *r, VkCommandBuffer cmd)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = r->m.target.color.image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void one_step(struct rig *r, VkCommandBuffer cmd, enum order order, enum move_kind kind,
                     uint32_t number)
{
    switch (order) {
    case ORDER_SUBPASS:
    case ORDER_REUSE:
        step(r, cmd, r->m.pipelines, kind, number);
        break;
    case ORDER_SECONDARIES:
        secondary_step(r, cmd, kind, number);
        break;
    case ORDER_DYNAMIC:
        dynamic_step(r, cmd, kind, number);
        break;
    case ORDER_EXTERNAL:
        vkt_target_begin(cmd, &r->broad, number != 0, VK_SUBPASS_CONTENTS_INLINE);
        step(r, cmd, r->broad_pipelines, kind, number);
        vkCmdEndRenderPass(cmd);
        break;
    default:
        move_begin_pass(&r->m, cmd, number != 0);
        step(r, cmd, r->m.pipelines, kind, number);
        vkCmdEndRenderPass(cmd);
    }
}

static void run_order(struct rig *r, enum order order, enum move_kind kind)
{
    const bool one_pass = order == ORDER_SUBPASS || order == ORDER_REUSE;
    start(r);
    r->sides = order == ORDER_SUBPASS ? STEPS : 2;
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (one_pass)
        move_begin_pass(&r->m, cmd, false);
    for (uint32_t i = 0; i < STEPS; i++) {
        one_step(r, cmd, order, kind, i);
        if (i + 1 == STEPS)
            break;
        if (one_pass)
            xfb_subpass_barrier(cmd);
        else if (order == ORDER_BARRIER_2)
            barrier_2(cmd);
        else if (order == ORDER_EVENT)
            wait_event(r, cmd);
        else if (order == ORDER_SUBMISSIONS)
            cmd = next_submission(r, cmd, i > 0);
        else if (order != ORDER_EXTERNAL)
            xfb_barrier(cmd);
    }
    if (one_pass)
        vkCmdEndRenderPass(cmd);
    if (order == ORDER_DYNAMIC)
        end_dynamic(r, cmd);
    if (order == ORDER_SUBMISSIONS) /* the semaphore is waited for in the end */
        cmd = next_submission(r, cmd, true);
    xfb_barrier(cmd);
    if (order == ORDER_SUBMISSIONS) {
        const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        VKT_CALL(vkEndCommandBuffer(cmd));
        const VkSubmitInfo info = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .waitSemaphoreCount = 1,
            .pWaitSemaphores = &r->semaphore,
            .pWaitDstStageMask = &stages,
            .commandBufferCount = 1,
            .pCommandBuffers = &cmd,
        };
        VKT_CALL(vkQueueSubmit(r->m.t.queue, 1, &info, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(r->m.t.queue));
    } else {
        vkt_submit(&r->m.t, cmd);
    }
    const char *name = order_names[order];
    for (uint32_t i = 0; i < r->sides; i++)
        xfb_dump(&r->m.t, r->side[i].map, CAPTURE_B, "%s/%s/%u", move_names[kind], name, i);
    xfb_dump(&r->m.t, r->counters.map, r->counters.size_B, "%s/%s/counters", move_names[kind],
             name);
    xfb_dump_target(&r->m.t, order == ORDER_EXTERNAL ? &r->broad : &r->m.target, "%s/%s/image",
                    move_names[kind], name);
    const uint32_t last_B = xfb_word(&r->counters, (STEPS - 1) * 4);
    if (kind == MOVE_CAPTURE) {
        VKT_EXPECT(&r->m.t, last_B == MOVE_ITEMS * MOVE_ITEM_B, "%s: last counter %u", name,
                   last_B);
        const uint32_t value = xfb_word(&r->side[(STEPS - 1) % r->sides], 4);
        VKT_EXPECT(&r->m.t, value == 1000 + 10 * STEPS, "%s: first value %u", name, value);
    } else {
        VKT_EXPECT(&r->m.t, last_B > 0 && last_B % MOVE_ITEM_B == 0, "%s: last counter %u", name,
                   last_B);
    }
}

/* What was captured are the arguments of an indirect draw, or indices. */
static void run_arguments(struct rig *r, bool indices, bool same_subpass)
{
    const struct move_item arguments[2] = {{6, 1, 3, 0}, {20, 1, 11, 0}};
    const struct vkt_buffer first =
        vkt_buffer_from(&r->m.t, arguments, sizeof(arguments), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const struct move_item change = {1, 0, 2, 0}, place = {0, 500, 7, 9};
    const struct xfb_range range = {r->side[0].buffer, 0, CAPTURE_B};
    start(r);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    move_begin_pass(&r->m, cmd, false);
    move_bind(&r->m, cmd, MOVE_CAPTURE, first.buffer, 0, change);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, 2, 1, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    if (same_subpass) {
        xfb_subpass_barrier(cmd);
    } else {
        vkCmdEndRenderPass(cmd);
        const VkMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
            .dstAccessMask = VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
        };
        vkCmdPipelineBarrier(
            cmd, xfb, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0,
            1, &barrier, 0, NULL, 0, NULL);
        move_begin_pass(&r->m, cmd, true);
    }
    for (uint32_t kind = MOVE_SHOW; kind <= (indices ? MOVE_SHOW_GEOMETRY : MOVE_SHOW); kind++) {
        move_bind(&r->m, cmd, (enum move_kind)kind, r->m.items.buffer, 0, place);
        if (indices) {
            vkCmdBindIndexBuffer(cmd, r->side[0].buffer, 0, VK_INDEX_TYPE_UINT32);
            vkCmdDrawIndexed(cmd, 8, 1, 0, 0, 0);
        } else {
            vkCmdDrawIndirect(cmd, r->side[0].buffer, 0, 1, 0);
            vkCmdDrawIndirect(cmd, r->side[0].buffer, MOVE_ITEM_B, 1, 0);
        }
    }
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&r->m.t, cmd);
    const char *what = indices ? "indices" : "arguments";
    xfb_dump_target(&r->m.t, &r->m.target, "%s/%s", what, same_subpass ? "subpass" : "passes");
    const struct vkt_buffer pixels = vkt_image_read(&r->m.t, &r->m.target.color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, MOVE_SIDE_PX * MOVE_SIDE_PX);
    VKT_EXPECT(&r->m.t, drawn >= (indices ? 6 : 28), "%s: %u pixels", what, drawn);
}

/* Intervals of one subpass that continue one another, ordered by their counters alone. */
static void run_counters(struct rig *r, enum move_kind kind)
{
    const struct xfb_range range = {r->side[0].buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {r->counters.buffer, 12, 0};
    start(r);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    move_begin_pass(&r->m, cmd, false);
    for (uint32_t i = 0; i < 6; i++) {
        const struct move_item change = {i, 100 * i, i, i};
        move_bind(&r->m, cmd, kind, r->m.items.buffer, 0, change);
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, i > 0, &counter);
        vkCmdDraw(cmd, 3 + i, 1, 0, 0);
        xfb_end(cmd, 0, 1, &counter);
        xfb_subpass_counter_barrier(cmd);
    }
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&r->m.t, cmd);
    const uint32_t got = xfb_word(&r->counters, 12);
    if (kind == MOVE_CAPTURE)
        VKT_EXPECT(&r->m.t, got == 33 * MOVE_ITEM_B, "counters: %u bytes", got);
    xfb_expect_rest(&r->m.t, "counters", &r->side[0], got);
    xfb_dump(&r->m.t, r->side[0].map, CAPTURE_B, "%s/counters", move_names[kind]);
}

/* Copies by a command and by a shader. */
static void run_copies(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkDescriptorSetLayout set_layout = vkt_set_layout(t, bindings, 2);
    const VkDescriptorSet set = vkt_set(t, set_layout, bindings, 2);
    const VkPipelineLayout layout = vkt_layout(t, &set_layout, 1, NULL, 0);
    const VkPipeline pipeline = vkt_compute_pipeline(t, VKT_CODE(xfb_copy_comp), layout);
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const struct vkt_buffer captured =
        vkt_buffer(t, CAPTURE_B,
                   usage | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                       VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                   XFB_FILL);
    const struct vkt_buffer copies[2] = {vkt_buffer(t, CAPTURE_B, usage, 0),
                                         vkt_buffer(t, CAPTURE_B, usage, 0)};
    vkt_write_buffer(t, set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, captured.buffer, 0,
                     VK_WHOLE_SIZE);
    vkt_write_buffer(t, set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, copies[1].buffer, 0,
                     VK_WHOLE_SIZE);
    const struct xfb_range range = {captured.buffer, 0, CAPTURE_B};
    const struct move_item change = {1, 2, 3, 4};
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    move_begin_pass(&r->m, cmd, false);
    move_bind(&r->m, cmd, MOVE_CAPTURE, r->m.items.buffer, 0, change);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, MOVE_ITEMS, 2, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndRenderPass(cmd);
    const VkBufferMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_SHADER_READ_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = captured.buffer,
        .size = VK_WHOLE_SIZE,
    };
    vkCmdPipelineBarrier(cmd, xfb,
                         VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                         0, NULL, 1, &barrier, 0, NULL);
    const VkBufferCopy region = {.size = CAPTURE_B};
    vkCmdCopyBuffer(cmd, captured.buffer, copies[0].buffer, 1, &region);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(cmd, CAPTURE_B / 4 / 64, 1, 1);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    VKT_EXPECT(t, memcmp(copies[0].map, captured.map, CAPTURE_B) == 0, "a copy is not equal");
    for (uint32_t i = 0; i < CAPTURE_B; i += 4)
        VKT_EXPECT(t, xfb_word(&copies[1], i) == (xfb_word(&captured, i) ^ 0x55u),
                   "the shader saw another word at byte %u", i);
    VKT_EXPECT(t, xfb_word(&captured, 4) == 1002, "nothing was captured");
    xfb_dump(t, captured.map, CAPTURE_B, "copies");
}

int main(int argc, char **argv)
{
    static struct rig r;
    move_init(&r.m, "gpu-xfb_sync", argc, argv);
    struct vkt *t = &r.m.t;
    r.broad = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, MOVE_SIDE_PX, MOVE_SIDE_PX);
    move_pipelines(&r.m, r.broad.pass, r.broad_pipelines);
    if (t->features.dynamic_rendering)
        move_pipelines(&r.m, VK_NULL_HANDLE, r.dynamic_pipelines);
    for (uint32_t i = 0; i < STEPS; i++)
        r.side[i] = xfb_buffer(t, CAPTURE_B);
    r.counters = xfb_buffer(t, 64);
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VKT_CALL(vkCreateSemaphore(t->device, &semaphore, NULL, &r.semaphore));
    VKT_CALL(vkCreateEvent(t->device, &event, NULL, &r.event));
    for (uint32_t order = 0; order < ORDERS; order++) {
        if (order == ORDER_DYNAMIC && !t->features.dynamic_rendering)
            continue;
        run_order(&r, (enum order)order, MOVE_CAPTURE);
        run_order(&r, (enum order)order, MOVE_CAPTURE_GEOMETRY);
    }
    for (uint32_t i = 0; i < 4; i++)
        run_arguments(&r, i & 1, i >> 1);
    run_counters(&r, MOVE_CAPTURE);
    run_counters(&r, MOVE_CAPTURE_GEOMETRY);
    run_copies(&r);
    vkDestroySemaphore(t->device, r.semaphore, NULL);
    vkDestroyEvent(t->device, r.event, NULL);
    return vkt_finish(t);
}
