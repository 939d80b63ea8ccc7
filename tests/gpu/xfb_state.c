/* SPDX-License-Identifier: MIT
 *
 * Captures among the state of a command buffer: what may change between the draws of one interval,
 * dynamic state, shaders with side effects, which run once although their vertices are captured and
 * drawn, compute state that must survive, and secondaries that are executed twice.
 *
 * Option --no-restart: no draws with lists of primitives, which need memory.
 */
#include "gpu/xfb.h"

#include "xfb_geometry_frag.h"
#include "xfb_state_comp.h"
#include "xfb_state_effects.h"
#include "xfb_state_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define CAPTURE_B (1u << 16)
#define STRIDE_B 20u
#define VERTICES 64u
#define BLOCKS 4u
#define LOG_W 128u

enum { DYNAMIC_TRIANGLES, POINTS, EFFECTS, PIPELINES };

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer capture, counters, vertices, indices, blocks, log;
    VkDeviceSize block_B; /* from one to the next */
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[PIPELINES], compute;
    VkCommandBuffer cmd;
};

static void bind_resources(struct suite *s, VkCommandBuffer cmd, uint32_t block, uint32_t number,
                           VkDeviceSize vertex_offset_B)
{
    const uint32_t offset_B = (uint32_t)(block * s->block_B);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 1,
                            &offset_B);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       4, &number);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.buffer, &vertex_offset_B);
}

static void start(struct suite *s)
{
    memset(s->capture.map, XFB_FILL, CAPTURE_B);
    memset(s->counters.map, XFB_FILL, s->counters.size_B);
    memset(s->log.map, 0, s->log.size_B);
    s->cmd = vkt_commands(&s->t);
    vkt_begin(s->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
}

static void begin(struct suite *s, VkCommandBuffer cmd)
{
    const struct xfb_range range = {s->capture.buffer, 0, CAPTURE_B};
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
}

static void end(struct suite *s, VkCommandBuffer cmd)
{
    const struct xfb_range counter = {s->counters.buffer, 0, 0};
    xfb_end(cmd, 0, 1, &counter);
}

static void finish(struct suite *s, const char *name, uint32_t vertices)
{
    vkt_barrier_all(s->cmd);
    vkt_submit(&s->t, s->cmd);
    VKT_EXPECT(&s->t, xfb_word(&s->counters, 0) == vertices * STRIDE_B,
               "%s: %u bytes, wanted %u vertices", name, xfb_word(&s->counters, 0), vertices);
    xfb_expect_rest(&s->t, name, &s->capture, vertices * STRIDE_B);
    xfb_dump(&s->t, s->capture.map, CAPTURE_B, "%s", name);
    xfb_dump_target(&s->t, &s->target, "%s/image", name);
}

static void expect_vertex(struct suite *s, const char *name, uint32_t position, uint32_t tag,
                          uint32_t vertex, uint32_t base, uint32_t instance)
{
    const uint32_t want[5] = {tag, vertex, base, instance, 0x01010101u * XFB_FILL};
    const uint32_t *got = (const uint32_t *)s->capture.map + position * 5;
    VKT_EXPECT(&s->t, memcmp(got, want, sizeof(want)) == 0,
               "%s: vertex %u is %u %u %u %u, wanted %u %u %u %u", name, position, got[0], got[1],
               got[2], got[3], want[0], want[1], want[2], want[3]);
}

/* Every draw of an interval has its own descriptors, push constants and vertices. */
static void run_resources(struct suite *s)
{
    start(s);
    vkt_target_begin(s->cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[POINTS]);
    begin(s, s->cmd);
    for (uint32_t i = 0; i < 12; i++) {
        bind_resources(s, s->cmd, i % BLOCKS, 100 * i, 4 * i);
        vkCmdDraw(s->cmd, 2, 2, i, 1);
    }
    end(s, s->cmd);
    vkCmdEndRenderPass(s->cmd);
    finish(s, "resources", 48);
    for (uint32_t i = 0; i < 48; i++) {
        const uint32_t draw = i / 4, instance = 1 + i / 2 % 2, vertex = draw + i % 2;
        expect_vertex(s, "resources", i, 1000 + vertex + draw, vertex,
                      10 * (draw % BLOCKS) + 100 * draw, 7 * (draw % BLOCKS) + instance);
    }
}

/* Topology, restart and the rasterizer change within an interval. */
static void run_dynamic(struct suite *s)
{
    start(s);
    vkt_target_begin(s->cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[DYNAMIC_TRIANGLES]);
    bind_resources(s, s->cmd, 1, 3, 0);
    vkCmdBindIndexBuffer(s->cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    begin(s, s->cmd);
    const VkPrimitiveTopology topologies[] = {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                              VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                              VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN};
    for (uint32_t i = 0; i < VKT_COUNT(topologies); i++) {
        vkCmdSetPrimitiveTopology(s->cmd, topologies[i]);
        vkCmdSetRasterizerDiscardEnable(s->cmd, i == 1);
        vkCmdSetPrimitiveRestartEnable(s->cmd, VK_FALSE);
        vkCmdDraw(s->cmd, 7, 1, 2 * i, 0); /* 2, 5 and 5 triangles */
        vkCmdSetPrimitiveRestartEnable(s->cmd, i != 0);
        if (i) /* four vertices, a restart, five vertices: 2 + 3 triangles */
            vkCmdDrawIndexed(s->cmd, 10, 1, 0, 0, 0);
    }
    vkCmdSetRasterizerDiscardEnable(s->cmd, VK_FALSE);
    end(s, s->cmd);
    vkCmdEndRenderPass(s->cmd);
    finish(s, "dynamic", 3 * (2 + 5 + 5 + 5 + 5));
    expect_vertex(s, "dynamic", 3, 1003, 3, 13, 7);
    /* The second triangle of the strip. */
    expect_vertex(s, "dynamic", 6 + 4, 1000 + 2 + 3, 5, 13, 7);
    expect_vertex(s, "dynamic", 6 + 5, 1000 + 2 + 2, 4, 13, 7);
}

/* The same with adjacency and, where the device has it, with other classes of topologies than that
 * of the pipeline. */
static void run_other_topologies(struct suite *s)
{
    const struct {
        VkPrimitiveTopology topology;
        uint32_t drawn, captured;
    } draws[] = {{VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 13, 6},
                 {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 4, 3},
                 {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 11, 9},
                 {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 5, 8},
                 {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 3, 3},
                 {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 9, 4}};
    const bool any = s->t.features.any_topology;
    uint32_t captured = 0;
    start(s);
    vkt_target_begin(s->cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[DYNAMIC_TRIANGLES]);
    bind_resources(s, s->cmd, 1, 3, 0);
    vkCmdSetPrimitiveRestartEnable(s->cmd, VK_FALSE);
    begin(s, s->cmd);
    for (uint32_t i = 0; i < (any ? VKT_COUNT(draws) : 3); i++) {
        vkCmdSetPrimitiveTopology(s->cmd, draws[i].topology);
        vkCmdSetRasterizerDiscardEnable(s->cmd, i == 1);
        vkCmdDraw(s->cmd, draws[i].drawn, 1, 2 * i, 0);
        captured += draws[i].captured;
    }
    end(s, s->cmd);
    vkCmdEndRenderPass(s->cmd);
    finish(s, any ? "opt/any-topology" : "opt/adjacency", captured);
    expect_vertex(s, "adjacency", 1, 1002, 2, 13, 7);
    expect_vertex(s, "adjacency", 6 + 3 + 1, 1006, 6, 13, 7);
}

/* The vertex shader runs once for each vertex, captured or not, and is seen to. */
static void run_effects(struct suite *s)
{
    start(s);
    vkt_target_begin(s->cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[EFFECTS]);
    bind_resources(s, s->cmd, 2, 5, 0);
    begin(s, s->cmd);
    vkCmdDraw(s->cmd, 20, 1, 3, 0);
    end(s, s->cmd);
    vkCmdDraw(s->cmd, 10, 1, 30, 0);
    vkCmdEndRenderPass(s->cmd);
    finish(s, "effects", 20);
    const uint32_t all = xfb_word(&s->log, 0);
    VKT_EXPECT(&s->t, all == 30, "the vertex shader ran %u times for 30 vertices", all);
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t want = (i >= 3 && i < 23) || (i >= 30 && i < 40);
        const uint32_t got = xfb_word(&s->log, 4 * (i + 1));
        VKT_EXPECT(&s->t, got == want, "vertex %u was shaded %u times", i, got);
    }
    xfb_dump(&s->t, s->log.map, LOG_W * 4, "effects/log");
}

/* What the application has bound for compute is still there after passes that capture. */
static void run_compute(struct suite *s)
{
    const uint32_t words[2] = {9, 40}, offset_B = 0;
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    start(s);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->compute);
    vkCmdBindDescriptorSets(s->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 1,
                            &offset_B);
    vkCmdPushConstants(s->cmd, s->layout, stages, 0, sizeof(words), words);
    vkCmdDispatch(s->cmd, 2, 1, 1);
    vkt_target_begin(s->cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[POINTS]);
    const VkDeviceSize zero = 0;
    vkCmdBindDescriptorSets(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 1,
                            &offset_B);
    vkCmdBindVertexBuffers(s->cmd, 0, 1, &s->vertices.buffer, &zero);
    begin(s, s->cmd);
    vkCmdDraw(s->cmd, 5, 1, 0, 0);
    end(s, s->cmd);
    vkCmdEndRenderPass(s->cmd);
    vkCmdDispatch(s->cmd, 3, 1, 1);
    finish(s, "compute", 5);
    VKT_EXPECT(&s->t, xfb_word(&s->log, 36) == 200, "compute added up to %u",
               xfb_word(&s->log, 36));
    expect_vertex(s, "compute", 4, 1004, 4, 9, 0);
}

/* A secondary that continues an interval, executed in two passes of each of two submissions. */
static void run_twice(struct suite *s)
{
    const struct xfb_range range = {s->capture.buffer, 0, CAPTURE_B};
    const struct xfb_range counter = {s->counters.buffer, 0, 0};
    const VkCommandBuffer secondary =
        vkt_secondary_in(&s->t, s->target.pass, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[POINTS]);
    bind_resources(s, secondary, 3, 11, 0);
    xfb_bind(secondary, 0, 1, &range);
    xfb_begin(secondary, 0, 1, &counter);
    vkCmdDraw(secondary, 3, 1, 0, 0);
    vkCmdDraw(secondary, 2, 1, 8, 0);
    xfb_end(secondary, 0, 1, &counter);
    VKT_CALL(vkEndCommandBuffer(secondary));
    start(s);
    memset(s->counters.map, 0, 4);
    for (uint32_t i = 0; i < 4; i++) {
        vkt_target_begin(s->cmd, &s->target, i != 0, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        vkCmdExecuteCommands(s->cmd, 1, &secondary);
        vkCmdEndRenderPass(s->cmd);
        xfb_barrier(s->cmd);
        if (i != 1)
            continue;
        vkt_submit(&s->t, s->cmd);
        s->cmd = vkt_commands(&s->t);
        vkt_begin(s->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    }
    finish(s, "twice", 20);
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t vertex = i % 5 < 3 ? i % 5 : 8 + i % 5 - 3;
        expect_vertex(s, "twice", i, 1000 + vertex, vertex, 41, 21);
    }
}

static void make_pipelines(struct suite *s)
{
    const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                      VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                                      VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE};
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_state_vert),
        .fs = VKT_CODE(xfb_geometry_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
        .dynamic = dynamic,
        .dynamic_count = VKT_COUNT(dynamic),
    };
    s->pipelines[DYNAMIC_TRIANGLES] = vkt_pipeline(&s->t, &info);
    info.dynamic_count = 0;
    info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    s->pipelines[POINTS] = vkt_pipeline(&s->t, &info);
    info.vs = VKT_CODE(xfb_state_effects);
    if (s->t.features.core.vertexPipelineStoresAndAtomics)
        s->pipelines[EFFECTS] = vkt_pipeline(&s->t, &info);
    s->compute = vkt_compute_pipeline(&s->t, VKT_CODE(xfb_state_comp), s->layout);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    uint32_t tags[VERTICES];
    const uint16_t indices[10] = {5, 9, 2, 7, 0xffff, 1, 8, 3, 6, 4};
    for (uint32_t i = 0; i < VERTICES; i++)
        tags[i] = 1000 + i;
    s->capture = xfb_buffer(t, CAPTURE_B);
    s->counters = xfb_buffer(t, 16);
    s->vertices = vkt_buffer_from(t, tags, sizeof(tags), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->indices = vkt_buffer_from(t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->log = vkt_buffer(t, LOG_W * 4,
                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    s->block_B = t->properties.limits.minUniformBufferOffsetAlignment;
    if (s->block_B < 16)
        s->block_B = 16;
    s->blocks = vkt_buffer(t, BLOCKS * s->block_B, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint32_t base[4] = {10 * i, 0, 0, 7 * i};
        memcpy((uint8_t *)s->blocks.map + i * s->block_B, base, sizeof(base));
    }
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL},
    };
    const VkPushConstantRange range = {stages, 0, 8};
    s->set_layout = vkt_set_layout(t, bindings, 2);
    s->set = vkt_set(t, s->set_layout, bindings, 2);
    s->layout = vkt_layout(t, &s->set_layout, 1, &range, 1);
    vkt_write_buffer(t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, s->blocks.buffer,
                     0, 16);
    vkt_write_buffer(t, s->set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->log.buffer, 0,
                     VK_WHOLE_SIZE);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_state", argc, argv);
    options.xfb = true;
    const bool restart = !vkt_flag(&options, "--no-restart");
    static struct suite s;
    vkt_init(&s.t, &options);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    make_resources(&s);
    make_pipelines(&s);
    run_resources(&s);
    if (restart)
        run_dynamic(&s);
    run_other_topologies(&s);
    if (s.pipelines[EFFECTS])
        run_effects(&s);
    run_compute(&s);
    run_twice(&s);
    return vkt_finish(&s.t);
}
