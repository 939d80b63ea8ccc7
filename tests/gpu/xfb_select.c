/* SPDX-License-Identifier: MIT
 *
 * What is chosen while commands are recorded: the stream that is rasterized and the provoking
 * vertex (VK_EXT_extended_dynamic_state3), and several draws by one command (VK_EXT_multi_draw);
 * what they draw and what is captured of it. lavapipe cannot choose the stream, so what is expected
 * is computed here.
 */
#include "gpu/topology_table.h"
#include "gpu/xfb.h"

#include "xfb_select_frag_0.h"
#include "xfb_select_frag_1.h"
#include "xfb_select_geom_0.h"
#include "xfb_select_geom_1.h"
#include "xfb_select_vert_0.h"
#include "xfb_select_vert_1.h"

#include <string.h>

#define SIDE_PX 64u
#define VERTICES 12u
#define STREAMS 4u
#define CAPTURE_B (64u << 10)
#define INDICES 64u

/* As the vertex shader has it. */
struct vertex {
    uint32_t draw, vertex, instance, base;
};

struct suite {
    struct vkt t;
    struct vkt_buffer capture, counter, indices;
    VkPipelineLayout layout;
    struct vkt_target target;
    VkQueryPool queries;
    /* What should come out. */
    struct vertex want[CAPTURE_B / sizeof(struct vertex)];
    uint32_t want_count;
    uint32_t picture[SIDE_PX * SIDE_PX];
};

struct way {
    const char *name;
    struct vkt_code vs, gs, fs;
    uint32_t raster; /* the only stream that is emitted to */
    bool dynamic_discard;
};

static void expect_capture(struct suite *s, const struct vertex *v)
{
    if (s->want_count == VKT_COUNT(s->want))
        vkt_die("the capture buffer is too small");
    s->want[s->want_count++] = *v;
}

static void expect_point(struct suite *s, const struct vertex *v)
{
    const uint32_t row = v->instance * 3 + v->draw;
    const uint32_t x = v->vertex / 2 * 5 + 1, y = row * 5 + v->vertex % 2 * 3;
    s->picture[y * SIDE_PX + x] = 1 + v->vertex + 100 * row;
}

static VkPipeline make_pipeline(struct suite *s, const struct way *way,
                                VkPrimitiveTopology topology, const VkDynamicState *states,
                                uint32_t state_count)
{
    return vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                   .vs = way->vs,
                                   .gs = way->gs,
                                   .fs = way->fs,
                                   .layout = s->layout,
                                   .pass = s->target.pass,
                                   .width_px = SIDE_PX,
                                   .height_px = SIDE_PX,
                                   .topology = topology,
                                   .dynamic = states,
                                   .dynamic_count = state_count,
                               });
}

static VkCommandBuffer begin(struct suite *s)
{
    memset(s->capture.map, XFB_FILL, CAPTURE_B);
    memset(s->picture, 0, sizeof(s->picture));
    s->want_count = 0;
    const struct xfb_range range = {s->capture.buffer, 0, CAPTURE_B};
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    xfb_bind(cmd, 0, 1, &range);
    return cmd;
}

static void begin_pass(struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    xfb_begin(cmd, 0, 0, NULL);
}

static void end_xfb(struct suite *s, VkCommandBuffer cmd)
{
    const struct xfb_range counter = {s->counter.buffer, 0, 0};
    xfb_end(cmd, 0, 1, &counter);
}

static void end_pass(struct suite *s, VkCommandBuffer cmd)
{
    end_xfb(s, cmd);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

static void check_capture(struct suite *s, const char *name)
{
    const uint32_t size_B = s->want_count * sizeof(struct vertex);
    VKT_EXPECT(&s->t, xfb_word(&s->counter, 0) == size_B, "%s: counts %u, wanted %u", name,
               xfb_word(&s->counter, 0), size_B);
    VKT_EXPECT(&s->t, size_B && memcmp(s->capture.map, s->want, size_B) == 0,
               "%s: captured something else", name);
    xfb_expect_rest(&s->t, name, &s->capture, size_B);
    xfb_dump(&s->t, s->capture.map, size_B, "%s%s/capture",
             strncmp(name, "stream", 6) == 0 ? "opt/" : "", name);
}

static void check_picture(struct suite *s, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    VKT_EXPECT(&s->t, memcmp(pixels.map, s->picture, sizeof(s->picture)) == 0,
               "%s: another picture", name);
}

/* -- the stream that is rasterized -- */

/* One draw for each stream, each with an instance number of its own, and the first stream again.
 * All are captured and counted, one is seen. */
static void run_stream(struct suite *s, const struct way *way)
{
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT,
                                     VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE};
    const VkPipeline pipeline = make_pipeline(s, way, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, states,
                                              way->dynamic_discard ? 2 : 1);
    const bool counts = s->t.features.generated && s->t.features.generated_streams;
    VkCommandBuffer cmd = begin(s);
    vkCmdResetQueryPool(cmd, s->queries, 0, 1);
    vkCmdSetRasterizationStreamEXT(cmd, 3);
    if (counts)
        vkCmdBeginQueryIndexedEXT(cmd, s->queries, 0, 0, way->raster);
    begin_pass(s, cmd, pipeline);
    if (way->dynamic_discard)
        vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        vkCmdSetRasterizationStreamEXT(cmd, stream);
        vkCmdDraw(cmd, VERTICES, 1, 0, stream);
        for (uint32_t i = 0; i < VERTICES; i++) {
            const struct vertex v = {0, i, stream, 0};
            expect_capture(s, &v);
            if (stream == way->raster)
                expect_point(s, &v);
        }
    }
    end_pass(s, cmd);
    if (counts)
        vkCmdEndQueryIndexedEXT(cmd, s->queries, 0, way->raster);
    vkt_submit(&s->t, cmd);
    check_capture(s, way->name);
    check_picture(s, way->name);
    uint64_t generated = 0;
    if (counts)
        VKT_CALL(vkGetQueryPoolResults(s->t.device, s->queries, 0, 1, sizeof(generated), &generated,
                                       sizeof(generated),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, !counts || generated == s->want_count, "%s: generated %u, wanted %u",
               way->name, (uint32_t)generated, s->want_count);
}

/* A pipeline that leaves nothing behind for the next one: static states after dynamic ones. */
static void run_stream_after(struct suite *s, const struct way *way)
{
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT,
                                     VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE};
    const VkPrimitiveTopology points = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    const VkPipeline chosen = make_pipeline(s, way, points, states, 2);
    const VkPipeline discarding = make_pipeline(s, way, points, states + 1, 1);
    const VkPipeline plain = make_pipeline(s, way, points, NULL, 0);
    const VkPipeline order[] = {chosen, discarding, chosen, plain};
    VkCommandBuffer cmd = begin(s);
    vkCmdSetRasterizationStreamEXT(cmd, 2);
    vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    begin_pass(s, cmd, chosen);
    for (uint32_t i = 0; i < VKT_COUNT(order); i++) {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, order[i]);
        vkCmdDraw(cmd, VERTICES, 1, 0, i);
        for (uint32_t k = 0; k < VERTICES; k++) {
            const struct vertex v = {0, k, i, 0};
            expect_capture(s, &v);
            if (order[i] != chosen)
                expect_point(s, &v);
        }
    }
    end_pass(s, cmd);
    vkt_submit(&s->t, cmd);
    check_capture(s, "stream-after");
    check_picture(s, "stream-after");
}

static void run_streams(struct suite *s)
{
    const struct vkt_code plain = VKT_CODE(xfb_select_vert_0),
                          captured = VKT_CODE(xfb_select_vert_1), fs = VKT_CODE(xfb_select_frag_0),
                          none = {0};
    const struct way ways[] = {
        {"stream-0", plain, VKT_CODE(xfb_select_geom_0), fs, 0, false},
        {"stream-1", plain, VKT_CODE(xfb_select_geom_1), fs, 1, false},
        {"stream-1-discard", plain, VKT_CODE(xfb_select_geom_1), fs, 1, true},
        {"stream-none", captured, none, fs, 0, false},
        {"stream-none-discard", captured, none, fs, 0, true},
    };
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT,
        .queryCount = 1,
    };
    VKT_CALL(vkCreateQueryPool(s->t.device, &info, NULL, &s->queries));
    for (uint32_t i = 0; i < VKT_COUNT(ways); i++)
        run_stream(s, &ways[i]);
    run_stream_after(s, &ways[4]);
    vkDestroyQueryPool(s->t.device, s->queries, NULL);
}

/* -- the provoking vertex -- */

static void run_provoking(struct suite *s, const char *name, struct vkt_code fs,
                          VkPrimitiveTopology topology)
{
    const VkDynamicState state = VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT;
    const struct way way = {.vs = VKT_CODE(xfb_select_vert_1), .fs = fs};
    const VkPipeline pipeline = make_pipeline(s, &way, topology, &state, 1);
    VkCommandBuffer cmd = begin(s);
    begin_pass(s, cmd, pipeline);
    for (uint32_t i = 0; i < 3; i++) {
        const bool last = i == 1;
        vkCmdSetProvokingVertexModeEXT(cmd, last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                                 : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
        vkCmdDraw(cmd, VERTICES, 1, 0, i);
        const uint32_t primitives = topology_primitives(topology, VERTICES);
        for (uint32_t p = 0; p < primitives; p++) {
            uint32_t order[3];
            const uint32_t corners = topology_captured(topology, p, last, order);
            for (uint32_t k = 0; k < corners; k++)
                expect_capture(s, &(struct vertex){0, order[k], i, 0});
        }
    }
    end_pass(s, cmd);
    vkt_submit(&s->t, cmd);
    check_capture(s, name);
    xfb_dump_target(&s->t, &s->target, "%s/image", name);
}

/* -- several draws -- */

static const VkMultiDrawInfoEXT plain_draws[] = {{4, 5}, {7, 0}, {0, 11}};
static const VkMultiDrawIndexedInfoEXT indexed_draws[] = {{3, 7, 2}, {10, 12, -1}};
#define OFFSET 4
#define FIRST_INSTANCE 1u

/* Mesa 22.3 takes all draws for one instance after the other, not each draw with its instances:
 * what is captured has one alone. */
static uint32_t instances_of(bool captures)
{
    return captures ? 1 : 2;
}

static uint32_t index_at(uint32_t i)
{
    return 1 + i * 5 % 17;
}

/* Instance after instance of one draw. A place may be drawn to more than once, always alike. */
static void expect_draw(struct suite *s, bool captures, uint32_t draw, uint32_t count,
                        const uint32_t *vertices, uint32_t base, uint32_t first_instance)
{
    for (uint32_t instance = 0; instance < instances_of(captures); instance++)
        for (uint32_t i = 0; i < count; i++) {
            const struct vertex v = {draw, vertices[i], first_instance + instance, base};
            if (captures)
                expect_capture(s, &v);
            expect_point(s, &v);
        }
}

static void draw_plain(struct suite *s, VkCommandBuffer cmd, bool captures)
{
    struct {
        VkMultiDrawInfoEXT info;
        uint32_t between[2];
    } draws[VKT_COUNT(plain_draws)];
    memset(draws, 0xee, sizeof(draws));
    for (uint32_t d = 0; d < VKT_COUNT(draws); d++)
        draws[d].info = plain_draws[d];
    vkCmdDrawMultiEXT(cmd, 0, &draws[0].info, instances_of(captures), 0, sizeof(draws[0]));
    vkCmdDrawMultiEXT(cmd, VKT_COUNT(draws), &draws[0].info, instances_of(captures), FIRST_INSTANCE,
                      sizeof(draws[0]));
    memset(draws, 0xee, sizeof(draws)); /* nobody may look at them any more */
    for (uint32_t d = 0; d < VKT_COUNT(draws); d++) {
        uint32_t vertices[VERTICES];
        for (uint32_t i = 0; i < plain_draws[d].vertexCount; i++)
            vertices[i] = plain_draws[d].firstVertex + i;
        expect_draw(s, captures, d, plain_draws[d].vertexCount, vertices,
                    plain_draws[d].firstVertex, FIRST_INSTANCE);
    }
}

static void draw_indexed(struct suite *s, VkCommandBuffer cmd, bool captures, const int32_t *offset,
                         uint32_t first_instance)
{
    struct {
        VkMultiDrawIndexedInfoEXT info;
        uint32_t between;
    } draws[VKT_COUNT(indexed_draws)];
    memset(draws, 0xee, sizeof(draws));
    for (uint32_t d = 0; d < VKT_COUNT(draws); d++)
        draws[d].info = indexed_draws[d];
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawMultiIndexedEXT(cmd, VKT_COUNT(draws), &draws[0].info, instances_of(captures),
                             first_instance, sizeof(draws[0]), offset);
    memset(draws, 0xee, sizeof(draws));
    for (uint32_t d = 0; d < VKT_COUNT(draws); d++) {
        const int32_t base = offset ? *offset : indexed_draws[d].vertexOffset;
        uint32_t vertices[VERTICES];
        for (uint32_t i = 0; i < indexed_draws[d].indexCount; i++)
            vertices[i] = index_at(indexed_draws[d].firstIndex + i) + (uint32_t)base;
        expect_draw(s, captures, d, indexed_draws[d].indexCount, vertices, (uint32_t)base,
                    first_instance);
    }
}

static void run_multi(struct suite *s, const struct way *way, bool captures)
{
    const VkPipeline pipeline = make_pipeline(s, way, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, NULL, 0);
    int32_t offset = OFFSET;
    VkCommandBuffer cmd = begin(s);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (captures)
        xfb_begin(cmd, 0, 0, NULL);
    draw_plain(s, cmd, captures);
    draw_indexed(s, cmd, captures, NULL, FIRST_INSTANCE);
    draw_indexed(s, cmd, captures, &offset, 0);
    offset = -1;
    if (captures)
        end_xfb(s, cmd);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    if (captures)
        check_capture(s, way->name);
    check_picture(s, way->name);
    xfb_dump_target(&s->t, &s->target, "%s/image", way->name);
}

static void run_draws(struct suite *s)
{
    const struct vkt_code plain = VKT_CODE(xfb_select_vert_0),
                          captured = VKT_CODE(xfb_select_vert_1), fs = VKT_CODE(xfb_select_frag_0);
    const struct way ways[] = {
        {.name = "draws", .vs = plain, .fs = fs},
        {.name = "draws-geometry", .vs = plain, .gs = VKT_CODE(xfb_select_geom_0), .fs = fs},
        {.name = "draws-captured", .vs = captured, .fs = fs},
        {.name = "draws-captured-geometry",
         .vs = plain,
         .gs = VKT_CODE(xfb_select_geom_0),
         .fs = fs},
    };
    for (uint32_t i = 0; i < VKT_COUNT(ways); i++)
        run_multi(s, &ways[i], i > 1);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_select", argc, argv);
    options.xfb = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    uint32_t indices[INDICES];
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = index_at(i);
    s.capture = xfb_buffer(&s.t, CAPTURE_B);
    s.counter = xfb_buffer(&s.t, 4);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    if (s.t.features.dynamic_stream && s.t.features.generated)
        run_streams(&s);
    if (s.t.features.dynamic_provoking && s.t.features.provoking_last) {
        const struct vkt_code plain = VKT_CODE(xfb_select_frag_0),
                              number = VKT_CODE(xfb_select_frag_1);
        run_provoking(&s, "provoking-lines", plain, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
        run_provoking(&s, "provoking-strip", plain, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
        run_provoking(&s, "provoking-number", number, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    }
    if (s.t.features.multi_draw && s.t.features.draw_parameters)
        run_draws(&s);
    return vkt_finish(&s.t);
}
