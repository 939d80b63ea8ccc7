/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that emit copies of some of their vertices: edges, triangles, silhouettes,
 * points. What is emitted, in which order, and which vertex gives flat values, must come out as it
 * does natively, and nothing else: later primitives lie above earlier ones. Draws of each topology
 * and size, with indices of each type, with offsets, some that the layer does otherwise, and
 * queries, in primaries and secondaries that are executed twice, between draws of another pipeline.
 * --dynamic: with dynamic topology, restart and strides; --last: the last vertex provokes;
 * --uncounted: without queries, which other rasterizers answer otherwise.
 */
#include "common/vkt.h"
#include "common/vkt_query.h"
#include "gpu/layers.h"

#include "instanced_frag.h"
#include "picked_choices.h"
#include "picked_edges.h"
#include "picked_ends.h"
#include "picked_halves.h"
#include "picked_loops.h"
#include "picked_neighbours.h"
#include "picked_points.h"
#include "picked_silhouettes.h"
#include "picked_strips.h"
#include "picked_triangles.h"
#include "picked_vert.h"
#include "picked_wires.h"
#include "sift_plain_vert.h"

#include <stdio.h>
#include <string.h>

#define VERTICES 240u
#define INDICES 3000u
/* More than what one workgroup sums up at once, and than one slice has. */
#define MANY_INDICES (3u * (64u * 256u * 8u + 100u))

struct kind {
    const char *name;
    struct vkt_code gs;
    VkPrimitiveTopology topologies[4];
    uint32_t topology_count;
};

struct suite {
    struct vkt t;
    struct vkt_buffer places, bytes, words, longs, many, restarting, args;
    struct layers_target target;
    VkPipelineLayout layout;
    VkPipeline plain; /* without a geometry shader */
    VkQueryPool samples, statistics;
    bool is_dynamic, last, has_bytes, counts;
};

static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* -most to most. */
static float unit(uint32_t x, float most)
{
    return ((float)(hash(x) >> 8) / 8388608.0f - 1.0f) * most;
}

static void make_places(struct suite *s)
{
    static float places[VERTICES + 8][4];
    for (uint32_t i = 0; i < VERTICES + 8; i++) {
        places[i][0] = unit(i * 4 + 1, 1.25f);
        places[i][1] = unit(i * 4 + 2, 1.25f);
        places[i][2] = 0.5f + unit(i * 4 + 3, 0.25f);
        places[i][3] = 1.0f;
    }
    s->places = vkt_buffer_from(&s->t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
}

static void make_indices(struct suite *s)
{
    static uint8_t bytes[INDICES + 1];
    static uint16_t words[INDICES];
    static uint32_t longs[INDICES], restarting[INDICES], many[MANY_INDICES];
    for (uint32_t i = 0; i < MANY_INDICES; i++)
        many[i] = hash(i) % VERTICES;
    for (uint32_t i = 0; i < INDICES; i++) {
        longs[i] = hash(i) % VERTICES;
        restarting[i] = i % 11 == 7 ? UINT32_MAX : longs[i];
        words[i] = (uint16_t)(hash(i + 77) % VERTICES);
        bytes[i + 1] = (uint8_t)(hash(i + 999) % VERTICES);
    }
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    const VkDrawIndexedIndirectCommand args = {300, 1, 6, 2, 0};
    s->bytes = vkt_buffer_from(&s->t, bytes, sizeof(bytes), usage);
    s->words = vkt_buffer_from(&s->t, words, sizeof(words), usage);
    s->longs = vkt_buffer_from(&s->t, longs, sizeof(longs), usage);
    s->restarting = vkt_buffer_from(&s->t, restarting, sizeof(restarting), usage);
    s->many = vkt_buffer_from(&s->t, many, sizeof(many), usage);
    s->args = vkt_buffer_from(&s->t, &args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static bool may_restart(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
}

/* kind NULL: without a geometry shader. */
static VkPipeline make_pipeline(struct suite *s, const struct kind *kind,
                                VkPrimitiveTopology topology, bool restart)
{
    const VkVertexInputBindingDescription binding = {0, s->is_dynamic ? 64 : 16,
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
    };
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                             VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                                             VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
    return vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                   .vs = kind ? VKT_CODE(picked_vert) : VKT_CODE(sift_plain_vert),
                                   .gs = kind ? kind->gs : (struct vkt_code){0},
                                   .fs = VKT_CODE(instanced_frag),
                                   .layout = s->layout,
                                   .pass = s->target.pass,
                                   .rasterization_next = s->last ? &provoking : NULL,
                                   .width_px = LAYERS_SIDE_PX,
                                   .height_px = LAYERS_SIDE_PX,
                                   .topology = topology,
                                   .restart = restart,
                                   .bindings = &binding,
                                   .binding_count = 1,
                                   .attributes = &attribute,
                                   .attribute_count = 1,
                                   .dynamic = dynamic,
                                   .dynamic_count = s->is_dynamic ? VKT_COUNT(dynamic) : 0,
                               });
}

static void push(const struct suite *s, VkCommandBuffer cmd, uint32_t base)
{
    const uint32_t words[8] = {base, 0, base % 3, 0, 64 * base, 3 * base, 7 + base};
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                       sizeof(words), words);
}

static void bind_places(const struct suite *s, VkCommandBuffer cmd, VkDeviceSize offset_B)
{
    const VkDeviceSize stride_B = 16;
    if (s->is_dynamic)
        vkCmdBindVertexBuffers2(cmd, 0, 1, &s->places.buffer, &offset_B, NULL, &stride_B);
    else
        vkCmdBindVertexBuffers(cmd, 0, 1, &s->places.buffer, &offset_B);
}

static void bind(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline,
                 VkPrimitiveTopology topology)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push(s, cmd, 1);
    bind_places(s, cmd, 0);
    if (s->is_dynamic) {
        vkCmdSetPrimitiveTopology(cmd, topology);
        vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    }
}

static void draw_indexed(const struct suite *s, VkCommandBuffer cmd)
{
    vkCmdBindIndexBuffer(cmd, s->longs.buffer, 12, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, 60, 1, 5, 0, 0);
    push(s, cmd, 5);
    vkCmdDrawIndexed(cmd, 91, 1, 1200, 3, 2);
    vkCmdDrawIndexed(cmd, INDICES - 3, 1, 0, 0, 0);
    bind_places(s, cmd, 16);
    vkCmdBindIndexBuffer(cmd, s->words.buffer, 2, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(cmd, 333, 1, 1, 2, 0);
    vkCmdDrawIndexed(cmd, 60, 2, 3, 0, 1); /* of several instances */
    vkCmdDrawIndexed(cmd, 60, 0, 3, 0, 1);
    vkCmdDrawIndexed(cmd, 1, 1, 3, 0, 1);
    if (s->has_bytes) {
        vkCmdBindIndexBuffer(cmd, s->bytes.buffer, 1, VK_INDEX_TYPE_UINT8_EXT);
        vkCmdDrawIndexed(cmd, 900, 1, 7, 1, 1);
    }
    /* lavapipe 22.3 forgets offsets of index buffers here. */
    vkCmdBindIndexBuffer(cmd, s->longs.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexedIndirect(cmd, s->args.buffer, 0, 1, 0);
    vkCmdDrawIndexed(cmd, 30, 1, 100, 0, 0); /* with what is bound, behind another way to draw */
}

static void draw_dynamically(const struct suite *s, VkCommandBuffer cmd,
                             VkPrimitiveTopology topology)
{
    vkCmdBindIndexBuffer(cmd, s->restarting.buffer, 0, VK_INDEX_TYPE_UINT32);
    if (may_restart(topology)) {
        vkCmdSetPrimitiveRestartEnable(cmd, VK_TRUE);
        vkCmdDrawIndexed(cmd, 400, 1, 9, 0, 0);
        vkCmdDraw(cmd, 40, 1, 9, 0);
        vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    }
    vkCmdBindIndexBuffer(cmd, s->longs.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, 45, 1, 9, 0, 0);
    vkCmdDraw(cmd, 45, 1, 9, 0);
}

/* Begins with everything bound. */
static void draw(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline,
                 VkPrimitiveTopology topology)
{
    bind(s, cmd, pipeline, topology);
    vkCmdDraw(cmd, 6, 1, 0, 0);
    vkCmdDraw(cmd, 100, 1, 31, 1);
    draw_indexed(s, cmd);
    if (s->is_dynamic)
        draw_dynamically(s, cmd, topology);
    bind(s, cmd, s->plain, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdDrawIndexed(cmd, 12, 1, 60, 0, 0);
    bind(s, cmd, pipeline, topology);
    for (uint32_t i = 0; i < 20; i++) /* alike */
        vkCmdDrawIndexed(cmd, 18 + i, 1, i * 3, 0, 0);
    vkCmdDraw(cmd, VERTICES - 3, 1, 3, 0);
}

static void begin(const struct suite *s, VkCommandBuffer cmd, VkSubpassContents contents)
{
    vkt_begin(cmd, 0);
    layers_begin(cmd, &s->target, LAYERS_PASS, contents, 0);
}

/* Executes an ended command buffer once more. */
static void submit_again(const struct suite *s, VkCommandBuffer cmd)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
}

static void dump(struct suite *s, const char *kind, VkPrimitiveTopology topology, const char *how)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/%d/%s", kind, (int)topology, how);
    layers_dump(&s->t, &s->target, name);
}

static void run(struct suite *s, const struct kind *kind, VkPrimitiveTopology topology)
{
    const VkPipeline pipeline = make_pipeline(s, kind, topology, false);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd, VK_SUBPASS_CONTENTS_INLINE);
    draw(s, cmd, pipeline, topology);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    dump(s, kind->name, topology, "once");
    submit_again(s, cmd);
    dump(s, kind->name, topology, "again");
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);

    VkCommandBuffer secondary =
        vkt_secondary_in(&s->t, s->target.pass, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    draw(s, secondary, pipeline, topology);
    VKT_CALL(vkEndCommandBuffer(secondary));
    cmd = vkt_commands(&s->t);
    begin(s, cmd, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 1, &secondary);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    submit_again(s, cmd);
    dump(s, kind->name, topology, "secondary");
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &secondary);
}

/* Results of the queries around a large draw, and a small one. */
static void dump_queries(struct suite *s, const char *kind)
{
    struct {
        uint64_t samples, statistics[2];
    } found = {0};
    char name[64];
    const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->samples, 0, 1, sizeof(found.samples),
                                   &found.samples, sizeof(found.samples), flags));
    if (s->statistics)
        VKT_CALL(vkGetQueryPoolResults(s->t.device, s->statistics, 0, 1, sizeof(found.statistics),
                                       found.statistics, sizeof(found.statistics), flags));
    snprintf(name, sizeof(name), "%s/queries", kind);
    vkt_dump_buffer(&s->t, name, &found, sizeof(found));
}

static void run_many(struct suite *s, const struct kind *kind)
{
    const VkPrimitiveTopology topology = kind->topologies[0];
    const VkPipeline pipeline = make_pipeline(s, kind, topology, false);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, s->samples, 0, 1);
    if (s->statistics)
        vkCmdResetQueryPool(cmd, s->statistics, 0, 1);
    layers_begin(cmd, &s->target, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    bind(s, cmd, pipeline, topology);
    vkCmdBindIndexBuffer(cmd, s->many.buffer, 0, VK_INDEX_TYPE_UINT32);
    if (s->counts)
        vkCmdBeginQuery(cmd, s->samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    vkCmdDrawIndexed(cmd, MANY_INDICES, 1, 0, 0, 0);
    if (s->counts)
        vkCmdEndQuery(cmd, s->samples, 0);
    if (s->statistics)
        vkCmdBeginQuery(cmd, s->statistics, 0, 0);
    vkCmdDrawIndexed(cmd, 900, 1, 4, 0, 0);
    if (s->statistics)
        vkCmdEndQuery(cmd, s->statistics, 0);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    dump(s, kind->name, topology, "many");
    if (s->counts)
        dump_queries(s, kind->name);
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
}

/* With restart, which the layer does otherwise. */
static void run_restarting(struct suite *s, const struct kind *kind)
{
    const VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    const VkPipeline pipeline = make_pipeline(s, kind, topology, true);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd, VK_SUBPASS_CONTENTS_INLINE);
    bind(s, cmd, pipeline, topology);
    vkCmdBindIndexBuffer(cmd, s->restarting.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, 500, 1, 0, 0, 0);
    vkCmdDraw(cmd, 90, 1, 0, 0);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    dump(s, kind->name, topology, "restarting");
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
}

#define TRIANGLES                                                                                  \
    {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,                    \
     VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN},                                                          \
        3

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-picked", argc, argv);
    static struct suite s;
    s.is_dynamic = vkt_flag(&options, "--dynamic");
    s.last = vkt_flag(&options, "--last");
    const bool uncounted = vkt_flag(&options, "--uncounted");
    vkt_init(&s.t, &options);
    s.has_bytes = s.t.features.index_u8;
    s.counts = s.t.features.core.occlusionQueryPrecise && !uncounted;
    s.last &= s.t.features.provoking_last;
    make_places(&s);
    make_indices(&s);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       32};
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.target = layers_target(&s.t, LAYERS_ONE);
    s.plain = make_pipeline(&s, NULL, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false);
    s.samples = vkt_query_pool(&s.t, VK_QUERY_TYPE_OCCLUSION, 1, 0);
    if (s.t.features.core.pipelineStatisticsQuery && s.counts)
        s.statistics =
            vkt_query_pool(&s.t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                           VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT);
    const struct kind kinds[] = {
        {"edges", VKT_CODE(picked_edges), TRIANGLES},
        {"triangles", VKT_CODE(picked_triangles), TRIANGLES},
        {"silhouettes",
         VKT_CODE(picked_silhouettes),
         {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
          VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY},
         2},
        {"points", VKT_CODE(picked_points), TRIANGLES},
        {"halves",
         VKT_CODE(picked_halves),
         {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
          VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY},
         2},
        {"ends",
         VKT_CODE(picked_ends),
         {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP},
         2},
        {"wires", VKT_CODE(picked_wires), TRIANGLES},
        {"strips", VKT_CODE(picked_strips), TRIANGLES},
        {"choices", VKT_CODE(picked_choices), TRIANGLES},
        {"neighbours",
         VKT_CODE(picked_neighbours),
         {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
          VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY},
         2},
        {"loops", VKT_CODE(picked_loops), {VK_PRIMITIVE_TOPOLOGY_POINT_LIST}, 1},
    };
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++) {
        for (uint32_t k = 0; k < kinds[i].topology_count; k++)
            run(&s, &kinds[i], kinds[i].topologies[k]);
        if (!s.is_dynamic)
            run_many(&s, &kinds[i]);
    }
    if (!s.is_dynamic)
        run_restarting(&s, &kinds[1]);
    return vkt_finish(&s.t);
}
