/* SPDX-License-Identifier: MIT
 *
 * Strips in front of, across, at and behind each plane of the clip volume, with w of both signs and
 * of 0: what lies behind a plane may be left out in front of the rasterizer, and nothing else.
 * Depths that are clamped, clipped, both or neither, of pipelines and of commands, that begin at 0
 * and at -w; several viewports; triangles, also as lines and in short strips, which are not stored
 * before they are known to be drawn; lines; points; while queries count.
 * --wild: also with positions that are infinite or no numbers; --clips: with the extensions of
 * depth clipping; --dynamic: and with its dynamic states.
 */
#include "common/vkt.h"
#include "common/vkt_query.h"
#include "culling_strips.h"

#include "culling_frag.h"
#include "culling_lines.h"
#include "culling_points.h"
#include "culling_quads.h"
#include "culling_short.h"
#include "culling_triangles.h"
#include "culling_vert.h"
#include "culling_viewports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIDE_PX CULLING_SIDE_PX
#define STRIPS_OF_POINT 11u
#define MAX_STRIPS 1100u /* a multiple of those of a point */
#define MAX_POSITIONS (4 * MAX_STRIPS)
#define VIEWPORTS 3u

enum kind {
    TRIANGLES,
    SHORT_STRIPS,
    TRIANGLES_IN_VIEWPORTS,
    QUADS_IN_VIEWPORTS,
    LINES,
    POINTS,
    KINDS
};
enum state { FIXED, DYNAMIC_CLAMP, DYNAMIC_CLIP, DYNAMIC_RANGE };

struct suite {
    struct vkt t;
    struct culling_strips all;
    uint32_t strip_count, position_count;
    VkQueryPool samples, statistics;
    bool clips, dynamic, wild;
    float just; /* how far vertices lie behind a plane that lie hardly behind it, in units of w */
};

struct scene {
    const char *name;
    enum kind kind;
    enum state state;
    VkPolygonMode mode;
    bool clamp, states_clip, clip, symmetric, counts;
};

/* -- strips -- */

static void add_strip(struct suite *s, float (*position)[4], uint32_t vertices)
{
    if (s->strip_count == MAX_STRIPS)
        vkt_die("too many strips");
    struct culling_strip *strips = s->all.strips.map;
    strips[s->strip_count++] = (struct culling_strip){s->position_count, vertices};
    memcpy((float *)s->all.positions.map + (size_t)4 * s->position_count, position,
           vertices * 4 * sizeof(float));
    s->position_count += vertices;
}

/* How far behind its plane a vertex lies: in units of w, from the middle of the volume. */
static float distance(struct suite *s, uint32_t how)
{
    switch (how) {
    case 0:
        return 1.0f + s->just;
    case 1:
        return 1.25f;
    case 2:
        return 40.0f;
    case 3:
        return 1.0f; /* at it */
    case 4:
        return 1.0f - 0x1p-20f;
    case 5:
        return 0.25f;
    case 6:
        return -3.0f; /* behind the other one */
    default:
        return s->wild ? (how == 7 ? INFINITY : NAN) : 2.0f;
    }
}

/* w of a strip's vertices; the last two for draws whose depths are clipped, without which lavapipe
 * draws what lies between such vertices for minutes. */
#define TAME_WEIGHTS 3u
#define WEIGHTS 5u
static float weight(struct suite *s, uint32_t how, uint32_t vertex)
{
    switch (how) {
    case 0:
        return 1.0f;
    case 1:
        return 0.5f + 0.25f * (float)culling_random_below(&s->all, 8);
    case 2:
        return -1.0f;
    case 3:
        return vertex % 2 ? 1.0f : -0.5f;
    default:
        return vertex ? 1.0f : 0.0f;
    }
}

/* A strip whose vertices lie at distances `hows` from the plane, which is dimension * 2 + side, and
 * anywhere in the volume in the other dimensions. */
static void add_at(struct suite *s, uint32_t plane, const uint32_t hows[4], uint32_t vertices,
                   uint32_t weights)
{
    const uint32_t dimension = plane / 2;
    const float sign = plane % 2 ? 1.0f : -1.0f;
    float position[4][4];
    for (uint32_t k = 0; k < vertices; k++) {
        const float w = weight(s, weights, k);
        float *p = position[k];
        for (uint32_t i = 0; i < 3; i++)
            p[i] = ((float)culling_random_below(&s->all, 2000) / 1000.0f - 1.0f) * w;
        p[2] = (p[2] + w) / 2;
        p[dimension] = sign * distance(s, hows[k]) * (w != 0 ? w : 1.0f);
        if (dimension == 2) /* depths lie between 0 and w */
            p[2] = (p[2] + w) / 2;
        p[3] = w;
    }
    add_strip(s, position, vertices);
}

/* Triangles that lie behind no single plane, though each vertex lies behind some. */
static void add_around(struct suite *s)
{
    float corners[4][4] = {{-3, -3, 0.5f, 1}, {3, -3, 0.5f, 1}, {-3, 3, 0.5f, 1}, {3, 3, 0.5f, 1}};
    add_strip(s, corners, 4);
    float across[3][4] = {{-1.5f, 0.1f, 0.5f, 1}, {0.2f, 1.5f, 0.5f, 1}, {1.5f, -1.25f, 2, 1}};
    add_strip(s, across, 3);
    float in_depth[3][4] = {{-0.5f, 0, -2, 1}, {0.5f, 0, 3, 1}, {0, 0.75f, -0.5f, 1}};
    add_strip(s, in_depth, 3);
}

static void make_strips(struct suite *s, uint32_t weights)
{
    static const uint32_t same[][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 0, 1, 2}, {3, 3, 3, 3},
                                       {1, 3, 0, 1}, {0, 1, 4, 2}, {5, 1, 0, 2}, {1, 1, 0, 5},
                                       {5, 5, 5, 5}, {6, 1, 6, 2}, {6, 6, 6, 6}, {2, 4, 5, 0}};
    s->all.random = 1;
    s->strip_count = s->position_count = 0;
    add_around(s);
    for (uint32_t plane = 0; plane < 6; plane++)
        for (uint32_t i = 0; i < VKT_COUNT(same); i++)
            for (uint32_t k = 0; k < weights; k++)
                add_at(s, plane, same[i], i % 3 ? 3 : 4, k);
    for (uint32_t n = 0; s->strip_count < MAX_STRIPS - VIEWPORTS; n++) {
        const uint32_t hows[4] = {
            culling_random_below(&s->all, 9), culling_random_below(&s->all, 9),
            culling_random_below(&s->all, 9), culling_random_below(&s->all, 9)};
        const uint32_t alike[4] = {hows[0], hows[0], hows[n % 2], hows[0]};
        add_at(s, n % 6, n % 4 ? alike : hows, n % 7 ? 3 + n % 2 : n % 3,
               culling_random_below(&s->all, weights));
    }
    while (s->strip_count < MAX_STRIPS)
        add_around(s);
}

/* -- scenes -- */

static bool has_viewports(enum kind kind)
{
    return kind == TRIANGLES_IN_VIEWPORTS || kind == QUADS_IN_VIEWPORTS;
}

static VkPipeline make_pipeline(struct suite *s, const struct scene *of)
{
    const VkDynamicState states[] = {[DYNAMIC_CLAMP] = VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
                                     [DYNAMIC_CLIP] = VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
                                     [DYNAMIC_RANGE] =
                                         VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT};
    const struct vkt_code shaders[KINDS] = {VKT_CODE(culling_triangles), VKT_CODE(culling_short),
                                            VKT_CODE(culling_viewports), VKT_CODE(culling_quads),
                                            VKT_CODE(culling_lines),     VKT_CODE(culling_points)};
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
        .depthClipEnable = of->clip,
    };
    const VkPipelineViewportDepthClipControlCreateInfoEXT control = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
        .negativeOneToOne = of->symmetric,
    };
    const VkViewport viewports[VIEWPORTS] = {
        {2.25f, 4, 60, 56.5f, 0, 1}, {33, 2, 30, 40, 0.25f, 0.5f}, {1, 63, 31, -30, 1, 0}};
    const VkRect2D scissor = {{0, 0}, {SIDE_PX, SIDE_PX}};
    const VkRect2D scissors[VIEWPORTS] = {scissor, scissor, scissor};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .pNext = of->symmetric || of->state == DYNAMIC_RANGE ? &control : NULL,
        .viewportCount = has_viewports(of->kind) ? VIEWPORTS : 1,
        .pViewports = viewports,
        .scissorCount = has_viewports(of->kind) ? VIEWPORTS : 1,
        .pScissors = scissors,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(culling_vert),
        .gs = shaders[of->kind],
        .fs = VKT_CODE(culling_frag),
        .layout = s->all.layout,
        .pass = s->all.target.pass,
        .viewports = &viewport,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .polygon_mode = of->mode,
        .rasterization_next = of->states_clip ? &clip : NULL,
        .depth_clamp = of->clamp,
        .dynamic = &states[of->state],
        .dynamic_count = of->state != FIXED,
    };
    return vkt_pipeline(&s->t, &info);
}

/* Commands that say the opposite of the pipeline. They come in front of it: lavapipe 22.3 forgets
 * what a dynamic clamp says of clipping when a pipeline is bound, as the layer does for each draw.
 */
static void set_state(VkCommandBuffer cmd, const struct scene *of)
{
    switch (of->state) {
    case FIXED:
        break;
    case DYNAMIC_CLAMP:
        vkCmdSetDepthClampEnableEXT(cmd, !of->clamp);
        break;
    case DYNAMIC_CLIP:
        vkCmdSetDepthClipEnableEXT(cmd, !of->clip);
        break;
    case DYNAMIC_RANGE:
        vkCmdSetDepthClipNegativeOneToOneEXT(cmd, !of->symmetric);
        break;
    }
}

/* The first half at once, the rest in several draws, which may become one. */
static void draw(struct suite *s, enum kind kind, VkCommandBuffer cmd)
{
    const bool alone = kind == SHORT_STRIPS || has_viewports(kind);
    const struct culling_push push = {alone ? 1 : STRIPS_OF_POINT, VIEWPORTS};
    const uint32_t points = MAX_STRIPS / push.strips_of_point, half = points / 2;
    const uint32_t each = points / 10;
    culling_bind(&s->all, cmd, &push);
    vkCmdDraw(cmd, half, 1, 0, 0);
    for (uint32_t first = half; first < points; first += each)
        vkCmdDraw(cmd, first + each > points ? points - first : each, 1, first, 0);
}

static void draw_counted(struct suite *s, enum kind kind, VkCommandBuffer cmd)
{
    vkCmdBeginQuery(cmd, s->statistics, 0, 0);
    draw(s, kind, cmd);
    vkCmdEndQuery(cmd, s->statistics, 0);
    vkCmdBeginQuery(cmd, s->samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    draw(s, kind, cmd);
    vkCmdEndQuery(cmd, s->samples, 0);
}

static void dump_counts(struct suite *s, const struct scene *of)
{
    uint64_t samples, statistics[4];
    char name[64];
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->samples, 0, 1, sizeof(samples), &samples, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_CALL(vkGetQueryPoolResults(s->t.device, s->statistics, 0, 1, sizeof(statistics), statistics,
                                   sizeof(statistics),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(&s->t, statistics[1] > MAX_STRIPS && statistics[1] == statistics[2],
               "%s: %u primitives are clipped of %u", of->name, (unsigned)statistics[2],
               (unsigned)statistics[1]);
    statistics[3] = samples;
    snprintf(name, sizeof(name), "%s-counts", of->name);
    vkt_dump_buffer(&s->t, name, statistics, sizeof(statistics));
}

static void run(struct suite *s, const struct scene *of)
{
    const bool tame = of->clamp || of->states_clip || of->state != FIXED;
    const VkPipeline pipeline = make_pipeline(s, of);
    /* By 2^-20 it is up to the driver whether an edge is there: Mesa 25 and 26 clip the polygons of
     * vertex shaders to the sides of the volume, but draw what edges of those of geometry shaders
     * have in the pixels of the viewport; SwiftShader draws those of vertex shaders, too. */
    s->just = of->mode == VK_POLYGON_MODE_LINE ? 0x1p-5f : 0x1p-20f;
    make_strips(s, tame ? TAME_WEIGHTS : WEIGHTS);
    culling_clear_sums(&s->all);
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (of->counts) {
        vkCmdResetQueryPool(cmd, s->samples, 0, 1);
        vkCmdResetQueryPool(cmd, s->statistics, 0, 1);
    }
    vkt_target_begin(cmd, &s->all.target, false, VK_SUBPASS_CONTENTS_INLINE);
    set_state(cmd, of);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    (of->counts ? draw_counted : draw)(s, of->kind, cmd);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->all.target.color, 4);
    vkt_dump_image(&s->t, of->name, pixels.map, SIDE_PX, SIDE_PX, 4);
    culling_expect_sums(&s->t, &s->all, of->name, 200);
    if (of->counts)
        dump_counts(s, of);
}

static bool may_run(const struct suite *s, const struct scene *of)
{
    const VkPhysicalDeviceFeatures *core = &s->t.features.core;
    return (s->clips || (!of->states_clip && !of->symmetric)) &&
           (s->dynamic || of->state == FIXED) &&
           (!has_viewports(of->kind) || core->multiViewport) &&
           (of->mode == VK_POLYGON_MODE_FILL || core->fillModeNonSolid) &&
           (!of->counts || (core->pipelineStatisticsQuery && core->occlusionQueryPrecise));
}

static void run_all(struct suite *s)
{
    static const struct scene scenes[] = {
        {.name = "plain"},
        {.name = "clamped", .clamp = true},
        {.name = "short", .kind = SHORT_STRIPS},
        {.name = "opt/clipped", .clamp = true, .states_clip = true, .clip = true},
        {.name = "opt/unclipped", .states_clip = true},
        {.name = "opt/symmetric", .symmetric = true},
        {.name = "opt/late-clamp", .state = DYNAMIC_CLAMP},
        {.name = "opt/late-clip", .state = DYNAMIC_CLIP, .states_clip = true, .clip = true},
        {.name = "opt/late-range", .state = DYNAMIC_RANGE, .states_clip = true, .clip = true},
        {.name = "opt/viewports", .kind = TRIANGLES_IN_VIEWPORTS},
        {.name = "opt/quads", .kind = QUADS_IN_VIEWPORTS},
        {.name = "opt/edges", .mode = VK_POLYGON_MODE_LINE},
        {.name = "lines", .kind = LINES},
        {.name = "points", .kind = POINTS},
        {.name = "opt/counted", .counts = true},
    };
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++)
        if (may_run(s, &scenes[i]))
            run(s, &scenes[i]);
}

/* -- set-up -- */

static void make_queries(struct suite *s)
{
    if (!s->t.features.core.pipelineStatisticsQuery || !s->t.features.core.occlusionQueryPrecise)
        return;
    s->samples = vkt_query_pool(&s->t, VK_QUERY_TYPE_OCCLUSION, 1, 0);
    s->statistics = vkt_query_pool(&s->t, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                                   VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                                       VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |
                                       VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-culling", argc, argv);
    static struct suite s;
    s.dynamic = vkt_flag(&options, "--dynamic");
    s.clips = s.dynamic || vkt_flag(&options, "--clips");
    VkPhysicalDeviceDepthClipEnableFeaturesEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
        .depthClipEnable = VK_TRUE};
    VkPhysicalDeviceDepthClipControlFeaturesEXT control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
        .depthClipControl = VK_TRUE};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3DepthClampEnable = VK_TRUE,
        .extendedDynamicState3DepthClipEnable = VK_TRUE,
        .extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, &clip, 1},
        {VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME, &control, 1},
        {s.dynamic ? VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME : NULL,
         s.dynamic ? &dynamic : NULL, 31},
        {NULL, NULL, 0}};
    options.depth_clamp = options.layer_outputs = options.polygon_modes = true;
    options.extensions = s.clips ? extensions : NULL;
    vkt_init(&s.t, &options);
    s.wild = vkt_flag(&options, "--wild");
    culling_init(&s.t, &s.all, MAX_STRIPS, MAX_POSITIONS);
    make_queries(&s);
    run_all(&s);
    return vkt_finish(&s.t);
}
