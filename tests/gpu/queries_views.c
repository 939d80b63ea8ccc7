/* SPDX-License-Identifier: MIT
 *
 * Queries in multiview passes take as many queries of their pool as the subpass has views: all of
 * them become available, and their sum is what was counted in all views. In subpasses with
 * different views of either kind of render pass, in dynamic rendering, and in secondaries of both.
 */
#include "common/vkt_query.h"
#include "gpu/xfb_move.h"

#include "views_vert.h"

#define CLIPPING VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT
#define VERTEX_SHADER VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT
#define PRIMITIVES VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT

/* Views of the subpasses, and of dynamic rendering. */
static const uint32_t masks[] = {5, 7, 3};
static const uint32_t view_counts[] = {2, 3, 2};
enum { SUBPASSES = 2, DYNAMIC = 2, KINDS = 3 };

enum begin { RENDER_PASS, RENDER_PASS2, RENDERING, BEGINS };

struct rig {
    struct move m;
    VkRenderPass passes[2]; /* without attachments */
    VkFramebuffer framebuffers[2];
    VkPipeline pipelines[KINDS];
    VkQueryPool generated, statistics; /* the second may be absent */
    uint32_t query;                    /* the next one */
    bool layered;                      /* through the layer; Mesa makes only the first available */
};

/* --- What is counted --- */

#define DRAWS (2 * (2 * SUBPASSES + 1))
static struct counted {
    uint32_t first, views, points;
} counted[DRAWS];
static uint32_t counted_count;

static void draw(struct rig *r, VkCommandBuffer cmd, uint32_t kind)
{
    const VkDeviceSize zero = 0;
    const struct move_item change = {0};
    const uint32_t query = r->query, points = 3 + counted_count;
    counted[counted_count++] = (struct counted){query, view_counts[kind], points};
    r->query += view_counts[kind];
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipelines[kind]);
    vkCmdBindVertexBuffers(cmd, 0, 1, &r->m.items.buffer, &zero);
    vkCmdPushConstants(cmd, r->m.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(change), &change);
    vkCmdBeginQuery(cmd, r->generated, query, 0);
    if (r->statistics)
        vkCmdBeginQuery(cmd, r->statistics, query, 0);
    vkCmdDraw(cmd, points, 1, 0, 0);
    if (r->statistics)
        vkCmdEndQuery(cmd, r->statistics, query);
    vkCmdEndQuery(cmd, r->generated, query);
}

/* In a secondary of that subpass, or inline. */
static void draw_or_execute(struct rig *r, VkCommandBuffer cmd, enum begin begin, uint32_t kind,
                            bool secondary)
{
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .viewMask = masks[kind],
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inherit = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = begin == RENDERING ? &rendering : NULL,
        .renderPass = begin == RENDERING ? VK_NULL_HANDLE : r->passes[begin],
        .subpass = begin == RENDERING ? 0 : kind,
    };
    if (!secondary) {
        draw(r, cmd, kind);
        return;
    }
    const VkCommandBuffer second =
        vkt_secondary(&r->m.t, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherit);
    draw(r, second, kind);
    VKT_CALL(vkEndCommandBuffer(second));
    vkCmdExecuteCommands(cmd, 1, &second);
}

static void record_render_pass(struct rig *r, VkCommandBuffer cmd, enum begin begin, bool secondary)
{
    const VkSubpassContents contents =
        secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE;
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = r->passes[begin],
        .framebuffer = r->framebuffers[begin],
        .renderArea = {.extent = {MOVE_SIDE_PX, MOVE_SIDE_PX}},
    };
    const VkSubpassBeginInfo subpass = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, NULL, contents};
    const VkSubpassEndInfo end = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO, NULL};
    if (begin == RENDER_PASS2)
        vkCmdBeginRenderPass2(cmd, &info, &subpass);
    else
        vkCmdBeginRenderPass(cmd, &info, contents);
    draw_or_execute(r, cmd, begin, 0, secondary);
    if (begin == RENDER_PASS2)
        vkCmdNextSubpass2(cmd, &subpass, &end);
    else
        vkCmdNextSubpass(cmd, contents);
    draw_or_execute(r, cmd, begin, 1, secondary);
    if (begin == RENDER_PASS2)
        vkCmdEndRenderPass2(cmd, &end);
    else
        vkCmdEndRenderPass(cmd);
}

static void record_rendering(struct rig *r, VkCommandBuffer cmd, bool secondary)
{
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
        .renderArea = {.extent = {MOVE_SIDE_PX, MOVE_SIDE_PX}},
        .layerCount = 1,
        .viewMask = masks[DYNAMIC],
    };
    vkCmdBeginRendering(cmd, &info);
    draw_or_execute(r, cmd, RENDERING, DYNAMIC, secondary);
    vkCmdEndRendering(cmd);
}

/* --- Set-up --- */

static void make_passes(struct rig *r)
{
    struct vkt *t = &r->m.t;
    const VkSubpassDescription subpasses[SUBPASSES] = {{0}, {0}};
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = SUBPASSES,
        .pViewMasks = masks,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = &views,
        .subpassCount = SUBPASSES,
        .pSubpasses = subpasses,
    };
    VKT_CALL(vkCreateRenderPass(t->device, &info, NULL, &r->passes[RENDER_PASS]));
    VkSubpassDescription2 subpasses2[SUBPASSES];
    for (uint32_t i = 0; i < SUBPASSES; i++)
        subpasses2[i] = (VkSubpassDescription2){
            .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
            .viewMask = masks[i],
        };
    const VkRenderPassCreateInfo2 info2 = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
        .subpassCount = SUBPASSES,
        .pSubpasses = subpasses2,
    };
    VKT_CALL(vkCreateRenderPass2(t->device, &info2, NULL, &r->passes[RENDER_PASS2]));
    for (uint32_t i = 0; i < 2; i++) {
        const VkFramebufferCreateInfo framebuffer = {
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
            .renderPass = r->passes[i],
            .width = MOVE_SIDE_PX,
            .height = MOVE_SIDE_PX,
            .layers = 1,
        };
        vkt_defer(t, vkt_destroy_render_pass, (uint64_t)r->passes[i]);
        VKT_CALL(vkCreateFramebuffer(t->device, &framebuffer, NULL, &r->framebuffers[i]));
        vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)r->framebuffers[i]);
    }
}

static void make_pipelines(struct rig *r)
{
    const VkVertexInputBindingDescription binding = {0, MOVE_ITEM_B, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_UINT, 0};
    for (uint32_t i = 0; i < KINDS; i++) {
        const struct vkt_pipeline_info info = {
            .vs = VKT_CODE(views_vert),
            .layout = r->m.layout,
            .pass = i == DYNAMIC ? VK_NULL_HANDLE : r->passes[0],
            .subpass = i == DYNAMIC ? 0 : i,
            .dynamic_views = i == DYNAMIC ? masks[i] : 0,
            .no_colors = i == DYNAMIC,
            .width_px = MOVE_SIDE_PX,
            .height_px = MOVE_SIDE_PX,
            .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
            .discard = true,
            .bindings = &binding,
            .binding_count = 1,
            .attributes = &attribute,
            .attribute_count = 1,
        };
        r->pipelines[i] = vkt_pipeline(&r->m.t, &info);
    }
}

/* --- Results --- */

/* The sum of what one draw counted. All is said to be done, so nothing has to be waited for. `all`:
 * every query must be available. */
static uint64_t sum(struct rig *r, VkQueryPool pool, uint32_t value_count, uint32_t value,
                    const struct counted *c, bool all)
{
    uint64_t results[3][3] = {{0}}, total = 0;
    vkGetQueryPoolResults(r->m.t.device, pool, c->first, c->views, sizeof(results), results,
                          sizeof(results[0]),
                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    for (uint32_t i = 0; i < c->views; i++) {
        VKT_EXPECT(&r->m.t, results[i][value_count] || (i && !all), "query %u is not available",
                   c->first + i);
        total += results[i][value];
    }
    return total;
}

/* What the driver counts, wholly or in part, it makes available. */
static void check(struct rig *r, const char *name, bool driver)
{
    struct vkt *t = &r->m.t;
    uint64_t generated[DRAWS] = {0}, statistics[DRAWS][2] = {{0}};
    for (uint32_t i = 0; i < counted_count; i++) {
        const struct counted *c = &counted[i];
        const uint64_t expected = (uint64_t)c->points * c->views;
        generated[i] = sum(r, r->generated, 1, 0, c, r->layered);
        VKT_EXPECT(t, generated[i] == expected, "%s: draw %u generated %llu, wanted %llu", name, i,
                   (unsigned long long)generated[i], (unsigned long long)expected);
        if (!r->statistics)
            continue;
        statistics[i][0] = sum(r, r->statistics, 2, 0, c, r->layered && !driver);
        statistics[i][1] = sum(r, r->statistics, 2, 1, c, r->layered && !driver);
        VKT_EXPECT(t, statistics[i][0] == expected, "%s: draw %u had %llu primitives, wanted %llu",
                   name, i, (unsigned long long)statistics[i][0], (unsigned long long)expected);
    }
    xfb_dump(t, generated, sizeof(generated), "generated/%s", name);
    if (r->statistics)
        xfb_dump(t, statistics, sizeof(statistics), "opt/statistics/%s", name);
}

static void run(struct rig *r, const char *name, VkQueryPipelineStatisticFlags second)
{
    struct vkt *t = &r->m.t;
    const uint32_t count = DRAWS * 3;
    r->query = counted_count = 0;
    r->generated = vkt_query_pool(t, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, count, 0);
    if (t->features.core.pipelineStatisticsQuery)
        r->statistics =
            vkt_query_pool(t, VK_QUERY_TYPE_PIPELINE_STATISTICS, count, PRIMITIVES | second);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, r->generated, 0, count);
    if (r->statistics)
        vkCmdResetQueryPool(cmd, r->statistics, 0, count);
    for (int secondary = 0; secondary < 2; secondary++) {
        record_render_pass(r, cmd, RENDER_PASS, secondary);
        record_render_pass(r, cmd, RENDER_PASS2, secondary);
        if (t->features.dynamic_rendering)
            record_rendering(r, cmd, secondary);
    }
    vkt_submit(t, cmd);
    check(r, name, second == CLIPPING);
}

int main(int argc, char **argv)
{
    static struct rig r;
    struct vkt *t = &r.m.t;
    move_init(&r.m, "gpu-queries_views", argc, argv);
    if (!t->features.multiview || !t->features.generated_discard)
        vkt_skip("no multiview, or nothing to count in it");
    r.layered = vkt_has_layer(&t->options, "poly_gs");
    make_passes(&r);
    make_pipelines(&r);
    run(&r, "ours", VERTEX_SHADER);
    run(&r, "mixed", CLIPPING);
    return vkt_finish(t);
}
