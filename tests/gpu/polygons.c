/* SPDX-License-Identifier: MIT
 *
 * Polygons drawn as lines and points: of every topology of triangles, of geometry shaders and
 * tessellation; with culling, facing, provoking vertices, depth bias, blending of shared edges,
 * viewports that are upside down, captures and queries. Run with VK_POLY_GS_FILL=emulate, as on a
 * driver without fillModeNonSolid.
 */
#include "gpu/xfb.h"

#include "polygons_blended.h"
#include "polygons_captured_geom.h"
#include "polygons_captured_vert.h"
#include "polygons_culled_vert.h"
#include "polygons_depth.h"
#include "polygons_geom.h"
#include "polygons_number.h"
#include "polygons_plain.h"
#include "polygons_tesc.h"
#include "polygons_tese.h"
#include "polygons_vert.h"
#include "polygons_viewports_geom.h"

#include <stdio.h>
#include <string.h>

#define SIDE_PX 256u
#define INDICES 26u
#define RESTART 0xffffu

struct push {
    float depth, w;
    uint32_t step;
};

struct test {
    struct vkt *t;
    struct vkt_target numbers, colors, shallow, deep;
    VkPipelineLayout layout;
    struct vkt_buffer indices;
    bool swiftshader;
    /* Without the layer, the lavapipe of Debian 12: what it draws of these geometry shaders changes
     * from run to run. */
    bool lacks_geometry;
};

/* A pipeline and how it is drawn. */
struct scene {
    const char *name;
    VkPolygonMode mode;
    VkPrimitiveTopology topology, made_for; /* the second with `mixed`: the pipeline's own */
    bool mixed;
    struct vkt_code vs, gs, tcs, tes, fs;
    const struct vkt_target *target;
    VkCullModeFlags cull;
    VkFrontFace front;
    bool last, restart, dynamic;
    bool flipped;   /* viewport, from below */
    bool viewports; /* three, the second of them flipped */
    bool blends, secondary;
    float bias[3]; /* constant, clamp, slope */
    bool biased;
    struct push push;
};

static const VkDynamicState dynamic_states[] = {
    VK_DYNAMIC_STATE_CULL_MODE,
    VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_DEPTH_BIAS,
    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    VK_DYNAMIC_STATE_VIEWPORT,
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
};

static const VkRect2D scissors[3] = {
    {{0, 0}, {SIDE_PX, SIDE_PX}}, {{0, 0}, {SIDE_PX, SIDE_PX}}, {{0, 0}, {SIDE_PX, SIDE_PX}}};
static const VkViewport upright[3] = {{0, 0, SIDE_PX, SIDE_PX, 0, 1},
                                      {0, SIDE_PX, SIDE_PX, -(float)SIDE_PX, 0, 1},
                                      {0, 0, SIDE_PX / 2, SIDE_PX, 0.5f, 0.25f}};
static const VkViewport upside_down = {0, SIDE_PX, SIDE_PX, -(float)SIDE_PX, 0, 1};

static VkPipeline make_pipeline(struct test *s, const struct scene *of)
{
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = of->last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                        : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT,
    };
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = of->viewports ? 3 : 1,
        .pViewports = of->flipped ? &upside_down : upright,
        .scissorCount = of->viewports ? 3 : 1,
        .pScissors = scissors,
    };
    const struct vkt_pipeline_info info = {
        .vs = of->vs,
        .tcs = of->tcs,
        .tes = of->tes,
        .gs = of->gs,
        .fs = of->fs,
        .layout = s->layout,
        .pass = of->target->pass,
        .viewports = &viewports,
        .topology = of->mixed ? of->made_for : of->topology,
        .patch_points = 3,
        .restart = of->restart,
        .rasterization_next = s->t->features.provoking_last ? &provoking : NULL,
        .polygon_mode = of->mode,
        .cull = of->cull,
        .front = of->front,
        .depth_bias = of->biased ? of->bias : NULL,
        .blend = of->blends ? VKT_BLEND_ADD : VKT_BLEND_NONE,
        .depth_test = of->target->has_depth,
        .depth_write = true,
        .dynamic = dynamic_states,
        .dynamic_count = of->dynamic ? VKT_COUNT(dynamic_states) : 0,
    };
    return vkt_pipeline(s->t, &info);
}

static void push(const struct test *s, VkCommandBuffer cmd, struct push values)
{
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(values), &values);
}

static bool has_restart(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
}

static void set_state(VkCommandBuffer cmd, const struct scene *of, bool other)
{
    const bool turned = other && of->cull;
    vkCmdSetCullMode(cmd, turned ? of->cull ^ VK_CULL_MODE_FRONT_AND_BACK : of->cull);
    vkCmdSetFrontFace(cmd, other ? VK_FRONT_FACE_CLOCKWISE : of->front);
    vkCmdSetDepthBiasEnable(cmd, of->biased);
    vkCmdSetDepthBias(cmd, other ? -of->bias[0] : of->bias[0], of->bias[1], of->bias[2]);
    vkCmdSetViewport(cmd, 0, of->viewports ? 3 : 1, of->flipped != other ? &upside_down : upright);
    if (of->viewports)
        vkCmdSetViewport(cmd, 1, 2, upright + 1);
    vkCmdSetPrimitiveTopology(cmd, of->topology);
    vkCmdSetPrimitiveRestartEnable(cmd, of->restart || (other && has_restart(of->topology)));
}

/* With the pipeline bound. */
static void draws(const struct test *s, VkCommandBuffer cmd, const struct scene *of)
{
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    push(s, cmd, of->push);
    if (of->dynamic)
        set_state(cmd, of, false);
    vkCmdDraw(cmd, 18, 2, 0, 0);
    vkCmdDraw(cmd, 5, 1, 3, 2);
    vkCmdDraw(cmd, 3, 1, 9, 3);
    if (of->dynamic)
        set_state(cmd, of, true);
    vkCmdDraw(cmd, 3, 1, 9, 4); /* nothing else differs */
    struct push other = of->push;
    other.step += 2;
    push(s, cmd, other);
    vkCmdDraw(cmd, 18, 3, 1, 5);
    vkCmdDrawIndexed(cmd, INDICES, 2, 0, 1, 8);
    vkCmdDrawIndexed(cmd, INDICES - 6, 1, 4, 0, 10);
}

static void dump(struct test *s, const struct scene *of, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(s->t, &of->target->color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(s->t, drawn >= (of->cull == VK_CULL_MODE_FRONT_AND_BACK ? 0 : 30),
               "%s: only %u pixels", name, drawn);
    vkt_dump_image(s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static const char *mode_name(VkPolygonMode mode)
{
    return mode == VK_POLYGON_MODE_LINE    ? "lines"
           : mode == VK_POLYGON_MODE_POINT ? "points"
                                           : "filled";
}

static void draw_scene(struct test *s, const struct scene *of)
{
    const VkPipeline pipeline = make_pipeline(s, of);
    VkCommandBuffer cmd = vkt_commands(s->t), secondary = VK_NULL_HANDLE;
    if (of->secondary) {
        secondary = vkt_secondary_in(s->t, of->target->pass, 0);
        vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        draws(s, secondary, of);
        VKT_CALL(vkEndCommandBuffer(secondary));
    }
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, of->target, false,
                     secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                               : VK_SUBPASS_CONTENTS_INLINE);
    if (secondary) {
        vkCmdExecuteCommands(cmd, 1, &secondary);
    } else {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        draws(s, cmd, of);
    }
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
}

static void run(struct test *s, const struct scene *of)
{
    char name[96];
    /* SwiftShader draws other lines, and so does the lavapipe of Debian 12 with some linked
     * pipelines. */
    if ((s->swiftshader || s->t->options.link) && of->mode != VK_POLYGON_MODE_POINT)
        return;
    if (s->lacks_geometry && of->gs.words)
        return;
    const bool optional =
        of->mode != VK_POLYGON_MODE_POINT || of->last || of->gs.words || of->tes.words || of->mixed;
    snprintf(name, sizeof(name), "%s%s/%s", optional ? "opt/" : "", of->name, mode_name(of->mode));
    draw_scene(s, of);
    dump(s, of, name);
}

static void run_modes(struct test *s, struct scene of)
{
    of.mode = VK_POLYGON_MODE_LINE;
    run(s, &of);
    of.mode = VK_POLYGON_MODE_POINT;
    run(s, &of);
}

static const struct {
    const char *name;
    VkPrimitiveTopology topology;
} topologies[] = {
    {"list", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
    {"strip", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP},
    {"fan", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN},
    {"list-adjacency", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY},
    {"strip-adjacency", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY},
    {"point-list", VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
    {"line-strip", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP},
};

/* What every scene has. */
static struct scene scene_of(const struct test *s, const char *name)
{
    return (struct scene){.name = name,
                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                          .vs = VKT_CODE(polygons_vert),
                          .fs = VKT_CODE(polygons_number),
                          .target = &s->numbers,
                          .push = {0.0625f, 0, 1}};
}

static void run_topologies(struct test *s)
{
    char name[64];
    for (uint32_t i = 0; i < VKT_COUNT(topologies); i++)
        for (int last = 0; last < 2; last++) {
            if (last && !s->t->features.provoking_last)
                continue;
            /* which the lavapipe of Debian 12 draws differently in some linked pipelines */
            if (s->t->options.link && topologies[i].topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP)
                continue;
            snprintf(name, sizeof(name), "%s%s", topologies[i].name, last ? "-last" : "");
            struct scene of = scene_of(s, name);
            of.topology = topologies[i].topology;
            of.restart = has_restart(of.topology);
            of.last = last;
            run_modes(s, of);
            if (has_restart(of.topology) || last)
                continue;
            snprintf(name, sizeof(name), "%s-plain", topologies[i].name);
            of.fs = VKT_CODE(polygons_plain);
            run_modes(s, of);
        }
}

/* Pipelines whose dynamic topology is of another class than their own. */
static void run_mixed(struct test *s)
{
    static const VkPrimitiveTopology own[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                              VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                              VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    static const VkPrimitiveTopology drawn[] = {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY};
    char name[64];
    for (uint32_t i = 0; s->t->features.any_topology && i < VKT_COUNT(own) * VKT_COUNT(drawn);
         i++) {
        struct scene of = scene_of(s, name);
        of.mixed = of.dynamic = true;
        of.made_for = own[i % VKT_COUNT(own)];
        of.topology = drawn[i / VKT_COUNT(own)];
        of.mode = i % 2 ? VK_POLYGON_MODE_POINT : VK_POLYGON_MODE_LINE;
        if (s->t->options.link && of.topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP)
            continue; /* as above */
        snprintf(name, sizeof(name), "mixed/%u/%u", (unsigned)of.made_for, (unsigned)of.topology);
        run(s, &of);
    }
}

static void run_facing(struct test *s)
{
    static const char *const fronts[] = {"ccw", "cw"};
    char name[64];
    for (uint32_t i = 0; i < 2 * 4 * 2 * 2; i++) {
        struct scene of = scene_of(s, name);
        of.cull = i & 3;
        of.front = i >> 2 & 1;
        of.flipped = i >> 3 & 1;
        of.dynamic = i >> 4;
        of.fs = i & 1 ? VKT_CODE(polygons_plain) : VKT_CODE(polygons_number);
        of.topology =
            i % 3 ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        snprintf(name, sizeof(name), "cull%u-%s%s%s", of.cull, fronts[of.front],
                 of.flipped ? "-flipped" : "", of.dynamic ? "-dynamic" : "");
        run_modes(s, of);
    }
}

static void run_stages(struct test *s)
{
    struct scene of = scene_of(s, "geometry");
    of.gs = VKT_CODE(polygons_geom);
    run_modes(s, of);
    of.name = "geometry-last";
    of.last = true;
    if (s->t->features.provoking_last)
        run_modes(s, of);
    of.last = false;
    of.name = "geometry-culled";
    of.cull = VK_CULL_MODE_BACK_BIT;
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    run_modes(s, of);
    of.name = "geometry-secondary";
    of.secondary = true;
    of.dynamic = true;
    run_modes(s, of);
    of = scene_of(s, "viewports");
    of.gs = VKT_CODE(polygons_viewports_geom);
    of.viewports = true;
    of.cull = VK_CULL_MODE_FRONT_BIT;
    if (s->t->features.core.multiViewport)
        run_modes(s, of);
    of = scene_of(s, "tessellation");
    of.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    of.tcs = VKT_CODE(polygons_tesc);
    of.tes = VKT_CODE(polygons_tese);
    if (s->t->features.core.tessellationShader)
        run_modes(s, of);
    of.name = "tessellation-plain";
    of.fs = VKT_CODE(polygons_plain);
    of.cull = VK_CULL_MODE_BACK_BIT;
    if (s->t->features.core.tessellationShader)
        run_modes(s, of);
}

/* Cull distances are those of whole polygons. */
static void run_distances(struct test *s)
{
    struct scene of = scene_of(s, "distances");
    of.vs = VKT_CODE(polygons_culled_vert);
    if (!s->t->features.core.shaderCullDistance)
        return;
    run_modes(s, of);
    of.name = "distances-strip";
    of.fs = VKT_CODE(polygons_plain);
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    of.cull = VK_CULL_MODE_FRONT_BIT;
    run_modes(s, of);
}

/* Edges that triangles share are drawn twice. */
static void run_blending(struct test *s)
{
    struct scene of = scene_of(s, "blended");
    of.target = &s->colors;
    of.fs = VKT_CODE(polygons_blended);
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    of.blends = true;
    run_modes(s, of);
    of.name = "blended-geometry";
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    of.gs = VKT_CODE(polygons_geom);
    run_modes(s, of);
    of.name = "perspective";
    of.push.w = 0.5f;
    of.cull = VK_CULL_MODE_BACK_BIT;
    run_modes(s, of);
}

static void run_depths(struct test *s)
{
    static const float biases[][3] = {
        {0, 0, 0},      {64, 0, 0},          {-1024, 0, 0},     {0, 0, 0.5f},    {16, 0, -0.75f},
        {0, 0, -0.25f}, {16, 0.001f, 0.25f}, {0, -0.0625f, -4}, {0, 0.0625f, 4}, {1e9f, 0, 0},
    };
    char name[64];
    for (uint32_t i = 0; i < 4 * VKT_COUNT(biases); i++) {
        struct scene of = scene_of(s, name);
        const float *bias = biases[i / 4];
        of.fs = VKT_CODE(polygons_depth);
        of.target = i & 1 ? &s->deep : &s->shallow;
        of.dynamic = i & 2;
        of.biased = true;
        of.flipped = !of.dynamic && i / 4 % 2;
        memcpy(of.bias, bias, sizeof(of.bias));
        snprintf(name, sizeof(name), "bias%u-%s%s", i / 4, i & 1 ? "float" : "unorm",
                 of.dynamic ? "-dynamic" : "");
        /* How large a unit of fixed-point depths is depends on the driver: twice the least
         * difference on lavapipe. */
        if ((bias[1] != 0 && !s->t->features.core.depthBiasClamp) || (bias[0] != 0 && !(i & 1)))
            continue;
        run_modes(s, of);
    }
}

/* Queries see the polygons, not their edges, and samples of what is drawn. */
static void run_queries(struct test *s)
{
    struct vkt *t = s->t;
    const bool statistics = t->features.core.pipelineStatisticsQuery;
    const VkQueryPoolCreateInfo samples_info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_OCCLUSION,
        .queryCount = 1,
    };
    const VkQueryPoolCreateInfo statistics_info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
        .queryCount = 1,
        .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |
                              VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT,
    };
    VkQueryPool pools[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    VKT_CALL(vkCreateQueryPool(t->device, &samples_info, NULL, &pools[0]));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)pools[0]);
    if (statistics) {
        VKT_CALL(vkCreateQueryPool(t->device, &statistics_info, NULL, &pools[1]));
        vkt_defer(t, vkt_destroy_query_pool, (uint64_t)pools[1]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        struct scene of = scene_of(s, "queries");
        of.mode = i & 1 ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_POINT;
        if (i & 2)
            of.gs = VKT_CODE(polygons_geom);
        if (((s->swiftshader || t->options.link) && of.mode == VK_POLYGON_MODE_LINE) ||
            (s->lacks_geometry && (i & 2)))
            continue;
        const VkPipeline pipeline = make_pipeline(s, &of);
        VkCommandBuffer cmd = vkt_commands(t);
        vkt_begin(cmd, 0);
        for (int q = 0; q < 2; q++)
            if (pools[q])
                vkCmdResetQueryPool(cmd, pools[q], 0, 1);
        vkt_target_begin(cmd, of.target, false, VK_SUBPASS_CONTENTS_INLINE);
        for (int q = 0; q < 2; q++)
            if (pools[q])
                vkCmdBeginQuery(cmd, pools[q], 0,
                                q == 0 && t->features.core.occlusionQueryPrecise
                                    ? VK_QUERY_CONTROL_PRECISE_BIT
                                    : 0);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        draws(s, cmd, &of);
        for (int q = 0; q < 2; q++)
            if (pools[q])
                vkCmdEndQuery(cmd, pools[q], 0);
        vkCmdEndRenderPass(cmd);
        vkt_submit(t, cmd);
        uint64_t values[5] = {0};
        VKT_CALL(vkGetQueryPoolResults(t->device, pools[0], 0, 1, 8, values, 8,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        if (statistics)
            VKT_CALL(vkGetQueryPoolResults(t->device, pools[1], 0, 1, 32, values + 1, 32,
                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        VKT_EXPECT(t, values[0] > 100, "only %u samples", (unsigned)values[0]);
        xfb_dump(t, values, sizeof(values[0]), "opt/samples%u", i);
        if (statistics)
            xfb_dump(t, values + 1, sizeof(values) - sizeof(values[0]), "opt/statistics%u", i);
    }
}

/* What is captured are the polygons. */
static void run_captures(struct test *s)
{
    for (uint32_t i = 0; i < 4; i++) {
        if (s->lacks_geometry && (i & 2))
            continue;
        struct scene of = scene_of(s, "captured");
        const struct vkt_buffer captured = xfb_buffer(s->t, 32768), counter = xfb_buffer(s->t, 4);
        const struct xfb_range range = {captured.buffer, 0, captured.size_B},
                               end = {counter.buffer, 0, 0};
        of.mode = i & 1 ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_POINT;
        of.cull = VK_CULL_MODE_BACK_BIT;
        if (i & 2)
            of.gs = VKT_CODE(polygons_captured_geom);
        else
            of.vs = VKT_CODE(polygons_captured_vert);
        const VkPipeline pipeline = make_pipeline(s, &of);
        VkCommandBuffer cmd = vkt_commands(s->t);
        vkt_begin(cmd, 0);
        vkt_target_begin(cmd, of.target, false, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        xfb_bind(cmd, 0, 1, &range);
        xfb_begin(cmd, 0, 0, NULL);
        draws(s, cmd, &of);
        xfb_end(cmd, 0, 1, &end);
        vkCmdEndRenderPass(cmd);
        vkt_submit(s->t, cmd);
        VKT_EXPECT(s->t, xfb_word(&counter, 0) > 500, "%u bytes captured", xfb_word(&counter, 0));
        xfb_dump(s->t, captured.map, captured.size_B, "%scaptured%u", i & 2 ? "opt/" : "", i);
        xfb_dump(s->t, counter.map, 4, "%scaptured%u-end", i & 2 ? "opt/" : "", i);
        if (i == 0)
            dump(s, &of, "captured/points");
    }
}

static void make_indices(struct test *s)
{
    uint16_t indices[INDICES];
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = i == 4 || i == 11 || i == 13 ? RESTART : (uint16_t)((i * 5 + i / 4) % 31);
    s->indices = vkt_buffer_from(s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-polygons", argc, argv);
    struct vkt t;
    options.polygon_modes = options.layer_outputs = options.tessellation = options.xfb = true;
    vkt_init(&t, &options);
    if (!t.features.core.fillModeNonSolid && vkt_has_layer(&options, "pgs_test_profiles"))
        vkt_skip("no fillModeNonSolid"); /* compare.py knows which of them may lack it */
    struct test s = {.t = &t, .swiftshader = strstr(t.properties.deviceName, "SwiftShader")};
    s.lacks_geometry = t.properties.apiVersion < VK_MAKE_API_VERSION(0, 1, 4, 0) &&
                       (strstr(t.properties.deviceName, "llvmpipe") ||
                        vkt_has_layer(&t.options, "test_profiles")) &&
                       !vkt_has_layer(&t.options, "poly_gs");
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    make_indices(&s);
    s.numbers = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.colors = vkt_target(&t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.shallow = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_D16_UNORM, SIDE_PX, SIDE_PX);
    s.deep = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&t, NULL, 0, &range, 1);
    run_topologies(&s);
    run_mixed(&s);
    run_facing(&s);
    run_stages(&s);
    run_distances(&s);
    run_blending(&s);
    run_depths(&s);
    run_queries(&s);
    if (!options.link) /* lavapipe itself captures nothing then */
        run_captures(&s);
    return vkt_finish(&t);
}
