/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering around draws, drawn by the driver and emulated, captured or not: begun in
 * the pass, around it, and inherited by a secondary, of the pass or with the pass in it. What is
 * left out leaves no trace but that an interval goes on, and its counter is written, and that a
 * query has a result.
 */
#include "common/vkt_query.h"
#include "gpu/xfb_move.h"

#include <string.h>

#define CAPTURE_B 2048u
#define START_B 32u /* the counter before */
#define END_AT_B 8u /* where the counter goes */

/* In the last two a secondary inherits it. */
enum place { PLACE_INSIDE, PLACE_AROUND, PLACE_SECONDARY, PLACE_WHOLE, PLACES };

static const char *const place_names[PLACES] = {"inside", "around", "secondary", "whole"};

/* All that can be seen of a run. */
struct outcome {
    unsigned char captured[CAPTURE_B];
    uint32_t counter[3];
    uint64_t query[3]; /* written, needed, whether there is a result */
    uint32_t pixels[MOVE_SIDE_PX * MOVE_SIDE_PX];
};

struct rig {
    struct move m;
    struct vkt_buffer captured, counter, query, words; /* words: 0, 1, 0x100 */
    VkQueryPool pool;
    VkPipeline dynamic_pipelines[MOVE_KINDS]; /* for dynamic rendering */
    struct outcome around, now;
};

struct run {
    enum move_kind kind;
    enum place place;
    uint32_t word; /* which one is the condition */
    bool inverted;
};

static void begin_condition(struct rig *r, VkCommandBuffer cmd, const struct run *run)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = r->words.buffer,
        .offset = run->word * 4,
        .flags = run->inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
    vkCmdBeginConditionalRenderingEXT(cmd, &info);
}

/* Draws that the condition is for, by a number and by a counter, and in the pass one that it is not
 * for. */
static void draw(struct rig *r, VkCommandBuffer cmd, const struct run *run)
{
    const struct xfb_range range = {r->captured.buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {r->counter.buffer, 0, 0};
    const struct xfb_range end = {r->counter.buffer, END_AT_B, 0};
    const bool captures = run->kind >= MOVE_CAPTURE;
    move_bind(&r->m, cmd, run->kind, r->m.items.buffer, 0, (struct move_item){0, 500, 7, 9});
    if (run->place == PLACE_WHOLE)
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->dynamic_pipelines[run->kind]);
    if (captures) {
        vkCmdBeginQuery(cmd, r->pool, 0, 0);
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 1, &counter);
    }
    if (run->place == PLACE_INSIDE)
        begin_condition(r, cmd, run);
    vkCmdDraw(cmd, 10, 2, 3, 0);
    if (r->m.t.xfb.transformFeedbackDraw)
        vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, r->counter.buffer, 4, 0, MOVE_ITEM_B);
    if (run->place == PLACE_INSIDE) {
        vkCmdEndConditionalRenderingEXT(cmd);
        vkCmdDraw(cmd, 6, 1, 20, 0);
    }
    if (captures) {
        xfb_end(cmd, 0, 1, &end);
        vkCmdEndQuery(cmd, r->pool, 0);
    }
}

static void record_pass(struct rig *r, VkCommandBuffer cmd, const struct run *run)
{
    move_begin_pass(&r->m, cmd, false);
    draw(r, cmd, run);
    vkCmdEndRenderPass(cmd);
}

static void change_layout(struct rig *r, VkCommandBuffer cmd, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = r->m.target.color.image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    vkCmdPipelineBarrier(cmd, stages, stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* The only passes that a secondary may begin. */
static void record_rendering(struct rig *r, VkCommandBuffer cmd, const struct run *run)
{
    const VkImageLayout layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = r->m.target.color.view,
        .imageLayout = layout,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {MOVE_SIDE_PX, MOVE_SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
    };
    change_layout(r, cmd, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    vkCmdBeginRendering(cmd, &info);
    draw(r, cmd, run);
    vkCmdEndRendering(cmd);
    change_layout(r, cmd, layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

static void copy_query(struct rig *r, VkCommandBuffer cmd, const struct run *run)
{
    if (run->kind >= MOVE_CAPTURE)
        vkCmdCopyQueryPoolResults(cmd, r->pool, 0, 1, r->query.buffer, 0, r->query.size_B,
                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT |
                                      VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

static VkCommandBuffer record_secondary(struct rig *r, const struct run *run)
{
    const bool whole = run->place == PLACE_WHOLE;
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT condition = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = VK_TRUE,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &condition,
        .renderPass = whole ? VK_NULL_HANDLE : r->m.target.pass,
    };
    const VkCommandBuffer cmd = vkt_secondary(
        &r->m.t, whole ? 0 : VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance);
    if (whole) {
        record_rendering(r, cmd, run);
        copy_query(r, cmd, run);
    } else {
        draw(r, cmd, run);
    }
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void record(struct rig *r, VkCommandBuffer cmd, const struct run *run)
{
    vkCmdResetQueryPool(cmd, r->pool, 0, 1);
    if (run->place != PLACE_INSIDE)
        begin_condition(r, cmd, run);
    if (run->place == PLACE_SECONDARY) {
        const VkCommandBuffer secondary = record_secondary(r, run);
        vkt_target_begin(cmd, &r->m.target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        vkCmdExecuteCommands(cmd, 1, &secondary);
        vkCmdEndRenderPass(cmd);
    } else if (run->place == PLACE_WHOLE) {
        const VkCommandBuffer secondary = record_secondary(r, run);
        vkCmdExecuteCommands(cmd, 1, &secondary);
    } else {
        record_pass(r, cmd, run);
    }
    if (run->place != PLACE_WHOLE)
        copy_query(r, cmd, run);
    if (run->place != PLACE_INSIDE)
        vkCmdEndConditionalRenderingEXT(cmd);
    xfb_barrier(cmd);
}

static void submit(struct rig *r, const struct run *run)
{
    const uint32_t counters[3] = {START_B, 4 * MOVE_ITEM_B, 1};
    memset(r->captured.map, XFB_FILL, CAPTURE_B);
    memcpy(r->counter.map, counters, sizeof(counters));
    memset(r->query.map, 0, r->query.size_B);
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, 0);
    record(r, cmd, run);
    vkt_submit(&r->m.t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&r->m.t, &r->m.target.color, 4);
    memcpy(r->now.captured, r->captured.map, CAPTURE_B);
    memcpy(r->now.counter, r->counter.map, sizeof(r->now.counter));
    memcpy(r->now.query, r->query.map, sizeof(r->now.query));
    memcpy(r->now.pixels, pixels.map, sizeof(r->now.pixels));
}

static void run_one(struct rig *r, const struct run *run)
{
    struct vkt *t = &r->m.t;
    char name[96];
    snprintf(name, sizeof(name), "%s%s/%s/%u%s", run->place >= PLACE_SECONDARY ? "opt/" : "",
             move_names[run->kind], place_names[run->place], run->word,
             run->inverted ? "-inverted" : "");
    submit(r, run);
    const struct outcome *now = &r->now;
    xfb_dump(t, now->captured, CAPTURE_B, "%s/captured", name);
    xfb_dump(t, now->counter, sizeof(now->counter), "%s/counter", name);
    xfb_dump(t, now->query, sizeof(now->query), "%s/query", name);
    char image[128];
    snprintf(image, sizeof(image), "%s/image", name);
    vkt_dump_image(t, image, now->pixels, MOVE_SIDE_PX, MOVE_SIDE_PX, 4);

    const bool drawn = (run->word != 0) != run->inverted;
    const uint32_t counter_B = now->counter[END_AT_B / 4];
    if (run->kind >= MOVE_CAPTURE) {
        if (run->place != PLACE_INSIDE)
            VKT_EXPECT(t, drawn ? counter_B > START_B : counter_B == START_B, "%s: counter %u",
                       name, counter_B);
        VKT_EXPECT(t, now->query[2], "%s: the query has no result", name);
        VKT_EXPECT(t, START_B + now->query[0] * MOVE_ITEM_B == counter_B, "%s: counter %u", name,
                   counter_B);
    }
    if (run->place == PLACE_AROUND)
        r->around = *now;
    if (run->place > PLACE_AROUND)
        VKT_EXPECT(t, memcmp(&r->around, now, sizeof(*now)) == 0, "%s: not as without a secondary",
                   name);
}

int main(int argc, char **argv)
{
    static const uint32_t words[3] = {0, 1, 0x100};
    static struct rig r;
    move_init(&r.m, "xfb_condition", argc, argv);
    if (!r.m.t.features.condition)
        vkt_skip("no VK_EXT_conditional_rendering");
    r.pool = vkt_query_pool(&r.m.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1, 0);
    r.captured = xfb_buffer(&r.m.t, CAPTURE_B);
    r.query = xfb_buffer(&r.m.t, sizeof(r.now.query));
    r.counter = xfb_buffer(&r.m.t, 12);
    r.words = vkt_buffer_from(&r.m.t, words, sizeof(words),
                              VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
    /* --inherit: drivers that cannot, but never get to see the secondaries */
    const bool forced = vkt_flag(&r.m.t.options, "--inherit");
    int places = r.m.t.features.condition_inherited || forced ? PLACES : PLACE_SECONDARY;
    if (r.m.t.features.dynamic_rendering)
        move_pipelines(&r.m, VK_NULL_HANDLE, r.dynamic_pipelines);
    else if (places == PLACES)
        places = PLACE_WHOLE;
    for (int kind = forced ? MOVE_CAPTURE : 0; kind < MOVE_KINDS; kind++)
        for (uint32_t i = 0; i < 6; i++)
            for (int place = 0; place < places; place++)
                run_one(&r, &(struct run){(enum move_kind)kind, (enum place)place, i % 3, i >= 3});
    return vkt_finish(&r.m.t);
}
