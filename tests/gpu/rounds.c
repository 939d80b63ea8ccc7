/* SPDX-License-Identifier: MIT
 *
 * Draws that store more than the working memory, which the layer does in rounds: cut within an
 * instance, between the invocations of a primitive and in the middle of strips, with nothing lost,
 * doubled or out of order; beside other draws, some of which leave it too little memory; with
 * depths, which the pass keeps in between; while queries count samples, or statistics, for which no
 * draw is cut; in a secondary, which is not split; with a shader that stores. Indirect draws with
 * such shaders, whose size only the GPU knows, must come out right the first time, too: calls of
 * one and of several draws, with a count, indexed, with restart, a fan, and counted.
 */
#include "common/vkt.h"
#include "common/vkt_query.h"

#include "rounds_frag.h"
#include "rounds_lines.h"
#include "rounds_log.h"
#include "rounds_log_fan.h"
#include "rounds_log_strips.h"
#include "rounds_points.h"
#include "rounds_triangles.h"
#include "rounds_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define LOG_W 256u
#define INDICES 2000u
#define QUERIES 4u

enum kind { POINTS, LINES, STRIP, TRIANGLES, STORES, STORES_STRIP, STORES_FAN, KINDS };

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer log, indices, args;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[KINDS];
    VkQueryPool samples, statistics;
};

static void make_pipelines(struct suite *s)
{
    static const VkPrimitiveTopology topologies[KINDS] = {
        VK_PRIMITIVE_TOPOLOGY_POINT_LIST,     VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        VK_PRIMITIVE_TOPOLOGY_POINT_LIST,     VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN};
    const struct vkt_code shaders[KINDS] = {VKT_CODE(rounds_points),    VKT_CODE(rounds_lines),
                                            VKT_CODE(rounds_triangles), VKT_CODE(rounds_triangles),
                                            VKT_CODE(rounds_log),       VKT_CODE(rounds_log_strips),
                                            VKT_CODE(rounds_log_fan)};
    for (int k = 0; k < KINDS; k++) {
        const struct vkt_pipeline_info info = {
            .vs = VKT_CODE(rounds_vert),
            .gs = shaders[k],
            .fs = VKT_CODE(rounds_frag),
            .layout = s->layout,
            .pass = s->target.pass,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = topologies[k],
            .restart = k == STRIP || k == STORES_STRIP,
            .blend = VKT_BLEND_OVER,
            .depth_test = true,
            .depth_write = k == TRIANGLES,
        };
        s->pipelines[k] = vkt_pipeline(&s->t, &info);
    }
}

static void bind(struct suite *s, VkCommandBuffer cmd, enum kind kind)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[kind]);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
}

static void points(struct suite *s, VkCommandBuffer cmd)
{
    bind(s, cmd, POINTS);
    vkCmdDraw(cmd, 700, 2, 3, 0);
}

static void invocations(struct suite *s, VkCommandBuffer cmd)
{
    bind(s, cmd, LINES);
    vkCmdDraw(cmd, 401, 3, 0, 1); /* one vertex too many in each instance */
}

static void strips(struct suite *s, VkCommandBuffer cmd)
{
    bind(s, cmd, STRIP);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(cmd, INDICES, 1, 0, 0, 0);
}

static void stores(struct suite *s, VkCommandBuffer cmd)
{
    bind(s, cmd, STORES);
    vkCmdDraw(cmd, 1100, 1, 0, 0);
}

/* Arguments of the calls below, in words: those of a call are ARGS_STRIDE_W apart. */
#define ARGS_STRIDE_W 6u
enum args {
    ARGS_ONE,
    ARGS_CALL,
    ARGS_INDEXED = ARGS_CALL + 4,
    ARGS_FAN = ARGS_INDEXED + 2,
    ARGS_END
};

static void write_args(struct suite *s)
{
    static const uint32_t args[ARGS_END][ARGS_STRIDE_W] = {
        [ARGS_ONE] = {1100, 1, 3, 0},
        [ARGS_CALL] = {700, 2, 5, 0},
        [ARGS_CALL + 1] = {0, 1, 0, 0},
        [ARGS_CALL + 2] = {10, 3, 7, 0},
        [ARGS_CALL + 3] = {600, 1, 9, 0},
        [ARGS_INDEXED] = {INDICES - 7, 1, 7, 11, 0},
        [ARGS_INDEXED + 1] = {300, 2, 100, 0, 0},
        [ARGS_FAN] = {420, 2, 1, 0},
    };
    s->args = vkt_buffer_from(&s->t, args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static VkDeviceSize args_at(enum args args)
{
    return (VkDeviceSize)args * ARGS_STRIDE_W * 4;
}

static void indirect(struct suite *s, VkCommandBuffer cmd)
{
    bind(s, cmd, STORES);
    vkCmdDrawIndirect(cmd, s->args.buffer, args_at(ARGS_ONE), 1, 0);
}

/* The order of the draws shows, and so it does beside what needs no rounds. */
static void calls(struct suite *s, VkCommandBuffer cmd)
{
    const uint32_t step = s->t.features.core.multiDrawIndirect ? 4 : 1;
    points(s, cmd);
    bind(s, cmd, STORES);
    for (uint32_t i = 0; i < 4; i += step)
        vkCmdDrawIndirect(cmd, s->args.buffer, args_at(ARGS_CALL + i), step, ARGS_STRIDE_W * 4);
    bind(s, cmd, TRIANGLES);
    vkCmdDraw(cmd, 300, 2, 0, 0);
    indirect(s, cmd);
}

static void indexed(struct suite *s, VkCommandBuffer cmd)
{
    const uint32_t step = s->t.features.core.multiDrawIndirect ? 2 : 1;
    bind(s, cmd, STORES_STRIP);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    for (uint32_t i = 0; i < 2; i += step)
        vkCmdDrawIndexedIndirect(cmd, s->args.buffer, args_at(ARGS_INDEXED + i), step,
                                 ARGS_STRIDE_W * 4);
}

static void fan(struct suite *s, VkCommandBuffer cmd)
{
    bind(s, cmd, STORES_FAN);
    vkCmdDrawIndirect(cmd, s->args.buffer, args_at(ARGS_FAN), 1, 0);
}

/* What holds memory already: twice the same large draw, one that fits, and small ones. */
static void several(struct suite *s, VkCommandBuffer cmd)
{
    bind(s, cmd, TRIANGLES);
    vkCmdDraw(cmd, 30, 1, 0, 0);
    vkCmdDraw(cmd, 3000, 1, 0, 0);
    vkCmdDraw(cmd, 3000, 1, 0, 0);
    points(s, cmd);
    vkCmdDraw(cmd, 200, 1, 0, 0);
    vkCmdDraw(cmd, 200, 1, 200, 0);
    vkCmdDraw(cmd, 200, 1, 400, 0);
    bind(s, cmd, TRIANGLES);
    vkCmdDraw(cmd, 300, 2, 0, 0);
}

static void counted(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdBeginQuery(cmd, s->samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    points(s, cmd);
    vkCmdEndQuery(cmd, s->samples, 0);
    vkCmdBeginQuery(cmd, s->samples, 1, VK_QUERY_CONTROL_PRECISE_BIT);
    invocations(s, cmd);
    vkCmdDraw(cmd, 20, 1, 0, 0);
    vkCmdEndQuery(cmd, s->samples, 1);
    vkCmdBeginQuery(cmd, s->statistics, 0, 0);
    points(s, cmd);
    vkCmdEndQuery(cmd, s->statistics, 0);
}

static void counted_indirect(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdBeginQuery(cmd, s->samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    calls(s, cmd);
    vkCmdEndQuery(cmd, s->samples, 0);
    vkCmdBeginQuery(cmd, s->samples, 1, VK_QUERY_CONTROL_PRECISE_BIT);
    fan(s, cmd);
    vkCmdEndQuery(cmd, s->samples, 1);
    vkCmdBeginQuery(cmd, s->statistics, 0, 0);
    calls(s, cmd);
    indexed(s, cmd);
    vkCmdEndQuery(cmd, s->statistics, 0);
}

static void in_secondary(struct suite *s, VkCommandBuffer cmd)
{
    const VkCommandBuffer secondary = vkt_secondary_in(&s->t, s->target.pass, 0);
    points(s, secondary);
    VKT_CALL(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(cmd, 1, &secondary);
}

struct scene {
    const char *name;
    void (*draw)(struct suite *s, VkCommandBuffer cmd);
    bool logs, counts, executes;
};

static void dump_queries(struct suite *s, const char *scene, uint32_t time)
{
    uint64_t samples[2], statistics[3];
    char name[64];
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->samples, 0, 2, sizeof(samples), samples, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->statistics, 0, 1, sizeof(statistics), statistics,
                                   sizeof(statistics),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, samples[0] && samples[1] && statistics[0], "a query counts nothing");
    snprintf(name, sizeof(name), "%s/samples-%u", scene, time);
    vkt_dump_buffer(&s->t, name, samples, sizeof(samples));
    snprintf(name, sizeof(name), "%s/statistics-%u", scene, time);
    vkt_dump_buffer(&s->t, name, statistics, sizeof(statistics));
}

/* Twice: the second time the layer knows what such draws take. */
static void run(struct suite *s, const struct scene *scene, uint32_t time)
{
    char name[64];
    memset(s->log.map, 0, s->log.size_B);
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (scene->counts) {
        vkCmdResetQueryPool(cmd, s->samples, 0, QUERIES);
        vkCmdResetQueryPool(cmd, s->statistics, 0, QUERIES);
    }
    vkt_target_begin(cmd, &s->target, false,
                     scene->executes ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                                     : VK_SUBPASS_CONTENTS_INLINE);
    scene->draw(s, cmd);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
    snprintf(name, sizeof(name), "%s/%u", scene->name, time);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn > SIDE_PX * SIDE_PX / 2, "%s: only %u pixels", name, drawn);
    if (scene->logs) {
        snprintf(name, sizeof(name), "%s/log-%u", scene->name, time);
        vkt_dump_buffer(&s->t, name, s->log.map, s->log.size_B);
    }
    if (scene->counts)
        dump_queries(s, scene->name, time);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-rounds", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    const bool counts = s.t.features.core.pipelineStatisticsQuery &&
                        s.t.features.core.occlusionQueryPrecise,
               stores_too = s.t.features.core.vertexPipelineStoresAndAtomics;
    s.target = vkt_target(&s.t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s.log = vkt_buffer(&s.t, LOG_W * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    uint16_t indices[INDICES];
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = i % 23 == 22 ? 0xFFFF : (uint16_t)(i * 5 % 1777);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    write_args(&s);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&s.t, &binding, 1);
    s.set = vkt_set(&s.t, set_layout, &binding, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.log.buffer, 0,
                     VK_WHOLE_SIZE);
    s.layout = vkt_layout(&s.t, &set_layout, 1, NULL, 0);
    make_pipelines(&s);
    if (counts) {
        s.samples = vkt_query_pool(&s.t, VK_QUERY_TYPE_OCCLUSION, QUERIES, 0);
        s.statistics =
            vkt_query_pool(&s.t, VK_QUERY_TYPE_PIPELINE_STATISTICS, QUERIES,
                           VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                               VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT);
    }
    const struct scene scenes[] = {
        {.name = "points", .draw = points},
        {.name = "invocations", .draw = invocations},
        {.name = "strips", .draw = strips},
        {.name = "several", .draw = several},
        {.name = "secondary", .draw = in_secondary, .executes = true},
        {.name = "stores", .draw = stores, .logs = true},
        {.name = "indirect", .draw = indirect, .logs = true},
        {.name = "calls", .draw = calls, .logs = true},
        {.name = "indexed", .draw = indexed, .logs = true},
        {.name = "fan", .draw = fan, .logs = true},
        {.name = "opt/counted", .draw = counted, .counts = true},
        {.name = "opt/counted-indirect", .draw = counted_indirect, .logs = true, .counts = true},
    };
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++)
        for (uint32_t time = 0; time < 2; time++)
            if ((counts || !scenes[i].counts) && (stores_too || !scenes[i].logs))
                run(&s, &scenes[i], time);
    return vkt_finish(&s.t);
}
