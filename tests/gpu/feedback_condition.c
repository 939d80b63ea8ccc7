/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering around draws, drawn by the driver and emulated, captured or not: begun in
 * the pass, around it, and inherited by a secondary. What is left out leaves no trace but that an
 * interval goes on, and its counter is written.
 */
#include "gpu/feedback_move.h"

#include <string.h>

#define CAPTURE_B 2048u
#define START_B 32u /* the counter before */
#define END_AT_B 8u /* where the counter goes */

enum place { PLACE_INSIDE, PLACE_AROUND, PLACE_SECONDARY, PLACES };

static const char *const place_names[PLACES] = {"inside", "around", "secondary"};

struct rig {
    struct move m;
    struct vkt_buffer captured, counter, words; /* words: 0, 1, 0x100 */
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
    const struct feedback_range range = {r->captured.buffer, 0, CAPTURE_B};
    const struct feedback_range counter = {r->counter.buffer, 0, 0};
    const struct feedback_range end = {r->counter.buffer, END_AT_B, 0};
    const bool captures = run->kind >= MOVE_CAPTURE;
    move_bind(&r->m, cmd, run->kind, r->m.items.buffer, 0, (struct move_item){0, 500, 7, 9});
    if (captures) {
        feedback_bind(cmd, 0, 1, &range);
        feedback_begin(cmd, 0, 1, &counter);
    }
    if (run->place == PLACE_INSIDE)
        begin_condition(r, cmd, run);
    vkCmdDraw(cmd, 10, 2, 3, 0);
    if (r->m.t.feedback.transformFeedbackDraw)
        vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, r->counter.buffer, 4, 0, MOVE_ITEM_B);
    if (run->place == PLACE_INSIDE) {
        vkCmdEndConditionalRenderingEXT(cmd);
        vkCmdDraw(cmd, 6, 1, 20, 0);
    }
    if (captures)
        feedback_end(cmd, 0, 1, &end);
}

static VkCommandBuffer record_secondary(struct rig *r, const struct run *run)
{
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = r->m.t.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cmd;
    VKT_CALL(vkAllocateCommandBuffers(r->m.t.device, &allocate, &cmd));
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT condition = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = VK_TRUE,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &condition,
        .renderPass = r->m.target.pass,
    };
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inheritance,
    };
    VKT_CALL(vkBeginCommandBuffer(cmd, &info));
    draw(r, cmd, run);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void record(struct rig *r, VkCommandBuffer cmd, const struct run *run)
{
    if (run->place != PLACE_INSIDE)
        begin_condition(r, cmd, run);
    if (run->place == PLACE_SECONDARY) {
        const VkCommandBuffer secondary = record_secondary(r, run);
        vkt_target_begin(cmd, &r->m.target, false, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        vkCmdExecuteCommands(cmd, 1, &secondary);
    } else {
        move_begin_pass(&r->m, cmd, false);
        draw(r, cmd, run);
    }
    vkCmdEndRenderPass(cmd);
    if (run->place != PLACE_INSIDE)
        vkCmdEndConditionalRenderingEXT(cmd);
    feedback_barrier(cmd);
}

static void run_one(struct rig *r, const struct run *run)
{
    char name[96];
    snprintf(name, sizeof(name), "%s%s/%s/%u%s", run->place == PLACE_SECONDARY ? "opt/" : "",
             move_names[run->kind], place_names[run->place], run->word,
             run->inverted ? "-inverted" : "");
    const uint32_t counters[3] = {START_B, 4 * MOVE_ITEM_B, 1};
    memset(r->captured.map, FEEDBACK_FILL, CAPTURE_B);
    memcpy(r->counter.map, counters, sizeof(counters));
    VkCommandBuffer cmd = vkt_commands(&r->m.t);
    vkt_begin(cmd, 0);
    record(r, cmd, run);
    vkt_submit(&r->m.t, cmd);
    feedback_dump(&r->m.t, r->captured.map, CAPTURE_B, "%s/captured", name);
    feedback_dump(&r->m.t, r->counter.map, r->counter.size_B, "%s/counter", name);
    feedback_dump_target(&r->m.t, &r->m.target, "%s/image", name);
    const bool drawn = (run->word != 0) != run->inverted;
    const uint32_t counter_B = feedback_word(&r->counter, END_AT_B);
    if (run->kind >= MOVE_CAPTURE && run->place != PLACE_INSIDE)
        VKT_EXPECT(&r->m.t, drawn ? counter_B > START_B : counter_B == START_B, "%s: counter %u",
                   name, counter_B);
}

int main(int argc, char **argv)
{
    static const uint32_t words[3] = {0, 1, 0x100};
    struct rig r;
    memset(&r, 0, sizeof(r));
    move_init(&r.m, "feedback_condition", argc, argv);
    if (!r.m.t.features.condition)
        vkt_skip("no VK_EXT_conditional_rendering");
    r.captured = feedback_buffer(&r.m.t, CAPTURE_B);
    r.counter = feedback_buffer(&r.m.t, 12);
    r.words = vkt_buffer_from(&r.m.t, words, sizeof(words),
                              VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
    /* --inherit: drivers that cannot, but never get to see the secondaries */
    const bool forced = r.m.t.options.rest_count > 0;
    const int places = r.m.t.features.condition_inherited || forced ? PLACES : PLACE_SECONDARY;
    for (int kind = forced ? MOVE_CAPTURE : 0; kind < MOVE_KINDS; kind++)
        for (int place = 0; place < places; place++)
            for (uint32_t i = 0; i < 6; i++)
                run_one(&r, &(struct run){(enum move_kind)kind, (enum place)place, i % 3, i >= 3});
    return vkt_finish(&r.m.t);
}
