/* SPDX-License-Identifier: MIT
 *
 * What is captured from a vertex shader alone: the vertices of every topology, drawn in every way
 * that a direct draw has, in the order that the specification demands of each provoking mode. Every
 * draw once in an interval of its own and once in one interval with all others, with the rasterizer
 * and without; then with too little space, and, of indirect draws, some that are large.
 *
 * Options: --preserves, with transformFeedbackPreservesProvokingVertex; --arguments, with indirect
 * draws.
 */
#include "gpu/topology_draws.h"
#include "gpu/topology_input.h"
#include "gpu/topology_table.h"
#include "gpu/xfb.h"

#include "value_frag.h"
#include "xfb_vertices_vert.h"

#include <string.h>

#define SIDE_PX 64u
/* As in xfb_vertices.vert: the words of a captured vertex, the first and last are not. */
#define STRIDE_W 6u
#define STRIDE_B (STRIDE_W * 4)
#define CAPTURE_B (8u << 20)

/* How a topology is drawn. */
struct way {
    const char *name;
    bool last, discard;
};

struct suite {
    struct vkt t;
    struct topology_draws list;
    uint32_t words[TOPOLOGY_MAX_DRAWS]; /* captured by each draw */
    struct vkt_buffer capture, counters;
    struct topology_input input;
    VkPipelineLayout layout;
    VkPipeline pipelines[2]; /* [restart] */
    struct vkt_target target;
};

static VkPipeline make_pipeline(struct suite *s, const struct way *way, bool restart)
{
    VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .pNext = s->t.features.bresenham_lines ? &lines : NULL,
        .provokingVertexMode = way->last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                         : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT,
    };
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(xfb_vertices_vert),
        .fs = way->discard ? (struct vkt_code){0} : VKT_CODE(value_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = s->list.topology,
        .restart = restart,
        .discard = way->discard,
        .rasterization_next = way->last ? (const void *)&provoking : provoking.pNext,
    };
    topology_input_describe(&info);
    return vkt_pipeline(&s->t, &info);
}

/* Writes what the draw should leave and returns how many words that are. */
static uint32_t expect_draw(const struct suite *s, const struct way *way,
                            const struct topology_draw *d, uint32_t *out)
{
    const VkPrimitiveTopology topology = s->list.topology;
    uint32_t ignored[6], order[3], start = 0, in_segment = 0, words = 0;
    const uint32_t primitives =
        topology_draw_primitive(topology, d, UINT32_MAX, ignored, &start, &in_segment);
    const uint32_t fill = 0x01010101u * XFB_FILL;
    for (uint32_t i = 0; i < d->instances * primitives; i++) {
        const uint32_t instance = d->first_instance + i / primitives;
        topology_draw_primitive(topology, d, i % primitives, ignored, &start, &in_segment);
        const uint32_t corners = topology_captured(topology, in_segment, way->last, order);
        for (uint32_t k = 0; k < corners; k++) {
            const uint32_t vertex = topology_draw_vertex(d, start + order[k]);
            const uint32_t want[STRIDE_W] = {
                fill,
                vertex,
                instance,
                topology_vertex_tag(vertex),
                topology_instance_tag(instance),
                fill,
            };
            memcpy(out + words, want, sizeof(want));
            words += STRIDE_W;
        }
    }
    return words;
}

static void check(struct suite *s, const struct way *way, const char *what)
{
    static uint32_t want[1 << 16];
    const char *name = topology_names[s->list.topology];
    const uint32_t *got = s->capture.map;
    uint32_t total_B = 0;
    for (uint32_t i = 0; i < s->list.count; i++) {
        const uint32_t words = expect_draw(s, way, &s->list.draws[i], want);
        VKT_EXPECT(&s->t, memcmp(got, want, (size_t)words * 4) == 0,
                   "%s/%s/%s: draw %u (count %u, %s, restart %d) captured something else", name,
                   way->name, what, i, s->list.draws[i].count,
                   s->list.draws[i].indexed ? "indexed" : "plain", s->list.draws[i].restart);
        got += words;
        total_B += words * 4;
        const uint32_t counter = xfb_word(&s->counters, i * 4);
        if (strcmp(what, "apart") == 0)
            VKT_EXPECT(&s->t, counter == words * 4, "%s/%s: draw %u counts %u, wanted %u", name,
                       way->name, i, counter, words * 4);
    }
    if (strcmp(what, "together") == 0)
        VKT_EXPECT(&s->t, xfb_word(&s->counters, 0) == total_B, "%s/%s: counted %u, wanted %u",
                   name, way->name, xfb_word(&s->counters, 0), total_B);
    xfb_expect_rest(&s->t, name, &s->capture, total_B);
    xfb_dump(&s->t, s->capture.map, total_B, "%s/%s/%s", name, way->name, what);
    xfb_dump(&s->t, s->counters.map, (size_t)s->list.count * 4, "%s/%s/%s/counters", name,
             way->name, what);
}

static void begin(struct suite *s, VkCommandBuffer cmd)
{
    memset(s->capture.map, XFB_FILL, s->capture.size_B);
    memset(s->counters.map, XFB_FILL, s->counters.size_B);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    topology_input_bind(cmd, &s->input);
}

static void end(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
}

/* Draw i in an interval of its own, whose range is size_B bytes from at_B on. Its indices go to
 * *index_B. */
static void capture_apart(struct suite *s, VkCommandBuffer cmd, uint32_t i, VkDeviceSize at_B,
                          VkDeviceSize size_B, VkDeviceSize *index_B)
{
    const struct topology_draw *d = &s->list.draws[i];
    const VkDeviceSize first_B =
        d->indexed ? topology_draw_write(d, &s->input.indices, index_B) : 0;
    const struct xfb_range range = {s->capture.buffer, at_B, size_B};
    const struct xfb_range counter = {s->counters.buffer, (VkDeviceSize)i * 4, 0};
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[d->restart]);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    topology_draw_record(cmd, &s->list, d, s->input.indices.buffer, first_B);
    xfb_end(cmd, 0, 1, &counter);
}

/* Every draw in an interval of its own, with a range that it just fills. */
static void run_apart(struct suite *s, const struct way *way)
{
    static uint32_t want[1 << 16];
    VkCommandBuffer cmd = vkt_commands(&s->t);
    VkDeviceSize at_B = 0, index_B = 0;
    begin(s, cmd);
    for (uint32_t i = 0; i < s->list.count; i++) {
        const struct topology_draw *d = &s->list.draws[i];
        const uint32_t size_B = expect_draw(s, way, d, want) * 4;
        capture_apart(s, cmd, i, at_B, size_B ? size_B : 4, &index_B);
        at_B += size_B;
    }
    end(s, cmd);
    check(s, way, "apart");
}

/* What is cut off the end of the range of draw i: two words, of which one is captured to, a
 * primitive, two words more, or half of all.
 */
static uint32_t cut_of(uint32_t i, uint32_t size_B, uint32_t primitive_B)
{
    switch (i % 4) {
    case 0:
        return 8;
    case 1:
        return primitive_B;
    case 2:
        return primitive_B + 8;
    default:
        return size_B / 8 * 4;
    }
}

/* Every draw in an interval of its own that ends too early: whole primitives are captured, and
 * nothing is written behind them. */
static void run_cut(struct suite *s, const struct way *way)
{
    static uint32_t want[1 << 16], all[CAPTURE_B / 4];
    uint32_t counters[TOPOLOGY_MAX_DRAWS], ignored[3];
    VkCommandBuffer cmd = vkt_commands(&s->t);
    VkDeviceSize at_B = 0, index_B = 0;
    const uint32_t primitive_B =
        topology_captured(s->list.topology, 0, way->last, ignored) * STRIDE_B;
    memset(all, XFB_FILL, sizeof(all));
    begin(s, cmd);
    for (uint32_t i = 0; i < s->list.count; i++) {
        const struct topology_draw *d = &s->list.draws[i];
        const uint32_t size_B = expect_draw(s, way, d, want) * 4;
        const uint32_t cut_B = cut_of(i, size_B, primitive_B);
        const uint32_t left_B = cut_B < size_B ? size_B - cut_B : 4;
        counters[i] = size_B ? left_B / primitive_B * primitive_B : 0;
        memcpy((uint8_t *)all + at_B, want, counters[i]);
        capture_apart(s, cmd, i, at_B, left_B, &index_B);
        at_B += size_B;
    }
    end(s, cmd);
    const char *name = topology_names[s->list.topology];
    VKT_EXPECT(&s->t, memcmp(s->capture.map, all, sizeof(all)) == 0,
               "%s/%s/cut: captured something else", name, way->name);
    VKT_EXPECT(&s->t, memcmp(s->counters.map, counters, s->list.count * 4) == 0,
               "%s/%s/cut: counted something else", name, way->name);
    xfb_dump(&s->t, s->capture.map, at_B, "%s/%s/cut", name, way->name);
}

#define LARGE_EL 5000u
#define LARGE_INSTANCES 16u
#define LARGE_B (4u << 20)

static uint32_t large_vertex(uint32_t position)
{
    return position * 7 % TOPOLOGY_VERTICES;
}

/* A draw with more vertices than small pools have memory for, and more primitives than are
 * captured.
 */
static void run_large(struct suite *s, const struct way *way)
{
    static uint32_t want[LARGE_B / 4];
    const VkPrimitiveTopology topology = s->list.topology;
    const uint32_t in_instance = topology_primitives(topology, LARGE_EL),
                   fill = 0x01010101u * XFB_FILL;
    struct topology_draw *d = &s->list.draws[0];
    *d = (struct topology_draw){.count = LARGE_EL,
                                .instances = LARGE_INSTANCES,
                                .indexed = true,
                                .type = VK_INDEX_TYPE_UINT32};
    VkCommandBuffer cmd = vkt_commands(&s->t);
    const struct xfb_range range = {s->capture.buffer, 0, LARGE_B};
    const struct xfb_range counter = {s->counters.buffer, 0, 0};
    begin(s, cmd);
    for (uint32_t i = 0; i < LARGE_EL; i++)
        ((uint32_t *)s->input.indices.map)[i] = large_vertex(i);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[0]);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    topology_draw_record(cmd, &s->list, d, s->input.indices.buffer, 0);
    xfb_end(cmd, 0, 1, &counter);
    end(s, cmd);
    uint32_t words = 0, order[3], corners = topology_captured(topology, 0, way->last, order);
    for (uint32_t i = 0;
         i < in_instance * LARGE_INSTANCES && words + corners * STRIDE_W <= LARGE_B / 4; i++) {
        topology_captured(topology, i % in_instance, way->last, order);
        for (uint32_t k = 0; k < corners; k++, words += STRIDE_W) {
            const uint32_t vertex = large_vertex(order[k]), instance = i / in_instance;
            const uint32_t one[STRIDE_W] = {
                fill, vertex, instance, 1000 + 7 * vertex, 500 + 3 * instance, fill,
            };
            memcpy(want + words, one, sizeof(one));
        }
    }
    const char *name = topology_names[topology];
    VKT_EXPECT(&s->t, memcmp(s->capture.map, want, (size_t)words * 4) == 0,
               "%s/%s/large: captured something else", name, way->name);
    VKT_EXPECT(&s->t, xfb_word(&s->counters, 0) == words * 4, "%s/%s/large: counted %u, wanted %u",
               name, way->name, xfb_word(&s->counters, 0), words * 4);
    xfb_expect_rest(&s->t, name, &s->capture, (VkDeviceSize)words * 4);
}

/* As few intervals as there are pipelines: the draws append to one another. */
static void run_together(struct suite *s, const struct way *way)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    VkDeviceSize index_B = 0;
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counters.buffer, 0, 0};
    begin(s, cmd);
    xfb_bind(cmd, 0, 1, &range);
    for (uint32_t restart = 0; restart < 2; restart++) {
        if (!s->pipelines[restart])
            continue;
        if (restart) {
            vkCmdEndRenderPass(cmd);
            xfb_barrier(cmd);
            vkt_target_begin(cmd, &s->target, true, VK_SUBPASS_CONTENTS_INLINE);
        }
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[restart]);
        xfb_begin(cmd, 0, restart, &counter);
        for (uint32_t i = 0; i < s->list.count; i++) {
            const struct topology_draw *d = &s->list.draws[i];
            if (d->restart != (restart != 0))
                continue;
            const VkDeviceSize first_B =
                d->indexed ? topology_draw_write(d, &s->input.indices, &index_B) : 0;
            topology_draw_record(cmd, &s->list, d, s->input.indices.buffer, first_B);
        }
        xfb_end(cmd, 0, 1, &counter);
    }
    end(s, cmd);
    check(s, way, "together");
}

static void run_topology(struct suite *s, const struct way *way)
{
    topology_draws_make(&s->list, s->t.features.index_u8);
    const bool list = topology_is_list(s->list.topology);
    s->pipelines[0] = make_pipeline(s, way, false);
    s->pipelines[1] = list ? VK_NULL_HANDLE : make_pipeline(s, way, true);
    run_apart(s, way);
    if (!way->discard)
        xfb_dump_target(&s->t, &s->target, "%s/%s/apart/image", topology_names[s->list.topology],
                        way->name);
    run_together(s, way);
    if (!way->discard)
        xfb_dump_target(&s->t, &s->target, "%s/%s/together/image", topology_names[s->list.topology],
                        way->name);
    run_cut(s, way);
    /* Behind adjacency there is a geometry shader, whose memory has to be there. */
    if (s->list.indirect && !list &&
        s->list.topology < VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY)
        run_large(s, way);
}

static void make_buffers(struct suite *s)
{
    struct vkt *t = &s->t;
    s->capture = xfb_buffer(t, CAPTURE_B);
    s->counters = xfb_buffer(t, TOPOLOGY_MAX_DRAWS * 4);
    s->input = topology_input(t);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-xfb_vertices", argc, argv);
    options.xfb = true;
    options.preserves_provoking = vkt_flag(&options, "--preserves");
    static struct suite s;
    vkt_init(&s.t, &options);
    if (options.preserves_provoking && !s.t.features.xfb_preserves_provoking)
        vkt_skip("no transformFeedbackPreservesProvokingVertex");
    if (options.rest_count > 0 && strcmp(options.rest[0], "--arguments") == 0)
        topology_draws_indirect(&s.list, &s.t);
    make_buffers(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    const struct way ways[] = {
        {"first", false, false}, {"last", true, false}, {"discard", false, true}};
    for (uint32_t i = 0; i < TOPOLOGY_COUNT; i++) {
        s.list.topology = (VkPrimitiveTopology)i;
        for (uint32_t k = 0; k < VKT_COUNT(ways); k++)
            if (!ways[k].last || s.t.features.provoking_last)
                run_topology(&s, &ways[k]);
    }
    return vkt_finish(&s.t);
}
