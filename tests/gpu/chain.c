/* SPDX-License-Identifier: MIT
 *
 * Renderings that are suspended and resumed, in one command buffer or in several, with geometry
 * shaders in any part of them: colours are cleared once and stored once, depths are only kept from
 * part to part. With `late` the first part is recorded before the device has a geometry shader.
 */
#include "common/vkt.h"

#include "lazy_frag.h"
#include "lazy_geom.h"
#include "lazy_vert.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 64u
#define PARTS 3

struct push {
    float shift[2], depth;
    uint32_t tint;
};

struct suite {
    struct vkt t;
    struct vkt_image color, depth;
    VkPipelineLayout layout;
    VkPipeline native, emulated;
};

static VkPipeline pipeline(struct suite *s, bool geometry)
{
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(lazy_vert),
        .fs = VKT_CODE(lazy_frag),
        .layout = s->layout,
        .dynamic_format = VK_FORMAT_R32_UINT,
        .dynamic_depth_format = VK_FORMAT_D32_SFLOAT,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth_test = true,
        .depth_write = true,
    };
    if (geometry)
        info.gs = VKT_CODE(lazy_geom);
    return vkt_pipeline(&s->t, &info);
}

static void draw(const struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline, float x,
                 float depth, uint32_t tint)
{
    const struct push push = {{x, -x}, depth, tint};
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(cmd, 3, 1, 0, 0);
}

static void begin(const struct suite *s, VkCommandBuffer cmd, VkRenderingFlags flags)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->color.view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = {.color = {.uint32 = {99}}},
    };
    const VkRenderingAttachmentInfo depth = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->depth.view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .clearValue = {.depthStencil = {1.0f, 0}},
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = flags,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
        .pDepthAttachment = &depth,
    };
    vkCmdBeginRendering(cmd, &info);
}

static void record_part(struct suite *s, VkCommandBuffer cmd, uint32_t part)
{
    begin(s, cmd,
          (part ? VK_RENDERING_RESUMING_BIT : 0u) |
              (part + 1 < PARTS ? VK_RENDERING_SUSPENDING_BIT : 0u));
    if (part == 0) { /* without a geometry shader: it may not exist yet */
        draw(s, cmd, s->native, 0.0f, 0.5f, 1);
        draw(s, cmd, s->native, 0.25f, 0.75f, 2); /* partly behind */
    } else {
        draw(s, cmd, s->emulated, 0.25f * (float)part - 0.375f, 0.625f, 1 + 2 * part);
        draw(s, cmd, s->native, -0.125f * (float)part, 0.25f, 2 + 2 * part);
    }
    vkCmdEndRendering(cmd);
}

static void image_barrier(VkCommandBuffer cmd, const struct vkt_image *image, VkImageLayout from,
                          VkImageLayout to)
{
    vkt_image_barrier(cmd, image->image, (VkImageSubresourceRange){image->aspect, 0, 1, 0, 1}, from,
                      to);
}

/* `cuts`: bit i: a new command buffer begins before part i + 1. */
static void run_case(struct suite *s, uint32_t cuts, bool late, const char *name)
{
    VkCommandBuffer cmds[PARTS];
    uint32_t count = 0;
    for (uint32_t part = 0; part < PARTS; part++) {
        if (!part || (cuts >> (part - 1) & 1)) {
            if (part)
                VKT_CALL(vkEndCommandBuffer(cmds[count - 1]));
            cmds[count] = vkt_commands(&s->t);
            vkt_begin(cmds[count++], 0);
        }
        if (!part) {
            image_barrier(cmds[0], &s->color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
            image_barrier(cmds[0], &s->depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
        }
        if (part == (late ? 1 : 0) && !s->emulated)
            s->emulated = pipeline(s, true);
        record_part(s, cmds[count - 1], part);
    }
    image_barrier(cmds[count - 1], &s->color, VK_IMAGE_LAYOUT_GENERAL,
                  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    VKT_CALL(vkEndCommandBuffer(cmds[count - 1]));
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = count,
        .pCommandBuffers = cmds,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &submit, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->color, 4);
    const uint32_t *texels = pixels.map;
    uint32_t found[1 + 2 * PARTS] = {0}, cleared = 0, others = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t tint = texels[i] < 16 ? texels[i] : texels[i] / 16;
        if (texels[i] == 99)
            cleared++;
        else if (tint <= 2 * PARTS)
            found[tint]++;
        else
            others++;
    }
    VKT_EXPECT(&s->t, cleared > 500 && !others, "%s: %u cleared, %u unknown", name, cleared,
               others);
    for (uint32_t i = 1; i <= 2 * PARTS; i++)
        VKT_EXPECT(&s->t, found[i], "%s: nothing of draw %u", name, i);
    vkt_dump_image(&s->t, name, texels, SIDE_PX, SIDE_PX, 4);
}

static int run(const struct vkt_options *options, bool late)
{
    static struct suite s;
    s = (struct suite){0};
    vkt_init(&s.t, options);
    if (!s.t.features.dynamic_rendering)
        vkt_skip("no dynamic rendering");
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    s.color = vkt_image(&s.t, VK_FORMAT_R32_UINT, SIDE_PX, SIDE_PX,
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    s.depth = vkt_image(&s.t, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX,
                        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.native = pipeline(&s, false);
    if (late) {
        run_case(&s, 1, true, "late/two");
    } else {
        run_case(&s, 0, false, "one");
        run_case(&s, 1, false, "two");
        run_case(&s, 2, false, "two/last");
        run_case(&s, 3, false, "three");
    }
    return vkt_finish(&s.t);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-chain", argc, argv);
    return run(&options, vkt_flag(&options, "--late"));
}
