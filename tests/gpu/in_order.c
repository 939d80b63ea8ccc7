/* SPDX-License-Identifier: MIT
 *
 * Triangles that lie in memory in the order in which they are drawn: of many draws that differ in
 * push constants, of one large draw, and of instances. And of so many draws alike, and of one call,
 * that their numbers in a dispatch have three and four hexadecimal digits.
 */
#include "common/vkt.h"

#include "in_order_frag.h"
#include "in_order_geom.h"
#include "in_order_vert.h"

#define SIDE_PX 256u
#define POINTS 4200u /* each has four pixels */
#define PUSH_B 128u
#define PIXELS_OF_POINT 4u
#define FRAGMENT_W 4u /* words that fragments add up, which have HIGH in all */
#define FRAGMENT_WORDS 16u
#define HIGH 0xAu
#define STAGES                                                                                     \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)

enum scene { MANY, ALIKE, CALL, LARGE, INSTANCES, SCENES };
static const char *const scene_names[SCENES] = {"many", "alike", "call", "large", "instances"};

static uint32_t tag_of(enum scene scene, uint32_t point)
{
    return scene == MANY ? (point % 7 + 1) << 20 : 1u << 24;
}

static void push(VkCommandBuffer cmd, VkPipelineLayout layout, uint32_t tag, uint32_t per_instance)
{
    uint32_t words[PUSH_B / 4] = {0};
    words[FRAGMENT_W] = 1;
    words[FRAGMENT_W + FRAGMENT_WORDS - 1] = HIGH - 1;
    words[30] = tag;
    words[31] = per_instance;
    vkCmdPushConstants(cmd, layout, STAGES, 0, PUSH_B, words);
}

static struct vkt_buffer make_args(struct vkt *t)
{
    VkDrawIndirectCommand args[POINTS];
    for (uint32_t i = 0; i < POINTS; i++)
        args[i] = (VkDrawIndirectCommand){1, 1, i, 0};
    return vkt_buffer_from(t, args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static void draw(VkCommandBuffer cmd, VkPipelineLayout layout, VkBuffer args, enum scene scene)
{
    switch (scene) {
    case MANY:
        for (uint32_t i = 0; i < POINTS; i++) {
            push(cmd, layout, tag_of(scene, i), 0);
            vkCmdDraw(cmd, 1, 1, i, 0);
        }
        break;
    case ALIKE:
        push(cmd, layout, tag_of(scene, 0), 0);
        for (uint32_t i = 0; i < POINTS; i++)
            vkCmdDraw(cmd, 1, 1, i, 0);
        break;
    case CALL:
        push(cmd, layout, tag_of(scene, 0), 0);
        vkCmdDrawIndirect(cmd, args, 0, POINTS, sizeof(VkDrawIndirectCommand));
        break;
    case LARGE:
        push(cmd, layout, tag_of(scene, 0), 0);
        vkCmdDraw(cmd, POINTS, 1, 0, 0);
        break;
    case INSTANCES: /* pushed before */
        vkCmdDraw(cmd, POINTS / 3, 3, 0, 0);
        break;
    case SCENES:
        break;
    }
}

static void check(struct vkt *t, const uint32_t *pixels, enum scene scene)
{
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t point = i / PIXELS_OF_POINT;
        const uint32_t expected = point < POINTS ? i + tag_of(scene, point) + (HIGH << 28) : 0;
        VKT_EXPECT(t, pixels[i] == expected, "%s: pixel %u is %x in place of %x",
                   scene_names[scene], i, pixels[i], expected);
    }
    vkt_dump_image(t, scene_names[scene], pixels, SIDE_PX, SIDE_PX, 4);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-in_order", argc, argv);
    static struct vkt t;
    vkt_init(&t, &options);
    const struct vkt_target target =
        vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const VkPushConstantRange range = {STAGES, 0, PUSH_B};
    const VkPipelineLayout layout = vkt_layout(&t, NULL, 0, &range, 1);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(in_order_vert),
        .gs = VKT_CODE(in_order_geom),
        .fs = VKT_CODE(in_order_frag),
        .layout = layout,
        .pass = target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    const VkPipeline pipeline = vkt_pipeline(&t, &info);
    const struct vkt_buffer args = make_args(&t);
    for (enum scene scene = 0; scene < SCENES; scene++) {
        if (scene == CALL && !t.features.core.multiDrawIndirect)
            continue;
        VkCommandBuffer cmd = vkt_commands(&t);
        vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        if (scene == INSTANCES)
            push(cmd, layout, tag_of(scene, 0), POINTS / 3);
        vkt_target_begin(cmd, &target, false, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        draw(cmd, layout, args.buffer, scene);
        vkCmdEndRenderPass(cmd);
        vkt_barrier_all(cmd);
        vkt_submit(&t, cmd);
        check(&t, vkt_image_read(&t, &target.color, 4).map, scene);
    }
    return vkt_finish(&t);
}
