/* SPDX-License-Identifier: MIT
 *
 * Transform feedback and queries of tessellated draws: what fits, what does not, intervals that
 * pause, several draws in one, two buffers, and what is counted, captured or not. Within a patch
 * the order is the implementation's, but it is always the same: whatever is captured must be the
 * start of what a large enough buffer gets.
 */
#include "common/vkt_query.h"
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_capture_frag.h"
#include "tessellation_capture_tese.h"
#include "tessellation_levels_tesc.h"
#include "tessellation_levels_vert.h"

#include <string.h>

#define INSTANCES 3u
#define CAPTURE_B (4u << 20)
#define SECOND_B 28u /* of a vertex in the second buffer */

#define VERTICES VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT
#define PRIMITIVES VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT
#define VERTEX_SHADER VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT
#define CLIPPING VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT
#define PATCHES VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT
#define EVALUATIONS VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT

static const struct tess_levels levels[] = {
    {{3, 4, 5, 6}, {4, 3}},   {{1, 1, 1, 1}, {1, 1}},    {{0, 0, 0, 0}, {1, 1}},
    {{7, 2, 9, 3}, {5, 6}},   {{2.5f, 3, 4, 4}, {3, 3}}, {{-1, -1, -1, -1}, {9, 9}},
    {{2, 2, 2, 2}, {20, 12}}, {{12, 11, 10, 9}, {1, 1}},
};

static const struct kind {
    const char *name;
    struct tess_mode mode;
} kinds[] = {
    {"triangles", {TESS_TRIANGLES, TESS_EQUAL, false, false, false}},
    {"quads", {TESS_QUADS, TESS_FRACTIONAL_EVEN, true, false, false}},
    {"isolines", {TESS_ISOLINES, TESS_FRACTIONAL_ODD, false, false, false}},
    {"points", {TESS_TRIANGLES, TESS_FRACTIONAL_ODD, false, true, false}},
};

/* Of one draw. */
struct totals {
    uint32_t vertices, primitives, corners, distinct;
};

struct suite {
    struct vkt t;
    struct vkt_buffer whole[2], capture[2], counters, levels;
    VkPipelineLayout layout;
    struct vkt_target target;
    VkQueryPool stream, generated;
};

static struct totals expect(struct suite *s, const struct kind *kind)
{
    struct totals sum = {.corners = tess_corners(&kind->mode)};
    for (uint32_t i = 0; i < VKT_COUNT(levels); i++) {
        struct tess_patch patch;
        tess_patch(&kind->mode, &levels[i], s->t.properties.limits.maxTessellationGenerationLevel,
                   &patch);
        sum.primitives += INSTANCES * patch.primitives;
        sum.distinct += INSTANCES * patch.vertices;
    }
    sum.vertices = sum.primitives * sum.corners;
    return sum;
}

/* --- Drawing --- */

static VkPipeline make_pipeline(struct suite *s, const struct kind *kind)
{
    static const VkVertexInputBindingDescription binding = {0, sizeof(struct tess_levels),
                                                            VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct tess_levels, outer)},
        {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct tess_levels, inner)},
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_levels_vert),
        .tcs = VKT_CODE(tessellation_levels_tesc),
        .tes = tess_modes(&s->t, VKT_CODE(tessellation_capture_tese), &kind->mode),
        .fs = VKT_CODE(tessellation_capture_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = s->target.color.width_px,
        .height_px = s->target.color.height_px,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = 1,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = VKT_COUNT(attributes),
    };
    return vkt_pipeline(&s->t, &info);
}

static VkCommandBuffer begin(struct suite *s)
{
    for (uint32_t i = 0; i < 2; i++)
        memset(s->capture[i].map, XFB_FILL, s->capture[i].size_B);
    memset(s->counters.map, XFB_FILL, s->counters.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdResetQueryPool(cmd, s->stream, 0, 1);
    if (s->generated)
        vkCmdResetQueryPool(cmd, s->generated, 0, 1);
    return cmd;
}

static void begin_pass(struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
    const VkDeviceSize zero = 0;
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
}

static void draw(VkCommandBuffer cmd)
{
    vkCmdDraw(cmd, VKT_COUNT(levels), INSTANCES, 0, 0);
}

static void bind(struct suite *s, VkCommandBuffer cmd, uint32_t first_B, uint32_t second_B)
{
    const struct xfb_range ranges[2] = {
        {s->capture[0].buffer, 0, first_B},
        {s->capture[1].buffer, 0, second_B},
    };
    xfb_bind(cmd, 0, 2, ranges);
}

static void resume(struct suite *s, VkCommandBuffer cmd, bool first)
{
    const struct xfb_range counters[2] = {{s->counters.buffer, 0, 0}, {s->counters.buffer, 4, 0}};
    xfb_begin(cmd, 0, first ? 0 : 2, counters);
}

static void pause(struct suite *s, VkCommandBuffer cmd)
{
    const struct xfb_range counters[2] = {{s->counters.buffer, 0, 0}, {s->counters.buffer, 4, 0}};
    xfb_end(cmd, 0, 2, counters);
}

static void begin_queries(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdBeginQueryIndexedEXT(cmd, s->stream, 0, 0, 0);
    if (s->generated)
        vkCmdBeginQuery(cmd, s->generated, 0, 0);
}

static void end_queries(struct suite *s, VkCommandBuffer cmd)
{
    vkCmdEndQueryIndexedEXT(cmd, s->stream, 0, 0);
    if (s->generated)
        vkCmdEndQuery(cmd, s->generated, 0);
}

/* --- Checks --- */

static void check_queries(struct suite *s, const char *name, uint32_t written, uint32_t needed)
{
    uint64_t stream[2] = {0}, generated = 0;
    const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->stream, 0, 1, sizeof(stream), stream,
                                   sizeof(stream), flags));
    VKT_EXPECT(&s->t, stream[0] == written && stream[1] == needed,
               "%s: written %llu of %llu, wanted %u of %u", name, (unsigned long long)stream[0],
               (unsigned long long)stream[1], written, needed);
    if (!s->generated)
        return;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->generated, 0, 1, sizeof(generated), &generated,
                                   sizeof(generated), flags));
    VKT_EXPECT(&s->t, generated == needed, "%s: generated %llu, wanted %u", name,
               (unsigned long long)generated, needed);
}

/* What draws capture one after the other, each of `one` vertices; `vertices` in all. */
static void check_capture(struct suite *s, const char *name, uint32_t one, uint32_t vertices)
{
    static const uint32_t strides_B[2] = {sizeof(struct tess_vertex), SECOND_B};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t stride_B = strides_B[i];
        VKT_EXPECT(&s->t, xfb_word(&s->counters, i * 4) == vertices * stride_B,
                   "%s: counter %u is %u, wanted %u", name, i, xfb_word(&s->counters, i * 4),
                   vertices * stride_B);
        uint32_t wrong = 0;
        for (uint32_t k = 0; k < vertices; k++)
            wrong +=
                memcmp((uint8_t *)s->capture[i].map + (size_t)k * stride_B,
                       (uint8_t *)s->whole[i].map + (size_t)(k % one) * stride_B, stride_B) != 0;
        VKT_EXPECT(&s->t, wrong == 0, "%s: %u of %u vertices in buffer %u are not what they were",
                   name, wrong, vertices, i);
        xfb_expect_rest(&s->t, name, &s->capture[i], (VkDeviceSize)vertices * stride_B);
    }
}

/* What later runs are compared with is right. */
static void check_whole(struct suite *s, const struct kind *kind, const struct totals *total)
{
    const struct tess_vertex *vertices = s->capture[0].map;
    uint32_t at = 0;
    for (uint32_t i = 0; i < INSTANCES * VKT_COUNT(levels); i++) {
        struct tess_patch patch;
        const uint32_t number = i % VKT_COUNT(levels), first = at;
        tess_patch(&kind->mode, &levels[number],
                   s->t.properties.limits.maxTessellationGenerationLevel, &patch);
        while (at < total->vertices && vertices[at].patch == number &&
               at - first < patch.primitives * total->corners)
            at++;
        tess_check(&s->t, kind->name, &kind->mode, &patch, vertices + first, at - first);
    }
    VKT_EXPECT(&s->t, at == total->vertices, "%s: %u of %u vertices come in order", kind->name, at,
               total->vertices);
    const uint32_t hole = 0x01010101u * XFB_FILL;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < total->vertices; i++) {
        const uint8_t *second = (const uint8_t *)s->capture[1].map + (size_t)i * SECOND_B;
        const float position[5] = {vertices[i].u - 0.5f, vertices[i].v - 0.5f,
                                   (float)vertices[i].patch / 16.0f, 1, 1};
        wrong += memcmp(second, &hole, 4) != 0 || memcmp(second + 4, &hole, 4) != 0 ||
                 memcmp(second + 8, position, sizeof(position)) != 0;
    }
    VKT_EXPECT(&s->t, wrong == 0, "%s: %u positions are wrong", kind->name, wrong);
}

/* --- Cases --- */

static void run_whole(struct suite *s, const struct kind *kind, VkPipeline pipeline,
                      const struct totals *total)
{
    VkCommandBuffer cmd = begin(s);
    begin_queries(s, cmd);
    begin_pass(s, cmd, pipeline);
    bind(s, cmd, CAPTURE_B, CAPTURE_B);
    resume(s, cmd, true);
    draw(cmd);
    pause(s, cmd);
    vkCmdEndRenderPass(cmd);
    end_queries(s, cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    check_whole(s, kind, total);
    check_queries(s, kind->name, total->primitives, total->primitives);
    for (uint32_t i = 0; i < 2; i++)
        memcpy(s->whole[i].map, s->capture[i].map, s->capture[i].size_B);
    check_capture(s, kind->name, total->vertices, total->vertices);
}

/* With space for `first_B` and `second_B`: whole primitives only, and all buffers or none. */
static void run_overflow(struct suite *s, const struct kind *kind, VkPipeline pipeline,
                         const struct totals *total, uint32_t first_B, uint32_t second_B)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/overflow %u %u", kind->name, first_B, second_B);
    const uint32_t a = first_B / (total->corners * (uint32_t)sizeof(struct tess_vertex));
    const uint32_t b = second_B / (total->corners * SECOND_B);
    uint32_t fit = a < b ? a : b;
    if (fit > total->primitives)
        fit = total->primitives;
    VkCommandBuffer cmd = begin(s);
    begin_pass(s, cmd, pipeline);
    bind(s, cmd, first_B, second_B);
    begin_queries(s, cmd);
    resume(s, cmd, true);
    draw(cmd);
    pause(s, cmd);
    end_queries(s, cmd);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    check_queries(s, name, fit, total->primitives);
    check_capture(s, name, total->vertices, fit * total->corners);
}

static void run_overflows(struct suite *s, const struct kind *kind, VkPipeline pipeline,
                          const struct totals *total)
{
    const uint32_t first_B = total->corners * (uint32_t)sizeof(struct tess_vertex);
    const uint32_t second_B = total->corners * SECOND_B;
    const uint32_t all_B = total->primitives * first_B;
    run_overflow(s, kind, pipeline, total, 4, CAPTURE_B);
    run_overflow(s, kind, pipeline, total, first_B - 4, CAPTURE_B);
    run_overflow(s, kind, pipeline, total, first_B, CAPTURE_B);
    run_overflow(s, kind, pipeline, total, CAPTURE_B, 5 * second_B - 4);
    run_overflow(s, kind, pipeline, total, CAPTURE_B, 101 * second_B + 8);
    run_overflow(s, kind, pipeline, total, 37 * first_B, 36 * second_B);
    run_overflow(s, kind, pipeline, total, all_B / 2 / 4 * 4, CAPTURE_B);
    run_overflow(s, kind, pipeline, total, all_B - 4, CAPTURE_B);
    run_overflow(s, kind, pipeline, total, all_B, total->primitives * second_B);
}

/* Two draws, one that is not captured, a pause, another pass, and a third draw. */
static void run_paused(struct suite *s, const struct kind *kind, VkPipeline pipeline,
                       const struct totals *total)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/paused", kind->name);
    VkCommandBuffer cmd = begin(s);
    begin_queries(s, cmd);
    begin_pass(s, cmd, pipeline);
    bind(s, cmd, CAPTURE_B, CAPTURE_B);
    resume(s, cmd, true);
    draw(cmd);
    draw(cmd);
    pause(s, cmd);
    draw(cmd);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    begin_pass(s, cmd, pipeline);
    bind(s, cmd, CAPTURE_B, CAPTURE_B);
    resume(s, cmd, false);
    draw(cmd);
    pause(s, cmd);
    vkCmdEndRenderPass(cmd);
    end_queries(s, cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    check_capture(s, name, total->vertices, 3 * total->vertices);
    uint64_t stream[2];
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->stream, 0, 1, sizeof(stream), stream,
                                   sizeof(stream),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, stream[0] == 3 * total->primitives, "%s: written %llu, wanted %u", name,
               (unsigned long long)stream[0], 3 * total->primitives);
}

/* Nothing but discarded patches, and no patches. */
static void run_nothing(struct suite *s, const struct kind *kind, VkPipeline pipeline)
{
    VkCommandBuffer cmd = begin(s);
    begin_queries(s, cmd);
    begin_pass(s, cmd, pipeline);
    bind(s, cmd, CAPTURE_B, CAPTURE_B);
    resume(s, cmd, true);
    vkCmdDraw(cmd, 1, 5, 2, 0);
    vkCmdDraw(cmd, 0, 1, 0, 0);
    vkCmdDraw(cmd, 8, 0, 0, 0);
    pause(s, cmd);
    vkCmdEndRenderPass(cmd);
    end_queries(s, cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    check_queries(s, kind->name, 0, 0);
    check_capture(s, kind->name, 1, 0);
}

/* In the order of their bits. */
static uint32_t read_statistics(struct suite *s, VkPipeline pipeline, VkQueryPool pool,
                                bool captured, uint64_t values[8])
{
    VkCommandBuffer cmd = begin(s);
    vkCmdResetQueryPool(cmd, pool, 0, 1);
    vkCmdBeginQuery(cmd, pool, 0, 0);
    begin_pass(s, cmd, pipeline);
    if (captured) {
        bind(s, cmd, CAPTURE_B, CAPTURE_B);
        resume(s, cmd, true);
    }
    draw(cmd);
    if (captured)
        pause(s, cmd);
    vkCmdEndRenderPass(cmd);
    vkCmdEndQuery(cmd, pool, 0);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    VKT_CALL(vkGetQueryPoolResults(s->t.device, pool, 0, 1, 8 * 8, values, 8 * 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    return INSTANCES * VKT_COUNT(levels);
}

/* Shaders may be evaluated more than once for a vertex. */
static void run_statistics(struct suite *s, const struct kind *kind, VkPipeline pipeline,
                           const struct totals *total, bool captured)
{
    const VkQueryPool all =
        vkt_query_pool(&s->t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                       VERTICES | PRIMITIVES | VERTEX_SHADER | CLIPPING | PATCHES | EVALUATIONS);
    const VkQueryPool one = vkt_query_pool(&s->t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, PATCHES);
    uint64_t v[8] = {0}, alone[8] = {0};
    const uint32_t patches = read_statistics(s, pipeline, all, captured, v);
    read_statistics(s, pipeline, one, captured, alone);
    VKT_EXPECT(&s->t, v[0] == patches && v[1] == patches && v[2] == patches,
               "%s: %llu vertices, %llu primitives, %llu vertex shaders, wanted %u", kind->name,
               (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
               patches);
    VKT_EXPECT(&s->t, v[3] == total->primitives, "%s: %llu clipped, wanted %u", kind->name,
               (unsigned long long)v[3], total->primitives);
    VKT_EXPECT(&s->t, v[4] == patches && alone[0] == patches, "%s: %llu or %llu patches, wanted %u",
               kind->name, (unsigned long long)v[4], (unsigned long long)alone[0], patches);
    VKT_EXPECT(&s->t, v[5] >= total->distinct && v[5] <= total->vertices,
               "%s: %llu evaluations, wanted %u to %u", kind->name, (unsigned long long)v[5],
               total->distinct, total->vertices);
    xfb_dump(&s->t, v, 5 * sizeof(v[0]), "opt/%s/statistics/%u", kind->name, captured);
}

/* The queries alone, nothing captured. */
static void run_counted(struct suite *s, const struct kind *kind, VkPipeline pipeline,
                        const struct totals *total)
{
    VkCommandBuffer cmd = begin(s);
    begin_pass(s, cmd, pipeline);
    draw(cmd);
    begin_queries(s, cmd);
    draw(cmd);
    end_queries(s, cmd);
    draw(cmd);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);
    uint64_t generated = 0;
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->generated, 0, 1, sizeof(generated), &generated,
                                   sizeof(generated),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, generated == total->primitives, "%s: generated %llu, wanted %u", kind->name,
               (unsigned long long)generated, total->primitives);
}

static void run(struct suite *s, const struct kind *kind)
{
    const VkPipeline pipeline = make_pipeline(s, kind);
    const struct totals total = expect(s, kind);
    run_whole(s, kind, pipeline, &total);
    run_overflows(s, kind, pipeline, &total);
    run_paused(s, kind, pipeline, &total);
    run_nothing(s, kind, pipeline);
    if (s->generated)
        run_counted(s, kind, pipeline, &total);
    if (s->t.features.core.pipelineStatisticsQuery) {
        run_statistics(s, kind, pipeline, &total, false);
        run_statistics(s, kind, pipeline, &total, true);
    }
    xfb_dump(&s->t, &total, sizeof(total), "%s", kind->name);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_capture", argc, argv);
    options.xfb = options.tessellation = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    if (!s.t.xfb.transformFeedbackQueries)
        vkt_skip("no transformFeedbackQueries");
    for (uint32_t i = 0; i < 2; i++) {
        s.capture[i] = xfb_buffer(&s.t, CAPTURE_B);
        s.whole[i] = xfb_buffer(&s.t, CAPTURE_B);
    }
    s.counters = xfb_buffer(&s.t, 8);
    s.levels = vkt_buffer_from(&s.t, levels, sizeof(levels), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, 8, 8);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    s.stream = vkt_query_pool(&s.t, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1, 0);
    if (s.t.features.generated)
        s.generated = vkt_query_pool(&s.t, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1, 0);
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        run(&s, &kinds[i]);
    return vkt_finish(&s.t);
}
