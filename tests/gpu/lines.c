/* SPDX-License-Identifier: MIT
 *
 * Wide lines: of every topology, of geometry shaders, tessellation and polygons; with static and
 * dynamic widths, culling, provoking vertices, depth bias, blending, clipping, viewports, captures
 * and queries. Run with VK_POLY_GS_LINES=emulate, as on a driver without wideLines.
 *
 * Rectangles along the axes leave no choice, and are compared byte for byte. Of other lines the
 * edges may lie a subpixel beside; see compare.py.
 */
#include "gpu/samples.h"
#include "gpu/xfb.h"

#include "lines_blended.h"
#include "lines_captured_geom.h"
#include "lines_captured_vert.h"
#include "lines_clipped_vert.h"
#include "lines_culled_vert.h"
#include "lines_depth.h"
#include "lines_geom.h"
#include "lines_number.h"
#include "lines_plain.h"
#include "lines_tesc.h"
#include "lines_tese.h"
#include "lines_vert.h"
#include "lines_viewports_geom.h"

#include <stdio.h>
#include <string.h>

#define SIDE_PX 256u
#define INDICES 22u
#define RESTART 0xffffu

struct push {
    float depth, w, turn, reach;
};

struct test {
    struct vkt *t;
    struct vkt_target numbers, colors, deep;
    VkPipelineLayout layout;
    struct vkt_buffer indices;
    bool swiftshader;
};

/* A pipeline and how it is drawn. */
struct scene {
    const char *name;
    float width_px;
    VkLineRasterizationModeEXT mode;
    VkPolygonMode polygon;
    VkPrimitiveTopology topology, made_for; /* the second with `mixed`: the pipeline's own */
    bool mixed;
    struct vkt_code vs, gs, tcs, tes, fs;
    const struct vkt_target *target;
    VkCullModeFlags cull;
    VkFrontFace front;
    bool last, restart, dynamic, secondary;
    bool small;     /* a viewport within the framebuffer, from below */
    bool viewports; /* three, one of them upside down, that overlap */
    bool flat;      /* of height 0 */
    bool blends, multisampled;
    float bias[3]; /* constant, clamp, slope */
    bool biased;
    struct push push;
};

static const VkDynamicState dynamic_states[] = {
    VK_DYNAMIC_STATE_LINE_WIDTH,
    VK_DYNAMIC_STATE_CULL_MODE,
    VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_VIEWPORT,
    VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
};

static const VkRect2D scissors[3] = {
    {{0, 0}, {SIDE_PX, SIDE_PX}}, {{0, 0}, {SIDE_PX, SIDE_PX}}, {{0, 0}, {SIDE_PX, SIDE_PX}}};
static const VkViewport upright[3] = {{0, 0, SIDE_PX, SIDE_PX, 0, 1},
                                      {0, SIDE_PX, SIDE_PX, -(float)SIDE_PX, 0, 1},
                                      {64, 0, SIDE_PX / 2, SIDE_PX, 0, 1}};
static const VkViewport inner = {64, 192, 128, -128, 0, 1};
static const VkViewport flat = {0, 128, SIDE_PX, 0, 0, 1};

static const VkViewport *viewports_of(const struct scene *of)
{
    return of->flat ? &flat : of->small ? &inner : upright;
}

static VkPipeline make_pipeline(struct test *s, const struct scene *of)
{
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        .provokingVertexMode = of->last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                        : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT,
    };
    const VkPipelineRasterizationLineStateCreateInfoEXT lines = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .pNext = s->t->features.provoking_last ? &provoking : NULL,
        .lineRasterizationMode = of->mode,
    };
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = of->viewports ? 3 : 1,
        .pViewports = viewports_of(of),
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
        .restart = of->restart,
        .rasterization_next = of->mode ? (const void *)&lines : lines.pNext,
        .polygon_mode = of->polygon,
        .line_width_px = of->dynamic ? 0 : of->width_px,
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
    vkCmdSetLineWidth(cmd, of->width_px);
    vkCmdSetCullMode(cmd, of->cull);
    vkCmdSetFrontFace(cmd, of->front);
    vkCmdSetDepthBiasEnable(cmd, of->biased);
    vkCmdSetViewport(cmd, 0, of->viewports ? 3 : 1, viewports_of(of));
    vkCmdSetPrimitiveTopology(cmd, of->topology);
    vkCmdSetPrimitiveRestartEnable(cmd, of->restart);
}

/* With the pipeline bound. */
static void draws(const struct test *s, VkCommandBuffer cmd, const struct scene *of)
{
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    push(s, cmd, of->push);
    if (of->dynamic)
        set_state(cmd, of);
    vkCmdDraw(cmd, 18, 2, 0, 0);
    vkCmdDraw(cmd, 5, 1, 18, 2);
    if (of->dynamic)
        vkCmdSetLineWidth(cmd, 1);
    vkCmdDraw(cmd, 18, 1, 1, 3);
    vkCmdDraw(cmd, 9, 1, 19, 3);
    if (of->dynamic)
        vkCmdSetLineWidth(cmd, of->width_px + 2);
    vkCmdDraw(cmd, 24, 1, 0, 4);
    vkCmdDrawIndexed(cmd, INDICES, 2, 0, 1, 5);
    vkCmdDrawIndexed(cmd, INDICES - 6, 1, 4, 0, 7);
}

static void dump(struct test *s, const struct scene *of, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(s->t, &of->target->color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(s->t, of->flat ? drawn == 0 : drawn >= 30, "%s: %u pixels", name, drawn);
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
    const bool optional = of->last || of->gs.words || of->tes.words ||
                          of->mode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT ||
                          of->polygon != VK_POLYGON_MODE_FILL || of->viewports || of->mixed;
    char name[96];
    snprintf(name, sizeof(name), "%s%s", optional ? "opt/" : "", of->name);
    draw_scene(s, of);
    dump(s, of, name);
}

static const struct {
    const char *name;
    VkPrimitiveTopology topology;
} topologies[] = {
    {"list", VK_PRIMITIVE_TOPOLOGY_LINE_LIST},
    {"strip", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP},
    {"list-adjacency", VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY},
    {"strip-adjacency", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY},
};

/* What every scene has. */
static struct scene scene_of(const struct test *s, const char *name)
{
    return (struct scene){.name = name,
                          .width_px = 3,
                          .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                          .vs = VKT_CODE(lines_vert),
                          .fs = VKT_CODE(lines_number),
                          .target = &s->numbers,
                          .push = {0.0625f, 0, 0, 1}};
}

static void run_topologies(struct test *s)
{
    char name[64];
    for (uint32_t i = 0; i < VKT_COUNT(topologies) * 4; i++) {
        struct scene of = scene_of(s, name);
        of.topology = topologies[i / 4].topology;
        of.restart = i / 4 % 2;
        of.last = i & 1;
        of.dynamic = i & 2;
        of.width_px = of.last ? 3 : 2;
        if (of.last && !s->t->features.provoking_last)
            continue;
        snprintf(name, sizeof(name), "%s%s%s", topologies[i / 4].name, of.last ? "-last" : "",
                 of.dynamic ? "-dynamic" : "");
        if (of.dynamic)
            of.fs = VKT_CODE(lines_plain);
        run(s, &of);
    }
}

/* Pipelines whose dynamic topology is of another class than their own. */
static void run_mixed(struct test *s)
{
    static const VkPrimitiveTopology own[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                              VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                              VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    static const VkPrimitiveTopology drawn[] = {
        VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    char name[64];
    for (uint32_t i = 0; s->t->features.any_topology && i < VKT_COUNT(own) * VKT_COUNT(drawn);
         i++) {
        struct scene of = scene_of(s, name);
        of.mixed = of.dynamic = true;
        of.made_for = own[i % VKT_COUNT(own)];
        of.topology = drawn[i / VKT_COUNT(own)];
        snprintf(name, sizeof(name), "mixed/%u/%u", (unsigned)of.made_for, (unsigned)of.topology);
        if (i % 2)
            of.fs = VKT_CODE(lines_plain);
        run(s, &of);
    }
}

/* Lines are never culled, and always front-facing. */
static void run_facing(struct test *s)
{
    char name[64];
    for (uint32_t i = 0; i < 4 * 2 * 2; i++) {
        struct scene of = scene_of(s, name);
        of.cull = i & 3;
        of.front = i >> 2 & 1;
        of.dynamic = i >> 3;
        of.small = i & 1;
        of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
        snprintf(name, sizeof(name), "cull%u-%u%s", of.cull, of.front,
                 of.dynamic ? "-dynamic" : "");
        run(s, &of);
    }
}

static void run_stages(struct test *s)
{
    struct scene of = scene_of(s, "geometry");
    of.gs = VKT_CODE(lines_geom);
    run(s, &of);
    of.name = "geometry-dynamic";
    of.dynamic = true;
    of.last = s->t->features.provoking_last;
    of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    run(s, &of);
    of.name = "geometry-secondary";
    of.secondary = true;
    run(s, &of);
    of = scene_of(s, "viewports");
    of.gs = VKT_CODE(lines_viewports_geom);
    of.viewports = true;
    if (s->t->features.core.multiViewport)
        run(s, &of);
    of = scene_of(s, "tessellation");
    of.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    of.tcs = VKT_CODE(lines_tesc);
    of.tes = VKT_CODE(lines_tese);
    of.fs = VKT_CODE(lines_plain);
    if (s->t->features.core.tessellationShader)
        run(s, &of);
    of.name = "tessellation-number";
    of.fs = VKT_CODE(lines_number);
    if (s->t->features.core.tessellationShader)
        run(s, &of);
}

static void run_distances(struct test *s)
{
    struct scene of = scene_of(s, "clip-distances");
    of.vs = VKT_CODE(lines_clipped_vert);
    of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    if (s->t->features.core.shaderClipDistance)
        run(s, &of);
    of.name = "cull-distances";
    of.vs = VKT_CODE(lines_culled_vert);
    if (s->t->features.core.shaderCullDistance)
        run(s, &of);
}

/* Pixels that two lines cover are drawn twice; depths are not biased. */
static void run_fragments(struct test *s)
{
    struct scene of = scene_of(s, "blended");
    of.target = &s->colors;
    of.fs = VKT_CODE(lines_blended);
    of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    of.blends = true;
    of.width_px = 7;
    run(s, &of);
    of.name = "near/perspective";
    of.push.w = 0.5f;
    run(s, &of);
    of = scene_of(s, "near/depths");
    of.fs = VKT_CODE(lines_depth);
    of.target = &s->deep;
    of.biased = true;
    of.bias[0] = 1000;
    of.bias[2] = 4;
    run(s, &of);
    of.name = "near/depths-dynamic";
    of.dynamic = true;
    run(s, &of);
}

/* What lines cover of pixels with several samples. */
static void run_samples(struct test *s, float turn, const char *name)
{
    struct scene of = scene_of(s, name);
    of.target = &s->colors;
    of.fs = VKT_CODE(lines_blended);
    of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    of.multisampled = true;
    of.push.turn = turn;
    const VkPipeline pipeline = make_pipeline(s, &of);
    VkCommandBuffer cmd = vkt_commands(s->t);
    vkt_begin(cmd, 0);
    samples_begin(s->t, cmd, &of.target->color);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    draws(s, cmd, &of);
    samples_end(cmd, &of.target->color);
    vkt_submit(s->t, cmd);
    dump(s, &of, name);
}

/* Any direction. */
static void run_slopes(struct test *s)
{
    static const float widths_px[] = {1.5f, 2, 5, 16};
    static const char *const modes[] = {"default", "rectangular", "bresenham"};
    char name[64];
    for (uint32_t i = 0; i < 3 * VKT_COUNT(widths_px); i++) {
        struct scene of = scene_of(s, name);
        of.width_px = widths_px[i / 3];
        of.mode = i % 3 ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT + (i % 3 - 1) : 0;
        of.fs = VKT_CODE(lines_plain);
        of.push.turn = 1;
        if (of.mode && !s->t->features.bresenham_lines)
            continue;
        snprintf(name, sizeof(name), "near/%s-%u", modes[i % 3], i / 3);
        run(s, &of);
    }
    struct scene of = scene_of(s, "near/reach");
    of.fs = VKT_CODE(lines_plain);
    of.push.turn = 1;
    of.push.reach = 1.75f;
    run(s, &of);
    of.name = "near/reach-small";
    of.small = true;
    run(s, &of);
    of.name = "near/behind";
    of.small = false;
    of.push.w = -0.75f;
    run(s, &of);
    of.name = "near/colors";
    of.push.w = 0.5f;
    of.target = &s->colors;
    of.fs = VKT_CODE(lines_blended);
    of.blends = true;
    run(s, &of);
}

/* In a viewport without height. What others than these two drivers draw there is not known. */
static void run_flat(struct test *s)
{
    if (s->t->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
        return;
    struct scene of = scene_of(s, "near/flat");
    of.fs = VKT_CODE(lines_plain);
    of.flat = true;
    of.width_px = 5;
    run(s, &of);
    of.name = "near/flat-dynamic";
    of.dynamic = true;
    of.push.turn = 1;
    run(s, &of);
}

static void run_edges(struct test *s)
{
    struct scene of = scene_of(s, "edges");
    of.polygon = VK_POLYGON_MODE_LINE;
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    of.fs = VKT_CODE(lines_plain);
    of.push.turn = 1;
    if (!s->t->features.core.fillModeNonSolid)
        return;
    run(s, &of);
    of.name = "edges-culled";
    of.cull = VK_CULL_MODE_BACK_BIT;
    of.dynamic = true;
    of.fs = VKT_CODE(lines_number);
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    run(s, &of);
    of.name = "near/edges-bresenham";
    of.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
    if (s->t->features.bresenham_lines)
        run(s, &of);
}

/* Captures and queries are of lines. */
static void run_captures(struct test *s)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct scene of = scene_of(s, "captured");
        const struct vkt_buffer captured = xfb_buffer(s->t, 32768), counter = xfb_buffer(s->t, 4);
        const struct xfb_range range = {captured.buffer, 0, captured.size_B},
                               end = {counter.buffer, 0, 0};
        of.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
        of.dynamic = i & 1;
        if (i & 2)
            of.gs = VKT_CODE(lines_captured_geom);
        else
            of.vs = VKT_CODE(lines_captured_vert);
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

static void make_indices(struct test *s)
{
    uint16_t indices[INDICES];
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = i == 4 || i == 11 || i == 13 ? RESTART : (uint16_t)i;
    s->indices = vkt_buffer_from(s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-lines", argc, argv);
    struct vkt t;
    options.polygon_modes = options.wide_lines = true;
    options.layer_outputs = options.tessellation = options.xfb = true;
    vkt_init(&t, &options);
    struct test s = {.t = &t, .swiftshader = strstr(t.properties.deviceName, "SwiftShader")};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    if (!t.features.core.wideLines)
        vkt_skip("no wideLines");
    make_indices(&s);
    s.numbers = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.colors = vkt_target(&t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.deep = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&t, NULL, 0, &range, 1);
    run_topologies(&s);
    run_mixed(&s);
    run_facing(&s);
    run_stages(&s);
    run_distances(&s);
    run_fragments(&s);
    if (t.features.dynamic_rendering) {
        run_samples(&s, 0, "near/samples");
        if (!s.swiftshader) /* it has a sixteenth of the subpixels */
            run_samples(&s, 1, "opt/near/samples-turned");
    }
    run_slopes(&s);
    run_flat(&s);
    run_edges(&s);
    if (!options.link) /* lavapipe itself captures nothing then */
        run_captures(&s);
    return vkt_finish(&t);
}
