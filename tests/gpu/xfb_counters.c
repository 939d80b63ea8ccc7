/* SPDX-License-Identifier: MIT
 *
 * Where captures go: full buffers at every boundary, counters that pause and resume across draws,
 * passes, command buffers and submissions, that the application writes or leaves out, and what
 * becomes of them when nothing is drawn. Each case with triangles of a vertex shader and with those
 * of a geometry shader.
 */
#include "gpu/xfb.h"

#include "xfb_counter_comp.h"
#include "xfb_counters_geom.h"
#include "xfb_counters_pass_vert.h"
#include "xfb_counters_vert.h"

#include <string.h>

#define SIDE_PX 8u
#define CAPTURE_B (1u << 20)
#define COUNTERS_B 256u
/* Bytes of a triangle in both buffers. */
#define TRIANGLE_0_B 48u
#define TRIANGLE_1_B 36u

struct suite {
    struct vkt t;
    struct vkt_buffer capture[2], counters;
    VkPipelineLayout layout;
    VkPipeline pipelines[2]; /* vertex shader alone, with geometry shader */
    struct vkt_target target;
    /* Of the case that runs: */
    bool geometry;
    const char *name;
    VkCommandBuffer cmd;
};

/* Triangles that the first `count` input triangles of a draw become. */
static uint32_t triangles(const struct suite *s, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += s->geometry ? (i + 1) % 4 : 1;
    return sum;
}

static struct xfb_range counter(const struct suite *s, uint32_t number)
{
    return (struct xfb_range){s->counters.buffer, (VkDeviceSize)number * 4, 0};
}

static void bind(struct suite *s, VkDeviceSize offset_B, VkDeviceSize size_0_B,
                 VkDeviceSize size_1_B)
{
    const struct xfb_range ranges[2] = {
        {s->capture[0].buffer, offset_B, size_0_B},
        {s->capture[1].buffer, offset_B, size_1_B},
    };
    xfb_bind(s->cmd, 0, 2, ranges);
}

static void begin_pass(struct suite *s)
{
    vkt_target_begin(s->cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[s->geometry]);
}

static void draw(struct suite *s, uint32_t number, uint32_t count)
{
    vkCmdPushConstants(s->cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT,
                       0, 4, &number);
    vkCmdDraw(s->cmd, count * 3, 1, 0, 0);
}

static void start(struct suite *s, const char *name)
{
    s->name = name;
    for (uint32_t i = 0; i < 2; i++)
        memset(s->capture[i].map, XFB_FILL, s->capture[i].size_B);
    memset(s->counters.map, XFB_FILL, s->counters.size_B);
}

static void begin(struct suite *s)
{
    s->cmd = vkt_commands(&s->t);
    vkt_begin(s->cmd, 0);
}

static void submit(struct suite *s)
{
    xfb_barrier(s->cmd);
    vkt_submit(&s->t, s->cmd);
}

static void dump(struct suite *s)
{
    const char *kind = s->geometry ? "geometry" : "vertex";
    for (uint32_t i = 0; i < 2; i++)
        xfb_dump(&s->t, s->capture[i].map, 1u << 16, "%s/%s/%u", kind, s->name, i);
    xfb_dump(&s->t, s->counters.map, COUNTERS_B, "%s/%s/counters", kind, s->name);
}

static void expect_counter(struct suite *s, uint32_t number, uint32_t want)
{
    const uint32_t got = xfb_word(&s->counters, number * 4);
    VKT_EXPECT(&s->t, got == want, "%s, %s: counter %u is %u, wanted %u",
               s->geometry ? "geometry" : "vertex", s->name, number, got, want);
}

/* That so many triangles and no more were captured from offset_B on, the last one by draw `last`.
 */
static void expect_captured(struct suite *s, VkDeviceSize offset_B, uint32_t count, uint32_t last)
{
    xfb_expect_rest(&s->t, s->name, &s->capture[0], offset_B + count * TRIANGLE_0_B);
    xfb_expect_rest(&s->t, s->name, &s->capture[1], offset_B + count * TRIANGLE_1_B);
    if (!count)
        return;
    const uint32_t got = xfb_word(&s->capture[0], offset_B + (count - 1) * TRIANGLE_0_B);
    VKT_EXPECT(&s->t, got == last, "%s: the last triangle is of draw %u, wanted %u", s->name, got,
               last);
}

/* Two draws into ranges of any size. The first makes six triangles, the second three or four. */
static void run_overflow(struct suite *s, uint32_t size_0_B, uint32_t size_1_B)
{
    char name[64];
    snprintf(name, sizeof(name), "overflow-%u-%u", size_0_B, size_1_B);
    start(s, name);
    begin(s);
    begin_pass(s);
    bind(s, 32, size_0_B, size_1_B);
    xfb_begin(s->cmd, 0, 0, NULL);
    draw(s, 1, s->geometry ? 4 : 6);
    draw(s, 2, s->geometry ? 2 : 4);
    const struct xfb_range counters[2] = {counter(s, 0), counter(s, 1)};
    xfb_end(s->cmd, 0, 2, counters);
    vkCmdEndRenderPass(s->cmd);
    submit(s);

    const uint32_t first = 6, all = first + (s->geometry ? 3 : 4);
    uint32_t room = size_0_B / TRIANGLE_0_B;
    if (size_1_B / TRIANGLE_1_B < room)
        room = size_1_B / TRIANGLE_1_B;
    const uint32_t count = room < all ? room : all;
    expect_counter(s, 0, count * TRIANGLE_0_B);
    expect_counter(s, 1, count * TRIANGLE_1_B);
    expect_captured(s, 32, count, count > first ? 2 : 1);
    dump(s);
}

static void run_overflows(struct suite *s)
{
    const uint32_t all = s->geometry ? 9 : 10;
    const uint32_t whole_0_B = all * TRIANGLE_0_B, whole_1_B = all * TRIANGLE_1_B;
    const uint32_t sizes_0[] = {
        4,
        TRIANGLE_0_B - 4,
        TRIANGLE_0_B,
        TRIANGLE_0_B + 4,
        6 * TRIANGLE_0_B - 4,
        6 * TRIANGLE_0_B,
        6 * TRIANGLE_0_B + 4,
        whole_0_B - 4,
        whole_0_B,
        whole_0_B + 4,
    };
    const uint32_t sizes_1[] = {
        4,
        TRIANGLE_1_B - 4,
        TRIANGLE_1_B,
        TRIANGLE_1_B + 4,
        6 * TRIANGLE_1_B - 4,
        6 * TRIANGLE_1_B,
        6 * TRIANGLE_1_B + 4,
        whole_1_B - 4,
        whole_1_B,
        whole_1_B + 4,
    };
    for (uint32_t i = 0; i < VKT_COUNT(sizes_0); i++)
        run_overflow(s, sizes_0[i], whole_1_B);
    for (uint32_t i = 0; i + 2 < VKT_COUNT(sizes_1); i++) /* the last ones hold everything */
        run_overflow(s, whole_0_B, sizes_1[i]);
    run_overflow(s, sizes_0[4], sizes_1[2]);
}

/* Both ends of a pass, a command buffer and a submission between intervals that continue. */
static void run_resume(struct suite *s)
{
    const struct xfb_range counters[2] = {counter(s, 0), counter(s, 1)};
    start(s, "resume");
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++) {
        begin(s);
        for (uint32_t pass = 0; pass < 3; pass++) {
            const uint32_t number = i * 3 + pass;
            begin_pass(s);
            bind(s, 64, CAPTURE_B / 2, CAPTURE_B / 2);
            xfb_begin(s->cmd, 0, number ? 2 : 0, counters);
            draw(s, number, number + 1);
            draw(s, number, 0);
            draw(s, 100 + number, 2);
            xfb_end(s->cmd, 0, 2, counters);
            vkCmdEndRenderPass(s->cmd);
            xfb_barrier(s->cmd);
            count += triangles(s, number + 1) + triangles(s, 2);
        }
        submit(s);
    }
    expect_counter(s, 0, count * TRIANGLE_0_B);
    expect_counter(s, 1, count * TRIANGLE_1_B);
    expect_captured(s, 64, count, 108);
    dump(s);
}

/* One submission of several command buffers. */
static void run_command_buffers(struct suite *s)
{
    const struct xfb_range counters[2] = {counter(s, 2), counter(s, 3)};
    VkCommandBuffer list[4];
    start(s, "command-buffers");
    uint32_t count = 0;
    for (uint32_t i = 0; i < VKT_COUNT(list); i++) {
        begin(s);
        begin_pass(s);
        bind(s, 0, CAPTURE_B, CAPTURE_B);
        xfb_begin(s->cmd, 0, i ? 2 : 0, counters);
        draw(s, i, 4 - i);
        xfb_end(s->cmd, 0, 2, counters);
        vkCmdEndRenderPass(s->cmd);
        xfb_barrier(s->cmd);
        VKT_CALL(vkEndCommandBuffer(s->cmd));
        list[i] = s->cmd;
        count += triangles(s, 4 - i);
    }
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = VKT_COUNT(list),
        .pCommandBuffers = list,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
    expect_counter(s, 2, count * TRIANGLE_0_B);
    expect_counter(s, 3, count * TRIANGLE_1_B);
    expect_captured(s, 0, count, 3);
    dump(s);
}

/* One command buffer again and again: with `resume` it appends, otherwise it starts anew. */
static void run_resubmit(struct suite *s, bool resume)
{
    const uint32_t times = 16;
    const struct xfb_range counters[2] = {counter(s, 0), counter(s, 1)};
    start(s, resume ? "resubmit-resume" : "resubmit");
    const uint32_t zeros[2] = {0, 0};
    memcpy(s->counters.map, zeros, sizeof(zeros));
    begin(s);
    begin_pass(s);
    bind(s, 0, CAPTURE_B, CAPTURE_B);
    xfb_begin(s->cmd, 0, resume ? 2 : 0, counters);
    draw(s, 7, 3);
    draw(s, 8, 2);
    xfb_end(s->cmd, 0, 2, counters);
    vkCmdEndRenderPass(s->cmd);
    submit(s);
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &s->cmd,
    };
    for (uint32_t i = 1; i < times; i++) {
        VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(s->t.queue));
    }
    const uint32_t count = (resume ? times : 1) * (triangles(s, 3) + triangles(s, 2));
    expect_counter(s, 0, count * TRIANGLE_0_B);
    expect_counter(s, 1, count * TRIANGLE_1_B);
    expect_captured(s, 0, count, 8);
    dump(s);
}

/* Counters that the host, a copy command or a shader wrote. */
static void run_written(struct suite *s, const char *who)
{
    const struct xfb_range counters[2] = {counter(s, 0), counter(s, 1)};
    const uint32_t values[2] = {2 * TRIANGLE_0_B, 5 * TRIANGLE_1_B};
    start(s, who);
    begin(s);
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_HOST_BIT;
    VkAccessFlags access = VK_ACCESS_HOST_WRITE_BIT;
    if (strcmp(who, "written-transfer") == 0) {
        vkCmdUpdateBuffer(s->cmd, s->counters.buffer, 0, sizeof(values), values);
        stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
        access = VK_ACCESS_TRANSFER_WRITE_BIT;
    } else {
        memcpy(s->counters.map, values, sizeof(values));
    }
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = access,
        .dstAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
    };
    vkCmdPipelineBarrier(s->cmd, stage, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
    begin_pass(s);
    bind(s, 16, CAPTURE_B / 2, CAPTURE_B / 2);
    xfb_begin(s->cmd, 0, 2, counters);
    draw(s, 3, 3);
    xfb_end(s->cmd, 0, 2, counters);
    vkCmdEndRenderPass(s->cmd);
    submit(s);
    const uint32_t count = triangles(s, 3);
    expect_counter(s, 0, (2 + count) * TRIANGLE_0_B);
    expect_counter(s, 1, (5 + count) * TRIANGLE_1_B);
    dump(s);
}

static void run_shader_written(struct suite *s)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&s->t, &binding, 1);
    const VkDescriptorSet set = vkt_set(&s->t, set_layout, &binding, 1);
    const VkPipelineLayout layout = vkt_layout(&s->t, &set_layout, 1, NULL, 0);
    const VkPipeline pipeline = vkt_compute_pipeline(&s->t, VKT_CODE(xfb_counter_comp), layout);
    const struct vkt_buffer counters =
        vkt_buffer(&s->t, 8,
                   VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                       VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT,
                   0);
    vkt_write_buffer(&s->t, set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, counters.buffer, 0,
                     VK_WHOLE_SIZE);
    start(s, "written-shader");
    begin(s);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(s->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(s->cmd, 1, 1, 1);
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT,
    };
    vkCmdPipelineBarrier(s->cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
    begin_pass(s);
    bind(s, 0, CAPTURE_B, CAPTURE_B);
    const struct xfb_range from[2] = {{counters.buffer, 0, 0}, {counters.buffer, 4, 0}};
    const struct xfb_range to[2] = {counter(s, 0), counter(s, 1)};
    xfb_begin(s->cmd, 0, 2, from);
    draw(s, 3, 3);
    xfb_end(s->cmd, 0, 2, to);
    vkCmdEndRenderPass(s->cmd);
    submit(s);
    const uint32_t count = triangles(s, 3);
    expect_counter(s, 0, (2 + count) * TRIANGLE_0_B);
    expect_counter(s, 1, (5 + count) * TRIANGLE_1_B);
    dump(s);
}

/* Only one of the buffers goes on where it was; null counters, and counters that End writes
 * elsewhere than Begin read. */
static void run_partial(struct suite *s)
{
    const uint32_t values[2] = {3 * TRIANGLE_0_B, 4 * TRIANGLE_1_B};
    const struct xfb_range from[2] = {{0}, counter(s, 1)};
    const struct xfb_range to[2] = {counter(s, 2), {0}};
    start(s, "partial");
    memcpy(s->counters.map, values, sizeof(values));
    begin(s);
    begin_pass(s);
    bind(s, 0, CAPTURE_B, CAPTURE_B);
    xfb_begin(s->cmd, 0, 2, from); /* buffer 0 starts at 0 */
    draw(s, 1, 2);
    xfb_end(s->cmd, 0, 2, to); /* and only its counter is written */
    vkCmdEndRenderPass(s->cmd);
    submit(s);
    expect_counter(s, 0, values[0]);
    expect_counter(s, 1, values[1]);
    expect_counter(s, 2, triangles(s, 2) * TRIANGLE_0_B);
    expect_counter(s, 3, 0x01010101u * XFB_FILL);
    dump(s);
}

/* The same with firstCounterBuffer 1, which Mesa 22.3's lavapipe takes for 0. */
static void run_first_counter(struct suite *s)
{
    const uint32_t values[2] = {3 * TRIANGLE_0_B, 4 * TRIANGLE_1_B};
    const struct xfb_range from = counter(s, 1), to = counter(s, 2);
    start(s, "first-counter");
    memcpy(s->counters.map, values, sizeof(values));
    begin(s);
    begin_pass(s);
    bind(s, 0, CAPTURE_B, CAPTURE_B);
    xfb_begin(s->cmd, 1, 1, &from);
    draw(s, 2, 3);
    xfb_end(s->cmd, 1, 1, &to);
    vkCmdEndRenderPass(s->cmd);
    submit(s);
    const uint32_t count = triangles(s, 3);
    expect_counter(s, 0, values[0]);
    expect_counter(s, 1, values[1]);
    expect_counter(s, 2, (4 + count) * TRIANGLE_1_B);
    xfb_expect_rest(&s->t, s->name, &s->capture[0], count * TRIANGLE_0_B);
    xfb_expect_rest(&s->t, s->name, &s->capture[1], (4 + count) * TRIANGLE_1_B);
    VKT_EXPECT(&s->t, xfb_word(&s->capture[0], 0) == 2, "buffer 0 does not begin at 0");
}

/* Nothing is drawn: fresh counters are 0 afterwards, those that were read come back. */
static void run_nothing(struct suite *s, bool empty_draws)
{
    const uint32_t values[2] = {2 * TRIANGLE_0_B, 20};
    const struct xfb_range from[2] = {counter(s, 0), counter(s, 1)};
    const struct xfb_range to[2] = {counter(s, 2), counter(s, 3)};
    const struct xfb_range fresh[2] = {counter(s, 4), counter(s, 5)};
    start(s, empty_draws ? "empty-draws" : "no-draw");
    memcpy(s->counters.map, values, sizeof(values));
    begin(s);
    begin_pass(s);
    bind(s, 0, CAPTURE_B, CAPTURE_B);
    xfb_begin(s->cmd, 0, 2, from);
    if (empty_draws)
        draw(s, 1, 0);
    xfb_end(s->cmd, 0, 2, to);
    xfb_begin(s->cmd, 0, 0, NULL);
    if (empty_draws)
        vkCmdDraw(s->cmd, 2, 1, 0, 0);
    if (empty_draws)
        vkCmdDraw(s->cmd, 30, 0, 0, 0);
    xfb_end(s->cmd, 0, 2, fresh);
    vkCmdEndRenderPass(s->cmd);
    submit(s);
    for (uint32_t i = 0; i < 4; i++)
        expect_counter(s, i, values[i & 1]);
    expect_counter(s, 4, 0);
    expect_counter(s, 5, 0);
    expect_captured(s, 0, 0, 0);
    dump(s);
}

/* Many small draws in one interval. */
static void run_many(struct suite *s)
{
    const uint32_t draws = 500;
    const struct xfb_range counters[2] = {counter(s, 0), counter(s, 1)};
    start(s, "many");
    begin(s);
    begin_pass(s);
    bind(s, 0, CAPTURE_B, CAPTURE_B);
    xfb_begin(s->cmd, 0, 0, NULL);
    uint32_t count = 0, last = 0;
    for (uint32_t i = 0; i < draws; i++) {
        const uint32_t size = (i * 7 + 3) % 5;
        draw(s, i, size);
        count += triangles(s, size);
        last = size ? i : last;
    }
    xfb_end(s->cmd, 0, 2, counters);
    vkCmdEndRenderPass(s->cmd);
    submit(s);
    expect_counter(s, 0, count * TRIANGLE_0_B);
    expect_counter(s, 1, count * TRIANGLE_1_B);
    expect_captured(s, 0, count, last);
    dump(s);
}

static void run_all(struct suite *s)
{
    run_overflows(s);
    run_resume(s);
    run_command_buffers(s);
    run_resubmit(s, false);
    run_resubmit(s, true);
    run_written(s, "written-host");
    run_written(s, "written-transfer");
    run_shader_written(s);
    run_partial(s);
    if (vkt_has_layer(&s->t.options, "poly_gs"))
        run_first_counter(s);
    run_nothing(s, false);
    run_nothing(s, true);
    run_many(s);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_counters", argc, argv);
    options.xfb = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    for (uint32_t i = 0; i < 2; i++)
        s.capture[i] = xfb_buffer(&s.t, CAPTURE_B);
    s.counters = xfb_buffer(&s.t, COUNTERS_B);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       4};
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_counters_vert),
        .layout = s.layout,
        .pass = s.target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .discard = true,
    };
    s.pipelines[0] = vkt_pipeline(&s.t, &info);
    info.vs = VKT_CODE(xfb_counters_pass_vert);
    info.gs = VKT_CODE(xfb_counters_geom);
    s.pipelines[1] = vkt_pipeline(&s.t, &info);
    run_all(&s);
    s.geometry = true;
    run_all(&s);
    return vkt_finish(&s.t);
}
