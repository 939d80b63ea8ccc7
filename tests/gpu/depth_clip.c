/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_depth_clip_enable: depths that are clamped or not and clipped or not, into formats of
 * fixed and floating point, with every order of a viewport's depths, biased and written by the
 * fragment shader; of vertex shaders alone, also with distances of their own, of geometry shaders
 * and of tessellation. Run with VK_POLY_GS_DEPTH_CLIP=emulate, as on a driver that lacks it. Depths
 * out of the viewport's range that nobody clamps are undefined and not compared. --near: where
 * fragment shaders clip, for which edges and last bits are others.
 */
#include "gpu/xfb.h"

#include "depth_clip_distances_frag.h"
#include "depth_clip_distances_vert.h"
#include "depth_clip_frag.h"
#include "depth_clip_full_vert.h"
#include "depth_clip_geom.h"
#include "depth_clip_instanced_vert.h"
#include "depth_clip_moved_frag.h"
#include "depth_clip_tesc.h"
#include "depth_clip_tese.h"
#include "depth_clip_vert.h"

#include <stdio.h>

#define SIDE_PX 64u
#define VERTICES 42u

struct push {
    float w, begin;
};

/* What changes depths behind clipping. */
enum moves { UNMOVED, BIASED, BIASED_LATE, WRITTEN, MOVES };

struct test {
    struct vkt t;
    struct vkt_target targets[2]; /* D16, D32 */
    struct vkt_buffer args;       /* of an indirect draw */
    VkPipelineLayout layout;
    bool near, symmetric;
};

struct scene {
    const char *name;
    VkPrimitiveTopology topology;
    struct vkt_code vs, tcs, tes, gs, fs;
    enum moves moves;
    bool clamps, clips, states; /* the last: the structure is there */
    bool symmetric, only_colors, indirect;
    uint32_t target;
};

static const float ranges[][2] = {{0, 1}, {1, 0}, {0.25f, 0.75f}, {0.8125f, 0.1875f}, {0.5f, 0.5f}};

static const float bias[3] = {0, 0, 3.0f}; /* constant, clamp, slope */

static VkPipeline make_pipeline(struct test *s, const struct scene *of)
{
    const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_DEPTH_BIAS};
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
        .depthClipEnable = of->clips,
    };
    const VkPipelineViewportDepthClipControlCreateInfoEXT control = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
        .negativeOneToOne = VK_TRUE,
    };
    const VkRect2D scissor = {{0, 0}, {SIDE_PX, SIDE_PX}};
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .pNext = of->symmetric ? &control : NULL,
        .viewportCount = 1,
        .scissorCount = 1,
        .pScissors = &scissor,
    };
    const struct vkt_pipeline_info info = {
        .vs = of->vs,
        .tcs = of->tcs,
        .tes = of->tes,
        .gs = of->gs,
        .fs = of->fs,
        .layout = s->layout,
        .pass = s->targets[of->target].pass,
        .viewports = &viewports,
        .topology = of->topology,
        .patch_points = 3,
        .rasterization_next = of->states ? &clip : NULL,
        .depth_clamp = of->clamps,
        .depth_bias = of->moves == BIASED || of->moves == BIASED_LATE ? bias : NULL,
        .depth_test = true,
        .depth_write = true,
        .depth_compare = VK_COMPARE_OP_ALWAYS,
        .dynamic = dynamic,
        .dynamic_count = of->moves == BIASED_LATE ? 2 : 1,
    };
    return vkt_pipeline(&s->t, &info);
}

static void draw(const struct test *s, VkCommandBuffer cmd, const struct scene *of)
{
    const struct push push = {of->target ? 0.5f : 0, of->symmetric ? -1.0f : 0};
    if (of->moves == BIASED_LATE)
        vkCmdSetDepthBias(cmd, bias[0], bias[1], bias[2]);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    if (of->indirect)
        vkCmdDrawIndirect(cmd, s->args.buffer, 0, 1, 0);
    else
        vkCmdDraw(cmd, VERTICES, 1, 0, 0);
}

/* Depths that are not clamped are undefined where they leave the viewport's range. */
static bool has_depths(const struct scene *of, const float *range)
{
    const bool full = range[0] + range[1] == 1 && range[0] * range[1] == 0;
    if (of->only_colors)
        return false;
    return of->clamps || (of->clips && of->moves == UNMOVED) || (full && of->moves == UNMOVED);
}

/* Without a bias the driver only clips; then snapped vertices may move depths at planes a little
 * out of the range. */
static uint32_t clamp(struct test *s, const struct scene *of, uint32_t range, uint32_t depth)
{
    const float *ends = ranges[range];
    const uint32_t begin = (uint32_t)((ends[0] < ends[1] ? ends[0] : ends[1]) * 65536.0f);
    const uint32_t end = (uint32_t)((ends[0] < ends[1] ? ends[1] : ends[0]) * 65536.0f);
    const uint32_t slack = of->moves == UNMOVED ? 1024 : 2;
    if (!of->clamps)
        return depth;
    VKT_EXPECT(&s->t, depth + slack >= begin && depth <= end + slack,
               "%s: the depth %u is not clamped to %u..%u", of->name, depth, begin, end);
    return depth < begin ? begin : depth > end ? end : depth;
}

/* In 65536ths; what is not drawn stays 1. */
static void dump_depths(struct test *s, const struct scene *of, uint32_t range, const char *name,
                        const uint32_t *pixels)
{
    const uint32_t texel_B = of->target ? 4 : 2;
    const struct vkt_buffer read = vkt_image_read(&s->t, &s->targets[of->target].depth, texel_B);
    uint32_t depths[SIDE_PX * SIDE_PX];
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const float depth = of->target ? ((const float *)read.map)[i]
                                       : (float)((const uint16_t *)read.map)[i] / 65535.0f;
        const uint32_t rounded = (uint32_t)(depth * 65536.0f + 0.5f);
        depths[i] = pixels[i] ? clamp(s, of, range, rounded) : rounded;
    }
    vkt_dump_image(&s->t, name, depths, SIDE_PX, SIDE_PX, 4);
}

/* Where distances clip, polygons are cut by other planes first, and last bits differ. */
static bool is_near(const struct test *s, const struct scene *of)
{
    return s->near || (of->clamps && of->clips && of->moves != UNMOVED);
}

static void dump(struct test *s, const struct scene *of, uint32_t range)
{
    const struct vkt_buffer read = vkt_image_read(&s->t, &s->targets[of->target].color, 4);
    const uint32_t *pixels = read.map;
    const char *optional = of->tes.words || of->gs.words || of->symmetric ? "opt/" : "";
    char name[64], full[96];
    const uint32_t drawn = vkt_drawn(pixels, SIDE_PX * SIDE_PX);
    snprintf(name, sizeof(name), "%s-%s%s-%s-%u%s-%u", of->name, of->clamps ? "clamp" : "",
             !of->states ? "none"
             : of->clips ? "clip"
                         : "",
             of->target ? "d32" : "d16", (unsigned)of->moves, of->symmetric ? "s" : "", range);
    VKT_EXPECT(&s->t, drawn >= 20, "%s: only %u pixels", name, drawn);
    snprintf(full, sizeof(full), "%s%s%s", optional, s->near ? "near/" : "", name);
    vkt_dump_image(&s->t, full, pixels, SIDE_PX, SIDE_PX, 4);
    snprintf(full, sizeof(full), "%s%s%s-depths", optional, is_near(s, of) ? "near/" : "", name);
    if (has_depths(of, ranges[range]))
        dump_depths(s, of, range, full, pixels);
}

static void run(struct test *s, const struct scene *of)
{
    const struct vkt_target *target = &s->targets[of->target];
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    const VkPipeline pipeline = make_pipeline(s, of);
    for (uint32_t i = 0; i < VKT_COUNT(ranges); i++) {
        const VkViewport viewport = {0, 0, SIDE_PX, SIDE_PX, ranges[i][0], ranges[i][1]};
        VkCommandBuffer cmd = vkt_commands(&s->t);
        vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdSetViewport(cmd, 0, 1, &viewport);
        draw(s, cmd, of);
        vkCmdEndRenderPass(cmd);
        vkt_image_barrier(cmd, target->depth.image, whole,
                          VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        vkt_submit(&s->t, cmd);
        dump(s, of, i);
    }
}

/* Every choice of what is clamped and clipped, and without the structure. */
static void run_choices(struct test *s, struct scene of)
{
    for (uint32_t i = 0; i < 6; i++) {
        of.clamps = i & 1;
        of.clips = i & 2;
        of.states = i < 4;
        if (of.clamps || (of.states && of.moves == UNMOVED))
            run(s, &of);
    }
}

/* What is clamped and clipped, too. */
static void run_both(struct test *s, struct scene of)
{
    of.clamps = of.clips = of.states = true;
    run(s, &of);
}

static void run_stages(struct test *s, struct scene of)
{
    struct scene staged = of;
    staged.name = "geometry";
    staged.gs = VKT_CODE(depth_clip_geom);
    if (s->t.features.core.geometryShader)
        run_choices(s, staged);
    staged = of;
    staged.name = "tessellation";
    staged.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    staged.tcs = VKT_CODE(depth_clip_tesc);
    staged.tes = VKT_CODE(depth_clip_tese);
    if (s->t.features.core.tessellationShader)
        run_both(s, staged);
}

static const struct vkt_code written = {depth_clip_moved_frag, sizeof(depth_clip_moved_frag)};

static void run_all(struct test *s, struct scene of)
{
    for (int moves = 0; moves < MOVES; moves++) {
        of.moves = (enum moves)moves;
        of.fs = moves == WRITTEN ? written : VKT_CODE(depth_clip_frag);
        run_choices(s, of);
        if (moves == BIASED || moves == UNMOVED)
            run_stages(s, of);
    }
}

/* A bias is for polygons; to points SwiftShader adds what is left of the bias of an earlier
 * primitive. */
static void run_points(struct test *s, struct scene of)
{
    of.name = "points";
    of.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    of.moves = WRITTEN;
    of.fs = written;
    run_both(s, of);
    of.moves = BIASED_LATE;
    of.fs = VKT_CODE(depth_clip_frag);
    of.only_colors = true;
    run_both(s, of);
}

static void run_others(struct test *s, struct scene of)
{
    run_points(s, of);
    of.moves = BIASED_LATE;
    of.name = "strip";
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    run_both(s, of);
    of.name = "distances";
    of.vs = VKT_CODE(depth_clip_distances_vert);
    of.fs = VKT_CODE(depth_clip_distances_frag);
    run_both(s, of);
    of.name = "full"; /* no distance is left: still clipped */
    of.vs = VKT_CODE(depth_clip_full_vert);
    of.fs = VKT_CODE(depth_clip_frag);
    of.only_colors = true;
    run_both(s, of);
}

/* Pipelines that read first instances of indirect draws. */
static void run_instanced(struct test *s, struct scene of)
{
    of.name = "instanced";
    of.vs = VKT_CODE(depth_clip_instanced_vert);
    of.indirect = true;
    of.moves = BIASED;
    run_both(s, of);
    of.moves = WRITTEN;
    of.fs = VKT_CODE(depth_clip_moved_frag);
    run_choices(s, of);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-depth_clip", argc, argv);
    struct test s = {.near = vkt_flag(&options, "--near"),
                     .symmetric = vkt_flag(&options, "--symmetric")};
    VkPhysicalDeviceDepthClipEnableFeaturesEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
        .depthClipEnable = VK_TRUE};
    VkPhysicalDeviceDepthClipControlFeaturesEXT control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
        .depthClipControl = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, &clip, 1},
        {s.symmetric ? VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME : NULL,
         s.symmetric ? &control : NULL, 1},
        {NULL, NULL, 0}};
    options.tessellation = options.depth_clamp = true;
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    s.args =
        vkt_buffer(&s.t, sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0);
    *(VkDrawIndirectCommand *)s.args.map =
        (VkDrawIndirectCommand){.vertexCount = VERTICES, .instanceCount = 1, .firstInstance = 5};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    for (uint32_t i = 0; i < 2; i++)
        s.targets[i] = vkt_target(&s.t, VK_FORMAT_R32_UINT,
                                  i ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_D16_UNORM, SIDE_PX, SIDE_PX);
    for (uint32_t i = 0; i < 2; i++) {
        const struct scene plain = {.name = "plain",
                                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                    .vs = VKT_CODE(depth_clip_vert),
                                    .fs = VKT_CODE(depth_clip_frag),
                                    .symmetric = s.symmetric,
                                    .target = i};
        run_all(&s, plain);
        run_others(&s, plain);
        if (s.t.features.core.drawIndirectFirstInstance)
            run_instanced(&s, plain);
    }
    return vkt_finish(&s.t);
}
