/* SPDX-License-Identifier: MIT
 *
 * Captured and counted draws with a geometry shader whose memory is too small: nothing of the
 * capture, the counters and the queries may be missing or out of order, the first time as little as
 * when the layer has learned how much it takes. To be compared with what comes natively, with
 * arguments in a buffer and a pool of 1 MiB.
 */
#include "gpu/xfb.h"

#include "xfb_pool_adjacent.h"
#include "xfb_pool_fans.h"
#include "xfb_pool_frag.h"
#include "xfb_pool_known.h"
#include "xfb_pool_lines.h"
#include "xfb_pool_points.h"
#include "xfb_pool_streams.h"
#include "xfb_pool_vert.h"

#define SIDE_PX 64u
#define CELLS 512u
#define RESTART_EVERY 7u
#define ROUNDS 2u
#define LARGE_B (2u << 20)
#define STATISTICS                                                                                 \
    (VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT)
#define STATISTIC_COUNT 2u

struct kind {
    const char *name;
    struct vkt_code gs;
    VkPrimitiveTopology topology;
    bool indexed; /* and primitives restart */
    bool streams;
    uint32_t left_B;
};

struct suite {
    struct vkt t;
    struct vkt_buffer cells, indices, counters;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkQueryPool xfb, statistics; /* two of the first: streams 0 and 1 */
};

static void make_buffers(struct suite *s)
{
    static uint32_t cells[CELLS];
    static uint16_t indices[CELLS];
    for (uint32_t i = 0; i < CELLS; i++) {
        cells[i] = i * 371 % CELLS;
        indices[i] = i % RESTART_EVERY == RESTART_EVERY - 1 ? 0xFFFF : (uint16_t)(i * 3 % CELLS);
    }
    s->cells = vkt_buffer_from(&s->t, cells, sizeof(cells), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(&s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->counters = xfb_buffer(&s->t, 8);
}

static void make_queries(struct suite *s)
{
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
        .queryCount = 2,
    };
    VKT_CALL(vkCreateQueryPool(s->t.device, &info, NULL, &s->xfb));
    info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
    info.queryCount = 1;
    info.pipelineStatistics = STATISTICS;
    VKT_CALL(vkCreateQueryPool(s->t.device, &info, NULL, &s->statistics));
}

static VkPipeline make_pipeline(struct suite *s, const struct kind *kind, bool discard)
{
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_pool_vert),
        .gs = kind->gs,
        .fs = VKT_CODE(xfb_pool_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = kind->topology,
        .restart = kind->indexed,
        .discard = discard,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&s->t, &info);
}

/* Small draws before and after one that does not fit. */
static void draw(struct suite *s, VkCommandBuffer cmd, const struct kind *kind)
{
    static const struct {
        uint32_t base, first, count, instances;
    } draws[] = {{1, 40, 17, 1}, {3, 0, CELLS, 2}, {500, 100, 0, 1}, {8, 100, 30, 2}};
    for (uint32_t i = 0; i < VKT_COUNT(draws); i++) {
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &draws[i].base);
        if (kind->indexed)
            vkCmdDrawIndexed(cmd, draws[i].count, draws[i].instances, draws[i].first, 0, 0);
        else
            vkCmdDraw(cmd, draws[i].count, draws[i].instances, draws[i].first, 0);
    }
}

static void record(struct suite *s, VkCommandBuffer cmd, const struct kind *kind,
                   VkPipeline pipeline, const struct vkt_buffer *captured)
{
    const VkDeviceSize zero = 0;
    const uint32_t streams = kind->streams ? 2 : 1;
    const struct xfb_range ranges[2] = {
        {captured->buffer, 0, kind->left_B},
        {captured->buffer, LARGE_B, kind->left_B},
    };
    const struct xfb_range counters[2] = {{s->counters.buffer, 0, 0}, {s->counters.buffer, 4, 0}};
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->xfb, 0, 2);
    vkCmdResetQueryPool(cmd, s->statistics, 0, 1);
    vkCmdBeginQuery(cmd, s->statistics, 0, 0);
    for (uint32_t i = 0; i < streams; i++)
        vkCmdBeginQueryIndexedEXT(cmd, s->xfb, i, 0, i);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->cells.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    xfb_bind(cmd, 0, streams, ranges);
    xfb_begin(cmd, 0, 0, NULL);
    draw(s, cmd, kind);
    xfb_end(cmd, 0, streams, counters);
    vkCmdEndRenderPass(cmd);
    for (uint32_t i = 0; i < streams; i++)
        vkCmdEndQueryIndexedEXT(cmd, s->xfb, i, i);
    vkCmdEndQuery(cmd, s->statistics, 0);
    xfb_barrier(cmd);
}

static void dump_queries(struct suite *s, const struct kind *kind, const char *name)
{
    uint64_t values[2 * 2 + STATISTIC_COUNT] = {0};
    const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->xfb, 0, kind->streams ? 2 : 1, 32, values, 16,
                                   flags));
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->statistics, 0, 1, 8 * STATISTIC_COUNT,
                                   values + 4, 8 * STATISTIC_COUNT, flags));
    xfb_dump(&s->t, values, sizeof(values), "%s/queries", name);
    VKT_EXPECT(&s->t, values[1] > 1000 && values[0], "%s: %llu of %llu primitives", name,
               (unsigned long long)values[0], (unsigned long long)values[1]);
}

static void run(struct suite *s, const struct kind *kind, VkCommandBuffer cmd, VkPipeline pipeline,
                bool discard, uint32_t round)
{
    char name[64];
    const struct vkt_buffer captured = xfb_buffer(&s->t, 2 * LARGE_B);
    snprintf(name, sizeof(name), "%s/%s/%u", kind->name, discard ? "discard" : "raster", round);
    record(s, cmd, kind, pipeline, &captured);
    vkt_submit(&s->t, cmd);
    xfb_dump(&s->t, captured.map, captured.size_B, "%s/captured", name);
    xfb_dump(&s->t, s->counters.map, kind->streams ? 8 : 4, "%s/counters", name);
    dump_queries(s, kind, name);
    if (!discard)
        xfb_dump_target(&s->t, &s->target, "%s/picture", name);
}

/* The layer learns what a command buffer needs when it is recorded anew. */
static void run_kind(struct suite *s, const struct kind *kind)
{
    for (int discard = 0; discard < 2; discard++) {
        const VkPipeline pipeline = make_pipeline(s, kind, discard);
        VkCommandBuffer cmd = vkt_commands(&s->t);
        for (uint32_t round = 0; round < ROUNDS; round++)
            run(s, kind, cmd, pipeline, discard, round);
        vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
    }
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_pool", argc, argv);
    static struct suite s;
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 4};
    options.xfb = true;
    vkt_init(&s.t, &options);
    make_buffers(&s);
    make_queries(&s);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const struct kind kinds[] = {
        {"points", VKT_CODE(xfb_pool_points), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false, false,
         LARGE_B},
        {"streams", VKT_CODE(xfb_pool_streams), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false, true,
         LARGE_B},
        {"cut", VKT_CODE(xfb_pool_streams), VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false, true, 100004},
        {"lines", VKT_CODE(xfb_pool_lines), VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, true, false, LARGE_B},
        {"fans", VKT_CODE(xfb_pool_fans), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true, false, 300016},
        {"adjacent", VKT_CODE(xfb_pool_adjacent),
         VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, false, false, LARGE_B},
        {"known", VKT_CODE(xfb_pool_known), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, false,
         LARGE_B},
    };
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        if (!kinds[i].streams || s.t.features.geometry_streams)
            run_kind(&s, &kinds[i]);
    vkDestroyQueryPool(s.t.device, s.xfb, NULL);
    vkDestroyQueryPool(s.t.device, s.statistics, NULL);
    return vkt_finish(&s.t);
}
