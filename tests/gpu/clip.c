/* SPDX-License-Identifier: MIT
 *
 * Clip and cull distances: of every count, of vertex shaders, geometry shaders and tessellation, of
 * points, lines and triangles; read by fragment shaders, that also need derivatives, write memory,
 * demand early tests, write depths and masks of samples, or are not there; with several samples;
 * captured and counted. Run with VK_POLY_GS_CLIP=emulate, as on a driver that has neither.
 */
#include "gpu/xfb.h"

#include "clip_captured_vert.h"
#include "clip_frag_0.h"
#include "clip_frag_1.h"
#include "clip_frag_10.h"
#include "clip_frag_2.h"
#include "clip_frag_3.h"
#include "clip_frag_4.h"
#include "clip_frag_5.h"
#include "clip_frag_6.h"
#include "clip_frag_7.h"
#include "clip_frag_8.h"
#include "clip_frag_9.h"
#include "clip_geom.h"
#include "clip_tesc.h"
#include "clip_tese.h"
#include "clip_vert_0_1.h"
#include "clip_vert_0_8.h"
#include "clip_vert_1_0.h"
#include "clip_vert_3_0.h"
#include "clip_vert_4_4.h"
#include "clip_vert_8_0.h"

#include <stdio.h>
#include <string.h>

#define SIDE_PX 256u
#define INDICES 26u
#define COUNTS 64u

struct push {
    float w, shift;
    uint32_t step;
};

struct test {
    struct vkt *t;
    struct vkt_target numbers, colors, samples;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct vkt_buffer indices, counts;
    bool swiftshader, lacks_geometry; /* the second as in polygons.c */
};

/* A pipeline and how it is drawn. */
struct scene {
    const char *name;
    VkPrimitiveTopology topology;
    struct vkt_code vs, gs, tcs, tes, fs;
    const struct vkt_target *target;
    bool restart, secondary, depth, counted;
    enum vkt_blend blend;
    struct push push;
};

static VkPipeline make_pipeline(struct test *s, const struct scene *of)
{
    const struct vkt_pipeline_info info = {
        .vs = of->vs,
        .tcs = of->tcs,
        .tes = of->tes,
        .gs = of->gs,
        .fs = of->fs,
        .layout = s->layout,
        .pass = of->target->pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = of->topology,
        .patch_points = 3,
        .restart = of->restart,
        .samples = of->target == &s->samples ? VK_SAMPLE_COUNT_4_BIT : 0,
        .blend = of->blend,
        .depth_test = of->depth,
        .depth_write = of->depth,
        .depth_compare = VK_COMPARE_OP_LESS,
    };
    return vkt_pipeline(s->t, &info);
}

/* With the pipeline bound. */
static void draws(const struct test *s, VkCommandBuffer cmd, const struct scene *of)
{
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(of->push), &of->push);
    vkCmdDraw(cmd, 18, 2, 0, 0);
    vkCmdDraw(cmd, 6, 1, 3, 2);
    struct push other = of->push;
    other.step += 2;
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(other), &other);
    vkCmdDraw(cmd, 18, 3, 1, 3);
    vkCmdDrawIndexed(cmd, INDICES, 2, 0, 1, 6);
}

static void draw_scene(struct test *s, const struct scene *of, VkQueryPool pool)
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
    if (pool)
        vkCmdResetQueryPool(cmd, pool, 0, 1);
    vkt_target_begin(cmd, of->target, false,
                     secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                               : VK_SUBPASS_CONTENTS_INLINE);
    if (secondary) {
        vkCmdExecuteCommands(cmd, 1, &secondary);
    } else {
        if (pool)
            vkCmdBeginQuery(cmd, pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        draws(s, cmd, of);
        if (pool)
            vkCmdEndQuery(cmd, pool, 0);
    }
    vkCmdEndRenderPass(cmd);
    vkt_submit(s->t, cmd);
}

static void dump(struct test *s, const struct scene *of, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(s->t, &of->target->color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(s->t, drawn >= 30, "%s: only %u pixels", name, drawn);
    if (of->target != &s->samples || !s->swiftshader) /* which has other samples */
        vkt_dump_image(s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static void run(struct test *s, const struct scene *of)
{
    char name[96];
    if (s->lacks_geometry && of->gs.words)
        return;
    const bool optional = of->gs.words || of->tes.words || of->target == &s->samples;
    memset(s->counts.map, 0, COUNTS * 4);
    draw_scene(s, of, VK_NULL_HANDLE);
    snprintf(name, sizeof(name), "%s%s", optional ? "opt/" : "", of->name);
    dump(s, of, name);
    if (of->counted)
        xfb_dump(s->t, s->counts.map, COUNTS * 4, "%s-counts", of->name);
}

/* What every scene has. */
static struct scene scene_of(const struct test *s, const char *name)
{
    return (struct scene){.name = name,
                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                          .vs = VKT_CODE(clip_vert_4_4),
                          .fs = VKT_CODE(clip_frag_0),
                          .target = &s->numbers,
                          .push = {0, 0, 1}};
}

static void run_counts(struct test *s)
{
    const struct {
        const char *name;
        struct vkt_code vs;
    } counts[] = {
        {"clip1", VKT_CODE(clip_vert_1_0)}, {"cull1", VKT_CODE(clip_vert_0_1)},
        {"clip3", VKT_CODE(clip_vert_3_0)}, {"clip8", VKT_CODE(clip_vert_8_0)},
        {"cull8", VKT_CODE(clip_vert_0_8)}, {"both4", VKT_CODE(clip_vert_4_4)},
    };
    char name[64];
    for (uint32_t i = 0; i < 2 * VKT_COUNT(counts); i++) {
        struct scene of = scene_of(s, name);
        of.vs = counts[i / 2].vs;
        of.push.w = i & 1 ? 0.5f : 0;
        snprintf(name, sizeof(name), "%s%s", counts[i / 2].name, i & 1 ? "-perspective" : "");
        run(s, &of);
    }
}

static void run_topologies(struct test *s)
{
    static const struct {
        const char *name;
        VkPrimitiveTopology topology;
    } topologies[] = {
        {"strip", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP},
        {"fan", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN},
        {"points", VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
        {"list-adjacency", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY},
    };
    for (uint32_t i = 0; i < VKT_COUNT(topologies); i++) {
        struct scene of = scene_of(s, topologies[i].name);
        of.topology = topologies[i].topology;
        of.restart = i < 2;
        if (of.topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST)
            of.vs = VKT_CODE(clip_vert_8_0);
        run(s, &of);
    }
    struct scene of = scene_of(s, "points-culled");
    of.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    of.vs = VKT_CODE(clip_vert_0_1);
    run(s, &of);
    of = scene_of(s, "secondary");
    of.secondary = true;
    run(s, &of);
}

static void run_fragments(struct test *s)
{
    const struct {
        const char *name;
        struct vkt_code fs;
        bool counted, depth;
    } kinds[] = {
        {"distances", VKT_CODE(clip_frag_2), false, false},
        {"derivatives", VKT_CODE(clip_frag_3), false, false},
        {"counts", VKT_CODE(clip_frag_4), true, false},
        {"early-counts", VKT_CODE(clip_frag_5), true, false},
        {"early", VKT_CODE(clip_frag_6), false, true},
        {"depths", VKT_CODE(clip_frag_7), false, true},
        {"counts-depth", VKT_CODE(clip_frag_4), true, true},
        {"counts-derivatives", VKT_CODE(clip_frag_10), true, false},
    };
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++) {
        struct scene of = scene_of(s, kinds[i].name);
        of.fs = kinds[i].fs;
        of.counted = kinds[i].counted;
        of.depth = kinds[i].depth;
        run(s, &of);
    }
    struct scene of = scene_of(s, "interpolated");
    of.fs = VKT_CODE(clip_frag_1);
    of.target = &s->colors;
    of.blend = VKT_BLEND_ADD;
    run(s, &of);
}

static void run_stages(struct test *s)
{
    struct scene of = scene_of(s, "geometry");
    of.gs = VKT_CODE(clip_geom);
    run(s, &of);
    of.name = "geometry-perspective";
    of.push.w = 0.5f;
    of.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    run(s, &of);
    of.name = "geometry-counts";
    of.fs = VKT_CODE(clip_frag_4);
    run(s, &of);
    of = scene_of(s, "tessellation");
    of.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    of.tcs = VKT_CODE(clip_tesc);
    of.tes = VKT_CODE(clip_tese);
    if (s->t->features.core.tessellationShader)
        run(s, &of);
    of.name = "tessellation-geometry";
    of.gs = VKT_CODE(clip_geom);
    if (s->t->features.core.tessellationShader)
        run(s, &of);
}

static void run_samples(struct test *s)
{
    const struct {
        const char *name;
        struct vkt_code fs;
    } kinds[] = {
        {"samples", VKT_CODE(clip_frag_1)},
        {"sample-masks", VKT_CODE(clip_frag_8)},
        {"sample-shading", VKT_CODE(clip_frag_9)},
    };
    char name[64];
    for (uint32_t i = 0; i < 3 * VKT_COUNT(kinds); i++) {
        struct scene of = scene_of(s, name);
        of.fs = kinds[i / 3].fs;
        of.target = &s->samples;
        of.push.shift = i % 3 ? 0.5f : 0;
        if (i % 3 == 2)
            of.gs = VKT_CODE(clip_geom);
        snprintf(name, sizeof(name), "%s%s", kinds[i / 3].name,
                 i % 3 == 2   ? "-geometry"
                 : i % 3 == 1 ? "-halves"
                              : "");
        run(s, &of);
    }
}

/* Also without a fragment shader. */
static void run_queries(struct test *s)
{
    struct vkt *t = s->t;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_OCCLUSION,
        .queryCount = 1,
    };
    VkQueryPool pool;
    VKT_CALL(vkCreateQueryPool(t->device, &info, NULL, &pool));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)pool);
    for (uint32_t i = 0; i < 8; i++) {
        struct scene of = scene_of(s, "queries");
        uint64_t value;
        if (i & 1) {
            of.fs = (struct vkt_code){NULL, 0};
            of.blend = VKT_BLEND_MASKED;
        }
        if (i & 2)
            of.gs = VKT_CODE(clip_geom);
        if (i & 4) {
            of.target = &s->samples;
            of.push.shift = 0.5f;
            of.fs = i & 1 ? of.fs : VKT_CODE(clip_frag_1);
        }
        if (s->lacks_geometry && of.gs.words)
            continue;
        draw_scene(s, &of, pool);
        VKT_CALL(vkGetQueryPoolResults(t->device, pool, 0, 1, 8, &value, 8,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        VKT_EXPECT(t, value > 100, "only %u samples", (unsigned)value);
        if (!s->swiftshader)
            xfb_dump(t, &value, sizeof(value), "opt/queries%u", i);
    }
}

static void run_captures(struct test *s)
{
    struct scene of = scene_of(s, "captured");
    const struct vkt_buffer captured = xfb_buffer(s->t, 32768), counter = xfb_buffer(s->t, 4);
    const struct xfb_range range = {captured.buffer, 0, captured.size_B},
                           end = {counter.buffer, 0, 0};
    of.vs = VKT_CODE(clip_captured_vert);
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
    xfb_dump(s->t, captured.map, captured.size_B, "captured");
    xfb_dump(s->t, counter.map, 4, "captured-end");
    dump(s, &of, "captured-picture");
}

/* -- what is drawn to -- */

static struct vkt_image sampled_image(struct vkt *t)
{
    struct vkt_image image = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                              .width_px = SIDE_PX,
                              .height_px = SIDE_PX,
                              .aspect = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = image.format,
        .extent = {SIDE_PX, SIDE_PX, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_4_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    VkMemoryRequirements needs;
    VKT_CALL(vkCreateImage(t->device, &info, NULL, &image.image));
    vkt_defer(t, vkt_destroy_image, (uint64_t)image.image);
    vkGetImageMemoryRequirements(t->device, image.image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1))
        type++;
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = type,
    };
    VKT_CALL(vkAllocateMemory(t->device, &memory, NULL, &image.memory));
    vkt_defer(t, vkt_free_memory, (uint64_t)image.memory);
    VKT_CALL(vkBindImageMemory(t->device, image.image, image.memory, 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = image.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VKT_CALL(vkCreateImageView(t->device, &view, NULL, &image.view));
    vkt_defer(t, vkt_destroy_image_view, (uint64_t)image.view);
    return image;
}

static VkRenderPass resolving_pass(struct vkt *t)
{
    const VkAttachmentDescription attachments[2] = {
        {
            .format = VK_FORMAT_R8G8B8A8_UNORM,
            .samples = VK_SAMPLE_COUNT_4_BIT,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        },
        {
            .format = VK_FORMAT_R8G8B8A8_UNORM,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        },
    };
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference resolved = {1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pResolveAttachments = &resolved,
    };
    const VkSubpassDependency after = {
        .srcSubpass = 0,
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &after,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(t->device, &info, NULL, &pass));
    vkt_defer(t, vkt_destroy_render_pass, (uint64_t)pass);
    return pass;
}

/* The colour image has what four samples of each pixel come to. */
static struct vkt_target sampled_target(struct vkt *t)
{
    const struct vkt_image samples = sampled_image(t);
    struct vkt_target target = {
        .color = vkt_image(t, VK_FORMAT_R8G8B8A8_UNORM, SIDE_PX, SIDE_PX,
                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
        .pass = resolving_pass(t),
    };
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = target.pass,
        .attachmentCount = 2,
        .pAttachments = (const VkImageView[]){samples.view, target.color.view},
        .width = SIDE_PX,
        .height = SIDE_PX,
        .layers = 1,
    };
    VKT_CALL(vkCreateFramebuffer(t->device, &info, NULL, &target.framebuffer));
    vkt_defer(t, vkt_destroy_framebuffer, (uint64_t)target.framebuffer);
    return target;
}

static void make_objects(struct test *s)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    const VkDescriptorSetLayout layout = vkt_set_layout(s->t, &binding, 1);
    uint16_t indices[INDICES];
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = i == 4 || i == 11 || i == 13 ? 3 : (uint16_t)((i * 5 + i / 4) % 31);
    s->indices = vkt_buffer_from(s->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s->counts = vkt_buffer(s->t, COUNTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s->layout = vkt_layout(s->t, &layout, 1, &range, 1);
    s->set = vkt_set(s->t, layout, &binding, 1);
    vkt_write_buffer(s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->counts.buffer, 0,
                     VK_WHOLE_SIZE);
    s->numbers = vkt_target(s->t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s->colors = vkt_target(s->t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s->samples = sampled_target(s->t);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-clip", argc, argv);
    struct vkt t;
    options.tessellation = options.xfb = true;
    vkt_init(&t, &options);
    struct test s = {.t = &t, .swiftshader = strstr(t.properties.deviceName, "SwiftShader")};
    s.lacks_geometry = t.properties.apiVersion < VK_MAKE_API_VERSION(0, 1, 4, 0) &&
                       (strstr(t.properties.deviceName, "llvmpipe") ||
                        vkt_has_layer(&t.options, "test_profiles")) &&
                       !vkt_has_layer(&t.options, "poly_gs");
    VKT_EXPECT(&t, t.properties.limits.maxCombinedClipAndCullDistances >= 8, "only %u distances",
               t.properties.limits.maxCombinedClipAndCullDistances);
    make_objects(&s);
    run_counts(&s);
    run_topologies(&s);
    run_fragments(&s);
    run_stages(&s);
    run_samples(&s);
    run_queries(&s);
    run_captures(&s);
    return vkt_finish(&t);
}
