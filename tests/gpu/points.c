/* SPDX-License-Identifier: MIT
 *
 * Large points: of vertex, geometry and tessellation shaders, and corners of polygons; with
 * gl_PointCoord, interpolated inputs, culling, depth bias, blending, clipping, viewports, samples,
 * captures and queries. Run with VK_POLY_GS_POINTS=emulate, as on a driver without largePoints.
 *
 * Squares leave no choice, and are compared byte for byte. Where lavapipe is not right, points of
 * the layer are compared with what the specification says (points_expected.h).
 */
#include "gpu/points_expected.h"
#include "gpu/samples.h"
#include "gpu/xfb.h"

#include "points_bits.h"
#include "points_blended.h"
#include "points_blocks.h"
#include "points_blocks_vert.h"
#include "points_captured_geom.h"
#include "points_captured_vert.h"
#include "points_clipped_vert.h"
#include "points_coord.h"
#include "points_culled_vert.h"
#include "points_depth.h"
#include "points_eye.h"
#include "points_geom.h"
#include "points_number.h"
#include "points_placeless_vert.h"
#include "points_plain.h"
#include "points_streams_geom.h"
#include "points_tesc.h"
#include "points_tese.h"
#include "points_vert.h"
#include "points_viewports_geom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_PX POINTS_SIDE_PX
#define INDICES 22u

struct test {
    struct vkt *t;
    struct vkt_target numbers, colors, deep;
    VkPipelineLayout layout;
    struct vkt_buffer indices;
    bool beside; /* clip planes of shaders alone clip points */
};

/* A pipeline and how it is drawn. */
struct scene {
    const char *name;
    VkPolygonMode polygon;
    VkPrimitiveTopology topology, made_for; /* the second with `mixed`: the pipeline's own */
    bool mixed;
    struct vkt_code vs, gs, tcs, tes, fs;
    const struct vkt_target *target;
    VkCullModeFlags cull;
    VkFrontFace front;
    bool dynamic, secondary, counted;
    bool small;     /* a viewport within the framebuffer, from below */
    bool viewports; /* three, one of them upside down, that overlap */
    bool blends, multisampled;
    float bias[3]; /* constant, clamp, slope */
    bool biased;
    struct push push;
};

static const VkDynamicState dynamic_states[] = {
    VK_DYNAMIC_STATE_CULL_MODE,         VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_VIEWPORT,
};

static const VkRect2D scissors[3] = {
    {{0, 0}, {SIDE_PX, SIDE_PX}}, {{0, 0}, {SIDE_PX, SIDE_PX}}, {{0, 0}, {SIDE_PX, SIDE_PX}}};
static const VkViewport upright[3] = {{0, 0, SIDE_PX, SIDE_PX, 0, 1},
                                      {0, SIDE_PX, SIDE_PX, -(float)SIDE_PX, 0, 1},
                                      {64, 0, SIDE_PX / 2, SIDE_PX, 0, 1}};
static const VkViewport inner = {64, 192, 128, -128, 0, 1};

static VkPipeline make_pipeline(struct test *s, const struct scene *of)
{
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = of->viewports ? 3 : 1,
        .pViewports = of->small ? &inner : upright,
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
        .pass = of->multisampled ? VK_NULL_HANDLE : of->target->pass,
        .dynamic_format = of->target->color.format,
        .samples = of->multisampled ? 4 : 0,
        .viewports = &viewports,
        .topology = of->mixed ? of->made_for : of->topology,
        .patch_points = 2,
        .polygon_mode = of->polygon,
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

static void set_state(VkCommandBuffer cmd, const struct scene *of)
{
    vkCmdSetCullMode(cmd, of->cull);
    vkCmdSetFrontFace(cmd, of->front);
    vkCmdSetDepthBiasEnable(cmd, of->biased);
    vkCmdSetViewport(cmd, 0, of->viewports ? 3 : 1, of->small ? &inner : upright);
    vkCmdSetPrimitiveTopology(cmd, of->topology);
}

/* Of the second draw on points are larger. The last one is indexed. */
#define LARGER_PX 1.5f
static const struct {
    uint32_t count, instances, first, first_instance;
} calls[] = {{24, 2, 0, 0}, {9, 1, 30, 1}, {6, 1, 40, 0}, {INDICES, 1, 36, 2}};

static uint32_t index_of(uint32_t i)
{
    return i * 7 % INDICES;
}

/* With the pipeline bound. */
static void draws(const struct test *s, VkCommandBuffer cmd, const struct scene *of)
{
    struct push values = of->push;
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    push(s, cmd, values);
    if (of->dynamic)
        set_state(cmd, of);
    for (uint32_t i = 0; i < VKT_COUNT(calls) - 1; i++) {
        vkCmdDraw(cmd, calls[i].count, calls[i].instances, calls[i].first, calls[i].first_instance);
        values.size = of->push.size + LARGER_PX;
        push(s, cmd, values);
    }
    vkCmdDrawIndexed(cmd, calls[3].count, calls[3].instances, 0, (int32_t)calls[3].first,
                     calls[3].first_instance);
}

/* What the scene, of points of the vertex shader alone, must look like. */
static void expect(struct test *s, const struct scene *of, enum points_values kind)
{
    const struct vkt_buffer pixels = vkt_image_read(s->t, &of->target->color, 4);
    struct points_canvas *canvas = calloc(1, sizeof(*canvas));
    if (!canvas)
        vkt_die("out of memory");
    canvas->samples = of->multisampled ? POINTS_SAMPLES : 1;
    canvas->kind = kind;
    canvas->beside = s->beside;
    canvas->viewport = of->small ? inner : upright[0];
    for (uint32_t i = 0; i < VKT_COUNT(calls); i++) {
        struct push values = of->push;
        values.size += i ? LARGER_PX : 0;
        for (uint32_t k = 0; k < calls[i].count * calls[i].instances; k++) {
            const uint32_t primitive = k % calls[i].count;
            const uint32_t vertex =
                calls[i].first + (i == VKT_COUNT(calls) - 1 ? index_of(primitive) : primitive);
            points_canvas_draw(canvas, &values, vertex,
                               calls[i].first_instance + k / calls[i].count, primitive);
        }
    }
    const uint32_t wrong = points_canvas_differs(canvas, pixels.map);
    VKT_EXPECT(s->t, wrong == 0, "%s: %u pixels are wrong", of->name, wrong);
    free(canvas);
}

static void dump(struct test *s, const struct scene *of, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(s->t, &of->target->color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(s->t, drawn >= 30, "%s: only %u pixels", name, drawn);
    vkt_dump_image(s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
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
    const bool optional = of->gs.words || of->tes.words || of->polygon != VK_POLYGON_MODE_FILL ||
                          of->viewports || of->mixed;
    char name[96];
    snprintf(name, sizeof(name), "%s%s", optional ? "opt/" : "", of->name);
    draw_scene(s, of);
    dump(s, of, name);
}

/* What every scene has. */
static struct scene scene_of(const struct test *s, const char *name)
{
    return (struct scene){.name = name,
                          .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                          .vs = VKT_CODE(points_vert),
                          .fs = VKT_CODE(points_number),
                          .target = &s->numbers,
                          .push = {0.0625f, 0, 1, 2}};
}

/* Sizes up to what is clamped, and from what is. */
static void run_sizes(struct test *s)
{
    static const float sizes_px[] = {0.125f, 0.25f, 1, 1.5f, 3, 10.875f, 61, 150.5f};
    char name[64];
    for (uint32_t i = 0; i < VKT_COUNT(sizes_px) * 2; i++) {
        struct scene of = scene_of(s, name);
        of.push.size = sizes_px[i / 2];
        of.dynamic = i & 1;
        of.secondary = i & 1;
        snprintf(name, sizeof(name), "size%u%s", i / 2, of.dynamic ? "-dynamic" : "");
        run(s, &of);
    }
}

/* Pipelines whose dynamic topology is of another class than their own. */
static void run_mixed(struct test *s)
{
    static const VkPrimitiveTopology all[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                              VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                              VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    char name[64];
    for (uint32_t i = 0; s->t->features.any_topology && i < 9; i++) {
        struct scene of = scene_of(s, name);
        of.mixed = of.dynamic = true;
        of.made_for = all[i % 3];
        of.topology = all[i / 3];
        of.fs = VKT_CODE(points_plain);
        snprintf(name, sizeof(name), "mixed/%u/%u", (unsigned)of.made_for, (unsigned)of.topology);
        run(s, &of);
    }
}

/* Points are never culled, and always front-facing. */
static void run_facing(struct test *s)
{
    char name[64];
    for (uint32_t i = 0; i < 4 * 2 * 2; i++) {
        struct scene of = scene_of(s, name);
        of.cull = i & 3;
        of.front = i >> 2 & 1;
        of.dynamic = i >> 3;
        of.small = i & 1;
        of.push.size = 5;
        snprintf(name, sizeof(name), "cull%u-%u%s", of.cull, of.front,
                 of.dynamic ? "-dynamic" : "");
        run(s, &of);
    }
}

/* Centres beside the viewport are clipped, squares that reach beside it are not. */
static void run_expected(struct test *s)
{
    struct scene of = scene_of(s, "reach");
    for (uint32_t i = 0; i < 4; i++) {
        of.name = i & 2 ? "reach-coord" : "reach-number";
        of.push.reach = i & 1 ? 1.25f : 1;
        of.push.size = i & 1 ? 20 : 33;
        of.small = i & 1;
        of.dynamic = i == 1;
        of.target = i & 2 ? &s->colors : &s->numbers;
        of.fs = i & 2 ? VKT_CODE(points_coord) : VKT_CODE(points_number);
        draw_scene(s, &of);
        expect(s, &of, i & 2 ? POINTS_COORDS : POINTS_NUMBERS);
    }
    of = scene_of(s, "bits-perspective");
    of.fs = VKT_CODE(points_bits);
    of.push.size = 19.25f;
    of.push.w = 0.3f;
    draw_scene(s, &of);
    expect(s, &of, POINTS_BITS);
}

static void run_clipping(struct test *s)
{
    struct scene of = scene_of(s, "behind");
    of.push.w = -0.75f;
    of.push.size = 5;
    run(s, &of);
    of = scene_of(s, "beyond");
    of.push.depth = 0.25f;
    of.push.size = 5;
    run(s, &of);
    of = scene_of(s, "clip-distances");
    of.vs = VKT_CODE(points_clipped_vert);
    if (s->t->features.core.shaderClipDistance)
        run(s, &of);
    of.name = "cull-distances";
    of.vs = VKT_CODE(points_culled_vert);
    if (s->t->features.core.shaderCullDistance)
        run(s, &of);
}

static void run_stages(struct test *s)
{
    struct scene of = scene_of(s, "geometry");
    of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    of.gs = VKT_CODE(points_geom);
    run(s, &of);
    of.name = "near/geometry-coord";
    of.target = &s->colors;
    of.fs = VKT_CODE(points_coord);
    of.push.size = 17;
    run(s, &of);
    of = scene_of(s, "geometry-secondary");
    of.gs = VKT_CODE(points_geom);
    of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    of.secondary = of.dynamic = true;
    run(s, &of);
    of.name = "geometry-streams";
    of.gs = VKT_CODE(points_streams_geom);
    if (s->t->xfb.maxTransformFeedbackStreams > 1)
        run(s, &of);
    of = scene_of(s, "viewports");
    of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    of.gs = VKT_CODE(points_viewports_geom);
    of.viewports = true;
    of.push.size = 6;
    if (s->t->features.core.multiViewport)
        run(s, &of);
    of = scene_of(s, "tessellation");
    of.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    of.tcs = VKT_CODE(points_tesc);
    of.tes = VKT_CODE(points_tese);
    of.fs = VKT_CODE(points_plain);
    if (s->t->features.core.tessellationShader)
        run(s, &of);
    of.name = "tessellation-bits";
    of.fs = VKT_CODE(points_bits);
    of.push.w = 0.375f;
    if (s->t->features.core.tessellationShader)
        run(s, &of);
}

/* Pixels that two points cover are drawn twice; depths are not biased, and equal in a point. */
static void run_fragments(struct test *s)
{
    struct scene of = scene_of(s, "blended");
    of.target = &s->colors;
    of.fs = VKT_CODE(points_blended);
    of.blends = true;
    of.push.size = 30;
    run(s, &of);
    of = scene_of(s, "depths");
    of.fs = VKT_CODE(points_depth);
    of.target = &s->deep;
    of.biased = true;
    of.bias[0] = 1000;
    of.bias[2] = 4;
    of.push.size = 28;
    run(s, &of);
    of.name = "depths-dynamic";
    of.dynamic = true;
    run(s, &of);
    of.name = "near/depths-perspective";
    of.push.w = 0.3f;
    run(s, &of);
    of = scene_of(s, "bits");
    of.fs = VKT_CODE(points_bits);
    of.push.size = 19.25f;
    run(s, &of);
    of.name = "near/eye";
    of.push.w = 0.3f;
    of.fs = VKT_CODE(points_eye);
    of.target = &s->colors;
    run(s, &of);
}

static void run_coords(struct test *s)
{
    static const float sizes_px[] = {1, 2.5f, 8, 33.125f};
    char name[64];
    for (uint32_t i = 0; i < VKT_COUNT(sizes_px) * 2; i++) {
        struct scene of = scene_of(s, name);
        of.target = &s->colors;
        of.fs = VKT_CODE(points_coord);
        of.push.size = sizes_px[i / 2];
        of.small = i & 1 && of.push.size < 16;
        of.push.w = i & 1 ? 0.5f : 0;
        snprintf(name, sizeof(name), "near/coord%u%s", i / 2, i & 1 ? "-small" : "");
        run(s, &of);
    }
}

/* What points cover of pixels with several samples. */
static void run_samples(struct test *s, struct vkt_code fs, const char *name, bool expected)
{
    struct scene of = scene_of(s, name);
    of.target = &s->colors;
    of.fs = fs;
    of.multisampled = true;
    of.push.size = 7.375f;
    const VkPipeline pipeline = make_pipeline(s, &of);
    VkCommandBuffer cmd = vkt_commands(s->t);
    vkt_begin(cmd, 0);
    samples_begin(s->t, cmd, &of.target->color);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    draws(s, cmd, &of);
    samples_end(cmd, &of.target->color);
    vkt_submit(s->t, cmd);
    if (expected)
        expect(s, &of, POINTS_COORDS);
    else
        dump(s, &of, name);
}

static void run_corners(struct test *s)
{
    struct scene of = scene_of(s, "corners");
    of.polygon = VK_POLYGON_MODE_POINT;
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    of.fs = VKT_CODE(points_plain);
    if (!s->t->features.core.fillModeNonSolid)
        return;
    run(s, &of);
    of.name = "corners-culled";
    of.cull = VK_CULL_MODE_BACK_BIT;
    of.dynamic = true;
    of.fs = VKT_CODE(points_number);
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    run(s, &of);
    of.name = "near/corners-coord";
    of.dynamic = false;
    of.fs = VKT_CODE(points_coord);
    of.target = &s->colors;
    of.push.size = 12;
    run(s, &of);
    of = scene_of(s, "near/corners-depths");
    of.polygon = VK_POLYGON_MODE_POINT;
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    of.fs = VKT_CODE(points_depth);
    of.target = &s->deep;
    of.biased = true;
    of.bias[0] = 1000;
    of.bias[2] = 4;
    run(s, &of);
}

/* Structs, and flat members of blocks in arrays, are of one vertex; the others are equal in a
 * point. lavapipe itself reads 0 from the latter. */
static void run_blocks(struct test *s)
{
    struct scene of = scene_of(s, "blocks");
    of.vs = VKT_CODE(points_blocks_vert);
    of.fs = VKT_CODE(points_blocks);
    of.push.size = 7.5f;
    of.push.w = 0.3f;
    for (uint32_t i = 0; i < (s->t->features.core.fillModeNonSolid ? 2 : 1); i++) {
        uint32_t counts[3] = {0};
        if (i) {
            of.polygon = VK_POLYGON_MODE_POINT;
            of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
        }
        draw_scene(s, &of);
        const struct vkt_buffer pixels = vkt_image_read(s->t, &of.target->color, 4);
        for (uint32_t k = 0; k < SIDE_PX * SIDE_PX; k++)
            counts[((const uint32_t *)pixels.map)[k] % 3]++;
        VKT_EXPECT(s->t, counts[1] > 1000 && !counts[2], "%u pixels are right, %u are not",
                   counts[1], counts[2]);
    }
}

/* Nobody knows where they are, but their draw does no harm. */
static void run_placeless(struct test *s)
{
    const struct scene of = {.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                             .vs = VKT_CODE(points_placeless_vert),
                             .fs = VKT_CODE(points_number),
                             .target = &s->numbers,
                             .push = {0.0625f, 0, 1, 2}};
    const VkPipeline pipeline = make_pipeline(s, &of);
    VkCommandBuffer cmd = vkt_commands(s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, of.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push(s, cmd, of.push);
    vkCmdDraw(cmd, 1 << 20, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
}

/* Captures and queries are of points. */
static void run_captures(struct test *s)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct scene of = scene_of(s, "captured");
        const struct vkt_buffer captured = xfb_buffer(s->t, 32768), counter = xfb_buffer(s->t, 4);
        const struct xfb_range range = {captured.buffer, 0, captured.size_B},
                               end = {counter.buffer, 0, 0};
        of.dynamic = i & 1;
        if (i & 2)
            of.gs = VKT_CODE(points_captured_geom);
        else
            of.vs = VKT_CODE(points_captured_vert);
        if (i & 2)
            of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
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
    }
}

/* Each sample of a square is counted once. */
static void run_queries(struct test *s)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_OCCLUSION,
                                        .queryCount = 1};
    struct scene of = scene_of(s, "counted");
    VkQueryPool pool;
    uint32_t samples = 0;
    of.push.size = 13;
    VKT_CALL(vkCreateQueryPool(s->t->device, &info, NULL, &pool));
    vkt_defer(s->t, vkt_destroy_query_pool, (uint64_t)pool);
    const VkPipeline pipeline = make_pipeline(s, &of);
    VkCommandBuffer cmd = vkt_commands(s->t);
    vkt_begin(cmd, 0);
    vkCmdResetQueryPool(cmd, pool, 0, 1);
    vkt_target_begin(cmd, of.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBeginQuery(cmd, pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    draws(s, cmd, &of);
    vkCmdEndQuery(cmd, pool, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
    VKT_CALL(vkGetQueryPoolResults(s->t->device, pool, 0, 1, sizeof(samples), &samples,
                                   sizeof(samples), VK_QUERY_RESULT_WAIT_BIT));
    VKT_EXPECT(s->t, samples > 1000, "%u samples counted", samples);
    vkt_dump_buffer(s->t, "samples-counted", &samples, sizeof(samples));
}

static void make_indices(struct test *s)
{
    uint16_t indices[INDICES];
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = (uint16_t)index_of(i);
    s->indices = vkt_buffer_from(s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

static bool keeps_points_beside(const struct vkt *t)
{
    VkPhysicalDevicePointClippingProperties points = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &points};
    vkGetPhysicalDeviceProperties2(t->physical, &properties);
    return points.pointClippingBehavior == VK_POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY;
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-points", argc, argv);
    struct vkt t;
    options.polygon_modes = true;
    options.layer_outputs = options.tessellation = options.xfb = true;
    vkt_init(&t, &options);
    struct test s = {.t = &t, .beside = keeps_points_beside(&t)};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    const bool layered = vkt_has_layer(&options, "poly_gs");
    if (!t.features.core.largePoints)
        vkt_skip("no largePoints");
    make_indices(&s);
    s.numbers = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.colors = vkt_target(&t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.deep = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&t, NULL, 0, &range, 1);
    run_sizes(&s);
    run_mixed(&s);
    run_facing(&s);
    run_clipping(&s);
    run_stages(&s);
    run_fragments(&s);
    run_coords(&s);
    if (t.features.dynamic_rendering && !options.link) {
        run_samples(&s, VKT_CODE(points_blended), "samples", false);
        if (layered)
            run_samples(&s, VKT_CODE(points_coord), "samples-coord", true);
    }
    if (layered) {
        run_expected(&s);
        run_blocks(&s);
    }
    run_placeless(&s);
    run_corners(&s);
    run_queries(&s);
    if (!options.link) /* lavapipe itself captures nothing then */
        run_captures(&s);
    return vkt_finish(&t);
}
