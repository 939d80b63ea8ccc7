/* SPDX-License-Identifier: MIT
 *
 * The same frame again and again, each recorded anew, until the layer draws it in another way: a
 * program that uses a pipeline much is to see no change. Emits depend on data. The work is direct,
 * or only the GPU knows how much it is, and it grows from frame to frame.
 */
#include "common/vkt.h"

#include "amplify_frag.h"
#include "amplify_vert.h"
#include "tier_long.h"
#include "tier_short.h"

#include <string.h>

#define SIDE_PX 64u
#define SIDE_TEXELS (SIDE_PX * SIDE_PX)
#define FRAMES 8u

struct suite {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkCommandBuffer cmd;
    struct vkt_buffer args;
    uint32_t first[SIDE_TEXELS]; /* the picture of the first frame */
};

static VkPipeline make_pipeline(struct suite *s, struct vkt_code gs)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(amplify_vert),
        .gs = gs,
        .fs = VKT_CODE(amplify_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .rasterization_next = s->t.features.bresenham_lines ? &line : NULL,
    };
    return vkt_pipeline(&s->t, &info);
}

/* So many points at first, and behind them the ones that all frames have. */
static void draw(const struct suite *s, bool indirect, uint32_t points)
{
    const VkDrawIndirectCommand commands[2] = {{points, 1, 0, 0}, {100, 2, 7, 3}};
    if (!indirect) {
        vkCmdDraw(s->cmd, points, 1, 0, 0);
        vkCmdDraw(s->cmd, 10, 2, 7, 3);
        vkCmdDraw(s->cmd, 3, 1, 0, 5);
        return;
    }
    memcpy(s->args.map, commands, sizeof(commands));
    for (uint32_t i = 0; i < 2; i++)
        vkCmdDrawIndirect(s->cmd, s->args.buffer, i * sizeof(commands[0]), 1, sizeof(commands[0]));
}

static void draw_frame(struct suite *s, const char *name, bool indirect, uint32_t number,
                       uint32_t points)
{
    vkt_begin(s->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(s->cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    draw(s, indirect, points);
    vkCmdEndRenderPass(s->cmd);
    vkt_barrier_all(s->cmd);
    vkt_submit(&s->t, s->cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    if (number == 0) {
        memcpy(s->first, pixels.map, sizeof(s->first));
        const uint32_t drawn = vkt_drawn(s->first, SIDE_TEXELS);
        VKT_EXPECT(&s->t, drawn > SIDE_PX, "%s: only %u pixels", name, drawn);
        vkt_dump_image(&s->t, name, s->first, SIDE_PX, SIDE_PX, 4);
    }
    VKT_EXPECT(&s->t, memcmp(s->first, pixels.map, sizeof(s->first)) == 0,
               "%s: frame %u looks otherwise", name, number);
}

static void draw_frames(struct suite *s, const char *name, struct vkt_code gs, bool indirect,
                        uint32_t points)
{
    s->pipeline = make_pipeline(s, gs);
    for (uint32_t i = 0; i < FRAMES; i++)
        draw_frame(s, name, indirect, i, points);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-tier", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.drawIndirectFirstInstance)
        vkt_skip("no drawIndirectFirstInstance");
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    s.cmd = vkt_commands(&s.t);
    s.args =
        vkt_buffer(&s.t, 2 * sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0);
    draw_frames(&s, "direct", VKT_CODE(tier_long), false, 1500);
    draw_frames(&s, "indirect", VKT_CODE(tier_short), true, 100);
    draw_frames(&s, "indirect-large", VKT_CODE(tier_short), true, 100000);
    return vkt_finish(&s.t);
}
