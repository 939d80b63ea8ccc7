/* SPDX-License-Identifier: MIT
 *
 * What is captured from geometry shaders: points, lines and triangles, as many as the data ask for,
 * strips that end anywhere, incomplete ones dropped, several invocations, four streams. Lines and
 * triangles on several streams and rasterization of another stream than 0 run where the device
 * has them; lavapipe does not, so what is expected is computed here.
 */
#include "gpu/topology_table.h"
#include "gpu/xfb.h"

#include "xfb_geometry_frag.h"
#include "xfb_geometry_line_strip_1.h"
#include "xfb_geometry_line_strip_4.h"
#include "xfb_geometry_points_1.h"
#include "xfb_geometry_points_4.h"
#include "xfb_geometry_triangle_strip_1.h"
#include "xfb_geometry_triangle_strip_4.h"
#include "xfb_geometry_vert.h"
#include "xfb_selected_frag.h"
#include "xfb_streams_frag.h"
#include "xfb_streams_line_strip_0.h"
#include "xfb_streams_points_0.h"
#include "xfb_streams_points_1.h"
#include "xfb_streams_triangle_strip_0.h"

#include <string.h>

#define SIDE_PX 64u
#define CELLS 100u
#define MAX_VERTICES 32u
#define INSTANCES 3u
#define BUFFERS 4u
#define CAPTURE_B (4u << 20)
#define STREAMS 4u

/* As in xfb_streams.geom: which stream a buffer takes, its stride, and where data lie in it.
 */
static const struct {
    uint32_t stream, stride_w, first_w, count_w;
} layouts[BUFFERS] = {{0, 3, 1, 2}, {1, 4, 0, 3}, {3, 2, 0, 2}, {0, 1, 0, 1}};

struct way {
    const char *name;
    struct vkt_code gs;
    uint32_t kind, invocations, streams, raster_stream;
    bool last, discard;
};

struct cell {
    uint32_t vertices, cuts;
};

struct suite {
    struct vkt t;
    struct cell cells[CELLS];
    struct vkt_buffer shapes, capture[BUFFERS], counters;
    VkPipelineLayout layout;
    struct vkt_target target;
    /* What the buffers should hold. */
    uint32_t want[BUFFERS][CAPTURE_B / 4], want_w[BUFFERS];
};

/* One vertex as a geometry shader emits it, and strips of them. */
struct emitted {
    uint32_t primitive, invocation, n, id;
};

static void append(struct suite *s, uint32_t buffer, uint32_t stride_w, uint32_t first_w,
                   const uint32_t *words, uint32_t count)
{
    uint32_t *to = s->want[buffer] + s->want_w[buffer];
    for (uint32_t i = 0; i < stride_w; i++)
        to[i] = 0x01010101u * XFB_FILL;
    memcpy(to + first_w, words, (size_t)count * 4);
    s->want_w[buffer] += stride_w;
    if (s->want_w[buffer] + 64 > CAPTURE_B / 4)
        vkt_die("the capture buffers are too small");
}

static void append_plain(struct suite *s, const struct emitted *v)
{
    const uint32_t seen[4] = {v->primitive, v->invocation, v->n, v->id};
    const uint32_t place = v->primitive * 37 + v->n * 17 + v->invocation * 29;
    const float position[4] = {
        ((float)(place % 64) + 0.375f) / 32.0f - 1.0f,
        ((float)(place / 64 % 64) + 0.3125f) / 32.0f - 1.0f,
        0.5f,
        1.0f,
    };
    uint32_t bits[4];
    memcpy(bits, position, sizeof(bits));
    append(s, 0, 6, 1, seen, 4);
    append(s, 1, 4, 0, bits, 4);
}

static void append_streams(struct suite *s, const struct emitted *v, uint32_t stream)
{
    const uint32_t data[BUFFERS][3] = {
        {v->primitive, v->n}, {v->n, v->primitive, stream}, {v->id, v->n}, {v->id}};
    for (uint32_t b = 0; b < BUFFERS; b++)
        if (layouts[b].stream == stream)
            append(s, b, layouts[b].stride_w, layouts[b].first_w, data[b], layouts[b].count_w);
}

/* Decomposes one strip. */
static void end_strip(struct suite *s, const struct way *way, const struct emitted *strip,
                      uint32_t count, uint32_t stream)
{
    static const VkPrimitiveTopology topologies[] = {
        VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    };
    const VkPrimitiveTopology topology = topologies[way->kind - 1];
    const uint32_t primitives = topology_primitives(topology, count);
    for (uint32_t i = 0; i < primitives; i++) {
        uint32_t order[3];
        const uint32_t corners = topology_captured(topology, i, way->last, order);
        for (uint32_t k = 0; k < corners; k++) {
            if (way->streams > 1)
                append_streams(s, &strip[order[k]], stream);
            else
                append_plain(s, &strip[order[k]]);
        }
    }
}

static void expect_unit(struct suite *s, const struct way *way, struct emitted v)
{
    struct emitted strips[STREAMS][MAX_VERTICES];
    uint32_t counts[STREAMS] = {0};
    const struct cell *cell = &s->cells[v.primitive];
    for (v.n = 0; v.n + v.invocation < cell->vertices; v.n++) {
        const uint32_t stream = way->streams > 1 ? ((cell->cuts >> v.n % 31) + v.n) & 3 : 0;
        strips[stream][counts[stream]++] = v;
        if (!(cell->cuts >> v.n & 1))
            continue;
        end_strip(s, way, strips[stream], counts[stream], stream);
        counts[stream] = 0;
    }
    for (uint32_t stream = 0; stream < STREAMS; stream++)
        end_strip(s, way, strips[stream], counts[stream], stream);
}

static void expect_draw(struct suite *s, const struct way *way, uint32_t first, uint32_t count,
                        uint32_t instances)
{
    for (uint32_t instance = 0; instance < instances; instance++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t invocation = 0; invocation < way->invocations; invocation++)
                expect_unit(s, way,
                            (struct emitted){i, invocation, 0, instance * 1000 + first + i});
}

static VkPipeline make_pipeline(struct suite *s, const struct way *way)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(struct cell),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_UINT, 0};
    VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
        .rasterizationStream = way->raster_stream,
    };
    VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = &stream,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .pNext = s->t.features.bresenham_lines ? (void *)&lines : &stream,
        .provokingVertexMode = way->last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                         : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT,
    };
    const struct vkt_code fs = way->raster_stream ? VKT_CODE(xfb_selected_frag)
                               : way->streams > 1 ? VKT_CODE(xfb_streams_frag)
                                                  : VKT_CODE(xfb_geometry_frag);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_geometry_vert),
        .gs = way->gs,
        .fs = way->discard ? (struct vkt_code){0} : fs,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .discard = way->discard,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
        .rasterization_next = way->last ? (const void *)&provoking : provoking.pNext,
    };
    return vkt_pipeline(&s->t, &info);
}

static void check(struct suite *s, const struct way *way)
{
    const uint32_t buffers = way->streams > 1 ? BUFFERS : 2;
    const bool optional = way->streams > 1 && (way->kind > 1 || way->raster_stream > 0);
    for (uint32_t b = 0; b < buffers; b++) {
        const uint32_t size_B = s->want_w[b] * 4;
        VKT_EXPECT(&s->t, xfb_word(&s->counters, b * 4) == size_B,
                   "%s: buffer %u counts %u, wanted %u", way->name, b,
                   xfb_word(&s->counters, b * 4), size_B);
        VKT_EXPECT(&s->t, memcmp(s->capture[b].map, s->want[b], size_B) == 0,
                   "%s: buffer %u holds something else", way->name, b);
        VKT_EXPECT(&s->t, size_B > 0, "%s: buffer %u is empty", way->name, b);
        xfb_expect_rest(&s->t, way->name, &s->capture[b], size_B);
        xfb_dump(&s->t, s->capture[b].map, size_B, "%s%s/%u", optional ? "opt/" : "", way->name, b);
    }
    if (!way->discard)
        xfb_dump_target(&s->t, &s->target, "%s%s/image", optional ? "opt/" : "", way->name);
}

/* A point of stream 1 has a pixel of its own. */
static void check_raster_stream(struct suite *s, const struct way *way)
{
    static uint32_t want[SIDE_PX * SIDE_PX];
    memset(want, 0, sizeof(want));
    for (uint32_t i = 0; i < CELLS; i++)
        for (uint32_t n = 0; n < s->cells[i].vertices; n++)
            if ((((s->cells[i].cuts >> n % 31) + n) & 3) == way->raster_stream)
                want[i * MAX_VERTICES + n] = 1 + i * MAX_VERTICES + n;
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    VKT_EXPECT(&s->t, memcmp(pixels.map, want, sizeof(want)) == 0, "%s: another picture",
               way->name);
}

static void run(struct suite *s, const struct way *way)
{
    const VkPipeline pipeline = make_pipeline(s, way);
    struct xfb_range ranges[BUFFERS], counters[BUFFERS];
    for (uint32_t b = 0; b < BUFFERS; b++) {
        memset(s->capture[b].map, XFB_FILL, s->capture[b].size_B);
        s->want_w[b] = 0;
        ranges[b] = (struct xfb_range){s->capture[b].buffer, 0, s->capture[b].size_B};
        counters[b] = (struct xfb_range){s->counters.buffer, (VkDeviceSize)b * 4, 0};
    }
    const uint32_t buffers = way->streams > 1 ? BUFFERS : 2;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->shapes.buffer, &(VkDeviceSize){0});
    xfb_bind(cmd, 0, buffers, ranges);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, CELLS, INSTANCES, 0, 0);
    expect_draw(s, way, 0, CELLS, INSTANCES);
    /* The second draw appends to the first. */
    vkCmdDraw(cmd, CELLS / 2, 1, 0, 0);
    expect_draw(s, way, 0, CELLS / 2, 1);
    xfb_end(cmd, 0, buffers, counters);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    check(s, way);
    if (way->raster_stream)
        check_raster_stream(s, way);
}

static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static void make_buffers(struct suite *s)
{
    for (uint32_t i = 0; i < CELLS; i++) {
        /* None, all, one, and in between; few strip ends, many strip ends. */
        const uint32_t vertices = i % 10 == 3 ? 0 : i % 10 == 7 ? MAX_VERTICES : hash(i) % 33;
        const uint32_t cuts = hash(i + 500) & (i & 1 ? hash(i + 900) : UINT32_MAX);
        s->cells[i] = (struct cell){vertices, cuts & (i & 2 ? hash(i + 700) : UINT32_MAX)};
    }
    s->shapes =
        vkt_buffer_from(&s->t, s->cells, sizeof(s->cells), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (uint32_t b = 0; b < BUFFERS; b++)
        s->capture[b] = xfb_buffer(&s->t, CAPTURE_B);
    s->counters = xfb_buffer(&s->t, BUFFERS * 4);
}

static void run_plain(struct suite *s)
{
    const struct way ways[] = {
        {"points", VKT_CODE(xfb_geometry_points_1), 1, 1, 1, 0, false, false},
        {"lines", VKT_CODE(xfb_geometry_line_strip_1), 2, 1, 1, 0, false, false},
        {"triangles", VKT_CODE(xfb_geometry_triangle_strip_1), 3, 1, 1, 0, false, false},
        {"points-4", VKT_CODE(xfb_geometry_points_4), 1, 4, 1, 0, false, true},
        {"lines-4", VKT_CODE(xfb_geometry_line_strip_4), 2, 4, 1, 0, false, true},
        {"triangles-4", VKT_CODE(xfb_geometry_triangle_strip_4), 3, 4, 1, 0, false, false},
        {"lines-last", VKT_CODE(xfb_geometry_line_strip_1), 2, 1, 1, 0, true, false},
        {"triangles-last", VKT_CODE(xfb_geometry_triangle_strip_1), 3, 1, 1, 0, true, false},
        {"triangles-last-4", VKT_CODE(xfb_geometry_triangle_strip_4), 3, 4, 1, 0, true, true},
    };
    for (uint32_t i = 0; i < VKT_COUNT(ways); i++)
        if (!ways[i].last || s->t.features.provoking_last)
            run(s, &ways[i]);
}

static void run_streams(struct suite *s)
{
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *limits = &s->t.xfb;
    const struct way ways[] = {
        {"streams", VKT_CODE(xfb_streams_points_0), 1, 1, 4, 0, false, false},
        {"streams-discard", VKT_CODE(xfb_streams_points_0), 1, 1, 4, 0, false, true},
        {"streams-lines", VKT_CODE(xfb_streams_line_strip_0), 2, 1, 4, 0, false, false},
        {"streams-triangles", VKT_CODE(xfb_streams_triangle_strip_0), 3, 1, 4, 0, false, false},
        {"streams-last", VKT_CODE(xfb_streams_triangle_strip_0), 3, 1, 4, 0, true, true},
        {"streams-raster", VKT_CODE(xfb_streams_points_1), 1, 1, 4, 1, false, false},
    };
    for (uint32_t i = 0; i < VKT_COUNT(ways); i++) {
        if ((ways[i].kind > 1 && !limits->transformFeedbackStreamsLinesTriangles) ||
            (ways[i].raster_stream && !limits->transformFeedbackRasterizationStreamSelect) ||
            (ways[i].last && !s->t.features.provoking_last))
            continue;
        run(s, &ways[i]);
    }
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_geometry", argc, argv);
    options.xfb = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    make_buffers(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    run_plain(&s);
    if (s.t.features.geometry_streams && s.t.xfb.maxTransformFeedbackStreams >= STREAMS)
        run_streams(&s);
    return vkt_finish(&s.t);
}
