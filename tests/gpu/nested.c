/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_nested_command_buffer: trees of secondaries whose draws are plain, have a geometry shader
 * or capture, between draws of the primary in the same pass, executed once or twice; and
 * secondaries that record whole passes. Statistics and conditions go down through all of them,
 * where the driver lets secondaries inherit them.
 */
#include "gpu/xfb.h"

#include "nested_capture_geom.h"
#include "nested_capture_vert.h"
#include "nested_geom.h"
#include "nested_vert.h"
#include "value_frag.h"

#include <string.h>

#define SIDE_PX 16u
#define DEPTH 3u
#define SLOT_B (SIDE_PX * 4u) /* what a draw captures */
#define SLOTS 64u

#ifdef VK_EXT_nested_command_buffer
enum { PLAIN, POINTS, CAPTURES_PLAIN, CAPTURES_POINTS, KINDS };

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer captured, conditions /* false and true */;
    VkPipelineLayout layout;
    VkPipeline pipelines[2][KINDS]; /* for a render pass, for dynamic rendering */
    VkQueryPool queries;
    uint32_t random, row, slot;
    bool rendering; /* passes are dynamic */
    bool condition; /* is active, and inherited */
    bool counts;    /* a query is active */
    bool inherits_queries;
};

static const VkQueryPipelineStatisticFlags statistics =
    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT;

static uint32_t roll(struct suite *s, uint32_t below)
{
    s->random = s->random * 1664525u + 1013904223u;
    return (s->random >> 8) % below;
}

/* -- draws -- */

static void draw(struct suite *s, VkCommandBuffer cmd)
{
    const uint32_t kind = roll(s, s->condition || s->slot == SLOTS ? CAPTURES_PLAIN : KINDS);
    const uint32_t tint = 1 + roll(s, 1000);
    const struct xfb_range range = {s->captured.buffer, s->slot * SLOT_B, SLOT_B};
    const bool captures = kind >= CAPTURES_PLAIN;
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[s->rendering][kind]);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(tint), &tint);
    if (captures) {
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 0, NULL);
        s->slot++;
    }
    vkCmdDraw(cmd, SIDE_PX, 1, s->row++ % SIDE_PX * SIDE_PX, 0);
    if (captures)
        xfb_end(cmd, 0, 0, NULL);
}

static VkCommandBuffer begin_secondary(struct suite *s, bool continues)
{
    const VkFormat format = VK_FORMAT_R32_UINT;
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT condition = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = VK_TRUE,
    };
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .pNext = s->condition ? &condition : NULL,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const bool in_rendering = continues && s->rendering;
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = in_rendering   ? (const void *)&rendering
                 : s->condition ? &condition
                                : NULL,
        .renderPass = continues && !s->rendering ? s->target.pass : VK_NULL_HANDLE,
        .pipelineStatistics = s->counts ? statistics : 0,
    };
    VkCommandBufferUsageFlags flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    if (continues)
        flags |= VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    return vkt_secondary(&s->t, flags, &inheritance);
}

static void fill(struct suite *s, VkCommandBuffer cmd, uint32_t depth);

static VkCommandBuffer make_secondary(struct suite *s, uint32_t depth)
{
    VkCommandBuffer cmd = begin_secondary(s, true);
    fill(s, cmd, depth);
    VKT_CALL(vkEndCommandBuffer(cmd));
    return cmd;
}

static void execute_some(struct suite *s, VkCommandBuffer cmd, uint32_t depth)
{
    VkCommandBuffer secondaries[2];
    const uint32_t count = 1 + roll(s, 2), row = s->row;
    for (uint32_t i = 0; i < count; i++)
        secondaries[i] = make_secondary(s, depth + 1);
    vkCmdExecuteCommands(cmd, count, secondaries);
    if (roll(s, 3))
        return;
    s->row = row; /* drawn over, and then again by the first one */
    draw(s, cmd);
    vkCmdExecuteCommands(cmd, 1, secondaries);
}

/* Draws, and at least one secondary as long as there is a depth to go. */
static void fill(struct suite *s, VkCommandBuffer cmd, uint32_t depth)
{
    const uint32_t steps = 2 + roll(s, 2), sure = roll(s, steps);
    for (uint32_t i = 0; i < steps; i++)
        if (depth < DEPTH && (i == sure || roll(s, 4) == 0))
            execute_some(s, cmd, depth);
        else
            draw(s, cmd);
}

/* -- passes -- */

static void begin_rendering(const struct suite *s, VkCommandBuffer cmd)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->target.color.view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT |
                 VK_RENDERING_CONTENTS_INLINE_BIT_EXT,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    vkCmdBeginRendering(cmd, &info);
}

static void attachment_barrier(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Whole passes, in secondaries down to the depth. */
static void fill_passes(struct suite *s, VkCommandBuffer cmd, uint32_t depth)
{
    begin_rendering(s, cmd);
    fill(s, cmd, DEPTH - 1);
    vkCmdEndRendering(cmd);
    attachment_barrier(cmd);
    if (depth == DEPTH)
        return;
    VkCommandBuffer inner = begin_secondary(s, false);
    fill_passes(s, inner, depth + 1);
    VKT_CALL(vkEndCommandBuffer(inner));
    vkCmdExecuteCommands(cmd, 1, &inner);
    attachment_barrier(cmd);
    begin_rendering(s, cmd);
    draw(s, cmd);
    vkCmdEndRendering(cmd);
    attachment_barrier(cmd);
}

static void begin_condition(const struct suite *s, VkCommandBuffer cmd, bool holds)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = s->conditions.buffer,
        .offset = holds ? 4 : 0,
    };
    vkCmdBeginConditionalRenderingEXT(cmd, &info);
}

static void start(struct suite *s, uint32_t seed)
{
    s->random = seed;
    s->row = s->slot = 0;
    memset(s->captured.map, XFB_FILL, SLOTS * SLOT_B);
}

static void dump(struct suite *s, const char *what)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    vkt_dump_buffer(&s->t, what, pixels.map, SIDE_PX * SIDE_PX * 4);
    xfb_dump(&s->t, s->captured.map, SLOTS * SLOT_B, "%s/captured", what);
}

static void case_tree(struct suite *s, const char *what, uint32_t seed, bool condition)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    start(s, seed);
    s->rendering = false;
    s->condition = condition;
    s->counts = !condition && s->inherits_queries;
    vkt_begin(cmd, 0);
    if (s->counts)
        vkCmdResetQueryPool(cmd, s->queries, 0, 1);
    vkt_target_begin(cmd, &s->target, false,
                     VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_EXT);
    draw(s, cmd);
    if (condition)
        begin_condition(s, cmd, seed % 2);
    if (s->counts)
        vkCmdBeginQuery(cmd, s->queries, 0, 0);
    fill(s, cmd, 0);
    if (condition)
        vkCmdEndConditionalRenderingEXT(cmd);
    if (s->counts)
        vkCmdEndQuery(cmd, s->queries, 0);
    s->condition = false;
    draw(s, cmd);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    dump(s, what);
    if (!s->counts)
        return;
    s->counts = false;
    uint64_t counts[4];
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->queries, 0, 1, sizeof(counts), counts,
                                   sizeof(counts),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, counts[1] >= SIDE_PX, "%s: %u vertices", what, (unsigned)counts[1]);
    xfb_dump(&s->t, counts, sizeof(counts), "%s/counts", what);
}

static void case_passes(struct suite *s, const char *what, uint32_t seed, bool condition)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkCommandBuffer cmd = vkt_commands(&s->t);
    start(s, seed);
    s->rendering = true;
    s->condition = condition;
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE); /* clears */
    vkCmdEndRenderPass(cmd);
    vkt_image_barrier(cmd, s->target.color.image, range, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                      VK_IMAGE_LAYOUT_GENERAL);
    attachment_barrier(cmd);
    if (condition)
        begin_condition(s, cmd, seed % 2);
    fill_passes(s, cmd, 1);
    if (condition)
        vkCmdEndConditionalRenderingEXT(cmd);
    s->condition = false;
    vkt_image_barrier(cmd, s->target.color.image, range, VK_IMAGE_LAYOUT_GENERAL,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    dump(s, what);
}

/* -- objects -- */

static void make_pipeline(struct suite *s, bool rendering, uint32_t kind)
{
    struct vkt_pipeline_info info = {
        .vs = kind == CAPTURES_PLAIN ? VKT_CODE(nested_capture_vert) : VKT_CODE(nested_vert),
        .fs = VKT_CODE(value_frag),
        .layout = s->layout,
        .pass = rendering ? VK_NULL_HANDLE : s->target.pass,
        .dynamic_format = VK_FORMAT_R32_UINT,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    if (kind == POINTS)
        info.gs = VKT_CODE(nested_geom);
    if (kind == CAPTURES_POINTS)
        info.gs = VKT_CODE(nested_capture_geom);
    s->pipelines[rendering][kind] = vkt_pipeline(&s->t, &info);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 4};
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
        .queryCount = 1,
        .pipelineStatistics = statistics,
    };
    s->captured = xfb_buffer(t, SLOTS * SLOT_B);
    if (t->features.condition_inherited) {
        s->conditions = vkt_buffer(t, 8, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, 0);
        ((uint32_t *)s->conditions.map)[1] = 1;
    }
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s->layout = vkt_layout(t, NULL, 0, &range, 1);
    if (s->inherits_queries) {
        VKT_CALL(vkCreateQueryPool(t->device, &queries, NULL, &s->queries));
        vkt_defer(t, vkt_destroy_query_pool, (uint64_t)s->queries);
    }
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < 2; i++)
            make_pipeline(s, i, kind);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-nested", argc, argv);
    static struct suite s;
    options.nested = options.xfb = true;
    vkt_init(&s.t, &options);
    s.inherits_queries =
        s.t.features.core.inheritedQueries && s.t.features.core.pipelineStatisticsQuery;
    make_resources(&s);
    for (uint32_t i = 0; i < 8; i++) {
        char what[32];
        snprintf(what, sizeof(what), "tree-%u", i);
        case_tree(&s, what, 11 + i, false);
        snprintf(what, sizeof(what), "passes-%u", i);
        case_passes(&s, what, 23 + i, false);
        if (!s.t.features.condition_inherited)
            continue;
        snprintf(what, sizeof(what), "tree-condition-%u", i);
        case_tree(&s, what, 37 + i, true);
        snprintf(what, sizeof(what), "passes-condition-%u", i);
        case_passes(&s, what, 51 + i, true);
    }
    return vkt_finish(&s.t);
}
#else
int main(void)
{
    vkt_skip("the Vulkan headers are older than VK_EXT_nested_command_buffer");
}
#endif
