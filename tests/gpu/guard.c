/* SPDX-License-Identifier: MIT
 *
 * Random draws, captured and counted, whose vertices, indices, arguments, counts, counters,
 * conditions and captures lie at the very end of buffers, in front of pages that nobody may access.
 * They draw what is there; the results are compared. With --hostile, for runs through the layer,
 * all of these numbers may be anything: nothing may be accessed that is not theirs, and draws
 * afterwards come out right. With --more points are emitted to two streams, and descriptors and
 * vertex buffers may be null.
 *
 * --seeds FIRST COUNT: other random numbers.
 */
#include "gpu/guard.h"

#include "common/vkt_query.h"

#include "guard_capture_vert.h"
#include "guard_levels_vert.h"
#include "guard_points_geom.h"
#include "guard_streams_geom.h"
#include "guard_tesc.h"
#include "guard_tese.h"
#include "guard_triangles_geom.h"
#include "guard_vert.h"
#include "xfb_geometry_frag.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDE_PX 64u
#define INTERVALS 3u
#define HANGS_S 300

static uint32_t seed;

/* -- random numbers -- */

uint32_t guard_random_word(struct guard *g)
{
    g->random ^= g->random << 13;
    g->random ^= g->random >> 7;
    g->random ^= g->random << 17;
    return (uint32_t)(g->random >> 32);
}

uint32_t guard_random(struct guard *g, uint32_t below)
{
    return guard_random_word(g) % below;
}

uint32_t guard_extreme(struct guard *g)
{
    static const uint32_t words[] = {
        0,           1,           2,           UINT32_MAX, UINT32_MAX - 1, 0x80000000u, 0x7fffffffu,
        0x80000001u, 0xfffffff0u, 0x40000000u, 0xffffu,    0x10000u,       0xffu,       0x100u,
    };
    return guard_random(g, 4) ? words[guard_random(g, VKT_COUNT(words))] : guard_random_word(g);
}

/* -- crashes -- */

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(2);
}

static void on_signal(int number)
{
    char digits[16] = {0};
    uint32_t at = sizeof(digits) - 1, rest = seed;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    say(number == SIGALRM ? "guard: hangs in seed " : "guard: crashes in seed ");
    say(digits + at);
    say("\n");
    _exit(1);
}

static void watch_signals(void)
{
    signal(SIGSEGV, on_signal);
    signal(SIGBUS, on_signal);
    signal(SIGALRM, on_signal);
}

/* -- objects -- */

static const struct {
    struct vkt_code vs, tcs, tes, gs;
    VkPrimitiveTopology topology;
    bool restart;
} codes[GUARD_KINDS] = {
    [GUARD_PLAIN] = {.vs = {guard_capture_vert, sizeof(guard_capture_vert)},
                     .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
    [GUARD_POINTS] = {.vs = {guard_vert, sizeof(guard_vert)},
                      .gs = {guard_points_geom, sizeof(guard_points_geom)},
                      .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
    [GUARD_STRIP] = {.vs = {guard_vert, sizeof(guard_vert)},
                     .gs = {guard_triangles_geom, sizeof(guard_triangles_geom)},
                     .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                     .restart = true},
    [GUARD_PATCHES] = {.vs = {guard_levels_vert, sizeof(guard_levels_vert)},
                       .tcs = {guard_tesc, sizeof(guard_tesc)},
                       .tes = {guard_tese, sizeof(guard_tese)},
                       .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
};

static void make_pipelines(struct guard *g)
{
    /* How far guard_streams.geom looks. */
    const uint32_t span = g->hostile ? UINT32_MAX : 16;
    const VkSpecializationMapEntry entry = {0, 0, sizeof(span)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(span), &span};
    static const VkVertexInputBindingDescription bindings[2] = {
        {0, GUARD_ITEM_B, VK_VERTEX_INPUT_RATE_VERTEX},
        {1, GUARD_INSTANCE_B, VK_VERTEX_INPUT_RATE_INSTANCE}};
    static const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_UINT, 0}, {1, 1, VK_FORMAT_R16G16_UINT, 0}};
    for (uint32_t i = 0; i < GUARD_KINDS; i++) {
        const bool streams = g->more && i == GUARD_POINTS;
        const struct vkt_pipeline_info info = {
            .vs = codes[i].vs,
            .tcs = codes[i].tcs,
            .tes = codes[i].tes,
            .gs = streams ? VKT_CODE(guard_streams_geom) : codes[i].gs,
            .gs_constants = streams ? &constants : NULL,
            .fs = VKT_CODE(xfb_geometry_frag),
            .layout = g->layout,
            .pass = g->target.pass,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = codes[i].topology,
            .restart = codes[i].restart,
            .discard = g->captures_only && i == GUARD_PLAIN,
            .patch_points = codes[i].tcs.words ? 2 : 0,
            .bindings = bindings,
            .binding_count = 2,
            .attributes = attributes,
            .attribute_count = 2,
        };
        g->pipelines[i] = vkt_pipeline(&g->t, &info);
    }
}

/* Levels of tessellation at their extremes, and some ordinary ones. */
static uint32_t any_level(struct guard *g)
{
    static const float levels[] = {0.0f,  -1.0f, 1.0f,  2.5f,  3.0f,
                                   63.5f, 64.0f, 65.0f, 1e30f, 1e-30f};
    static const uint32_t words[] = {0x7f800000u, 0xff800000u, 0x7fc00000u};
    uint32_t word;
    if (guard_random(g, 6) == 0)
        return words[guard_random(g, g->hostile ? 3 : 2)];
    memcpy(&word, &levels[guard_random(g, VKT_COUNT(levels))], 4);
    return word;
}

static void fill_vertices(struct guard *g, bool levels)
{
    uint32_t *words = g->vertices.map;
    for (uint32_t i = 0; i < g->vertices.size_B / 4; i++)
        words[i] = levels ? any_level(g) : guard_random_word(g);
}

/* The buffers of a seed. */
static void make_buffers(struct guard *g, enum guard_kind kind)
{
    g->side = g->hostile && guard_random(g, 4) == 0 ? GUARD_BEGIN : GUARD_END;
    g->vertex_count = 4 * (1 + guard_random(g, kind == GUARD_PATCHES ? 4 : 12));
    g->instance_count = 16;
    g->vertices = guard_buffer(&g->t, (VkDeviceSize)g->vertex_count * GUARD_ITEM_B,
                               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0, g->side);
    g->instances = guard_buffer(&g->t, (VkDeviceSize)g->instance_count * GUARD_INSTANCE_B,
                                VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0, g->side);
    fill_vertices(g, kind == GUARD_PATCHES);
    for (uint32_t i = 0; i < g->instance_count; i++)
        ((uint32_t *)g->instances.map)[i] = guard_random_word(g);
}

/* -- recording -- */

static void bind(struct guard *g, VkCommandBuffer cmd, enum guard_kind kind)
{
    const bool null = g->more && guard_random(g, 3) == 0;
    const VkBuffer buffers[2] = {g->vertices.buffer, null ? VK_NULL_HANDLE : g->instances.buffer};
    VkDeviceSize offsets_B[2] = {0, 0};
    if (g->hostile && guard_random(g, 2)) {
        offsets_B[0] = 4 * guard_random(g, (uint32_t)g->vertices.size_B / 4);
        offsets_B[1] = null ? 0 : 4 * guard_random(g, (uint32_t)g->instances.size_B / 4);
    }
    if (g->more)
        vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, g->layout, 0, 1, &g->set, 0,
                                NULL);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, g->pipelines[kind]);
    vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets_B);
}

/* Where an interval captures a stream to, and its counter: both end with their buffers. */
struct capture {
    struct vkt_buffer captured, counter;
    VkDeviceSize least_B; /* of captured that nothing may be written to */
};

struct interval {
    uint32_t stream_count;
    struct capture streams[GUARD_STREAMS];
    struct xfb_range ranges[GUARD_STREAMS], counters[GUARD_STREAMS];
};

static uint32_t stream_count(const struct guard *g, enum guard_kind kind)
{
    return g->more && kind == GUARD_POINTS ? GUARD_STREAMS : 1;
}

static struct capture make_capture(struct guard *g)
{
    const VkBufferUsageFlags copied = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const VkDeviceSize size_B = 64 * (1 + guard_random(g, 60));
    struct capture c = {
        .captured =
            guard_buffer(&g->t, size_B, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | copied,
                         XFB_FILL, g->side),
        .counter = guard_buffer(&g->t, 64,
                                VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT | copied,
                                XFB_FILL, g->side),
    };
    c.least_B = size_B - 4 * (1 + guard_random(g, (uint32_t)size_B / 4));
    return c;
}

static struct interval make_interval(struct guard *g, enum guard_kind kind)
{
    struct interval in = {.stream_count = stream_count(g, kind)};
    for (uint32_t i = 0; i < in.stream_count; i++) {
        const struct capture c = in.streams[i] = make_capture(g);
        in.ranges[i] =
            (struct xfb_range){c.captured.buffer, c.least_B, c.captured.size_B - c.least_B};
        in.counters[i] = (struct xfb_range){c.counter.buffer, 60, 0};
    }
    return in;
}

static void begin_condition(struct guard *g, VkCommandBuffer cmd)
{
    const uint32_t word = guard_random(g, 2) ? 0 : guard_extreme(g);
    const struct vkt_buffer b =
        guard_buffer(&g->t, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, 0xee, g->side);
    memcpy((uint8_t *)b.map + 60, &word, 4);
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = b.buffer,
        .offset = 60,
        .flags = guard_random(g, 2) ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
    vkCmdBeginConditionalRenderingEXT(cmd, &info);
}

static void record_interval(struct guard *g, VkCommandBuffer cmd, enum guard_kind kind,
                            uint32_t query, const struct interval *in)
{
    const bool conditional = g->t.features.condition && guard_random(g, 3) == 0;
    const bool resumes = g->hostile && guard_random(g, 3) == 0;
    for (uint32_t i = 0; i < in->stream_count && resumes; i++) {
        const uint32_t word = guard_extreme(g);
        memcpy((uint8_t *)in->streams[i].counter.map + 60, &word, 4);
    }
    vkt_target_begin(cmd, &g->target, query > 0, VK_SUBPASS_CONTENTS_INLINE);
    bind(g, cmd, kind);
    if (conditional)
        begin_condition(g, cmd);
    for (uint32_t i = 0; i < in->stream_count; i++)
        vkCmdBeginQueryIndexedEXT(cmd, g->queries, i * INTERVALS + query, 0, i);
    xfb_bind(cmd, 0, in->stream_count, in->ranges);
    xfb_begin(cmd, 0, resumes ? in->stream_count : 0, in->counters);
    for (uint32_t draws = 1 + guard_random(g, 3); draws; draws--)
        guard_draw(g, cmd, kind);
    xfb_end(cmd, 0, in->stream_count, in->counters);
    for (uint32_t i = 0; i < in->stream_count; i++)
        vkCmdEndQueryIndexedEXT(cmd, g->queries, i * INTERVALS + query, i);
    if (conditional)
        vkCmdEndConditionalRenderingEXT(cmd);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

/* -- seeds -- */

static void expect_untouched(struct guard *g, const struct capture *in)
{
    const uint8_t *bytes = in->captured.map, *counter = in->counter.map;
    for (VkDeviceSize i = 0; i < in->least_B; i++)
        if (bytes[i] != XFB_FILL) {
            VKT_EXPECT(&g->t, false, "seed %u: byte %u in front of the range was written", seed,
                       (unsigned)i);
            break;
        }
    for (uint32_t i = 0; i < 60; i++)
        VKT_EXPECT(&g->t, counter[i] == XFB_FILL,
                   "seed %u: byte %u in front of the counter was "
                   "written",
                   seed, i);
}

/* The order of tessellated vertices is up to the implementation. */
static void dump(struct guard *g, enum guard_kind kind, const struct interval *all)
{
    uint64_t counted[2 * INTERVALS * GUARD_STREAMS];
    const uint32_t streams = stream_count(g, kind);
    VKT_CALL(vkGetQueryPoolResults(g->t.device, g->queries, 0, streams * INTERVALS, sizeof(counted),
                                   counted, 16, VK_QUERY_RESULT_64_BIT));
    xfb_dump(&g->t, counted, streams * INTERVALS * 16, "seed%u/queries", seed);
    for (uint32_t i = 0; i < INTERVALS * streams; i++) {
        const struct capture *c = &all[i % INTERVALS].streams[i / INTERVALS];
        xfb_dump(&g->t, c->counter.map, 64, "seed%u/counter%u", seed, i);
        if (kind != GUARD_PATCHES)
            xfb_dump(&g->t, c->captured.map, c->captured.size_B, "seed%u/captured%u", seed, i);
    }
    if (kind != GUARD_PATCHES)
        xfb_dump_target(&g->t, &g->target, "seed%u/picture", seed);
}

/* False: refused, as it must be if a direct draw is too large. */
static bool submit(struct guard *g, VkCommandBuffer cmd)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
    const VkResult result = vkEndCommandBuffer(cmd);
    const VkResult wanted = g->refused ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
    VKT_EXPECT(&g->t, result == wanted, "seed %u: the end of recording returns %d, wanted %d", seed,
               result, wanted);
    if (result != VK_SUCCESS)
        return false;
    VKT_CALL(vkQueueSubmit(g->t.queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(g->t.queue));
    return true;
}

static void run_seed(struct guard *g)
{
    struct interval intervals[INTERVALS];
    g->random = 0x9e3779b97f4a7c15u * (seed + 1u);
    for (int i = 0; i < 8; i++)
        guard_random_word(g);
    const enum guard_kind kind = (enum guard_kind)(seed % GUARD_KINDS);
    g->refused = false;
    make_buffers(g, kind);
    if (g->more)
        guard_make_set(g);
    VkCommandBuffer cmd = vkt_commands(&g->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, g->queries, 0, INTERVALS * GUARD_STREAMS);
    for (uint32_t i = 0; i < INTERVALS; i++) {
        intervals[i] = make_interval(g, kind);
        record_interval(g, cmd, kind, i, &intervals[i]);
    }
    vkt_barrier_all(cmd);
    if (!submit(g, cmd))
        return;
    for (uint32_t i = 0; i < INTERVALS; i++)
        for (uint32_t k = 0; k < intervals[i].stream_count; k++)
            expect_untouched(g, &intervals[i].streams[k]);
    if (!g->hostile)
        dump(g, kind, intervals);
}

/* After anything the same draws come out the same. */
static void expect_sane(struct guard *g, uint32_t after)
{
    static uint8_t first[64];
    static bool known;
    const bool hostile = g->hostile;
    g->hostile = false;
    g->random = 0x123456789abcdefu;
    make_buffers(g, GUARD_POINTS);
    if (g->more)
        guard_make_set(g);
    const struct vkt_buffer captured =
        guard_buffer(&g->t, sizeof(first), VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
                     XFB_FILL, GUARD_END);
    const struct xfb_range range = {captured.buffer, 0, sizeof(first)};
    VkCommandBuffer cmd = vkt_commands(&g->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &g->target, false, VK_SUBPASS_CONTENTS_INLINE);
    bind(g, cmd, GUARD_POINTS);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, g->vertex_count, 1, 0, 1);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&g->t, cmd);
    if (!known)
        memcpy(first, captured.map, sizeof(first));
    known = true;
    VKT_EXPECT(&g->t, memcmp(first, captured.map, sizeof(first)) == 0,
               "a draw after seed %u is another one", after);
    g->hostile = hostile;
}

static void run(struct guard *g, uint32_t from, uint32_t count)
{
    watch_signals();
    if (g->hostile)
        expect_sane(g, from);
    for (seed = from; seed < from + count; seed++) {
        alarm(HANGS_S);
        run_seed(g);
        if (g->hostile)
            expect_sane(g, seed);
    }
    alarm(0);
}

int main(int argc, char **argv)
{
    static VkPhysicalDeviceRobustness2FeaturesEXT nulls = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
        .nullDescriptor = VK_TRUE,
    };
    static struct vkt_extension extensions[] = {
        {VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME, NULL, 0}, {NULL, NULL, 0}, {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("gpu-guard", argc, argv);
    static struct guard g;
    uint32_t from = 0, count = 24;
    options.xfb = true;
    options.tessellation = true;
    options.robust = true;
    options.extensions = extensions;
    g.more = vkt_flag(&options, "--more");
    if (g.more)
        extensions[1] = (struct vkt_extension){VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, &nulls, 3};
    for (int i = 0; i + 2 < options.rest_count; i++)
        if (strcmp(options.rest[i], "--seeds") == 0) {
            from = (uint32_t)strtoul(options.rest[i + 1], NULL, 0);
            count = (uint32_t)strtoul(options.rest[i + 2], NULL, 0);
        }
    g.hostile = vkt_flag(&options, "--hostile");
    g.layered = vkt_has_layer(&options, "poly_gs");
    vkt_init(&g.t, &options);
    g.captures_only = g.hostile || strstr(g.t.properties.deviceName, "SwiftShader");
    g.target = xfb_target(&g.t, SIDE_PX);
    if (g.more)
        guard_make_layout(&g);
    else
        g.layout = vkt_layout(&g.t, NULL, 0, NULL, 0);
    make_pipelines(&g);
    g.queries = vkt_query_pool(&g.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
                               INTERVALS * GUARD_STREAMS, 0);
    run(&g, from, count);
    return vkt_finish(&g.t);
}
