/* SPDX-License-Identifier: MIT
 *
 * Triangles of which most lie outside of the clip volume go to several layers. What need not be
 * drawn may be left out of the application's own draw, and nothing else: later primitives lie above
 * earlier ones, or below them where depths are equal. Draws of every size, with indices of each
 * type, with offsets, and some that are not to be sifted, in primaries and secondaries that are
 * executed twice, between draws of other pipelines. --wild: also with positions that are infinite
 * or no numbers; --dynamic: with dynamic topology, restart and strides; --uniform: shaders with
 * loops as long as push constants say, alone.
 */
#include "common/vkt.h"
#include "common/vkt_query.h"
#include "gpu/layers.h"

#include "instanced_frag.h"
#include "sift_loop.h"
#include "sift_one.h"
#include "sift_plain_vert.h"
#include "sift_push.h"
#include "sift_push_vert.h"
#include "sift_six.h"
#include "sift_uniform.h"
#include "sift_uniform_vert.h"
#include "sift_vert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VERTICES 240u
#define INDICES 3000u
/* More than what one workgroup sums up at once. */
#define MANY_INDICES (3u * (64u * 256u * 8u + 100u))

struct kind {
    const char *name;
    struct vkt_code gs;
    bool pushes, loops, clamps, tests, counts;
    VkCompareOp compare;
    enum vkt_blend blend;
};

struct suite {
    struct vkt t;
    struct vkt_buffer places, bytes, words, longs, many, args;
    struct layers_target target;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkPipeline plain; /* without a geometry shader */
    VkQueryPool samples;
    bool is_dynamic, wild, has_bytes;
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

/* The vertices of a triangle lie near each other, so that most are on one side of each plane. */
static void make_places(struct suite *s)
{
    static float places[VERTICES + 8][4];
    for (uint32_t i = 0; i < VERTICES + 8; i++) {
        const uint32_t triangle = i / 3;
        places[i][0] = unit(triangle * 4 + 1, 3.0f) + unit(i * 9 + 1, 0.6f);
        places[i][1] = unit(triangle * 4 + 2, 2.5f) + unit(i * 9 + 2, 0.6f);
        places[i][2] = triangle % 3 ? 0.5f : unit(triangle * 4 + 3, 1.5f) + unit(i * 9 + 3, 0.2f);
        places[i][3] = triangle % 7 ? 1.0f : unit(triangle * 4 + 4, 2.0f) + unit(i * 9 + 4, 0.1f);
        if (s->wild && i % 11 == 5)
            places[i][i % 4] = i % 2 ? NAN : INFINITY;
    }
    s->places = vkt_buffer_from(&s->t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
}

static uint32_t index_of(uint32_t i)
{
    return (hash(i / 3) % (VERTICES / 3 - 1)) * 3 + (i + i / 3 % 3) % 3;
}

static void make_indices(struct suite *s)
{
    static uint8_t bytes[INDICES + 1];
    static uint16_t words[INDICES];
    static uint32_t longs[INDICES], many[MANY_INDICES];
    for (uint32_t i = 0; i < MANY_INDICES; i++)
        many[i] = index_of(i * 3);
    for (uint32_t i = 0; i < INDICES; i++) {
        longs[i] = index_of(i);
        words[i] = (uint16_t)index_of(i + 77);
        bytes[i + 1] = (uint8_t)index_of(i + 999);
    }
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    const VkDrawIndexedIndirectCommand args = {300, 1, 6, 2, 0};
    s->bytes = vkt_buffer_from(&s->t, bytes, sizeof(bytes), usage);
    s->words = vkt_buffer_from(&s->t, words, sizeof(words), usage);
    s->longs = vkt_buffer_from(&s->t, longs, sizeof(longs), usage);
    s->many = vkt_buffer_from(&s->t, many, sizeof(many), usage);
    s->args = vkt_buffer_from(&s->t, &args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static void make_set(struct suite *s)
{
    static float turns[6][4];
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       32};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s->t, &binding, 1);
    for (uint32_t i = 0; i < 6; i++) {
        const float cosine[] = {1.0f, 0.5f, -0.25f, 0.75f, -1.0f, 0.875f};
        turns[i][0] = turns[i][3] = cosine[i];
        turns[i][1] = i % 2 ? 0.25f : -0.25f;
        turns[i][2] = -turns[i][1];
    }
    const struct vkt_buffer field =
        vkt_buffer_from(&s->t, turns, sizeof(turns), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    s->set = vkt_set(&s->t, layout, &binding, 1);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, field.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = vkt_layout(&s->t, &layout, 1, &range, 1);
}

static VkPipeline make_pipeline(struct suite *s, const struct kind *kind)
{
    const VkVertexInputBindingDescription binding = {0, s->is_dynamic ? 64 : 16,
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                             VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                                             VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
    return vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                   .vs = !kind          ? VKT_CODE(sift_plain_vert)
                                         : kind->loops  ? VKT_CODE(sift_uniform_vert)
                                         : kind->pushes ? VKT_CODE(sift_push_vert)
                                                        : VKT_CODE(sift_vert),
                                   .gs = kind ? kind->gs : (struct vkt_code){0},
                                   .fs = VKT_CODE(instanced_frag),
                                   .layout = s->layout,
                                   .pass = s->target.pass,
                                   .width_px = LAYERS_SIDE_PX,
                                   .height_px = LAYERS_SIDE_PX,
                                   .topology = s->is_dynamic ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN
                                                             : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                   .bindings = &binding,
                                   .binding_count = 1,
                                   .attributes = &attribute,
                                   .attribute_count = 1,
                                   .depth_test = kind && kind->tests,
                                   .depth_write = kind && kind->tests,
                                   .depth_clamp = kind && kind->clamps,
                                   .depth_compare = kind ? kind->compare : VK_COMPARE_OP_NEVER,
                                   .dynamic = dynamic,
                                   .dynamic_count = s->is_dynamic ? VKT_COUNT(dynamic) : 0,
                               });
}

static void push(const struct suite *s, VkCommandBuffer cmd, uint32_t base)
{
    const uint32_t words[8] = {base, 0, 0, 0, 64 * base, 3 * base, 7 + base};
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

static void bind(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    push(s, cmd, 1);
    bind_places(s, cmd, 0);
    if (s->is_dynamic) {
        vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    }
}

static void draw_indexed(const struct suite *s, VkCommandBuffer cmd)
{
    vkCmdBindIndexBuffer(cmd, s->longs.buffer, 12, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, 600, 1, 5, 0, 0);
    push(s, cmd, 5);
    vkCmdDrawIndexed(cmd, 91, 1, 1200, 3, 2);
    vkCmdDrawIndexed(cmd, INDICES - 3, 1, 0, 0, 0);
    bind_places(s, cmd, 16);
    vkCmdBindIndexBuffer(cmd, s->words.buffer, 2, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(cmd, 333, 1, 1, 2, 0);
    vkCmdDrawIndexed(cmd, 60, 2, 3, 0, 1); /* of several instances */
    vkCmdDrawIndexed(cmd, 60, 0, 3, 0, 1);
    vkCmdDrawIndexed(cmd, 2, 1, 3, 0, 1);
    if (s->has_bytes) {
        vkCmdBindIndexBuffer(cmd, s->bytes.buffer, 1, VK_INDEX_TYPE_UINT8_EXT);
        vkCmdDrawIndexed(cmd, 900, 1, 7, 1, 1);
    }
    /* lavapipe 22.3 forgets offsets of index buffers here. */
    vkCmdBindIndexBuffer(cmd, s->longs.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexedIndirect(cmd, s->args.buffer, 0, 1, 0);
    vkCmdDrawIndexed(cmd, 30, 1, 100, 0, 0); /* with what is bound, behind a draw of the driver */
}

static void draw_dynamically(VkCommandBuffer cmd)
{
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    vkCmdDraw(cmd, 40, 1, 0, 0);
    vkCmdDrawIndexed(cmd, 40, 1, 7, 0, 0);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_TRUE);
    vkCmdDrawIndexed(cmd, 40, 1, 9, 0, 0);
    vkCmdDraw(cmd, 40, 1, 9, 0);
    vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE); /* lists need a feature for it */
    vkCmdDrawIndexed(cmd, 45, 1, 9, 0, 0);
    vkCmdDraw(cmd, 45, 1, 9, 0);
}

/* Begins with everything bound. */
static void draw(const struct suite *s, VkCommandBuffer cmd, const struct kind *kind,
                 VkPipeline pipeline)
{
    bind(s, cmd, pipeline);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdDraw(cmd, 100, 1, 31, 1);
    if (kind->counts)
        vkCmdBeginQuery(cmd, s->samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    draw_indexed(s, cmd);
    if (kind->counts)
        vkCmdEndQuery(cmd, s->samples, 0);
    if (s->is_dynamic)
        draw_dynamically(cmd);
    bind(s, cmd, s->plain);
    vkCmdDrawIndexed(cmd, 12, 1, 60, 0, 0);
    bind(s, cmd, pipeline);
    for (uint32_t i = 0; i < 20; i++) /* alike */
        vkCmdDrawIndexed(cmd, 18 + i, 1, i * 3, 0, 0);
    vkCmdDraw(cmd, VERTICES - 3, 1, 3, 0);
}

static void draw_many(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
    bind(s, cmd, pipeline);
    vkCmdBindIndexBuffer(cmd, s->many.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(cmd, MANY_INDICES, 1, 0, 0, 0);
}

static void dump(struct suite *s, const struct kind *kind, const char *how)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/%s", kind->name, how);
    layers_dump(&s->t, &s->target, name);
    if (!kind->counts)
        return;
    uint64_t samples = 0;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->samples, 0, 1, sizeof(samples), &samples,
                                   sizeof(samples),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    snprintf(name, sizeof(name), "%s/%s/samples", kind->name, how);
    vkt_dump_buffer(&s->t, name, &samples, sizeof(samples));
}

static void begin(const struct suite *s, VkCommandBuffer cmd, const struct kind *kind,
                  VkSubpassContents contents)
{
    vkt_begin(cmd, 0);
    if (kind->counts)
        vkCmdResetQueryPool(cmd, s->samples, 0, 1);
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

static void run(struct suite *s, const struct kind *kind)
{
    const VkPipeline pipeline = make_pipeline(s, kind);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd, kind, VK_SUBPASS_CONTENTS_INLINE);
    draw(s, cmd, kind, pipeline);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    dump(s, kind, "once");
    submit_again(s, cmd);
    dump(s, kind, "again");
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);

    VkCommandBuffer secondary =
        vkt_secondary_in(&s->t, s->target.pass, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    draw(s, secondary, kind, pipeline);
    VKT_CALL(vkEndCommandBuffer(secondary));
    cmd = vkt_commands(&s->t);
    begin(s, cmd, kind, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cmd, 1, &secondary);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    submit_again(s, cmd);
    dump(s, kind, "secondary");
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &secondary);
}

static void run_many(struct suite *s, const struct kind *kind)
{
    const VkPipeline pipeline = make_pipeline(s, kind);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    begin(s, cmd, kind, VK_SUBPASS_CONTENTS_INLINE);
    draw_many(s, cmd, pipeline);
    layers_end(cmd, &s->target, LAYERS_PASS, 0);
    vkt_submit(&s->t, cmd);
    dump(s, kind, "many");
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-sift", argc, argv);
    static struct suite s;
    const bool is_uniform = vkt_flag(&options, "--uniform");
    s.wild = vkt_flag(&options, "--wild");
    s.is_dynamic = vkt_flag(&options, "--dynamic");
    options.depth_clamp = true;
    vkt_init(&s.t, &options);
    s.has_bytes = s.t.features.index_u8;
    make_places(&s);
    make_indices(&s);
    make_set(&s);
    s.target = layers_target(&s.t, LAYERS_CUBE);
    s.plain = make_pipeline(&s, NULL);
    s.samples = vkt_query_pool(&s.t, VK_QUERY_TYPE_OCCLUSION, 1, 0);
    const struct vkt_code six = VKT_CODE(sift_six);
    const VkCompareOp less = VK_COMPARE_OP_LESS, at_least = VK_COMPARE_OP_GREATER_OR_EQUAL;
    const struct kind kinds[] = {
        {.name = "six", .gs = six},
        {.name = "loop", .gs = VKT_CODE(sift_loop)},
        {.name = "push", .gs = VKT_CODE(sift_push), .pushes = true},
        {.name = "one", .gs = VKT_CODE(sift_one)},
        {.name = "clamped", .gs = six, .clamps = true},
        {.name = "first", .gs = six, .tests = true, .compare = less},
        {.name = "last", .gs = six, .tests = true, .compare = at_least, .clamps = true},
        {.name = "counted", .gs = six, .counts = true},
    };
    const struct kind uniform = {.name = "uniform", .gs = VKT_CODE(sift_uniform), .loops = true};
    if (is_uniform)
        run(&s, &uniform);
    for (uint32_t i = 0; i < VKT_COUNT(kinds) && !is_uniform; i++)
        if ((s.t.features.core.depthClamp || !kinds[i].clamps) &&
            (s.t.features.core.occlusionQueryPrecise || !kinds[i].counts))
            run(&s, &kinds[i]);
    if (!is_uniform)
        run_many(&s, &kinds[3]);
    return vkt_finish(&s.t);
}
