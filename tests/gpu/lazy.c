/* SPDX-License-Identifier: MIT
 *
 * The first geometry shader of a device is compiled and bound while a pass is being recorded, as by
 * programs that compile at the first draw. Each case has a device of its own.
 */
#include "common/vkt.h"

#include "lazy_frag.h"
#include "lazy_geom.h"
#include "lazy_vert.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 64u

enum way { CLASSIC, CLASSIC2, DYNAMIC, WAYS };
static const char *const way_names[WAYS] = {"render-pass", "render-pass-2", "rendering"};

struct push {
    float shift[2], depth;
    uint32_t tint;
};

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline native;
    VkCommandBuffer cmd;
    enum way way;
    bool load;
};

static VkPipeline pipeline(struct suite *s, bool geometry)
{
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(lazy_vert),
        .fs = VKT_CODE(lazy_frag),
        .layout = s->layout,
        .pass = s->way == DYNAMIC ? VK_NULL_HANDLE : s->target.pass,
        .dynamic_format = VK_FORMAT_R32_UINT,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth_test = s->way != DYNAMIC,
        .depth_write = s->way != DYNAMIC,
    };
    if (geometry)
        info.gs = VKT_CODE(lazy_geom);
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, float x, float depth, uint32_t tint)
{
    const struct push push = {{x, x}, depth, tint};
    vkCmdPushConstants(s->cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(s->cmd, 3, 1, 0, 0);
}

static void layout_barrier(const struct suite *s, VkImageLayout from, VkImageLayout to)
{
    vkt_image_barrier(s->cmd, s->target.color.image,
                      (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}, from, to);
}

static void begin_rendering(const struct suite *s, bool load)
{
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->target.color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = {.color = {.uint32 = {99}}},
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    vkCmdBeginRendering(s->cmd, &info);
}

static void begin_pass(const struct suite *s, bool load)
{
    const VkClearValue clear[2] = {{.color = {.uint32 = {77}}}, {.depthStencil = {1.0f, 0}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = load ? s->target.load_pass : s->target.pass,
        .framebuffer = s->target.framebuffer,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    const VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    if (s->way == DYNAMIC)
        begin_rendering(s, load);
    else if (s->way == CLASSIC2)
        vkCmdBeginRenderPass2(s->cmd, &info, &subpass);
    else
        vkCmdBeginRenderPass(s->cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void end_pass(const struct suite *s)
{
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    if (s->way == DYNAMIC)
        vkCmdEndRendering(s->cmd);
    else if (s->way == CLASSIC2)
        vkCmdEndRenderPass2(s->cmd, &end);
    else
        vkCmdEndRenderPass(s->cmd);
}

static void record(struct suite *s)
{
    vkt_begin(s->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (s->way == DYNAMIC)
        layout_barrier(s, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->native);
    if (s->load) { /* something to load */
        begin_pass(s, false);
        draw(s, -0.25f, 0.6f, 1);
        end_pass(s);
        if (s->way == DYNAMIC)
            layout_barrier(s, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    }
    begin_pass(s, s->load);
    draw(s, 0.0f, 0.5f, 2);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline(s, true));
    draw(s, 0.25f, 0.7f, 3); /* behind */
    draw(s, 0.375f, 0.4f, 4);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->native);
    draw(s, 0.125f, 0.45f, 5);
    end_pass(s);
    if (s->way == DYNAMIC)
        layout_barrier(s, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/* Leaves the pixels in *texels, or NULL where the device has not what it takes. */
static int run(const struct vkt_options *options, enum way way, bool load, uint32_t **texels)
{
    static struct suite s;
    s = (struct suite){.way = way, .load = load};
    *texels = NULL;
    vkt_init(&s.t, options);
    if (way == DYNAMIC && !s.t.features.dynamic_rendering)
        return vkt_finish(&s.t);
    if (way == CLASSIC2 && s.t.properties.apiVersion < VK_API_VERSION_1_2)
        return vkt_finish(&s.t);
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.native = pipeline(&s, false);
    s.cmd = vkt_commands(&s.t);
    record(&s);
    vkt_submit(&s.t, s.cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    *texels = malloc(pixels.size_B);
    if (!*texels)
        vkt_die("out of memory");
    memcpy(*texels, pixels.map, pixels.size_B);
    uint32_t found[6] = {0};
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t value = (*texels)[i];
        found[1] += value == 1;
        found[2] += value == 2;
        found[4] += value == 64 || value == 65;
        found[5] += value == 5;
    }
    VKT_EXPECT(&s.t, !load || found[1], "%s: nothing of the former pass", way_names[way]);
    VKT_EXPECT(&s.t, found[2], "%s: nothing from before the geometry shader", way_names[way]);
    VKT_EXPECT(&s.t, found[4], "%s: nothing of the geometry shader", way_names[way]);
    VKT_EXPECT(&s.t, found[5], "%s: nothing from after the geometry shader", way_names[way]);
    return vkt_finish(&s.t);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-lazy", argc, argv);
    struct vkt_options silent = options;
    silent.dump_path = NULL;
    uint32_t *texels[WAYS][2];
    int status = 0;
    for (int way = 0; way < WAYS; way++)
        for (int load = 0; load < 2; load++)
            status |= run(&silent, (enum way)way, load, &texels[way][load]);
    static struct vkt t;
    vkt_init(&t, &options);
    for (int way = 0; way < WAYS; way++)
        for (int load = 0; load < 2; load++) {
            char name[64];
            snprintf(name, sizeof(name), "%slate/%s/%s", way == CLASSIC ? "" : "opt/",
                     way_names[way], load ? "load" : "clear");
            if (texels[way][load])
                vkt_dump_image(&t, name, texels[way][load], SIDE_PX, SIDE_PX, 4);
            free(texels[way][load]);
        }
    return status | vkt_finish(&t);
}
